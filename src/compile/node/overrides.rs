//! Overrides and defaults: parameters set for resources that are declared elsewhere.

use std::rc::Rc;
use std::sync::Arc;

use pantin_base::{Diagnostic, Severity, Strict};
use pantin_model::catalog::{ResourceTypeKind, Tags};
use pantin_model::trace::{At, Parameters};
use pantin_values::{Fault, Str, Type, Value};

use super::Compiler;
use super::declare::NewResource;
use super::finish::FIRST_OF_COMPILER;
use super::references::{class_title, no_title, reference_name, type_and_title, type_name_of, untitled};
use super::resource::{ExportFlag, Param, Resource, ResourceId, ResourceKind};
use crate::code::Def;
use crate::report;

/// Parameters for a resource, from the class that sets them.
#[derive(Clone, Debug)]
pub(super) struct Override {
    pub(super) params: Vec<Rc<Param>>,
    pub(super) source: Arc<Def>,
    pub(super) at: Option<At>,
}

impl Override {
    /// The real one makes a resource of them for each that they are for, which takes none twice.
    fn check_names(&self, type_name: &str, title: &str) -> Result<(), Fault> {
        let is_known = |&index: &usize| self.params[..index].iter().any(|known| known.name == self.params[index].name);
        match (0..self.params.len()).find(is_known) {
            Some(index) => {
                let name = &self.params[index].name;
                let message = format!("Duplicate parameter '{name}' for on {type_name}[{title}]");
                Err(located(message, self.at.as_ref()))
            }
            None => Ok(()),
        }
    }
}

/// A node is taken for a class there, which is then not found.
fn as_overridden((type_name, title): (Str, Str)) -> (Str, Str) {
    if type_name != "Node" {
        return (type_name, title);
    }
    let mut letters = title.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    ("Class".into(), first.chain(letters).collect::<String>().into())
}

