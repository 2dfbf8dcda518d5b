//! The catalog under construction: resources, scopes, edges, classes and tags, and the log of what code looked at in them.
//! It must not know how bodies are run, nor which questions they ask.
//!
//! After an edit, a catalog is patched only if nobody looked at what the edit changes (`repository::query::patch`). A look that is
//! not recorded leads to a wrong catalog in silence. So all fields are private to this folder, nothing here returns a resource or
//! a scope, and there are three kinds of access.
//!
//! **What a patch never changes** is read freely, by the id of a resource or of a scope. Nobody can make up an id: it comes from
//! a recorded look-up, or from a declaration. A patch replaces the run of a body by another one whose effects are all the same,
//! in the same order (`TraceDiff`), but for declarations of resources that are not virtual, the values of parameters of classes that
//! are declared like resources, the parameters that the body itself works with, and the variables that it leaves. Therefore:
//!
//! | a patch never changes | because |
//! |---|---|
//! | type, title and definition of a resource | with another name it is another resource, which comes or goes |
//! | its scope and source | its declaration is an effect of the same body |
//! | whether it is virtual or exported | declarations of other forms are the same in both runs |
//! | its tags, and those of the catalog | `tag` is a metaparameter; the effect `Tag` is the same in both runs; what is added is a resource of a native type |
//! | its metaparameters, relationships and the names it has beside its title | `may_change` and `with_values` refuse them |
//! | edges; which classes there are, in which order, and which bodies were run | `include` and declarations of classes are the same in both runs |
//! | which class inherits which | that stands in the head of a class, not in its body |
//! | defaults, pending overrides, what matched last, locals that code shares | they are effects that are the same in both runs |
//! | variables of the top scope and of a node block | such a body is never patched (`is_of_definition`) |
//!
//! The place where a resource is declared may change. It reaches errors, which are not patched, and log lines; a node whose log
//! names an edited file is not patched either (`check_inputs`).
//!
//! **What a patch may change** is read with an [`ObservationLog`], which records it: whether there is a resource of a type, or
//! of a type and title; its parameters; the variables of classes and which there are. (The texts of files, and the order in
//! which they are loaded, are read from the loader, which takes a log too.) A [`ResourceId`] offers no parameters: only an
//! [`ObservedResource`] does.
//!
//! **A resource's own parameters** are read by the code that evaluates or finishes it, with an [`OwnResource`]. What it does with
//! them is shown by its own walk.
//!
//! ```text
//! observations.rs   the log; `ObservedNames`, as a patch consults them
//! observed.rs       resources found by type and title, and their parameters: recorded
//! variables.rs      variables as code sees them: recorded; and their assignment
//! own.rs            a resource's own parameters: when its body runs, and when it is finished
//! declared.rs, names.rs   resources that are added, and their further names
//! overrides.rs      parameters that are set for resources declared elsewhere, and defaults
//! tags.rs           tags of the catalog and of resources
//! finished.rs       relationships and metaparameters at the end
//! convert.rs, resource_interner.rs, exports.rs   what goes over the wire, and into the store of exported resources
//! recorded.rs       all of it, for whoever explains a node that is never patched
//! start.rs          what every catalog begins with
//! resource.rs, scope.rs, known_variables.rs, shared_locals.rs, table.rs   the parts
//! ```

mod convert;
mod declared;
mod exports;
mod finished;
mod known_variables;
mod names;
mod observations;
mod observed;
mod overrides;
mod own;
mod recorded;
mod resource;
mod resource_interner;
mod scope;
mod shared_locals;
mod start;
mod table;
mod tags;
mod variables;

use std::sync::Arc;

use indexmap::IndexMap;
use pantin_model::catalog::{LentNames, Tags};
use pantin_model::trace::At;
use pantin_values::{Digest, Str, Value};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

pub(super) use declared::NewResource;
pub(super) use finished::{no_title, too_many_edges};
pub(crate) use observations::ObservationLog;
pub(super) use observations::Observer;
pub use observations::{ObservedNames, file_hash, presence_of_resource_hash, variable_hash};
pub(super) use observed::{ObservedResource, OnlyMatches};
pub(super) use overrides::{Override, listed};
pub(super) use own::OwnResource;
pub(super) use resource::{ExportFlag, Param, ResourceId, ResourceKind};
pub(crate) use resource_interner::ResourceInterner;
pub(super) use scope::{ClassNames, NewScope, ScopeId, TOP};
pub(super) use shared_locals::{SharedLocals, VisibleLocals};
pub(super) use variables::ValuePart;

