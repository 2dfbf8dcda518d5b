//! What answers have read: files and folders, and keys of data.
//!
//! Knows nothing of what is made of that.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pantin_world::{LeafId, LeafKind};
use rustc_hash::FxHashSet;

use crate::Repository;
use crate::answer::{Answer, AnswerDependencies};

/// Something that was asked of the disk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Read {
    pub kind: LeafKind,
    pub path: PathBuf,
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
    keys: FxHashSet<u64>,
}

impl<'r, F: Fn(LeafKind, &Path) -> bool> ReadFilter<'r, F> {
    pub fn new(repository: &'r Repository, fits: F) -> ReadFilter<'r, F> {
        let stored = repository.store().map(|store| store.ledger().leaves_where(&fits)).unwrap_or_default();
        ReadFilter { repository, fits, stored }
    }

    /// Those of an answer that fit, in order.
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

    /// Whether a key of data was looked up, by its hash.
    pub fn has_key(&self, hash: u64) -> bool {
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
    /// The hashes of the keys of data that an answer looked up. `None`: nobody knows.
    pub fn looked_up_keys(&self, answer: &Answer) -> Option<Vec<u64>> {
        match &answer.dependencies {
            AnswerDependencies::Compiled { keys, .. } => Some(keys.clone()),
            AnswerDependencies::Stored(found) => self.store()?.ledger().keys(found),
        }
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
