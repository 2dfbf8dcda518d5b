//! The end of a catalog: relationships, overrides that waited, secrets, checks, metaparameters of containers.
//! It must not know the parameters of any resource but the one that it finishes.

use std::sync::Arc;

use pantin_eval::{Instance, check_definition};
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::Failure;
use pantin_values::{Fault, Str};

use super::Compiler;
use super::state::{OwnResource, ResourceKind};
use crate::report::failure_of;

impl Compiler<'_> {
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        self.evaluate_relationships()?;
        for own in self.state.resources_to_finish() {
            self.merge_pending_overrides(&own).map_err(failure_of)?;
            if matches!(self.state.kind(own.id()), ResourceKind::Native(_)) {
                self.bind_resource(&own).map_err(|failure| self.wrap_failure(own.id(), failure))?;
            }
            self.state.take_scope_tags(own.id());
            self.state.take_secrets(&own);
            self.validate(&own)?;
        }
        self.add_bound_dependencies();
        self.state.pass_on_metaparameters().map_err(failure_of)
    }

    /// Checks the parameters of a finished resource against its type.
    fn validate(&mut self, own: &OwnResource) -> Result<(), Failure> {
        let definition = match self.state.kind(own.id()) {
            ResourceKind::Native(_) => return self.state.check_attributes(own).map_err(failure_of),
            ResourceKind::Def(definition) => Arc::clone(definition),
        };
        let Some(body) = definition.body(self.loader.base.builtins) else { return Ok(()) };
        let Some(parameters) = self.state.unchecked_parameters(own, body.takes_nothing()) else { return Ok(()) };
        let subject: Str = self.state.reference(own.id()).into();
        let mut metaparameters = vec!["name"];
        metaparameters.extend(METAPARAMETERS);
        let instance = Instance {
            subject,
            arguments: &parameters,
            metaparameters: &metaparameters,
            data_prefix: None,
            matched: None,
            is_node: false,
        };
        let (settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
        check_definition(&body, &instance, self, settings, builtins)
    }

    pub(super) fn fail_on_unevaluated(&self) -> Result<(), Failure> {
        let overrides = self.state.unmet_overrides();
        if !overrides.is_empty() {
            let message = format!("Could not find resource(s) {} for overriding", overrides.join(", "));
            return Err(failure_of(Fault::new(message)));
        }
        let virtuals = self.unmet_realizations();
        if !virtuals.is_empty() {
            let message = format!("Failed to realize virtual resources {}", virtuals.join(", "));
            return Err(failure_of(Fault::new(message)));
        }
        Ok(())
    }
}
