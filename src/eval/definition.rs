//! The body of a class, a defined type or a node block: its parameters by name, then its code.

use std::rc::Rc;
use std::sync::Arc;

use pantin_base::budget;
use pantin_model::trace::{Answer, Effect, Failure, Host, Question, Shape};
use pantin_values::mismatch::Parameter;
use pantin_values::ops::MatchData;
use pantin_values::{Fault, Object, Str, Type, Value, mismatch};
use smallvec::SmallVec;

use super::code::{Body, Lambda, Param, ParamType};
use super::function::Builtins;
use super::limits::{Limits, budget_fault};
use super::machine::{Machine, NO_FRAME, Settings, stands_as_it_is};
use super::run::failure_from_stop;
use super::stop::{Flow, Reason, Stop};
use super::variable_value::VariableValue;

/// Whose body it is.
#[derive(Clone, Debug)]
pub struct Instance<'a> {
    /// As messages name it: `Class[A]`.
    pub subject: Str,
    /// What it was declared with, in order; `name` and `title` are not among it.
    pub arguments: &'a [(Str, Value)],
    /// Names that may be given to anything, and are no parameters.
    pub metaparameters: &'a [&'a str],
    /// The key in the data of each parameter begins with this, where parameters are looked up there: `a::b::`.
    pub data_prefix: Option<Str>,
    /// What the name of the node matched.
    pub matched: Option<MatchData>,
    /// Whether it is the block of a node, in whose scope classes stand.
    pub is_node: bool,
}

/// Gives the parameters their values, tells the host of them, and runs the code.
pub fn run_definition(
    body: &Body,
    instance: Instance<'_>,
    host: &mut dyn Host,
    settings: Settings,
    builtins: &'static Builtins,
) -> Result<Value, Failure> {
    let mut machine = Machine::new(host, settings, builtins, body.unit.clone());
    machine.matched = instance.matched.clone().map(Rc::new);
    machine.is_around_others = instance.is_node || instance.data_prefix.is_some();
    machine.subject = Some(instance.subject.clone());
    machine.parameters = body.lambda.params.len();
    let is_parameter = |name: &str| body.lambda.position(name).is_some();
    machine.metaparameters =
        instance.arguments.iter().map(|(name, _)| name).filter(|name| !is_parameter(name)).cloned().collect();
    let caller = machine.enter(&body.lambda, NO_FRAME, body.exports);
    let result = machine.definition(&body.lambda, &instance).and_then(|value| {
        // Whoever runs the body is handed the value as an older part of Puppet has values.
        Ok(value.as_parameter()?)
    });
    machine.leave(caller);
    result.map_err(|stop| failed_instance(stop, &settings.limits))
}

/// Whether the parameters that a resource has come to have are those that its definition takes.
pub fn check_definition(
    body: &Body,
    instance: &Instance<'_>,
    host: &mut dyn Host,
    settings: Settings,
    builtins: &'static Builtins,
) -> Result<(), Failure> {
    let mut machine = Machine::new(host, settings, builtins, body.unit.clone());
    let caller = machine.enter(&body.lambda, NO_FRAME, false);
    let slots: Vec<_> = instance.arguments.iter().map(|(name, _)| body.lambda.position(name)).collect();
    let result = machine.check_values(&body.lambda, instance, instance.arguments, &slots);
    machine.leave(caller);
    result.map_err(|stop| failed_instance(stop, &settings.limits))
}

/// What is wrong with an instance as a whole has no place: whoever declared it has one.
fn failed_instance(stop: Stop, limits: &Limits) -> Failure {
    match *stop.0 {
        // What a check says that had no steps left is worth nothing.
        Reason::Fault(_) | Reason::TooEarly(_) | Reason::Raised(..) if budget::is_over() => {
            Failure::new(budget_fault(limits), Shape::Evaluation, None)
        }
        Reason::Fault(fault) | Reason::TooEarly(fault) | Reason::Raised(fault, _) => {
            match stands_as_it_is(fault.kind) {
                Some(shape) => Failure::new(fault, shape, None),
                None => Failure::new(fault, Shape::Evaluation, None),
            }
        }
        other => failure_from_stop(Stop(Box::new(other))),
    }
}