impl Compiler<'_> {
    // ---- defaults ----

    pub(super) fn set_defaults(&mut self, type_name: &str, parameters: &Parameters) -> Result<(), Fault> {
        let type_name = reference_name(&type_name.to_lowercase());
        let params = self.params(parameters);
        let scope = self.here();
        let known = self.scopes.defaults_mut(scope, &type_name);
        for param in params {
            if known.iter().any(|default| default.name == param.name) {
                let message = format!("Default already defined for {type_name} {{ {} }}; cannot redefine", param.name);
                return Err(located(message, param.at.as_ref()));
            }
            known.push(param);
        }
        Ok(())
    }

    // ---- overrides ----

    pub(super) fn override_all(&mut self, references: &[Value], parameters: &Parameters, at: &At) -> Result<(), Fault> {
        let params = self.params(parameters);
        for param in params.iter().filter(|param| param.name == "tag") {
            let checked = Tags::default().add_values(&param.value.borrow(), &self.tag_names);
            checked.map_err(|fault| located(fault.message, Some(at)))?;
        }
        let source = self.source(self.here());
        for reference in references {
            let Value::Type(of) = reference else { continue };
            let Some((type_name, title)) = type_and_title(of).map(as_overridden) else {
                return Err(self.without_title(of));
            };
            let new = Override { params: params.clone(), source: source.clone(), at: Some(at.clone()) };
            new.check_names(&type_name, &title)?;
            self.add_override(&type_name, &title, new)?;
        }
        Ok(())
    }

    /// The real one shows what it has found for the type: a symbol, a name, or nothing.
    fn without_title(&mut self, of: &Type) -> Fault {
        let kind = match of.resolved() {
            Type::Resource(Some(of)) => self.resource_kind(&of.type_name.to_lowercase()),
            _ => Ok(None),
        };
        match kind {
            Ok(Some(ResourceKind::Def(definition))) => Fault::new(no_title(&definition.name)),
            Ok(Some(ResourceKind::Native(native))) => Fault::new(untitled(&format!(":{}", native.name()))),
            Ok(None) => Fault::new(untitled("nil")),
            Err(fault) => fault,
        }
    }

    /// Merged at once where the resource is there, kept for later otherwise.
    fn add_override(&mut self, type_name: &str, title: &str, new: Override) -> Result<(), Fault> {
        match self.find_resource(type_name, title) {
            Some(id) => self.merge(id, &new),
            None => {
                self.overrides.entry(format!("{type_name}[{title}]")).or_default().push(new);
                Ok(())
            }
        }
    }

    /// What a collector sets comes with the defaults of the scope that collects.
    pub(super) fn override_collected(
        &mut self,
        id: ResourceId,
        by: &Override,
        scope: super::ScopeId,
    ) -> Result<(), Fault> {
        let resource = self.resource(id);
        by.check_names(&resource.type_name, &resource.title)?;
        let new = NewResource {
            type_name: resource.type_name.clone(),
            title: resource.title.clone(),
            has_text_title: true,
            kind: ResourceTypeKind::Unknown,
            of: resource.of.clone(),
            params: by.params.clone(),
            at: by.at.clone(),
            scope,
            source: by.source.clone(),
            is_virtual: false,
            exported: ExportFlag::No,
        };
        let with_defaults = self.with_defaults(new)?;
        self.merge(id, &Override { params: with_defaults.params, ..by.clone() })
    }

    pub(super) fn merge(&mut self, id: ResourceId, new: &Override) -> Result<(), Fault> {
        let resource = self.resource(id);
        // What nobody has declared is nobody's to override.
        let is_own = id.index() >= FIRST_OF_COMPILER && Arc::ptr_eq(&resource.source, &new.source);
        if !is_own && !self.is_child(&new.source, &resource.source) {
            return Err(located("Only subclasses can override parameters", new.at.as_ref()));
        }
        if resource.is_evaluated && resource.definition().is_some() {
            self.complain_of_late_override(id, new)?;
        }
        for param in &new.params {
            self.override_parameter(id, param)?;
        }
        Ok(())
    }

    fn complain_of_late_override(&mut self, id: ResourceId, new: &Override) -> Result<(), Fault> {
        let strict = self.loader.base.settings.strict;
        if strict == Strict::Off {
            return Ok(());
        }
        let at = report::resource_location(self.resource(id).at.as_ref());
        let message = match at.as_str() {
            "" => "Attempt to override an already evaluated resource with new values".to_owned(),
            at => {
                format!("Attempt to override an already evaluated resource, defined at {at}, with new values")
            }
        };
        let fault = located(message, new.at.as_ref());
        if strict == Strict::Error {
            return Err(fault);
        }
        self.warn(fault.message.as_ref());
        Ok(())
    }

    fn override_parameter(&mut self, id: ResourceId, param: &Rc<Param>) -> Result<(), Fault> {
        let resource = self.resource(id);
        let Some(current) = resource.param(&param.name).cloned() else { return self.set_param(id, param.clone()) };
        let is_default =
            |value: &Value| self.scopes.is_default(resource.scope, &resource.type_name, &param.name, value);
        if is_default(&param.value.borrow()) {
            return Ok(());
        }
        let may = self.is_child(&param.source, &current.source)
            || (Arc::ptr_eq(&param.source, &current.source) && is_default(&current.value.borrow()));
        if !may {
            return Err(already_set(resource, &current, param));
        }
        let param = match param.append {
            false => param.clone(),
            true => {
                let both = [current.value().flattened(), param.value().flattened()].concat();
                param.with(Value::array(both))
            }
        };
        self.set_param(id, param)
    }

    /// Tags that are set are tags at once.
    pub(super) fn set_param(&mut self, id: ResourceId, param: Rc<Param>) -> Result<(), Fault> {
        let resource = &mut self.resources[id.index()];
        if param.name == "tag" {
            let added = resource.tags.add_values(&param.value.borrow(), &self.tag_names);
            added.map_err(|fault| located(fault.message, param.at.as_ref()))?;
        }
        resource.set(param);
        Ok(())
    }

    /// Whether a class inherits another, through any number of classes; one by whose collector something was overridden
    /// passes for a child of all.
    fn is_child(&self, class: &Arc<Def>, of: &Arc<Def>) -> bool {
        if self.overriding.contains(&(Arc::as_ptr(class) as usize)) {
            return true;
        }
        let mut scope = self.scopes.of_class(&class.name).and_then(|scope| self.scopes.get(scope).inherited);
        while let Some(id) = scope {
            let here = self.scopes.get(id);
            if Arc::ptr_eq(&here.source, of) || self.overriding.contains(&(Arc::as_ptr(&here.source) as usize)) {
                return true;
            }
            scope = here.inherited;
        }
        false
    }

    // ---- at the end ----

    pub(super) fn merge_kept_overrides(&mut self, id: ResourceId) -> Result<(), Fault> {
        if self.overrides.is_empty() {
            return Ok(());
        }
        let Some(kept) = self.overrides.shift_remove(&self.resource(id).reference()) else { return Ok(()) };
        kept.iter().try_for_each(|each| self.merge(id, each))
    }

    pub(super) fn unmet_overrides(&self) -> Vec<&str> {
        self.overrides.iter().flat_map(|(of, kept)| kept.iter().map(move |_| of.as_str())).collect()
    }

    /// A resource that only says which one is meant.
    pub(super) fn kind_or_class(&mut self, type_name: &str) -> Result<Option<Str>, Fault> {
        if type_name.eq_ignore_ascii_case("class") || type_name.eq_ignore_ascii_case("node") {
            return Ok(Some(reference_name(&type_name.to_lowercase())));
        }
        let found: Option<ResourceKind> = self.resource_kind(&type_name.to_lowercase())?;
        Ok(found.as_ref().map(type_name_of))
    }
}

fn already_set(resource: &Resource, current: &Param, new: &Param) -> Fault {
    let at = report::behind(" at ", &report::resource_location(current.at.as_ref()));
    let (name, of) = (&new.name, resource.reference());
    let message = format!("Parameter '{name}' is already set on {of} by {SETTER}{at}; cannot redefine");
    located(message, new.at.as_ref())
}

/// Puppet shows an object of its own here, with an address that is another each time.
const SETTER: &str = "#<Puppet::Resource::Type:0x0000000000000000>";

/// An error with its place, which nothing is put around.
pub(super) fn located(message: impl Into<String>, at: Option<&At>) -> Fault {
    let message = message.into();
    let location = report::behind(" ", &report::resource_location(at));
    let fault = Fault::located(format!("{message}{location}"), false);
    match at {
        Some(at) => fault.seen_in(Some(Arc::clone(&at.unit.source)), sighted(message, at)),
        None => fault,
    }
}

/// It has no name of its own.
fn sighted(message: String, at: &At) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "",
        message,
        place: at.place(),
        span: Some(at.span()),
        label: None,
        help: None,
        related: Vec::new(),
    }
}

/// The reference that a resource would have.
pub(super) fn reference_of(type_name: Option<&Str>, title: &str) -> (Str, Str) {
    match type_name {
        Some(type_name) if type_name == "Class" => (type_name.clone(), class_title(title)),
        Some(type_name) => (type_name.clone(), title.into()),
        // Of a type that is not known the real one makes a class.
        None => ("Class".into(), class_title(title)),
    }
}

/// The items of an array, or the one value; without undef.
pub(super) fn listed(value: Value) -> Vec<Value> {
    let mut list = value.flattened();
    list.retain(|value| !value.is_undef());
    list
}
