//! Declared resources: what a resource expression, or a function, puts into the catalog.

use std::rc::Rc;
use std::sync::Arc;

use pantin_base::limits;
use pantin_model::catalog::{ResourceTypeKind, Tags};
use pantin_model::trace::{At, Declaration, DeclaredBody, Failure, Outcome, Parameter, Parameters, ResourceForm};
use pantin_values::{Fault, Str, Type, Value};

use super::Compiler;
use super::overrides::located;
use super::references::{class_title, type_name_of};
use super::resource::{ExportFlag, Param, Resource, ResourceId, ResourceKind};
use super::scope::ScopeId;
use crate::code::Def;
use crate::report;
use crate::report::failure_of;

/// A resource that is about to be added.
pub(super) struct NewResource {
    pub(super) type_name: Str,
    pub(super) title: Str,
    pub(super) has_text_title: bool,
    pub(super) kind: ResourceTypeKind,
    pub(super) of: ResourceKind,
    pub(super) params: Vec<Rc<Param>>,
    pub(super) at: Option<At>,
    pub(super) scope: ScopeId,
    pub(super) source: Arc<Def>,
    pub(super) is_virtual: bool,
    pub(super) exported: ExportFlag,
}

impl NewResource {
    pub(super) fn of_class(class: &Arc<Def>, scope: ScopeId, source: Arc<Def>) -> NewResource {
        NewResource {
            type_name: "Class".into(),
            title: class_title(&class.name),
            has_text_title: true,
            kind: ResourceTypeKind::Unknown,
            of: ResourceKind::Def(class.clone()),
            params: Vec::new(),
            at: None,
            scope,
            source,
            is_virtual: false,
            exported: ExportFlag::No,
        }
    }
}

