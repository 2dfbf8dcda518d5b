//! From a body to its end: a value, or the failure that ended it.

use std::sync::Arc;

use pantin_model::trace::{Failure, Host, Shape, Unit};
use pantin_values::{Fault, FaultKind, Hash, Value, unconvertible};

use super::calls::Caller;
use super::code::{Body, Locals, ParamType};
use super::function::Builtins;
use super::machine::{Machine, NO_FRAME, Settings};
use super::stop::{Flow, Reason, Stop};
use super::variable_value::VariableValue;

/// Runs a body without parameters: a manifest's own code.
pub fn run(
    body: &Body,
    host: &mut dyn Host,
    settings: Settings,
    builtins: &'static Builtins,
) -> Result<Value, Failure> {
    let mut machine = Machine::new(host, settings, builtins, body.unit.clone());
    let caller = machine.enter(&body.lambda, NO_FRAME, body.exports);
    machine.is_around_others = true;
    let result = machine.value(&body.lambda.body);
    if result.is_ok() {
        machine.leave_matched();
    }
    machine.leave(caller);
    result.map(|value| machine.cursors.with_remaining_items(value)).map_err(failure_from_stop)
}

/// Works out the types of a definition's parameters, as happens when it is loaded.
pub fn check_parameter_types(
    body: &Body,
    host: &mut dyn Host,
    settings: Settings,
    builtins: &'static Builtins,
) -> Result<(), Failure> {
    let mut machine = Machine::new(host, settings, builtins, body.unit.clone());
    for param in &body.lambda.params {
        let Some(ParamType::Computed(expr)) = &param.param_type else { continue };
        let of = machine.value(expr).map_err(failure_from_stop)?;
        if !matches!(of, Value::Type(_)) {
            let (name, class) = (&param.name, unconvertible(&of));
            let message = format!("Parameter '{name}' is given a type that is not a Puppet Type, got {class}");
            return Err(Failure::new(Fault::new(message), Shape::Whole, None));
        }
    }
    Ok(())
}

/// Renders a template with values for its parameters.
pub fn render(
    body: &Arc<Body>,
    values: &Hash,
    host: &mut dyn Host,
    settings: Settings,
    builtins: &'static Builtins,
) -> Result<Value, Failure> {
    let mut machine = Machine::new(host, settings, builtins, body.unit.clone());
    match machine.render_template(body, values, None).map_err(|stop| *stop.0) {
        Ok(text) => Ok(text),
        // They end the template, which is then worth their value.
        Err(Reason::Next(value, _) | Reason::Return(value, _)) => Ok(value),
        // Nothing stands around it: what has no place of its own is told without one.
        Err(Reason::Fault(fault) | Reason::Raised(fault, _)) if fault.kind == FaultKind::Plain => {
            Err(Failure { shape: Shape::Plain, ..failure_from_stop(fault.into()) })
        }
        Err(other) => Err(failure_from_stop(other.into())),
    }
}

/// Calls a function by its name, from nowhere.
pub fn call(
    name: &str,
    arguments: Vec<Value>,
    unit: &Arc<Unit>,
    host: &mut dyn Host,
    settings: Settings,
    builtins: &'static Builtins,
) -> Result<Value, Failure> {
    let mut machine = Machine::new(host, settings, builtins, unit.clone());
    let caller = Caller { block: None, at: 0, locals: &[] };
    machine.call_by_name(name, arguments.into_iter().collect(), caller).map_err(|stop| match *stop.0 {
        // Nothing stands around the call itself: its place is that of whoever wanted it.
        Reason::Fault(fault) | Reason::Raised(fault, _) if fault.kind == FaultKind::Plain => {
            Failure::new(fault, Shape::Evaluation, None)
        }
        other => failure_from_stop(other.into()),
    })
}

/// Calls a lambda that stands by itself.
pub fn call_lambda(
    body: &Arc<Body>,
    arguments: Vec<Value>,
    host: &mut dyn Host,
    settings: Settings,
    builtins: &'static Builtins,
) -> Result<Value, Failure> {
    let mut machine = Machine::new(host, settings, builtins, body.unit.clone());
    machine.call_body(body, arguments.into_iter().collect()).map_err(failure_from_stop)
}

/// Returns what a jump is worth where nobody takes it.
pub(super) fn failure_from_stop(stop: Stop) -> Failure {
    let astray = |name: &str, at| {
        Failure::new(Fault::new(format!("{name}() from context where this is illegal")), Shape::Jump, Some(at))
    };
    match *stop.0 {
        Reason::Failure(failure) => failure,
        Reason::Next(_, at) => astray("next", at),
        Reason::Return(_, at) => astray("return", at),
        Reason::Break(at) => astray("break", at),
        Reason::Fault(fault) | Reason::TooEarly(fault) | Reason::FaultAt(fault, _) | Reason::Raised(fault, _) => {
            let shape = match fault.kind {
                FaultKind::Plain | FaultKind::Logged => Shape::Bare,
                FaultKind::Located => Shape::Plain,
                FaultKind::Issue(_) | FaultKind::Limit => Shape::Evaluation,
            };
            Failure::new(fault, shape, None)
        }
    }
}

impl Machine<'_> {
    /// Returns a variable by name, as the innermost frame sees it: `locals` are those of the code that asks.
    pub(super) fn named_variable(&mut self, name: &str, locals: &Locals) -> Flow<Option<Value>> {
        self.named_seen(name, locals)?.map(|seen| self.settle(seen)).transpose()
    }

    /// The same, with a container of the outside as one that nobody has looked into.
    pub(super) fn named_seen(&mut self, name: &str, locals: &Locals) -> Flow<Option<VariableValue>> {
        if let Some(matched) = &self.matched
            && let Ok(number) = name.parse()
        {
            return Ok(Some(VariableValue::Value(matched.group(number))));
        }
        if self.is_recorded {
            self.record_local(name, locals);
        }
        match self.local_seen(name, locals) {
            Some(seen) => Ok(Some(seen.clone())),
            None => self.ask_variable(&name.into()),
        }
    }

    /// The same among what the body has itself, or was lent.
    pub(super) fn local_seen(&self, name: &str, locals: &Locals) -> Option<&VariableValue> {
        let places = locals.iter().find(|(known, _)| known == name).map(|(_, places)| &**places);
        let mut places = places.unwrap_or_default().iter();
        places.find_map(|&(depth, slot)| self.slot_at(depth, slot)).or_else(|| self.lent_variable(name))
    }
}
