//! The last answer of a node, with all that is needed to patch it.

use std::sync::Arc;

use pantin_compile::{BindingObservations, LookupObservations, ObservedNames, Walks};
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
    /// `None`: nothing is bound.
    pub(super) bindings: Option<BindingObservations>,
}

/// What was looked at while a catalog was compiled.
pub(in crate::query) struct Observed {
    pub(in crate::query) observed: ObservedNames,
    pub(in crate::query) lookups: LookupObservations,
    pub(in crate::query) bindings: Option<BindingObservations>,
}

impl LastAnswer {
    /// `Err`: why a catalog like this is never patched.
    pub(in crate::query) fn new(
        answer: &Arc<Answer>,
        dependencies: DependencySet,
        basis: Basis,
        walks: Walks,
        spent_steps: u64,
        Observed { observed, lookups, bindings }: Observed,
    ) -> Result<LastAnswer, PatchRefusal> {
        let Ok(NodeCatalog::Compiled(catalog)) = &answer.result else { return Err(PatchRefusal::FailedBefore) };
        if let Some(bindings) = &bindings {
            check_bindings(bindings)?;
        }
        let catalog = Arc::clone(catalog);
        let (answer, observed, lookup_observations) = (Arc::clone(answer), Arc::new(observed), Arc::new(lookups));
        Ok(LastAnswer {
            answer,
            dependencies,
            basis,
            catalog,
            walks,
            spent_steps,
            observed,
            lookup_observations,
            bindings,
        })
    }

    /// The same answer with an equal basis.
    pub(in crate::query) fn with_basis(&self, basis: &Basis) -> LastAnswer {
        LastAnswer { basis: basis.clone(), ..self.clone() }
    }

    /// Returns the keys of the traces of its bodies.
    pub(in crate::query) fn trace_keys(&self) -> impl Iterator<Item = &Key> {
        self.walks.iter().map(|walk| &walk.key)
    }

    pub(super) fn resources(&self) -> &[Arc<Resource>] {
        &self.catalog.resources
    }

    /// Returns true if a class is in the catalog. `name`: in lower case.
    pub(super) fn has_class(&self, name: &str) -> bool {
        self.resources().iter().any(|one| one.type_name == "Class" && one.title.eq_ignore_ascii_case(name))
    }

    pub(super) fn resource(&self, (type_name, title): &ResourceKey) -> Option<&Resource> {
        let mut resources = self.resources().iter();
        resources.find(|one| one.title == *title && one.type_name == *type_name).map(|one| &**one)
    }
}

/// Refuses bindings whose part in a catalog is more than answers to questions.
fn check_bindings(bindings: &BindingObservations) -> Result<(), PatchRefusal> {
    if bindings.injector.replaces_types() { Err(PatchRefusal::BindingReplacements) } else { Ok(()) }
}