use crate::code::{Def, DefKind};
use crate::codebase::CodeBase;
use observations::CatalogObservations;
use resource::Resource;
use scope::Scopes;
use shared_locals::SharedLocalsStack;
use table::{ResourcesByType, Table};

/// For so many there is room from the first.
const USUAL_RESOURCES: usize = 512;

/// The main stage and the class `settings` stand before it.
const FIRST_OF_COMPILER: usize = 2;

/// The state of one catalog while it is made.
pub(super) struct CatalogState<'c> {
    base: &'c CodeBase,
    resources: Vec<Resource>,
    table: Table,
    by_type: ResourcesByType,
    scopes: Scopes,
    locals: SharedLocalsStack,
    /// Container and content, in the order in which they were added.
    edges: Vec<(ResourceId, ResourceId)>,
    classes: Vec<Str>,
    tags: Tags,
    tag_names: LentNames,
    /// Overrides of resources that are not declared yet, by reference.
    pending_overrides: IndexMap<String, Vec<Override>, FxBuildHasher>,
    /// Classes by whose collectors parameters were overridden: those may override anything from then on.
    overriding_classes: FxHashSet<usize>,
    /// All resources before it are evaluated, or have no body.
    first_unevaluated: usize,
    observations: CatalogObservations,
    /// Types of resources that bindings put in the place of others.
    type_replacements: FxHashMap<Str, Str>,
}

impl<'c> CatalogState<'c> {
    /// `is_observed`: what code looks at is recorded.
    pub(super) fn new(base: &'c CodeBase, is_observed: bool) -> CatalogState<'c> {
        CatalogState {
            base,
            resources: Vec::with_capacity(USUAL_RESOURCES),
            table: Table::with_capacity(USUAL_RESOURCES),
            by_type: ResourcesByType::default(),
            scopes: Scopes::default(),
            locals: SharedLocalsStack::default(),
            edges: Vec::with_capacity(USUAL_RESOURCES),
            classes: Vec::new(),
            tags: Tags::default(),
            tag_names: base.tags.lend(),
            pending_overrides: IndexMap::default(),
            overriding_classes: FxHashSet::default(),
            first_unevaluated: 0,
            observations: CatalogObservations::new(is_observed),
            type_replacements: FxHashMap::default(),
        }
    }

    /// Returns the log of an observer. That of [`Observer::Body`] is for the questions of the body that runs now.
    #[inline]
    pub(super) fn log(&self, observer: Observer) -> ObservationLog {
        self.observations.log(observer)
    }

    /// A body begins; it may do so inside of another one.
    pub(super) fn begin_body(&mut self) {
        self.observations.begin_body();
    }

    /// The body that runs now has ended. Returns what its questions read ([`WalkContent::reads`](super::WalkContent::reads)).
    pub(super) fn end_body(&mut self) -> Box<[u32]> {
        self.observations.end_body()
    }

    /// All that was recorded for the catalog.
    pub(super) fn take_observed(&self) -> ObservedNames {
        self.observations.take()
    }

    #[inline]
    fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.index()]
    }

    #[inline]
    fn resource_mut(&mut self, id: ResourceId) -> &mut Resource {
        &mut self.resources[id.index()]
    }
}

/// What a patch never changes of a resource.
impl CatalogState<'_> {
    pub(super) fn reference(&self, id: ResourceId) -> String {
        self.resource(id).reference()
    }

    #[inline]
    pub(super) fn type_name(&self, id: ResourceId) -> &Str {
        &self.resource(id).type_name
    }

    #[inline]
    pub(super) fn title(&self, id: ResourceId) -> &Str {
        &self.resource(id).title
    }

    #[inline]
    pub(super) fn kind(&self, id: ResourceId) -> &ResourceKind {
        &self.resource(id).resource_kind
    }

    #[inline]
    pub(super) fn definition(&self, id: ResourceId) -> Option<&Arc<Def>> {
        self.resource(id).definition()
    }

    #[inline]
    pub(super) fn is_class(&self, id: ResourceId) -> bool {
        self.resource(id).is_class()
    }

    #[inline]
    pub(super) fn is_exported(&self, id: ResourceId) -> bool {
        self.resource(id).exported == ExportFlag::Yes
    }

    /// By what it is known where it was collected from.
    pub(super) fn collected_as(&self, id: ResourceId) -> Option<&Str> {
        self.resource(id).collected_as.as_ref()
    }

    /// Where it is declared: for errors and log lines.
    pub(super) fn declared_at(&self, id: ResourceId) -> Option<&At> {
        self.resource(id).at.as_ref()
    }

    /// Returns the scope that it is declared in.
    #[inline]
    pub(super) fn declared_in(&self, id: ResourceId) -> ScopeId {
        self.resource(id).scope
    }

    /// Where the next resource comes into the catalog: for the marks of walks.
    pub(super) fn next_place(&self) -> u32 {
        self.resources.len() as u32
    }

    /// Where the resource with this scope stands: for walks.
    pub(super) fn place_of(&self, scope: ScopeId) -> u32 {
        self.scopes.get(scope).resource.place()
    }
}

