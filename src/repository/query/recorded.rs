//! A node's last answer in this process, with everything that decides whether an edit affects it. Knows nothing of how an answer is
//! brought up to date, nor of answers that outlive the process (`persist`).

use std::sync::Arc;

use pantin_values::{Digest, Str};

use super::Answer;
use super::blocks::DependencySet;
use super::evictable_facts::EvictableFacts;
use super::inventory::OpenedRepository;
use super::patch::{LastAnswer, PatchRefusal};
use super::ready::ReadyEnvironment;

/// An answer, with what it was computed from.
#[derive(Clone)]
pub(super) struct RecordedAnswer {
    pub(super) answer: Arc<Answer>,
    /// The inputs of the node's request; or why they could not be read.
    pub(super) basis: Result<Basis, Arc<str>>,
    /// The files and folders that the answer depends on, and a digest of their state then.
    pub(super) dependencies: DependencySet,
    pub(super) state: Digest,
    /// Digests of the exported resources that the node collected, by type.
    pub(super) collected: Vec<(Str, Digest)>,
    /// Of an answer that would differ if it were computed again: the revision that it was computed in.
    pub(super) volatile_in: Option<u64>,
    /// What a patch of the catalog starts from; or why this answer is never patched.
    pub(super) patchable: Result<Arc<LastAnswer>, PatchRefusal>,
    /// Of a node without a catalog: its last answer with one.
    pub(super) good: Option<Arc<GoodAnswer>>,
}

/// The last answer with a catalog of a node that has none now. A patch may start from it.
pub(super) struct GoodAnswer {
    pub(super) recorded: Arc<RecordedAnswer>,
    /// The last revision in which it was the node's answer.
    pub(super) revision: u64,
}

impl RecordedAnswer {
    /// From a patched answer; `state`: the digest of what its dependencies say; `collected`: that of the last answer, for what a node
    /// collects is as it was where it is patched.
    pub(super) fn from_patched(patched: LastAnswer, state: Digest, collected: Vec<(Str, Digest)>) -> RecordedAnswer {
        RecordedAnswer {
            answer: Arc::clone(&patched.answer),
            basis: Ok(patched.basis.clone()),
            state,
            dependencies: patched.dependencies.clone(),
            collected,
            volatile_in: None,
            patchable: Ok(Arc::new(patched)),
            good: None,
        }
    }

    /// The same answer, which missed an edit and can no longer be patched: patching data is large.
    pub(super) fn without_patching(&self) -> RecordedAnswer {
        RecordedAnswer { patchable: Err(PatchRefusal::MissedEdit), good: None, ..self.clone() }
    }

    /// Returns the answer from before a mistake that was taken back, as the node's answer now. `None`: it has no
    /// catalog.
    pub(super) fn restored(&self) -> Option<RecordedAnswer> {
        let catalog = &self.patchable.as_ref().ok()?.catalog;
        Some(RecordedAnswer { answer: Arc::new(self.answer.restored(catalog)), ..self.clone() })
    }

    /// Returns the last answer with a catalog, for a node that has none now. `revision`: the one before the edit that
    /// is taken in, if it is one edit. `None`: there is none that a patch could start from.
    pub(super) fn last_good(self: &Arc<RecordedAnswer>, revision: Option<u64>) -> Option<Arc<GoodAnswer>> {
        if self.good.is_some() || self.patchable.is_err() {
            return self.good.clone();
        }
        Some(Arc::new(GoodAnswer { recorded: Arc::clone(self), revision: revision? }))
    }
}

/// The inputs of a node's request, beside the files that are read while it is compiled.
#[derive(Clone)]
pub(super) struct Basis {
    pub(super) opened: BasisPart<dyn OpenedRepository>,
    pub(super) prepared: BasisPart<EvictableFacts>,
    pub(super) ready: BasisPart<ReadyEnvironment>,
}

impl Basis {
    /// Returns true if a request of one and a request of the other are the same.
    pub(super) fn is_equal(&self, other: &Basis) -> bool {
        self.opened.is_equal(&other.opened)
            && self.prepared.is_equal(&other.prepared)
            && self.ready.is_equal(&other.ready)
    }

    /// Returns true if the other one is not the same, but equal, and what was recorded of bodies is in it too.
    pub(super) fn is_replaceable_by(&self, other: &Basis) -> bool {
        !self.is_identical(other) && self.is_equal(other) && Arc::ptr_eq(&self.ready.traces, &other.ready.traces)
    }

    /// Returns true if both share their parts, so that what one environment remembers serves the other.
    pub(super) fn is_identical(&self, other: &Basis) -> bool {
        Arc::ptr_eq(&self.opened.value, &other.opened.value)
            && Arc::ptr_eq(&self.prepared.value, &other.prepared.value)
            && Arc::ptr_eq(&self.ready.value, &other.ready.value)
    }
}

/// A part of a basis, with the digest of all that it says. Without a digest it is equal to itself alone.
pub(super) struct BasisPart<T: ?Sized> {
    pub(super) value: Arc<T>,
    pub(super) shape: Option<Digest>,
}

impl<T: ?Sized> BasisPart<T> {
    fn is_equal(&self, other: &BasisPart<T>) -> bool {
        Arc::ptr_eq(&self.value, &other.value) || self.shape.is_some() && self.shape == other.shape
    }
}

impl<T: ?Sized> Clone for BasisPart<T> {
    fn clone(&self) -> BasisPart<T> {
        BasisPart { value: Arc::clone(&self.value), shape: self.shape }
    }
}

impl<T: ?Sized> std::ops::Deref for BasisPart<T> {
    type Target = Arc<T>;

    fn deref(&self) -> &Arc<T> {
        &self.value
    }
}
