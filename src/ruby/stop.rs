//! The reasons why an evaluation stops early.

use pantin_values::Fault;

use super::value::Value;

pub(super) enum Stop {
    /// An exception.
    Raise(Value),
    /// `break` out of the call that was given the block with this tag.
    Break(u64, Value),
    Next(Value),
    /// `return` from the method with this tag.
    Return(u64, Value),
    Throw(Value, Value),
    Retry,
    /// A limit was reached, or the code wants something that is not supported: no `rescue` sees it.
    Fatal(Fault),
}

pub(super) type Flow<T = Value> = Result<T, Box<Stop>>;
