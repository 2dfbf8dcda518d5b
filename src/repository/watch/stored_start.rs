//! The stored answers that a watch starts from: nodes that have one need not be compiled before they are shown.
//!
//! Knows nothing of how nodes are compiled afterwards.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_apply::NodeSystem;
use pantin_base::Language;
use pantin_model::catalog::Catalog;
use pantin_values::Str;
use pantin_world::Disk;
use rayon::prelude::*;

use crate::Repository;
use crate::answer::{AnsweredCatalog, Head, Outcome};
use crate::catalog_check::CatalogFindings;
use crate::node_compiler::NodeToPrepare;
use crate::options::{CacheOptions, OpenError, Options};
use crate::query::{Answer, AnswerFailure, FindingsCell, HowComputed, NodeCatalog, ReadCatalog};
use crate::stored_answers::{MovedFile, NodeQuestion, StoredAnswers, StoredHit};
use crate::timings::Timings;

/// Where stored answers are found.
#[derive(Debug)]
pub(super) struct StoredStart {
    pub(super) options: Options,
    pub(super) cache: CacheOptions,
}

/// The store of a repository that is open for the files as they are now.
pub(super) struct OpenStart {
    repository: Repository,
    store: Arc<StoredAnswers>,
    nodes: Vec<NodeToPrepare>,
}

/// A stored answer that holds.
pub(super) struct HoldingAnswer {
    pub(super) answer: Arc<Answer>,
    /// The files whose lines have moved since it was stored.
    pub(super) moved: Vec<MovedFile>,
}

impl StoredStart {
    /// Opens the store for questions about these nodes. `Err`: what is wrong with it; nothing, where there is no store.
    pub(super) fn open(&self, names: &[Str]) -> Result<OpenStart, Vec<String>> {
        let mut repository = match Repository::open(&self.options, &self.cache, Timings::none()) {
            Ok(repository) => repository,
            Err(OpenError::Usage(reason) | OpenError::Failed(reason)) => return Err(vec![reason]),
        };
        repository.open_store();
        let Some(store) = repository.store().cloned() else {
            let troubles = repository.store_troubles();
            repository.free();
            return Err(troubles);
        };
        let nodes = repository.classify(names);
        Ok(OpenStart { repository, store, nodes })
    }
}

impl OpenStart {
    /// For each node its stored answer, if that holds.
    pub(super) fn holding_answers(&self) -> Vec<Option<HoldingAnswer>> {
        let find = |node: &NodeToPrepare| {
            let (head, hit) = self.store.find(self.question(node))?;
            let moved = hit.moved_lines.clone();
            Some(HoldingAnswer { answer: Arc::new(answer(&node.name, head, hit, &self.store)), moved })
        };
        self.nodes.par_iter().map(find).collect()
    }

    /// Returns every path that a stored answer depends on.
    pub(super) fn paths(&self) -> Vec<Arc<Path>> {
        self.store.paths().iter().map(|path| path.as_path().into()).collect()
    }

    /// Returns the paths whose state is why the node at this place has no answer that holds.
    pub(super) fn changed_paths(&self, place: usize) -> Vec<PathBuf> {
        let node = self.nodes.get(place);
        let paths = node.into_iter().flat_map(|node| self.store.changed_paths(self.question(node)));
        paths.map(PathBuf::from).collect()
    }

    /// Returns the files as they are now.
    pub(super) fn disk(&self) -> &dyn Disk {
        self.repository.compiler.files()
    }

    fn question<'q>(&'q self, node: &'q NodeToPrepare) -> NodeQuestion<'q> {
        let Repository { compiler, exports, .. } = &self.repository;
        NodeQuestion { compiler, node, exports: exports.as_ref() }
    }

    /// Returns what is wrong with the store.
    pub(super) fn troubles(&self) -> Vec<String> {
        self.repository.store_troubles()
    }

    /// Frees all but the store, which is shared with catalogs that are still to be read.
    pub(super) fn close(self) {
        self.repository.free();
    }
}

fn answer(node: &Str, head: Head, hit: StoredHit, store: &Arc<StoredAnswers>) -> Answer {
    let result = match head.outcome {
        Outcome::Catalog { resources, findings } => {
            let (findings, store) = (Arc::new(findings), Arc::clone(store));
            Ok(NodeCatalog::Stored(Arc::new(StoredNodeCatalog { resources, findings, hit, store })))
        }
        Outcome::Failure(failure) => Err(AnswerFailure::Stored(failure)),
    };
    let mut remarks = head.environment_remarks;
    remarks.extend(head.own_remarks);
    remarks.extend(head.node_remarks);
    Answer {
        node: node.clone(),
        environment: Some(Str::from(head.environment.as_str())),
        remarks,
        log: head.log,
        result,
        how: HowComputed::Stored,
        not_patched: None,
        bodies_run: Vec::new(),
        exchange: head.exchange,
        own_words: Arc::new(head.own_words),
        decrypted: head.decrypted,
        findings: FindingsCell::default(),
        // What was found is stored with the catalog.
        system: NodeSystem::unknown(Language::default()),
        ready: None,
    }
}

struct StoredNodeCatalog {
    resources: usize,
    findings: Arc<CatalogFindings>,
    hit: StoredHit,
    store: Arc<StoredAnswers>,
}

impl StoredNodeCatalog {
    fn content(&self) -> Option<AnsweredCatalog> {
        self.store.catalog(&self.hit).ok()?
    }
}

impl ReadCatalog for StoredNodeCatalog {
    fn resource_count(&self) -> usize {
        self.resources
    }

    fn read(&self) -> Option<Catalog> {
        Some(self.content()?.catalog().ok()?.into_owned())
    }

    fn is_stored_like(&self, compiled: &Catalog) -> bool {
        self.content().is_some_and(|content| content.is_stored_like(compiled))
    }

    fn findings(&self) -> &Arc<CatalogFindings> {
        &self.findings
    }
}

impl std::fmt::Debug for StoredNodeCatalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredNodeCatalog").field("hit", &self.hit).finish_non_exhaustive()
    }
}
