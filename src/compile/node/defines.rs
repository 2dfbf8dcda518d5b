//! The queue of collectors and instances of defined types, evaluated in rounds until nothing new appears.
//! It must not know what collectors look for.

use pantin_base::limits;
use pantin_eval::Instance;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Failure, Shape};
use pantin_values::{Fault, Str, Value};

use super::Compiler;
use super::bindings_parameters::is_of_binding;
use super::state::{NewScope, ResourceId};
use crate::report;
use crate::report::failure_of;

impl Compiler<'_> {
    pub(super) fn evaluate_generators(&mut self) -> Result<(), Failure> {
        for _ in 0..=limits::GENERATOR_ROUNDS {
            let collected = self.evaluate_collectors()?;
            let evaluated = self.evaluate_definitions()?;
            if !collected && !evaluated {
                return Ok(());
            }
        }
        let message =
            format!("Somehow looped more than {} times while evaluating host catalog", limits::GENERATOR_ROUNDS);
        Err(failure_of(Fault::new(message)))
    }

    /// Those that are waiting now; what they declare waits for the next round.
    fn evaluate_definitions(&mut self) -> Result<bool, Failure> {
        let waiting = self.state.waiting_definitions();
        for &id in &waiting {
            let result = match self.state.is_class(id) {
                true => self.evaluate_class(id),
                false => self.evaluate_instance(id),
            };
            result.map_err(|failure| self.wrap_failure(id, failure))?;
        }
        self.state.skip_evaluated();
        Ok(!waiting.is_empty())
    }

    /// An error of a body is a part of the error of its declaration.
    pub(super) fn wrap_failure(&self, id: ResourceId, failure: Failure) -> Failure {
        if is_of_binding(&failure) {
            return failure;
        }
        if matches!(failure.shape, Shape::Jump) {
            // It is taken for the thing that is to blame, and has no column.
            let message =
                format!("Evaluation Error: Error while evaluating an Object, {}", report::error_without_node(&failure));
            return Failure { shape: Shape::Whole, code: "RUNTIME_ERROR", message: message.into(), ..failure };
        }
        let failure = match failure.shape {
            Shape::BareDefault => Failure { shape: Shape::Default, ..failure },
            _ => failure,
        };
        let detail = report::error_without_node(&failure);
        let location = report::resource_location(self.state.declared_at(id));
        let space = if location.is_empty() { "" } else { " " };
        let message =
            format!("Evaluation Error: Error while evaluating a Resource Statement, {detail}{space}{location}");
        Failure {
            shape: Shape::Whole,
            code: "RUNTIME_ERROR",
            message: message.into(),
            at: failure.at.clone(),
            calls: failure.calls.iter().cloned().chain(self.state.declared_at(id).cloned()).collect(),
            help: failure.help,
            sighting: failure.sighting,
        }
    }

    fn evaluate_instance(&mut self, id: ResourceId) -> Result<(), Failure> {
        let Some(own) = self.state.begin_evaluation(id) else { return Ok(()) };
        let parent = Some(self.state.declared_in(id));
        let Some(definition) = self.state.definition(id).cloned() else { return Ok(()) };
        self.state.take_scope_tags(id);
        let source = definition.clone();
        let scope = self.state.add_scope(NewScope { source, resource: id, parent, inherited: None, is_node: false });
        let title: Str = self.state.title(id).clone();
        let name: Str = match self.state.own_name(&own) {
            Value::Undef => title.clone(),
            name => pantin_values::ops::to_s(&name).into(),
        };
        self.bind_resource(&own)?;
        let parameters = self.state.parameters_for_body(&own);
        self.note_given_parameters(id, &parameters);
        let subject: Str = self.state.reference(id).into();
        self.state.begin_scope(scope, &title, &name);
        let Some(body) = definition.body(self.loader.base.builtins) else { return Ok(()) };
        let instance = Instance {
            subject,
            arguments: &parameters,
            metaparameters: &METAPARAMETERS,
            data_prefix: None,
            matched: None,
            is_node: false,
        };
        let result = self.walk_definition(&body, scope, instance);
        self.tell();
        result.map(|_| ())
    }
}
