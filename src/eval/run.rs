//! From a body to its end: a value, or the failure that ended it.

use std::rc::Rc;
use std::sync::Arc;

use super::code::{Body, Locals};
use super::function::Builtins;
use super::machine::{Machine, NO_FRAME, Settings};
use super::seen::{Seen, View};
use super::stop::{Flow, Reason, Stop};
use crate::pcore::{FaultKind, Hash, Value};
use crate::trace::{Answer, Failure, Host, Question, Shape};

/// Runs a body without parameters: a manifest's own code.
pub fn run(
    body: &Body,
    host: &mut dyn Host,
    settings: Settings,
    builtins: &'static Builtins,
) -> Result<Value, Failure> {
    let mut machine = Machine::new(host, settings, builtins, body.unit.clone());
    let caller = machine.enter(&body.lambda, NO_FRAME, body.exports);
    let result = machine.value(&body.lambda.body);
    machine.leave(caller);
    result.map_err(failed)
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
    machine.render_body(body, values).map_err(failed)
}

/// What a jump is worth where nobody takes it.
fn failed(stop: Stop) -> Failure {
    let astray = |name: &str, at| Failure {
        shape: Shape::Jump,
        code: "",
        message: format!("{name}() from context where this is illegal").into(),
        at: Some(at),
        calls: Vec::new(),
        help: None,
    };
    match *stop.0 {
        Reason::Failure(failure) => failure,
        Reason::Next(_, at) => astray("next", at),
        Reason::Return(_, at) => astray("return", at),
        Reason::Break(at) => astray("break", at),
        Reason::Fault(fault) | Reason::FaultAt(fault, _) => {
            let shape = match fault.kind {
                FaultKind::Plain => Shape::Bare,
                FaultKind::Issue(_) | FaultKind::Limit => Shape::Evaluation,
            };
            Failure {
                shape,
                code: fault.code(),
                message: fault.message.as_ref().into(),
                at: None,
                calls: Vec::new(),
                help: fault.help,
            }
        }
    }
}

impl Machine<'_> {
    /// A template's text, its parameters bound by name.
    pub(super) fn render_body(&mut self, body: &Arc<Body>, values: &Hash) -> Flow {
        let unit = std::mem::replace(&mut self.unit, body.unit.clone());
        let matched = self.matched.take();
        let caller = self.enter(&body.lambda, NO_FRAME, false);
        let result = self.bind_by_name(body, values).and_then(|()| self.value(&body.lambda.body));
        self.leave(caller);
        self.matched = matched;
        self.unit = unit;
        match result.map_err(|stop| *stop.0) {
            Ok(value) => Ok(value),
            // They end the template, which is then worth their value.
            Err(Reason::Next(value, _) | Reason::Return(value, _)) => Ok(value),
            Err(other) => Err(other.into()),
        }
    }

    fn bind_by_name(&mut self, body: &Body, values: &Hash) -> Flow<()> {
        for (index, param) in body.lambda.params.iter().enumerate() {
            let given = values.get_str(&param.name).filter(|value| !value.is_undef());
            let value = match (given, &param.default) {
                (Some(value), _) => Some(value.clone()),
                (None, Some(default)) => Some(self.value(default)?),
                (None, None) => values.get_str(&param.name).cloned(),
            };
            *self.slot(index as u32) = value.map(Seen::Value);
        }
        Ok(())
    }

    /// A variable by name, as the innermost frame sees it: `locals` are those of the code that asks.
    pub(super) fn named_variable(&mut self, name: &str, locals: &Locals) -> Flow<Option<Value>> {
        let places = locals.iter().find(|(known, _)| known == name).map(|(_, places)| &**places);
        for &(depth, slot) in places.unwrap_or_default() {
            if let Some(seen) = self.slot_at(depth, slot) {
                let seen = seen.clone();
                return self.settle(seen).map(Some);
            }
        }
        match self.host.ask(&Question::Variable(name.into())) {
            Answer::Value(value) => Ok(Some(value)),
            Answer::View(container) => {
                let view = View { container, variable: name.into(), path: [].into() };
                self.settle(Seen::View(Rc::new(view))).map(Some)
            }
            Answer::Fault(fault) => Err(fault.into()),
            Answer::Absent | Answer::Definition(_) | Answer::Type(..) => Ok(None),
        }
    }
}
