//! Resources that are added to the catalog, with the defaults of their scopes.
//! It must not know which effect declares them.

use std::rc::Rc;
use std::sync::Arc;

use pantin_base::limits;
use pantin_model::catalog::{ResourceTypeKind, Tags};
use pantin_model::trace::At;
use pantin_values::{Fault, Str};

use super::CatalogState;
use super::observed::ObservedResource;
use super::overrides::located;
use super::resource::{ExportFlag, Param, Resource, ResourceId, ResourceKind};
use super::scope::ScopeId;
use crate::code::Def;
use crate::node::references::class_title;
use crate::report;

/// A resource that is about to be added.
pub(in crate::node) struct NewResource {
    pub(in crate::node) type_name: Str,
    pub(in crate::node) title: Str,
    pub(in crate::node) has_text_title: bool,
    pub(in crate::node) kind: ResourceTypeKind,
    pub(in crate::node) resource_kind: ResourceKind,
    pub(in crate::node) params: Vec<Rc<Param>>,
    pub(in crate::node) at: Option<At>,
    pub(in crate::node) scope: ScopeId,
    pub(in crate::node) source: Arc<Def>,
    pub(in crate::node) is_virtual: bool,
    pub(in crate::node) exported: ExportFlag,
}

impl NewResource {
    pub(in crate::node) fn from_class(class: &Arc<Def>, scope: ScopeId, source: Arc<Def>) -> NewResource {
        NewResource {
            type_name: "Class".into(),
            title: class_title(&class.name),
            has_text_title: true,
            kind: ResourceTypeKind::Unknown,
            resource_kind: ResourceKind::Def(class.clone()),
            params: Vec::new(),
            at: None,
            scope,
            source,
            is_virtual: false,
            exported: ExportFlag::No,
        }
    }
}

/// A resource with the defaults of its scope, which is not in the catalog yet.
pub(in crate::node) struct PreparedResource(pub(super) Resource);

impl PreparedResource {
    pub(in crate::node) fn class(&self) -> Option<&Arc<Def>> {
        self.0.definition().filter(|definition| definition.is_class())
    }

    pub(in crate::node) fn scope(&self) -> ScopeId {
        self.0.scope
    }
}

impl CatalogState<'_> {
    /// Returns the resource with the defaults of its scope.
    pub(in crate::node) fn prepare(&self, new: NewResource) -> Result<PreparedResource, Fault> {
        self.with_defaults(new).map(PreparedResource)
    }

    pub(super) fn with_defaults(&self, new: NewResource) -> Result<Resource, Fault> {
        let mut resource = self.without_defaults(new)?;
        for param in self.scopes.defaults(resource.scope, &resource.type_name) {
            if resource.param(&param.name).is_none() {
                if param.name == "tag" {
                    let added = resource.tags.add_values(&param.value.borrow(), &self.tag_names);
                    added.map_err(|fault| located(fault.message, resource.at.as_ref()))?;
                }
                resource.params.push(param);
            }
        }
        Ok(resource)
    }

    fn without_defaults(&self, new: NewResource) -> Result<Resource, Fault> {
        let mut tags = Tags::default();
        let NewResource {
            type_name,
            title,
            has_text_title,
            kind,
            resource_kind,
            params,
            at,
            scope,
            source,
            is_virtual,
            exported,
        } = new;
        for param in &params {
            if param.name == "tag" {
                let added = tags.add_values(&param.value.borrow(), &self.tag_names);
                added.map_err(|fault| located(fault.message, at.as_ref()))?;
            }
        }
        tags.add_if_valid(&type_name, &self.tag_names);
        if has_text_title {
            tags.add_if_valid(&title, &self.tag_names);
        }
        let mut resource = Resource {
            type_name,
            title,
            has_text_title,
            kind,
            resource_kind,
            params: Vec::with_capacity(params.len()),
            tags,
            at,
            scope,
            source,
            is_virtual,
            exported,
            is_evaluated: false,
            is_checked: false,
            has_scope_tags: false,
            tagged_by: None,
            sensitive: Vec::new(),
            collected_as: None,
        };
        for param in params {
            if resource.param(&param.name).is_some() {
                let (name, reference) = (&param.name, resource.reference());
                return Err(Fault::new(format!("Duplicate parameter '{name}' for on {reference}")));
            }
            resource.params.push(param);
        }
        Ok(resource)
    }

    /// Adds a resource, and all by which it may be found.
    pub(in crate::node) fn add(&mut self, PreparedResource(resource): PreparedResource) -> Result<ResourceId, Fault> {
        self.check_room()?;
        let id = ResourceId::from_index(self.resources.len());
        self.check_title(&resource)?;
        self.table.add_title(&resource, id);
        let scope = resource.scope;
        let is_class = resource.is_class();
        let is_stage = resource.type_name == "Stage";
        let has_stage = !is_class && resource.param("stage").is_some_and(|stage| !stage.value.borrow().is_undef());
        self.by_type.add(&resource.type_name, id);
        self.resources.push(resource);
        self.add_aliases(id)?;
        self.add_unique_name(id)?;
        if has_stage {
            let reference = self.resource(id).reference();
            let message =
                format!("Only classes can set 'stage'; normal resources like {reference} cannot change run stage");
            return Err(Fault::new(message));
        }
        if !is_class && !is_stage {
            let container = self.scopes.get(scope).resource;
            self.edges.push((container, id));
        }
        Ok(id)
    }

    /// Adds a resource of another node, for the collector that brings it. `known_as`: what it is known by there.
    pub(in crate::node) fn add_import(&mut self, new: NewResource, known_as: Str) -> Result<ObservedResource, Fault> {
        let mut resource = self.with_defaults(new)?;
        resource.collected_as = Some(known_as);
        self.add(PreparedResource(resource)).map(ObservedResource::new)
    }

    /// Fails if the catalog may not have one resource more.
    fn check_room(&self) -> Result<(), Fault> {
        let most = self.base.settings.limits.resources;
        if self.resources.len() as u64 >= most {
            let what = format_args!("A catalog may have {most} resources at most");
            return Err(Fault::beyond(what, limits::MAX_RESOURCES));
        }
        Ok(())
    }

    fn check_title(&self, resource: &Resource) -> Result<(), Fault> {
        match self.table.by_title(&resource.type_name, &resource.title) {
            Some(known) => Err(self.duplicate(resource, known)),
            None => Ok(()),
        }
    }

    /// One that is there already may be found by its title and the aliases that it has now.
    pub(super) fn register(&mut self, id: ResourceId) -> Result<(), Fault> {
        let resource = &self.resources[id.index()];
        self.check_title(resource)?;
        self.table.add_title(resource, id);
        self.add_aliases(id)
    }

    fn duplicate(&self, new: &Resource, known: ResourceId) -> Fault {
        let reference = new.reference();
        let known = report::resource_location(self.resource(known).at.as_ref());
        let at = report::resource_location(new.at.as_ref());
        let already = if known.is_empty() { String::new() } else { format!(" at {known}") };
        let space = if at.is_empty() { "" } else { " " };
        Fault::new(format!(
            "Duplicate declaration: {reference} is already declared{already}; cannot redeclare{space}{at}"
        ))
    }
}
