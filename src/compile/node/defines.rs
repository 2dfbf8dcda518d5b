//! The queue of collectors and instances of defined types, evaluated in rounds until nothing new appears.

use pantin_base::limits;
use pantin_eval::Instance;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Failure, Shape};
use pantin_values::{Fault, Str, Value};

use super::Compiler;
use super::classes::given;
use super::resource::ResourceId;
use super::scope::Scope;
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
        let waiting: Vec<ResourceId> = (self.first_unevaluated..self.resources.len())
            .map(|index| ResourceId(index as u32))
            .filter(|&id| {
                let resource = self.resource(id);
                !resource.is_evaluated && !resource.is_virtual && resource.definition().is_some()
            })
            .collect();
        for &id in &waiting {
            let result = match self.resource(id).is_class() {
                true => self.evaluate_class(id),
                false => self.evaluate_instance(id),
            };
            result.map_err(|failure| self.wrapped(id, failure))?;
        }
        self.skip_evaluated();
        Ok(!waiting.is_empty())
    }

    /// So that a round need not go through all that came before.
    fn skip_evaluated(&mut self) {
        while let Some(resource) = self.resources.get(self.first_unevaluated)
            && (resource.is_evaluated || resource.definition().is_none())
        {
            self.first_unevaluated += 1;
        }
    }

    /// What goes wrong in it is told as a part of the error of its declaration.
    fn wrapped(&self, id: ResourceId, failure: Failure) -> Failure {
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
        let location = report::resource_location(self.resource(id).at.as_ref());
        let space = if location.is_empty() { "" } else { " " };
        let message =
            format!("Evaluation Error: Error while evaluating a Resource Statement, {detail}{space}{location}");
        Failure {
            shape: Shape::Whole,
            code: "RUNTIME_ERROR",
            message: message.into(),
            at: failure.at.clone(),
            calls: failure.calls.iter().cloned().chain(self.resource(id).at.clone()).collect(),
            help: failure.help,
            seen: failure.seen,
        }
    }

    fn evaluate_instance(&mut self, id: ResourceId) -> Result<(), Failure> {
        let resource = self.resource_mut(id);
        resource.is_evaluated = true;
        let (declared_in, definition) = (resource.scope, resource.definition().cloned());
        let Some(definition) = definition else { return Ok(()) };
        self.take_scope_tags(id);
        let scope = self.scopes.add(Scope::new(definition.clone(), id, Some(declared_in)));
        let resource = self.resource(id);
        let title: Str = resource.title.clone();
        let name: Str = match resource.get("name") {
            Value::Undef => title.clone(),
            name => pantin_values::ops::to_s(&name).into(),
        };
        let given = given(&resource.params);
        let subject: Str = resource.reference().into();
        self.begin_scope(scope, &title, &name);
        let Some(body) = definition.body(self.loader.base.builtins) else { return Ok(()) };
        let instance = Instance {
            subject,
            given: &given,
            metaparameters: &METAPARAMETERS,
            data_prefix: None,
            matched: None,
            is_node: false,
        };
        let result = self.walk_definition(&body, scope, instance);
        self.tell();
        result.map(|_| ())
    }

    /// It has the tags of what contains it, from when it is evaluated or finished.
    pub(super) fn take_scope_tags(&mut self, id: ResourceId) {
        if self.resource(id).has_scope_tags {
            return;
        }
        let container = self.scopes.get(self.resource(id).scope).resource;
        self.resource_mut(id).has_scope_tags = true;
        if container != id {
            self.share_tags(container, id);
        }
    }

    /// What a container is tagged with, what it contains is too.
    pub(super) fn share_tags(&mut self, container: ResourceId, content: ResourceId) {
        // They only ever become more.
        let of_container = Some((container, self.resource(container).tags.len()));
        if self.resource(content).tagged_by == of_container {
            return;
        }
        let mut tags = std::mem::take(&mut self.resource_mut(content).tags);
        // Of what contains itself nothing is new.
        tags.merge(&self.resource(container).tags);
        let resource = self.resource_mut(content);
        (resource.tags, resource.tagged_by) = (tags, of_container);
    }
}
