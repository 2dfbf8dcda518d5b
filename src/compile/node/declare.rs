//! Declared resources: what a resource expression, or a function, puts into the catalog.
//! It must not know how the catalog finds and keeps them.

use std::rc::Rc;

use pantin_model::catalog::ResourceTypeKind;
use pantin_model::trace::{Declaration, DeclaredBody, Failure, Outcome, Parameter, Parameters, ResourceForm};
use pantin_values::{Fault, Str, Type, Value};

use super::Compiler;
use super::references::{class_title, type_name_of};
use super::state::{ExportFlag, NewResource, Param, ResourceId, ResourceKind};
use crate::report::failure_of;

impl Compiler<'_> {
    pub(super) fn declare(&mut self, declaration: &Declaration) -> Outcome {
        let mut references = Vec::new();
        for body in &declaration.bodies {
            if body.titles.is_empty()
                && !is_class(declaration)
                && let Err(fault) = self.declared_kind(declaration)
            {
                return Outcome::Failed(Box::new(failure_of(fault)));
            }
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
        let written = parameters.iter().map(|parameter| Param::written(&parameter, source.clone()));
        if !self.state.has_replaced_types() {
            return written.collect();
        }
        let replaced = parameters.iter().map(|parameter| {
            let value = match super::state::is_relationship(&parameter.name) {
                true => self.state.with_replaced_references(parameter.value),
                false => self.state.with_replaced_types(parameter.value),
            };
            Param::written(&Parameter { written: parameter.written, value: &value }, source.clone())
        });
        replaced.collect()
    }

    fn declare_one(
        &mut self,
        declaration: &Declaration,
        body: &DeclaredBody,
        title: &Str,
        params: &[Rc<Param>],
    ) -> Result<ResourceId, Failure> {
        let (scope, at) = (self.here(), declaration.body_place(body));
        let is_class = is_class(declaration);
        let (type_name, title, kind, resource_kind) = if is_class {
            let replaced = self.replaced_class(title).map_err(failure_of)?;
            let class = self.find_class(replaced.as_ref().unwrap_or(title)).map_err(failure_of)?.ok_or_else(|| {
                let fault = Fault::new(format!("Could not find declared class {title}"));
                failure_of(fault.with_help_if(self.loader.help_for_class(title)))
            })?;
            ("Class".into(), class_title(&class.name), ResourceTypeKind::Class, ResourceKind::Def(class))
        } else {
            let resource_kind = self.declared_kind(declaration).map_err(failure_of)?;
            let kind = if matches!(resource_kind, ResourceKind::Native(_)) {
                ResourceTypeKind::Native
            } else {
                ResourceTypeKind::Defined
            };
            (type_name_of(&resource_kind), title.clone(), kind, resource_kind)
        };
        let new = NewResource {
            type_name,
            title,
            has_text_title: body.are_texts,
            kind,
            resource_kind,
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

    fn declared_kind(&mut self, declaration: &Declaration) -> Result<ResourceKind, Fault> {
        let name = &declaration.type_name;
        // A computed type has capitals, and is shown with them.
        let kind = match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => self.resource_kind(&name.to_lowercase())?,
            false => self.resource_kind(name)?,
        };
        kind.ok_or_else(|| {
            let fault = Fault::new(format!("Unknown resource type: '{name}'"));
            fault.with_help_if(self.loader.help_for_resource_type(name))
        })
    }

    /// A class that was declared like a resource is referred to like one.
    fn reference_to(&self, id: ResourceId) -> Value {
        Value::Type(Type::resource(self.state.type_name(id).clone(), Some(self.state.title(id).clone())))
    }

    /// Returns the native or defined type of a name, if there is one. What a module has in Ruby comes before what any
    /// has in Puppet code.
    pub(super) fn resource_kind(&mut self, name: &str) -> Result<Option<ResourceKind>, Fault> {
        match self.replaced_type(name)? {
            Some(replaced) => self.unreplaced_kind(&replaced),
            None => self.unreplaced_kind(name),
        }
    }

    /// The type of a name, whatever is put in its place.
    pub(super) fn unreplaced_kind(&mut self, name: &str) -> Result<Option<ResourceKind>, Fault> {
        let name = &*name.to_lowercase();
        if let Some(known) = self.kinds.get(name) {
            return Ok(Some(known.clone()));
        }
        let native = self.loader.resource_type(name);
        let says_nothing = self.loader.pending_logs.is_empty();
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
        let resource = self.state.prepare(new)?;
        if let Some(class) = resource.class().cloned() {
            self.ensure_parent(&class, resource.scope())?;
            self.state.add_tags_of(&resource);
        }
        self.state.add(resource)
    }
}

fn is_class(declaration: &Declaration) -> bool {
    declaration.type_name.eq_ignore_ascii_case("class")
}
