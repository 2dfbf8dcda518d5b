//! The resources and variables of a catalog, for a record of how they came about. Such a compilation leaves nothing that a later one
//! is patched from, so that no observation is missed here.

use pantin_base::names::split_last;
use pantin_model::evaluation::{NodeVariable, RecordedParameter, RecordedResource, VariableHolder};
use pantin_model::trace::VariableName;
use pantin_values::Value;

use super::CatalogState;
use super::observations::Observer;
use super::resource::{ExportFlag, Resource};
use super::scope::{ScopeId, TOP};

impl CatalogState<'_> {
    /// Where a variable comes from, as code in a scope sees it.
    pub(in crate::node) fn recorded_holder(&self, here: ScopeId, variable: &VariableName) -> VariableHolder {
        let holder = self.holder(here, variable, &self.log(Observer::Data));
        match holder.scope {
            None => VariableHolder::Nobody,
            Some(TOP) if self.is_fact(holder.name) => VariableHolder::Node(NodeVariable::Fact),
            Some(TOP) if self.is_known_of_node(holder.name) => VariableHolder::Node(NodeVariable::Parameter),
            Some(TOP) if holder.name == "facts" => VariableHolder::Node(NodeVariable::Fact),
            Some(TOP) if holder.name == "trusted" => VariableHolder::Node(NodeVariable::Trusted),
            Some(TOP) if holder.name == "server_facts" => VariableHolder::Node(NodeVariable::ServerFact),
            Some(TOP) if holder.name == "environment" => VariableHolder::Node(NodeVariable::Parameter),
            Some(scope) => {
                let name = split_last(holder.name).map_or(holder.name, |(_, name)| name);
                VariableHolder::Body { resource: self.resource_of(scope).index(), name: name.into() }
            }
        }
    }

    pub(in crate::node) fn recorded_resources(&self) -> Vec<RecordedResource> {
        self.resources.iter().map(|resource| self.recorded(resource)).collect()
    }

    fn recorded(&self, resource: &Resource) -> RecordedResource {
        let parameters = resource.params.iter().map(|param| {
            let is_secret = resource.sensitive.contains(&param.name);
            let value = if is_secret { Value::sensitive(param.value()) } else { param.value() };
            RecordedParameter { name: param.name.clone(), value, at: param.at.clone() }
        });
        let body = resource.definition().and_then(|definition| definition.body(self.base.builtins));
        RecordedResource {
            type_name: resource.type_name.clone(),
            title: resource.title.clone(),
            declared_at: resource.at.clone(),
            declared_in: self.resource_of(resource.scope).index(),
            definition: body.map(|body| body.unit.clone()),
            parameters: parameters.collect(),
            is_virtual: resource.is_virtual,
            is_exported: resource.exported == ExportFlag::Yes,
            collected_as: resource.collected_as.clone(),
        }
    }
}
