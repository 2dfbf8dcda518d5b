//! The error that ends a body.

use std::sync::Arc;

use pantin_base::{Sighting, limits};
use pantin_values::{Fault, Str};

use super::At;

/// An error with the expression that raised it. Its text is put together when it is shown, from the places of
/// that day.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub shape: Shape,
    /// The name of the issue, as Puppet names it; empty where it has none.
    pub code: &'static str,
    /// Without prefix, place and node.
    pub message: Str,
    pub at: Option<At>,
    /// The calls it went through on its way out, innermost first.
    pub calls: Vec<At>,
    pub help: Option<String>,
    /// What a person is shown in place of the message, which tells the place itself.
    pub sighting: Option<Arc<Sighting>>,
}

impl Failure {
    /// A fault, with what stands around it and where it stood.
    pub fn new(fault: Fault, shape: Shape, at: Option<At>) -> Failure {
        let code = fault.code();
        let message = fault.message.as_ref().into();
        Failure { shape, code, message, at, calls: Vec::new(), help: fault.help, sighting: fault.sighting }
    }

    /// Returns true if nobody who could have evaluated anything stood around it.
    pub fn has_no_place(&self) -> bool {
        self.shape == Shape::Evaluation && self.at.is_none() && self.code.is_empty()
    }

    /// As it leaves a function or template that was called there.
    pub fn with_call(mut self, call: At) -> Failure {
        if self.calls.len() < limits::SHOWN_CALLS {
            self.calls.push(call);
        }
        self
    }
}

/// What stands around the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `Evaluation Error: MESSAGE (file: F, line: L, column: C)`
    Evaluation,
    /// `MESSAGE (file: F, line: L)`, the file shown as `unknown` where there is none: a jump that went astray.
    Jump,
    /// `MESSAGE (file: F, line: L, column: C)`
    Plain,
    /// `MESSAGE (file: F, line: L)` of a definition: of what is wrong in a default of its parameters, and knows no place.
    Default,
    /// Nothing but the message.
    Bare,
    /// The same of what is wrong in a default of a definition's parameters; where an instance of a defined type is around,
    /// as `Default`.
    BareDefault,
    /// The message, which tells the places itself; `at` is for reports alone.
    Whole,
}
