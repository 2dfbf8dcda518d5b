//! Parameters that are set for resources declared elsewhere: overrides, and defaults of scopes.
//! It must not know which code states them, nor whether their resource was looked for or collected.

use std::rc::Rc;
use std::sync::Arc;

use pantin_base::{Diagnostic, Severity, Strict};
use pantin_model::catalog::ResourceTypeKind;
use pantin_model::trace::At;
use pantin_values::{Fault, Str, Value};

use super::declared::NewResource;
use super::observed::ObservedResource;
use super::own::OwnResource;
use super::resource::{ExportFlag, Param, Resource, ResourceId};
use super::scope::ScopeId;
use super::{CatalogState, FIRST_OF_COMPILER};
use crate::code::Def;
use crate::report;

/// Parameters for a resource, from the class that sets them.
#[derive(Clone, Debug)]
pub(in crate::node) struct Override {
    pub(in crate::node) params: Vec<Rc<Param>>,
    pub(in crate::node) source: Arc<Def>,
    pub(in crate::node) at: Option<At>,
}

impl Override {
    /// Puppet makes a resource of them for each that they are for, which takes none twice.
    pub(in crate::node) fn check_names(&self, type_name: &str, title: &str) -> Result<(), Fault> {
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

impl CatalogState<'_> {
    // ---- defaults ----

    /// Sets what resources of a type get that are declared in a scope, where they do not say it themselves.
    pub(in crate::node) fn set_defaults(
        &mut self,
        scope: ScopeId,
        type_name: &Str,
        params: Vec<Rc<Param>>,
    ) -> Result<(), Fault> {
        let known = self.scopes.defaults_mut(scope, type_name);
        for param in params {
            if known.iter().any(|default| default.name == param.name) {
                let message = format!("Default already defined for {type_name} {{ {} }}; cannot redefine", param.name);
                return Err(located(message, param.at.as_ref()));
            }
            known.push(param);
        }
        Ok(())
    }

    /// The defaults that a resource of a type gets if it is declared in a scope.
    pub(in crate::node) fn defaults(&self, scope: ScopeId, type_name: &str) -> Vec<(Str, Value)> {
        let defaults = self.scopes.defaults(scope, type_name);
        defaults.iter().map(|param| (param.name.clone(), param.value())).collect()
    }

    /// Returns the default that a resource gets for a parameter; undef where there is none.
    pub(in crate::node) fn default_of(&self, id: ResourceId, name: &str) -> Value {
        let resource = self.resource(id);
        let defaults = self.scopes.defaults(resource.scope, &resource.type_name);
        defaults.iter().find(|param| param.name == name).map(|param| param.value()).unwrap_or_default()
    }

    // ---- overrides ----

    /// Keeps an override for a resource that is not there yet, and is recorded as observed.
    pub(in crate::node) fn keep_override(&mut self, type_name: &str, title: &str, new: Override) {
        self.pending_overrides.entry(format!("{type_name}[{title}]")).or_default().push(new);
    }

    /// The override that a collector makes of its parameters for a resource that it has found: with the defaults of the scope that
    /// collects.
    pub(in crate::node) fn override_by_collector(
        &self,
        found: ObservedResource,
        by: &Override,
        scope: ScopeId,
    ) -> Result<Override, Fault> {
        let resource = self.resource(found.id());
        by.check_names(&resource.type_name, &resource.title)?;
        let new = NewResource {
            type_name: resource.type_name.clone(),
            title: resource.title.clone(),
            has_text_title: true,
            kind: ResourceTypeKind::Unknown,
            resource_kind: resource.resource_kind.clone(),
            params: by.params.clone(),
            at: by.at.clone(),
            scope,
            source: by.source.clone(),
            is_virtual: false,
            exported: ExportFlag::No,
        };
        let with_defaults = self.with_defaults(new)?;
        Ok(Override { params: with_defaults.params, ..by.clone() })
    }

    /// The class whose collector overrides something may override anything from now on.
    pub(in crate::node) fn let_override_anything(&mut self, by: &Override) {
        self.overriding_classes.insert(Arc::as_ptr(&by.source) as usize);
    }

    /// Fails if a class must not override a resource. Returns a warning if the body of the resource has been run already.
    pub(in crate::node) fn check_override(
        &self,
        found: ObservedResource,
        new: &Override,
    ) -> Result<Option<Str>, Fault> {
        let resource = self.resource(found.id());
        // What nobody has declared is nobody's to override.
        let is_own = found.id().index() >= FIRST_OF_COMPILER && Arc::ptr_eq(&resource.source, &new.source);
        if !is_own && !self.is_child(&new.source, &resource.source) {
            return Err(located("Only subclasses can override parameters", new.at.as_ref()));
        }
        match resource.is_evaluated && resource.definition().is_some() {
            true => self.late_override(resource, new),
            false => Ok(None),
        }
    }

    fn late_override(&self, resource: &Resource, new: &Override) -> Result<Option<Str>, Fault> {
        let strict = self.base.settings.strict;
        if strict == Strict::Off {
            return Ok(None);
        }
        let at = report::resource_location(resource.at.as_ref());
        let message = match at.as_str() {
            "" => "Attempt to override an already evaluated resource with new values".to_owned(),
            at => {
                format!("Attempt to override an already evaluated resource, defined at {at}, with new values")
            }
        };
        let fault = located(message, new.at.as_ref());
        if strict == Strict::Error { Err(fault) } else { Ok(Some(fault.message.as_ref().into())) }
    }

    /// Sets the parameters, after [`check_override`](CatalogState::check_override).
    pub(in crate::node) fn apply_override(&mut self, found: ObservedResource, new: &Override) -> Result<(), Fault> {
        new.params.iter().try_for_each(|param| self.override_parameter(found.id(), param))
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
            if resource.definition().is_some() {
                self.observations.data().tags_late();
            }
            let added = resource.tags.add_values(&param.value.borrow(), &self.tag_names);
            added.map_err(|fault| located(fault.message, param.at.as_ref()))?;
        }
        resource.set(param);
        Ok(())
    }

