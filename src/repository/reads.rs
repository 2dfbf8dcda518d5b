//! What answers were made from: files and folders that were read, keys of data that were looked up, files of modules that an agent is
//! served.
//!
//! Every command that asks which paths a node depends on asks here. Knows nothing of what is made of that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pantin_hiera::KeyHash;
use pantin_values::Str;
use pantin_world::{Dependencies, LeafId, LeafKind, Leaves, NodeRead};
use rustc_hash::FxHashSet;

use crate::Repository;
use crate::answer::{Answer, AnswerDependencies};
use crate::node_dependency::NodeDependency;

/// Something that was asked of the disk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Read {
    pub kind: LeafKind,
    pub path: PathBuf,
}

impl Read {
    /// Returns the reads of these dependencies, in order.
    pub(crate) fn all(leaves: &Leaves, dependencies: &Dependencies) -> Vec<Read> {
        let found = dependencies.iter().filter_map(|(id, _)| leaves.leaf(*id));
        let mut reads: Vec<Read> = found.map(|leaf| Read { kind: leaf.kind, path: leaf.path.to_path_buf() }).collect();
        reads.sort();
        reads
    }
}

/// The reads that no answer has among its own, for only what they say counts for it: those of settings, of environments and of the
/// configuration.
pub struct SurroundingReads<'r> {
    repository: &'r Repository,
    environments: Mutex<BTreeMap<String, Arc<[Read]>>>,
}

impl<'r> SurroundingReads<'r> {
    pub fn new(repository: &'r Repository) -> SurroundingReads<'r> {
        SurroundingReads { repository, environments: Mutex::default() }
    }

    /// Returns what an environment, the settings and the configuration were read from.
    pub fn of_environment(&self, name: &str) -> Arc<[Read]> {
        let mut known = self.environments.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(name) {
            return Arc::clone(known);
        }
        let compiler = &self.repository.compiler;
        let own = compiler.environment_reads(name);
        let mut reads = Read::all(compiler.all_leaves(), &own);
        reads.extend(Read::all(compiler.all_leaves(), compiler.opening_reads()));
        reads.extend(self.repository.configuration_reads().iter().cloned());
        reads.sort();
        reads.dedup();
        let reads: Arc<[Read]> = reads.into();
        known.insert(name.to_owned(), Arc::clone(&reads));
        reads
    }

    /// Returns the read of the file in which the facts of a node stand beside those of others.
    pub fn of_facts(&self, node: &str) -> Option<Read> {
        let path = self.repository.compiler.sources.shared_facts_file(node)?;
        Some(Read { kind: LeafKind::Content, path })
    }
}

/// Finds certain reads among those of many answers.
pub struct ReadFilter<'r, F> {
    repository: &'r Repository,
    fits: F,
    /// For each read of the store whether it fits.
    stored: Vec<bool>,
}

/// All that some answers have read.
pub struct AllReads<'r> {
    repository: &'r Repository,
    stored: BTreeSet<u32>,
    compiled: BTreeSet<LeafId>,
    keys: FxHashSet<KeyHash>,
}

impl<'r, F: Fn(LeafKind, &Path) -> bool> ReadFilter<'r, F> {
    pub fn new(repository: &'r Repository, fits: F) -> ReadFilter<'r, F> {
        let stored = repository.store().map(|store| store.ledger().leaves_where(&fits)).unwrap_or_default();
        ReadFilter { repository, fits, stored }
    }

    /// Returns those of an answer that fit, in order.
    pub fn reads(&self, answer: &Answer) -> Vec<Read> {
        let mut reads: Vec<Read> = match (&answer.dependencies, self.repository.store()) {
            (AnswerDependencies::Stored(found), Some(store)) => {
                let ledger = store.ledger();
                let fitting = ledger.reads(found).filter(|number| self.stored.get(*number as usize) == Some(&true));
                fitting.filter_map(|number| ledger.leaf(number)).map(|(kind, path)| Read { kind, path }).collect()
            }
            (AnswerDependencies::Stored(_), None) => Vec::new(),
            (AnswerDependencies::Compiled { reads, .. }, _) => {
                let leaves = self.repository.compiler.leaves(reads);
                let leaves = leaves.into_iter().filter_map(|id| self.repository.compiler.leaf(id));
                let fitting = leaves.filter(|leaf| (self.fits)(leaf.kind, &leaf.path));
                fitting.map(|leaf| Read { kind: leaf.kind, path: leaf.path.to_path_buf() }).collect()
            }
        };
        reads.sort();
        reads
    }
}

impl<'r> AllReads<'r> {
    pub fn new(repository: &'r Repository) -> AllReads<'r> {
        AllReads { repository, stored: BTreeSet::new(), compiled: BTreeSet::new(), keys: FxHashSet::default() }
    }

    pub fn add(&mut self, answer: &Answer) {
        self.keys.extend(self.repository.looked_up_keys(answer).unwrap_or_default());
        match (&answer.dependencies, self.repository.store()) {
            (AnswerDependencies::Stored(found), Some(store)) => self.stored.extend(store.ledger().reads(found)),
            (AnswerDependencies::Stored(_), None) => {}
            (AnswerDependencies::Compiled { reads, .. }, _) => {
                self.compiled.extend(self.repository.compiler.leaves(reads));
            }
        }
    }

    /// Returns true if a key of data was looked up, by its hash.
    pub fn has_key(&self, hash: KeyHash) -> bool {
        self.keys.contains(&hash)
    }

    /// Each once.
    pub fn reads(&self) -> BTreeSet<Read> {
        let ledger = self.repository.store().map(|store| store.ledger());
        let stored = self.stored.iter().filter_map(|number| ledger?.leaf(*number));
        let compiled = self.compiled.iter().filter_map(|id| self.repository.compiler.leaf(*id));
        let compiled = compiled.map(|leaf| (leaf.kind, leaf.path.to_path_buf()));
        stored.chain(compiled).map(|(kind, path)| Read { kind, path }).collect()
    }
}

impl Repository {
    /// Returns where the files and folders lie that resources of an answer's catalog are copies of, there or not, each with its source.
    pub fn served_paths(&self, answer: &Answer) -> Vec<(Str, PathBuf)> {
        let environment = &answer.head.environment;
        let path =
            |source: &Str| Some((source.clone(), self.compiler.served_path(environment, source).ok().flatten()?));
        answer.head.served_sources.iter().filter_map(path).collect()
    }

    /// Returns the hashes of the keys of data that an answer looked up. `None`: nobody knows.
    pub fn looked_up_keys(&self, answer: &Answer) -> Option<Vec<KeyHash>> {
        match &answer.dependencies {
            AnswerDependencies::Compiled { keys, .. } => Some(keys.clone()),
            AnswerDependencies::Stored(found) => self.store()?.ledger().keys(found),
        }
    }

    /// Returns what an answer read of its facts and of what else is known of its node. `None`: it may be anything.
    pub(crate) fn node_reads(&self, answer: &Answer) -> Option<Vec<NodeRead>> {
        match &answer.dependencies {
            AnswerDependencies::Compiled { node_reads, .. } => (!node_reads.names).then(|| node_reads.list()),
            AnswerDependencies::Stored(found) => {
                NodeDependency::from_bytes(self.store()?.ledger().node_reads(found)?)?.reads()
            }
        }
    }
}

impl std::fmt::Debug for SurroundingReads<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SurroundingReads").finish_non_exhaustive()
    }
}

impl<F> std::fmt::Debug for ReadFilter<'_, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadFilter").field("stored", &self.stored.len()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for AllReads<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AllReads").field("stored", &self.stored.len()).finish_non_exhaustive()
    }
}
