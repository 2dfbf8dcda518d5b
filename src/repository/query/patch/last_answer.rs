//! The last answer of a node, with all that is needed to patch it.

use std::sync::Arc;

use pantin_compile::{Exchange, LookupObservations, ObservedNames, Walks};
use pantin_model::catalog::{Catalog, Resource};

use crate::query::blocks::DependencySet;
use crate::query::evictable_facts::EvictableFacts;
use crate::query::inventory::OpenedRepository;
use crate::query::{Answer, ReadyEnvironment};

/// What is known beside the files: all that a request is made of.
#[derive(Clone)]
pub(in crate::query) struct Basis {
    pub(in crate::query) opened: Arc<dyn OpenedRepository>,
    pub(in crate::query) prepared: Arc<EvictableFacts>,
    pub(in crate::query) ready: Arc<ReadyEnvironment>,
}

impl Basis {
    pub(super) fn is_same(&self, other: &Basis) -> bool {
        Arc::ptr_eq(&self.opened, &other.opened)
            && Arc::ptr_eq(&self.prepared, &other.prepared)
            && Arc::ptr_eq(&self.ready, &other.ready)
    }
}

pub(in crate::query) struct LastAnswer {
    pub(in crate::query) answer: Arc<Answer>,
    pub(in crate::query) dependencies: DependencySet,
    pub(super) basis: Basis,
    pub(super) catalog: Arc<Catalog>,
    pub(super) walks: Walks,
    pub(super) observed: Arc<ObservedNames>,
    pub(super) consulted: Arc<LookupObservations>,
}

impl LastAnswer {
    /// `None`: of an answer like this nothing can be learnt.
    pub(in crate::query) fn new(
        answer: &Arc<Answer>,
        dependencies: DependencySet,
        basis: Basis,
        walks: Walks,
        observed: ObservedNames,
        consulted: LookupObservations,
    ) -> Option<LastAnswer> {
        let catalog = Arc::clone(answer.result.as_ref().ok()?);
        let is_static = !catalog.metadata.is_empty() || !catalog.recursive_metadata.is_empty();
        if is_static || answer.exchange != Exchange::default() {
            return None;
        }
        let (answer, observed, consulted) = (Arc::clone(answer), Arc::new(observed), Arc::new(consulted));
        Some(LastAnswer { answer, dependencies, basis, catalog, walks, observed, consulted })
    }

    pub(super) fn resources(&self) -> &[Arc<Resource>] {
        &self.catalog.resources
    }
}
