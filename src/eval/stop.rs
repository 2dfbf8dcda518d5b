//! What ends an evaluation before its end: an error, or a jump.

use pantin_model::trace::{At, Failure};
use pantin_ruby::RubyPlace;
use pantin_values::{Fault, Value};

/// Boxed, so that the result of every expression stays as small as a value.
#[derive(Debug)]
pub struct Stop(pub Box<Reason>);

#[derive(Debug)]
pub enum Reason {
    /// An error that does not know yet where it stood.
    Fault(Fault),
    Failure(Failure),
    /// `next()`: ends the lambda or function.
    Next(Value, At),
    /// `return()`: ends the function, class or define.
    Return(Value, At),
    /// `break()`: ends the iteration.
    Break(At),
    /// A default read a parameter that has no value yet: the error of the call, wherever in the default it came up.
    TooEarly(Fault),
    /// An error that Ruby code raised, and where. Puppet code knows no place of it yet.
    Raised(Fault, RubyPlace),
    /// Not an error of the program: `at` is that of an operand the fault is about.
    FaultAt(Fault, u32),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop(Box::new(Reason::Fault(fault)))
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop(Box::new(Reason::Failure(failure)))
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop(Box::new(reason))
    }
}

/// The result of evaluating anything.
pub type Flow<T = Value> = Result<T, Stop>;