    /// Returns true if a class inherits another, through any number of classes; one by whose collector something was
    /// overridden passes for a child of all.
    fn is_child(&self, class: &Arc<Def>, parent: &Arc<Def>) -> bool {
        let may_override = |class: &Arc<Def>| self.overriding_classes.contains(&(Arc::as_ptr(class) as usize));
        if may_override(class) {
            return true;
        }
        let mut scope = self.scopes.class_scope(&class.name).and_then(|scope| self.scopes.get(scope).inherited);
        while let Some(id) = scope {
            let here = self.scopes.get(id);
            if Arc::ptr_eq(&here.source, parent) || may_override(&here.source) {
                return true;
            }
            scope = here.inherited;
        }
        false
    }

    // ---- at the end ----

    /// The overrides that waited for a resource. Each was recorded when the resource was looked for in vain.
    pub(in crate::node) fn take_pending_overrides(
        &mut self,
        own: &OwnResource,
    ) -> Option<(ObservedResource, Vec<Override>)> {
        if self.pending_overrides.is_empty() {
            return None;
        }
        let pending = self.pending_overrides.shift_remove(&self.resource(own.id()).reference())?;
        Some((ObservedResource::new(own.id()), pending))
    }

    /// Returns the resources that overrides still wait for, as often as they do.
    pub(in crate::node) fn unmet_overrides(&self) -> Vec<&str> {
        self.pending_overrides
            .iter()
            .flat_map(|(reference, pending)| pending.iter().map(move |_| reference.as_str()))
            .collect()
    }
}

fn already_set(resource: &Resource, current: &Param, new: &Param) -> Fault {
    let at = report::behind(" at ", &report::resource_location(current.at.as_ref()));
    let (name, reference) = (&new.name, resource.reference());
    let message = format!("Parameter '{name}' is already set on {reference} by {SETTER}{at}; cannot redefine");
    located(message, new.at.as_ref())
}

/// Puppet shows an object of its own here, with an address that is another each time.
const SETTER: &str = "#<Puppet::Resource::Type:0x0000000000000000>";

/// Returns an error with its place, which nothing is put around.
pub(in crate::node) fn located(message: impl Into<String>, at: Option<&At>) -> Fault {
    let message = message.into();
    let location = report::behind(" ", &report::resource_location(at));
    let fault = Fault::located(format!("{message}{location}"));
    match at {
        Some(at) => fault.seen_in(Some(Arc::clone(&at.unit.source)), diagnostic(message, at)),
        None => fault,
    }
}

fn diagnostic(message: String, at: &At) -> Diagnostic {
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

/// Returns the items of an array, or the one value; without undef.
pub(in crate::node) fn listed(value: Value) -> Vec<Value> {
    let mut list = value.flattened();
    list.retain(|value| !value.is_undef());
    list
}
