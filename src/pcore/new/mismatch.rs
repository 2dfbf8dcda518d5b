//! What a call and a value are told that do not fit: the way from this room to the describer of mismatches.

use super::constructor::Constructor;
use std::sync::Arc;

use crate::pcore::types::Type;
use crate::pcore::{Fault, Value};

/// That no form of a constructor takes these arguments.
pub(crate) fn of_call(constructor: &Constructor, args: &[Value]) -> Fault {
    Fault::new(format!("'{}' does not take {args:?}", constructor.name))
}

/// That a value is an instance of a type.
pub(crate) fn assert_instance(subject: &str, expected: &Type, value: &Value) -> Result<(), Fault> {
    assert_instance_with(|| subject.to_owned(), expected, value)
}

/// The same with a subject that is only written where it is needed.
pub(crate) fn assert_instance_with(
    subject: impl FnOnce() -> String,
    expected: &Type,
    value: &Value,
) -> Result<(), Fault> {
    if expected.accepts(value)? {
        return Ok(());
    }
    Err(Fault::new(format!("{} has wrong type, expects {expected}, got {}", subject(), Type::of(value))))
}

/// That arguments are those of a callable type.
pub(crate) fn check_callable(label: &str, callable: &Type, args: &[Value]) -> Result<(), Fault> {
    let Type::Callable(callable) = callable.resolved() else { return Ok(()) };
    let Some(params) = &callable.params else { return Ok(()) };
    if Type::Tuple(Arc::new(params.clone())).accepts(&Value::array(args.iter().cloned()))? {
        return Ok(());
    }
    Err(Fault::new(format!("'{label}' does not take {args:?}")))
}