impl Compiler<'_> {
    pub(super) fn declare(&mut self, declaration: &Declaration) -> Outcome {
        let mut references = Vec::new();
        for body in &declaration.bodies {
            let mut params = self.params(&body.parameters);
            if declaration.by_function {
                params = params.iter().map(|param| param.without_place()).collect();
            }
            for title in &body.titles {
                match self.declare_one(declaration, body, title, &params) {
                    Ok(id) => references.push(self.reference_to(id)),
                    Err(failure) => return Outcome::Failed(Box::new(failure)),
                }
            }
        }
        Outcome::Value(Value::array(references))
    }

    /// As the source of each the class or defined type counts in whose scope the code stands.
    pub(super) fn params(&self, parameters: &Parameters) -> Vec<Rc<Param>> {
        let source = self.source(self.here());
        let param = |Parameter { written, value }: Parameter<'_>| {
            Rc::new(Param {
                name: written.name.clone(),
                value: value.clone().into(),
                at: Some(written.at.clone()),
                source: source.clone(),
                append: written.append,
            })
        };
        parameters.iter().map(param).collect()
    }

    fn declare_one(
        &mut self,
        declaration: &Declaration,
        body: &DeclaredBody,
        title: &Str,
        params: &[Rc<Param>],
    ) -> Result<ResourceId, Failure> {
        let (scope, at) = (self.here(), declaration.at_of(body));
        let is_class = declaration.type_name.eq_ignore_ascii_case("class");
        let (type_name, title, kind, of) = if is_class {
            let class = self
                .find_class(title)
                .map_err(failure_of)?
                .ok_or_else(|| failure_of(Fault::new(format!("Could not find declared class {title}"))))?;
            ("Class".into(), class_title(&class.name), ResourceTypeKind::Class, ResourceKind::Def(class))
        } else {
            let of = self
                .resource_kind(&declaration.type_name)
                .map_err(failure_of)?
                .ok_or_else(|| failure_of(Fault::new(format!("Unknown resource type: '{}'", declaration.type_name))))?;
            let kind = if matches!(of, ResourceKind::Native(_)) {
                ResourceTypeKind::Native
            } else {
                ResourceTypeKind::Defined
            };
            (type_name_of(&of), title.clone(), kind, of)
        };
        let new = NewResource {
            type_name,
            title,
            has_text_title: body.are_texts,
            kind,
            of,
            params: params.to_vec(),
            at: Some(at),
            scope,
            source: self.source(scope),
            is_virtual: declaration.form != ResourceForm::Regular,
            exported: match (declaration.form, declaration.by_function) {
                (ResourceForm::Exported, _) => ExportFlag::Yes,
                (_, true) => ExportFlag::Unsaid,
                _ => ExportFlag::No,
            },
        };
        let id = self.add_new(new).map_err(failure_of)?;
        if is_class {
            self.evaluate_class(id)?;
        }
        Ok(id)
    }

    /// A class that was declared like a resource is referred to like one.
    fn reference_to(&self, id: ResourceId) -> Value {
        let resource = self.resource(id);
        Value::Type(Type::resource(resource.type_name.clone(), Some(resource.title.clone())))
    }

    /// The native or defined type of a name, if there is one. What a module has in Ruby comes before what any has in
    /// Puppet code.
    pub(super) fn resource_kind(&mut self, name: &str) -> Result<Option<ResourceKind>, Fault> {
        if let Some(known) = self.kinds.get(name) {
            return Ok(Some(known.clone()));
        }
        let native = self.loader.resource_type(name);
        let says_nothing = self.loader.said.is_empty();
        self.tell();
        let kind = match native? {
            Some(native) => Some(ResourceKind::Native(native)),
            None => {
                let found = self.loader.define(name);
                self.tell();
                found?.map(ResourceKind::Def)
            }
        };
        // What is said of a type in Ruby is said each time.
        if let Some(kind) = kind.as_ref().filter(|_| says_nothing) {
            self.kinds.insert(name.into(), kind.clone());
        }
        Ok(kind)
    }

    /// Puts a resource into the catalog, with the defaults of its type.
    pub(super) fn add_new(&mut self, new: NewResource) -> Result<ResourceId, Fault> {
        let resource = self.with_defaults(new)?;
        let scope = resource.scope;
        let class = resource.definition().filter(|definition| definition.is_class()).cloned();
        if let Some(class) = class {
            self.ensure_parent(&class, scope)?;
            self.tags.merge(&resource.tags);
        }
        self.add(scope, resource)
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

    pub(super) fn without_defaults(&self, new: NewResource) -> Result<Resource, Fault> {
        let mut tags = Tags::default();
        let NewResource { type_name, title, has_text_title, kind, of, params, at, scope, source, is_virtual, exported } =
            new;
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
            of,
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
                let (name, of) = (&param.name, resource.reference());
                return Err(Fault::new(format!("Duplicate parameter '{name}' for on {of}")));
            }
            resource.params.push(param);
        }
        Ok(resource)
    }

    /// Whether the catalog may have one resource more.
    fn check_room(&self) -> Result<(), Fault> {
        let most = self.loader.base.settings.limits.resources;
        if self.resources.len() as u64 >= most {
            let what = format_args!("A catalog may have {most} resources at most");
            return Err(Fault::beyond(what, limits::MAX_RESOURCES));
        }
        Ok(())
    }

    /// Adds it, and all by which it may be found.
    pub(super) fn add(&mut self, scope: ScopeId, resource: Resource) -> Result<ResourceId, Fault> {
        self.check_room()?;
        let id = ResourceId(self.resources.len() as u32);
        self.check_title(&resource)?;
        self.table.add_title(&resource, id);
        let is_class = resource.is_class();
        let is_stage = resource.type_name == "Stage";
        let has_stage = !is_class && resource.param("stage").is_some_and(|stage| !stage.value.borrow().is_undef());
        self.of_types.add(&resource.type_name, id);
        self.resources.push(resource);
        self.add_aliases(id)?;
        self.add_unique_name(id)?;
        if has_stage {
            let of = self.resource(id).reference();
            let message = format!("Only classes can set 'stage'; normal resources like {of} cannot change run stage");
            return Err(Fault::new(message));
        }
        if !is_class && !is_stage {
            let container = self.scopes.get(scope).resource;
            self.edges.push((container, id));
        }
        Ok(id)
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
        let of = new.reference();
        let known = report::resource_location(self.resource(known).at.as_ref());
        let at = report::resource_location(new.at.as_ref());
        let already = if known.is_empty() { String::new() } else { format!(" at {known}") };
        let space = if at.is_empty() { "" } else { " " };
        Fault::new(format!("Duplicate declaration: {of} is already declared{already}; cannot redeclare{space}{at}"))
    }
}
