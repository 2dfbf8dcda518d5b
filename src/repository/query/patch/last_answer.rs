//! The last answer of a node, with all that is needed to patch it.

use std::sync::Arc;

use pantin_compile::{LookupObservations, ObservedNames, Walks};
use pantin_model::catalog::{Catalog, Resource};
use pantin_model::trace::{Key, ResourceKey};

use super::PatchRefusal;
use crate::query::blocks::DependencySet;
use crate::query::recorded::Basis;
use crate::query::{Answer, NodeCatalog};

#[derive(Clone)]
pub(in crate::query) struct LastAnswer {
    pub(in crate::query) answer: Arc<Answer>,
    pub(in crate::query) dependencies: DependencySet,
    pub(in crate::query) basis: Basis,
    pub(in crate::query) catalog: Arc<Catalog>,
    pub(super) walks: Walks,
    /// How many steps of the node's budget all walks took together.
    pub(super) spent_steps: u64,
    pub(super) observed: Arc<ObservedNames>,
    pub(super) lookup_observations: Arc<LookupObservations>,
}

impl LastAnswer {
    /// `Err`: why a catalog like this is never patched.
    pub(in crate::query) fn new(
        answer: &Arc<Answer>,
        dependencies: DependencySet,
        basis: Basis,
        walks: Walks,
        spent_steps: u64,
        observed: ObservedNames,
        lookup_observations: LookupObservations,
    ) -> Result<LastAnswer, PatchRefusal> {
        let Ok(NodeCatalog::Compiled(catalog)) = &answer.result else { return Err(PatchRefusal::FailedBefore) };
        let catalog = Arc::clone(catalog);
        let (answer, observed, lookup_observations) =
            (Arc::clone(answer), Arc::new(observed), Arc::new(lookup_observations));
        Ok(LastAnswer { answer, dependencies, basis, catalog, walks, spent_steps, observed, lookup_observations })
    }

    /// The same answer with an equal basis.
    pub(in crate::query) fn with_basis(&self, basis: &Basis) -> LastAnswer {
        LastAnswer { basis: basis.clone(), ..self.clone() }
    }

    /// The keys of the traces of its bodies.
    pub(in crate::query) fn trace_keys(&self) -> impl Iterator<Item = &Key> {
        self.walks.iter().map(|walk| &walk.key)
    }

    pub(super) fn resources(&self) -> &[Arc<Resource>] {
        &self.catalog.resources
    }

    pub(super) fn resource(&self, (type_name, title): &ResourceKey) -> Option<&Resource> {
        let mut resources = self.resources().iter();
        resources.find(|one| one.title == *title && one.type_name == *type_name).map(|one| &**one)
    }
}
