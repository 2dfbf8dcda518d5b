//! A resource's own parameters, for the code that runs its body or finishes it, and the queue of bodies to run.
//! Code that answers questions must not know them: what a body makes of its own parameters is no observation.

use std::rc::Rc;

use pantin_base::names::{is_module_variable, is_reserved_variable};
use pantin_model::catalog::kinds::{METAPARAMETERS, TypeTable};
use pantin_values::{Fault, NamedValues, Str, Type, Value, ops};

use super::observations::ObservationLog;
use super::overrides::listed;
use super::resource::{Param, Resource, ResourceId};
use super::scope::{PendingParameters, Scope, ScopeId};
use super::{CatalogState, FIRST_OF_COMPILER};
use crate::code::Def;
use crate::node::references::{class_title, reference_text};
use crate::report;
use crate::report::behind;

/// A resource in the hands of the code that evaluates or finishes it: it offers the parameters that are its own.
#[derive(Debug)]
pub(in crate::node) struct OwnResource(ResourceId);

impl OwnResource {
    #[inline]
    pub(in crate::node) fn id(&self) -> ResourceId {
        self.0
    }
}

impl CatalogState<'_> {
    // ---- evaluation ----

    /// Definitions whose bodies wait to be run.
    pub(in crate::node) fn waiting_definitions(&self) -> Vec<ResourceId> {
        let waiting = (self.first_unevaluated..self.resources.len()).map(ResourceId::from_index);
        waiting
            .filter(|&id| {
                let resource = self.resource(id);
                !resource.is_evaluated && !resource.is_virtual && resource.definition().is_some()
            })
            .collect()
    }

    /// So that a round need not go through all that came before.
    pub(in crate::node) fn skip_evaluated(&mut self) {
        while let Some(resource) = self.resources.get(self.first_unevaluated)
            && (resource.is_evaluated || resource.definition().is_none())
        {
            self.first_unevaluated += 1;
        }
    }

    /// A collector has found it: it is not virtual any more.
    pub(in crate::node) fn realize(&mut self, id: ResourceId) {
        self.resource_mut(id).is_virtual = false;
        self.first_unevaluated = self.first_unevaluated.min(id.index());
    }

    /// Returns the resource for the run of its body; `None`: that is or was run already.
    pub(in crate::node) fn begin_evaluation(&mut self, id: ResourceId) -> Option<OwnResource> {
        let resource = self.resource_mut(id);
        (!std::mem::replace(&mut resource.is_evaluated, true)).then_some(OwnResource(id))
    }

    /// Returns the parameter `name`; undef where it is not set.
    pub(in crate::node) fn own_name(&self, own: &OwnResource) -> Value {
        self.resource(own.0).get("name")
    }

    /// Returns the parameters as the body sees them.
    pub(in crate::node) fn parameters_for_body(&self, own: &OwnResource) -> Vec<(Str, Value)> {
        let is_shown = |param: &&Rc<Param>| !matches!(param.name.as_str(), "name" | "title");
        let shown = self.resource(own.0).params.iter().filter(is_shown);
        shown.map(|param| (param.name.clone(), param.value())).collect()
    }

    /// Returns true if a parameter has no value, or, for what is stronger than that, one that is a default of its scope.
    pub(in crate::node) fn takes_binding(&self, own: &OwnResource, name: &str, beats_defaults: bool) -> bool {
        let resource = self.resource(own.0);
        let Some(param) = resource.param(name).filter(|param| !param.value.borrow().is_undef()) else { return true };
        let defaults = self.scopes.defaults(resource.scope, &resource.type_name);
        beats_defaults && defaults.iter().any(|default| Rc::ptr_eq(default, param))
    }

    /// Sets a parameter to what is bound for it.
    pub(in crate::node) fn bind_parameter(&mut self, own: &OwnResource, name: &Str, value: Value) {
        let resource = self.resource_mut(own.0);
        let source = resource.source.clone();
        resource.set(Param::new(name.clone(), value, source));
    }

    /// The values that the body with this scope works with; from here on a class stands in its stage.
    pub(in crate::node) fn take_parameters(
        &mut self,
        scope: ScopeId,
        values: &NamedValues,
        log: &ObservationLog,
    ) -> Result<(), Fault> {
        self.check_parameter_names(scope)?;
        let id = self.scopes.get(scope).resource;
        let resource = &mut self.resources[id.index()];
        // Each comes once, so that it can only be among those that were there before all of them.
        let declared = resource.params.len();
        for (name, value) in values {
            let known = resource.params[..declared].iter().position(|param| param.name == *name);
            if known.is_some_and(|known| !resource.params[known].value.borrow().is_undef()) {
                continue;
            }
            let param = Param::new(name.clone(), value.clone(), resource.source.clone());
            match known {
                Some(known) => resource.params[known] = param,
                None => resource.params.push(param),
            }
            if name == "tag" {
                resource.tags.add_values(value, &self.tag_names)?;
            }
        }
        // The value of a deferred call is checked once more at the end, and a parameter `title` is an error only then.
        let is_deferred = resource.params.iter().any(|param| matches!(*param.value.borrow(), Value::Object(_)));
        resource.is_checked = !is_deferred && resource.param("title").is_none();
        self.set_parameters(scope, values);
        self.add_edge_to_stage(id, log)
    }

    /// The parameters of the body with this scope as far as they have values, while the default of this parameter is worked out.
    pub(in crate::node) fn show_parameters(&mut self, scope: ScopeId, parameter: &Str, values: &NamedValues) {
        let Some(body) = self.scopes.get(scope).source.body(self.base.builtins) else { return };
        let params = body.lambda.params.iter().map(|param| &param.name).enumerate();
        let waiting = params.clone().filter(|(_, name)| values.get(name).is_none());
        let place = params.clone().find(|(_, name)| *name == parameter).map_or(0, |(place, _)| place);
        let waiting = waiting.map(|(place, name)| (place, name.clone())).collect();
        self.scopes.were_half_done = true;
        let scope = self.scopes.get_mut(scope);
        scope.half_done = Some(Box::new(PendingParameters { current: parameter.clone(), place, waiting }));
        for (name, value) in values.iter().filter(|(name, _)| !is_module_variable(name)) {
            scope.variables.insert(name.clone(), value.clone());
        }
    }

    /// A parameter is set like a variable, and there are names that are set already.
    fn check_parameter_names(&self, scope: ScopeId) -> Result<(), Fault> {
        let Scope { source, variables, .. } = self.scopes.get(scope);
        let Some(body) = source.body(self.base.builtins).filter(|body| body.lambda.may_clash) else {
            return Ok(());
        };
        let complain = |message: String| Err(Fault::located(format!("{message}{}", behind(" ", &source.location()))));
        for name in body.lambda.params.iter().map(|param| param.name.as_str()) {
            if is_reserved_variable(name) {
                return complain(format!("Attempt to assign to a reserved variable name: '{name}'"));
            }
            if is_module_variable(name) && variables.contains(name) {
                return complain(format!("Cannot reassign variable '${name}'"));
            }
        }
        Ok(())
    }

    /// A class stands in the stage that it names, or in that of the class around it.
    pub(in crate::node) fn add_edge_to_stage(&mut self, id: ResourceId, log: &ObservationLog) -> Result<(), Fault> {
        if !self.resource(id).is_class() {
            return Ok(());
        }
        let own = self.resource(id).get("stage");
        let around = self.scopes.get(self.resource(id).scope).resource;
        let wanted = match (&own, self.resource(around).get("stage")) {
            (Value::Undef, Value::Undef) => Value::from("main"),
            (Value::Undef, inherited) => inherited,
            (own, _) => own.clone(),
        };
        let name: Str = ops::to_s(&wanted).into();
        let Some(stage) = self.find_presence("Stage", &name, log) else {
            let shown = match &own {
                Value::Undef => "main".to_owned(),
                Value::Type(reference) => reference_text(reference),
                Value::Resource(resource) => resource.to_string(),
                own => ops::to_s(own).to_string(),
            };
            let reference = self.resource(id).reference();
            return Err(Fault::new(format!("Could not find stage {shown} specified by {reference}")));
        };
        if own.is_undef() && name != "main" {
            let title = self.resource(stage).title.clone();
            let source = self.resource(id).source.clone();
            self.resource_mut(id).set(Param::new("stage".into(), title.into(), source));
        }
        self.edges.push((stage, id));
        Ok(())
    }

    /// A class that is required is a parameter of whoever requires it.
    pub(in crate::node) fn add_requirement(&mut self, id: ResourceId, class: &Def) {
        let mut required = listed(self.resource(id).get("require"));
        required.push(Value::Type(Type::resource("Class", Some(class_title(&class.name)))));
        let resource = self.resource_mut(id);
        let source = resource.source.clone();
        resource.set(Param::new("require".into(), Value::array(required), source));
    }

    // ---- the end ----

    /// Returns all resources in the order of the catalog, each in the hands of the code that finishes it. The stage and
    /// the settings are no business of the compiler.
    pub(in crate::node) fn resources_to_finish(&self) -> impl Iterator<Item = OwnResource> + use<> {
        (FIRST_OF_COMPILER..self.resources.len()).map(|index| OwnResource(ResourceId::from_index(index)))
    }

    /// A parameter that is Sensitive goes over the wire as it is, and is marked.
    pub(in crate::node) fn take_secrets(&mut self, own: &OwnResource) {
        let resource = self.resource_mut(own.0);
        for index in 0..resource.params.len() {
            let param = &resource.params[index];
            let secret = match &*param.value.borrow() {
                Value::Sensitive(secret) => (**secret).clone(),
                _ => continue,
            };
            let plain: Rc<Param> = param.with(secret);
            resource.sensitive.push(plain.name.clone());
            resource.params[index] = plain;
        }
    }

    /// Fails for a parameter that the native type does not have.
    pub(in crate::node) fn check_attributes(&self, own: &OwnResource) -> Result<(), Fault> {
        let resource = self.resource(own.0);
        resource.native().map_or(Ok(()), |native| check_native(resource, native))
    }

    /// Returns the parameters that are still to be checked against the definition; `None`: none is.
    pub(in crate::node) fn unchecked_parameters(
        &self,
        own: &OwnResource,
        takes_nothing: bool,
    ) -> Option<Vec<(Str, Value)>> {
        let resource = self.resource(own.0);
        if resource.is_checked || takes_nothing && resource.params.is_empty() {
            return None;
        }
        let as_declared = |param: &Rc<Param>| {
            let value = param.value();
            let is_secret = resource.sensitive.contains(&param.name);
            (param.name.clone(), if is_secret { Value::sensitive(value) } else { value })
        };
        Some(resource.params.iter().map(as_declared).collect())
    }
}

fn check_native(resource: &Resource, native: &TypeTable) -> Result<(), Fault> {
    let Some(wrong) = resource.params.iter().find(|param| !native.is_attribute(&param.name)) else { return Ok(()) };
    let at = behind(" ", &report::resource_location(resource.at.as_ref()));
    let message = format!("no parameter named '{}'{at} on {}{at}", wrong.name, resource.reference());
    let own = native.properties().iter().chain(native.parameters()).map(Str::as_str);
    let known: Vec<&str> = own.chain(METAPARAMETERS).collect();
    Err(Fault::new(message).meant(pantin_base::nearest(&wrong.name, known)))
}