impl Machine<'_> {
    fn definition(&mut self, lambda: &Lambda, instance: &Instance<'_>) -> Flow {
        let values = self.parameter_values(lambda, instance)?;
        self.check_values(lambda, instance, &values.list, &values.slots)?;
        self.apply(&Effect::Parameters(values.list.into()))?;
        let value = match self.value(&lambda.body) {
            Err(Stop(reason)) => match *reason {
                Reason::Return(value, _) | Reason::Next(value, _) => value,
                other => return Err(Stop(Box::new(other))),
            },
            Ok(value) => value,
        };
        if instance.matched.is_some() {
            // What matches in the block of a node whose name is a pattern goes with what its name matched.
            self.matched = None;
        }
        self.leave_matched();
        Ok(value)
    }

    /// First what was given, then what the data says, then the defaults; in the order in which each came by its value.
    fn parameter_values(&mut self, lambda: &Lambda, instance: &Instance<'_>) -> Flow<Values> {
        let mut values = Values::from_arguments(lambda, instance.arguments);
        // What the data says is undef stays that.
        let mut left_undef: SmallVec<[usize; 2]> = SmallVec::new();
        for (slot, param) in lambda.params.iter().enumerate() {
            let mut value = values.get(slot).cloned();
            if let Some(prefix) = &instance.data_prefix
                && value.as_ref().is_none_or(Value::is_undef)
                && let Some(found) = self.look_up_parameter(prefix, &param.name)?
                && !(found.is_undef() && param.default.is_some())
            {
                let found = match found {
                    Value::Symbol(name) if name == "undef" => {
                        left_undef.push(slot);
                        Value::Undef
                    }
                    found => found.as_found_parameter()?,
                };
                values.set(slot, &param.name, &found);
                value = Some(found);
            }
            *self.slot(slot as u32) = value.map(VariableValue::Value);
        }
        for (slot, param) in lambda.params.iter().enumerate() {
            let is_missing = matches!(self.slot(slot as u32), None | Some(VariableValue::Value(Value::Undef)));
            if param.default.is_none() || !is_missing || left_undef.contains(&slot) {
                continue;
            }
            let value = self.default_parameter(lambda, instance, slot)?;
            values.set(slot, &param.name, &value);
            *self.slot(slot as u32) = Some(VariableValue::Value(value));
        }
        self.half_done = None;
        Ok(values)
    }

    fn look_up_parameter(&mut self, prefix: &str, name: &str) -> Flow<Option<Value>> {
        match self.host.ask(&Question::Parameter([prefix, name].concat().into())) {
            Answer::Value(value) => Ok(Some(value)),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(None),
        }
    }

    /// `slots`: of each value that of the parameter of its name, if there is one.
    fn check_values(
        &mut self,
        lambda: &Lambda,
        instance: &Instance<'_>,
        values: &[(Str, Value)],
        slots: &[Option<usize>],
    ) -> Flow<()> {
        let declared = self.declared_parameters(lambda)?;
        let deferred = self.deferred_types(lambda, instance, values)?;
        if deferred.is_empty() && fit(&declared, instance, values, slots)? {
            return Ok(());
        }
        let mut parameters = declared.to_vec();
        let meta = instance.metaparameters.iter().filter(|name| values.iter().any(|(given, _)| given == *name));
        parameters.extend(meta.map(|name| Parameter { name: (*name).into(), param_type: Type::Any, required: false }));
        let given = values.iter().map(|(name, value)| (name, value));
        let returns_of = |of: &Object| deferred.result_type(of);
        Ok(mismatch::check_parameters(&instance.subject, &parameters, given, &returns_of)?)
    }

    /// The parameters of what is given them by name, a class, a defined type or a template, with what they take.
    pub(super) fn declared_parameters(&mut self, lambda: &Lambda) -> Flow<Arc<[Parameter]>> {
        if let Some(known) = lambda.declared.get() {
            return Ok(known.clone());
        }
        let mut parameters = Vec::with_capacity(lambda.params.len());
        for param in &lambda.params {
            let of = match &param.param_type {
                Some(of) => self.param_type(of)?,
                None => Type::Any,
            };
            parameters.push(Parameter { name: param.name.clone(), param_type: of, required: param.default.is_none() });
        }
        let made: Arc<[Parameter]> = parameters.into();
        let is_fixed = |param: &Param| !matches!(param.param_type, Some(ParamType::Computed(_)));
        if lambda.params.iter().all(is_fixed) {
            return Ok(lambda.declared.get_or_init(|| made).clone());
        }
        Ok(made)
    }
}

/// What parameters are worth, in the order in which each came by its value.
struct Values {
    list: Vec<(Str, Value)>,
    /// Whose value each in the list is: the slot of the parameter, if there is one of this name.
    slots: Vec<Option<usize>>,
    /// Where in the list the parameter of each slot is.
    places: Vec<Option<usize>>,
}

impl Values {
    fn from_arguments(lambda: &Lambda, given: &[(Str, Value)]) -> Values {
        let mut list = Vec::with_capacity(given.len() + lambda.params.len());
        list.extend_from_slice(given);
        let mut slots = Vec::with_capacity(list.capacity());
        slots.extend(given.iter().map(|(name, _)| lambda.position(name)));
        let mut places = vec![None; lambda.params.len()];
        for (place, slot) in slots.iter().enumerate() {
            if let Some(slot) = *slot {
                places[slot].get_or_insert(place);
            }
        }
        Values { list, slots, places }
    }

    fn get(&self, slot: usize) -> Option<&Value> {
        self.places[slot].map(|place| &self.list[place].1)
    }

    fn set(&mut self, slot: usize, name: &Str, value: &Value) {
        match self.places[slot] {
            Some(place) => self.list[place].1 = value.clone(),
            None => {
                self.places[slot] = Some(self.list.len());
                self.list.push((name.clone(), value.clone()));
                self.slots.push(Some(slot));
            }
        }
    }
}

/// Returns true if nothing is wrong, which is what nearly every instance comes to.
fn fit(
    parameters: &[Parameter],
    instance: &Instance<'_>,
    values: &[(Str, Value)],
    slots: &[Option<usize>],
) -> Result<bool, Fault> {
    let mut missing = parameters.iter().filter(|parameter| parameter.required).count();
    for ((name, value), slot) in values.iter().zip(slots) {
        match slot.map(|slot| &parameters[slot]) {
            Some(parameter) => {
                missing -= usize::from(parameter.required);
                if !parameter.param_type.accepts(value)? {
                    return Ok(false);
                }
            }
            None if instance.metaparameters.contains(&name.as_str()) => {}
            None => return Ok(false),
        }
    }
    Ok(missing == 0)
}
