//! The check of a finished resource's parameters against its type.

use std::sync::Arc;

use pantin_eval::{Instance, check_definition};
use pantin_model::catalog::kinds::{METAPARAMETERS, TypeTable};
use pantin_model::trace::Failure;
use pantin_values::{Fault, Str, Value};

use super::Compiler;
use super::resource::{Resource, ResourceId, ResourceKind};
use crate::report;
use crate::report::failure_of;

impl Compiler<'_> {
    pub(super) fn validate(&mut self, id: ResourceId) -> Result<(), Failure> {
        match &self.resource(id).of {
            ResourceKind::Native(native) => validate_native(self.resource(id), native).map_err(failure_of),
            ResourceKind::Def(definition) => {
                let Some(body) = Arc::clone(definition).body(self.loader.base.builtins) else { return Ok(()) };
                let resource = self.resource(id);
                if resource.is_checked || body.takes_nothing() && resource.params.is_empty() {
                    return Ok(());
                }
                let subject: Str = resource.reference().into();
                let given: Vec<(Str, Value)> = resource
                    .params
                    .iter()
                    .map(|param| {
                        let value = param.value();
                        let is_secret = resource.sensitive.contains(&param.name);
                        (param.name.clone(), if is_secret { Value::sensitive(value) } else { value })
                    })
                    .collect();
                let mut metaparameters = vec!["name"];
                metaparameters.extend(METAPARAMETERS);
                let instance = Instance {
                    subject,
                    given: &given,
                    metaparameters: &metaparameters,
                    data_prefix: None,
                    matched: None,
                    is_node: false,
                };
                let (settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
                check_definition(&body, &instance, self, settings, builtins)
            }
        }
    }
}

fn validate_native(resource: &Resource, native: &TypeTable) -> Result<(), Fault> {
    let Some(wrong) = resource.params.iter().find(|param| !native.is_attribute(&param.name)) else { return Ok(()) };
    let at = report::behind(" ", &report::resource_location(resource.at.as_ref()));
    let message = format!("no parameter named '{}'{at} on {}{at}", wrong.name, resource.reference());
    let own = native.properties().iter().chain(native.parameters()).map(Str::as_str);
    let known: Vec<&str> = own.chain(METAPARAMETERS).collect();
    Err(Fault::new(message).meant(pantin_base::nearest(&wrong.name, known)))
}
