//! The stored answers that a watch starts from: nodes that have one need not be compiled before they are shown.
//!
//! Knows nothing of how nodes are compiled afterwards.

use std::path::PathBuf;
use std::sync::Arc;

use pantin_model::catalog::Catalog;
use pantin_values::Str;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::Repository;
use crate::answer::{Head, Outcome};
use crate::node_compiler::NodeToPrepare;
use crate::options::{CacheOptions, Options};
use crate::query::{Answer, AnswerFailure, HowComputed, NodeCatalog, ReadCatalog};
use crate::stored_answers::{MovedFile, NodeQuestion, StoredAnswers, StoredHit};
use crate::timings::Timings;

/// Where stored answers are found.
#[derive(Debug)]
pub struct StoredStart {
    pub options: Options,
    pub cache: CacheOptions,
}

/// The stored answers that hold for the files as they are now.
#[derive(Default)]
pub(super) struct HoldingAnswers {
    /// In the order of the names that were asked for.
    pub(super) answers: Vec<Option<HoldingAnswer>>,
    /// Every path that a stored answer depends on.
    pub(super) paths: Vec<PathBuf>,
    /// The paths whose state is why a node has none.
    pub(super) changed: FxHashSet<String>,
}

/// A stored answer that holds.
pub(super) struct HoldingAnswer {
    pub(super) answer: Arc<Answer>,
    /// The files whose lines have moved since it was stored.
    pub(super) moved: Vec<MovedFile>,
}

impl StoredStart {
    /// Reads the store, and checks the answers of these nodes.
    pub(super) fn read(&self, names: &[Str]) -> HoldingAnswers {
        let none = || HoldingAnswers { answers: names.iter().map(|_| None).collect(), ..HoldingAnswers::default() };
        let Ok(mut repository) = Repository::open(&self.options, &self.cache, Timings::none()) else { return none() };
        repository.open_store();
        let Some(store) = repository.store().cloned() else {
            repository.free();
            return none();
        };
        let nodes = repository.classify(names);
        let Repository { compiler, exports, .. } = &repository;
        let find = |node: &NodeToPrepare| {
            let (head, hit) = store.find(NodeQuestion { compiler, node, exports: exports.as_ref() })?;
            let moved = hit.moved_lines.clone();
            Some(HoldingAnswer { answer: Arc::new(answer(&node.name, head, hit, &store)), moved })
        };
        let answers: Vec<Option<HoldingAnswer>> = nodes.par_iter().map(find).collect();
        let without = nodes.iter().zip(&answers).filter(|(_, answer)| answer.is_none());
        let changed = without
            .flat_map(|(node, _)| store.changed_paths(NodeQuestion { compiler, node, exports: exports.as_ref() }))
            .collect();
        let paths = store.paths();
        repository.free();
        HoldingAnswers { answers, paths, changed }
    }
}

fn answer(node: &Str, head: Head, hit: StoredHit, store: &Arc<StoredAnswers>) -> Answer {
    let result = match head.outcome {
        Outcome::Catalog { resources, .. } => {
            Ok(NodeCatalog::Stored(Arc::new(StoredNodeCatalog { resources, hit, store: Arc::clone(store) })))
        }
        Outcome::Failure(failure) => Err(AnswerFailure::Stored(failure.text)),
    };
    let mut remarks = head.environment_remarks;
    remarks.extend(head.node_remarks);
    Answer {
        node: node.clone(),
        remarks,
        log: head.log,
        result,
        how: HowComputed::Stored,
        bodies_run: Vec::new(),
        exchange: head.exchange,
    }
}

struct StoredNodeCatalog {
    resources: usize,
    hit: StoredHit,
    store: Arc<StoredAnswers>,
}

impl ReadCatalog for StoredNodeCatalog {
    fn resource_count(&self) -> usize {
        self.resources
    }

    fn read(&self) -> Option<Catalog> {
        let catalog = self.store.catalog(&self.hit).ok()??;
        Some(catalog.catalog().ok()?.into_owned())
    }
}

impl std::fmt::Debug for StoredNodeCatalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredNodeCatalog").field("hit", &self.hit).finish_non_exhaustive()
    }
}