/// What a patch never changes of scopes, classes and edges.
impl CatalogState<'_> {
    /// Returns the resource whose body has this scope.
    #[inline]
    pub(super) fn resource_of(&self, scope: ScopeId) -> ResourceId {
        self.scopes.get(scope).resource
    }

    #[inline]
    pub(super) fn source(&self, scope: ScopeId) -> &Arc<Def> {
        &self.scopes.get(scope).source
    }

    /// Returns the scope of the node block as this one sees it, or the top.
    pub(super) fn node_scope(&self, scope: ScopeId) -> ScopeId {
        self.scopes.global(scope)
    }

    /// Returns the scope of a class that has been evaluated.
    #[inline]
    pub(super) fn class_scope(&self, name: &str) -> Option<ScopeId> {
        self.scopes.class_scope(name)
    }

    /// Returns the class that the code in a scope belongs to, or the class around it.
    pub(super) fn calling_class(&self, scope: ScopeId) -> Option<&Str> {
        let mut around = self.scopes.callers(scope).map(|scope| &scope.source);
        let class = around.find(|source| matches!(source.kind, DefKind::Class))?;
        Some(&class.name).filter(|name| !name.is_empty())
    }

    /// Returns true if a class inherits `settings`: its code sees settings by their bare names.
    #[inline]
    pub(super) fn has_heir_of_settings(&self) -> bool {
        self.scopes.has_heir_of_settings
    }

    /// Names the defaults that the scopes around this one set; `None`: they hold a list that grows.
    pub(super) fn defaults_around(&self, scope: ScopeId) -> Option<Digest> {
        self.scopes.defaults_around(scope)
    }

    pub(super) fn add_scope(&mut self, new: NewScope) -> ScopeId {
        self.scopes.add(new)
    }

    /// From now on the scope is that of a class.
    pub(super) fn set_class_scope(&mut self, name: Str, scope: ScopeId) {
        self.scopes.set_class(name, scope);
    }

    /// The values that the code in a scope matched last.
    pub(super) fn set_matched(&mut self, scope: ScopeId, matched: Value) {
        self.scopes.get_mut(scope).matched = matched;
    }

    /// Hides a class from other code, and its name and title from its own data, until its parameters are known.
    pub(super) fn hide_class(&mut self, scope: ScopeId) -> ClassNames {
        self.scopes.take_names(scope)
    }

    pub(super) fn show_class(&mut self, scope: ScopeId, names: ClassNames) {
        self.scopes.give_names(scope, names);
    }

    /// Adds an edge unless there is one.
    pub(super) fn contain(&mut self, container: ResourceId, content: ResourceId) {
        if !self.edges.contains(&(container, content)) {
            self.edges.push((container, content));
        }
    }

    /// Other code begins. To be handed back to [`end_locals`](CatalogState::end_locals).
    pub(super) fn begin_locals(&mut self) -> VisibleLocals {
        self.locals.begin()
    }

    /// The code has ended: the locals that it shared are gone. Returns what matched on its own scope.
    pub(super) fn end_locals(&mut self, before: VisibleLocals) -> Option<Value> {
        self.locals.end(before)
    }

    /// The code that runs shares these locals from here on.
    pub(super) fn share_locals(&mut self, locals: Vec<SharedLocals>) {
        self.locals.share(locals);
    }
}

/// Returns true for the name of a parameter that holds relationships.
pub(super) fn is_relationship(name: &str) -> bool {
    matches!(name, "require" | "subscribe" | "before" | "notify")
}
