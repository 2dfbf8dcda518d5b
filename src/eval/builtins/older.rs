//! Helpers for functions of the older API: they take any arguments, count them themselves, and see values of newer types as
//! texts and references as resources.

use pantin_values::ops::to_s;
use pantin_values::sprintf::inspect;
use pantin_values::{Fault, Str, Type, Value};

use crate::{Flow, Invocation};

/// Returns the arguments as such a function sees them; undef is an empty text. There must be exactly `count`.
pub(super) fn exactly(call: &mut Invocation<'_, '_>, count: usize) -> Flow<Vec<Value>> {
    let args = call.older_args()?;
    let given = args.len();
    if given != count {
        let name = call.name();
        return Err(call.fault(format!("{name}(): Wrong number of arguments given ({given} for {count})")));
    }
    Ok(args)
}

/// The same where there must be at least `minimum`.
pub(super) fn at_least(call: &mut Invocation<'_, '_>, minimum: usize) -> Flow<Vec<Value>> {
    let args = call.older_args()?;
    check_at_least(call, minimum)?;
    Ok(args)
}

pub(super) fn check_at_least(call: &Invocation<'_, '_>, minimum: usize) -> Flow<()> {
    let given = call.args().len();
    if given < minimum {
        let name = call.name();
        return Err(call.fault(format!("{name}(): Wrong number of arguments given ({given} for minimum {minimum})")));
    }
    Ok(())
}

/// Returns a text, where Ruby's own functions want one.
pub(super) fn text(value: &Value) -> Result<&Str, Fault> {
    match value {
        Value::String(text) | Value::Unencoded(text) => Ok(text),
        _ => Err(Fault::new(format!("no implicit conversion of {} into String", class_name(value)))),
    }
}

/// Ruby's name of the class of a value.
pub(super) fn class_name(value: &Value) -> String {
    match value {
        Value::Resource(_) | Value::Type(Type::Resource(_) | Type::Class(_)) => "Puppet::Resource".to_owned(),
        Value::Type(Type::Alias(_)) => "Puppet::Pops::Types::PTypeAliasType".to_owned(),
        Value::Type(of) => format!("Puppet::Pops::Types::P{}Type", of.simple_name()),
        other => pantin_values::unconvertible(other).into_owned(),
    }
}

/// Returns what Ruby says of a method that a value does not have.
pub(super) fn no_method(name: &str, value: &Value) -> Fault {
    let receiver = match value {
        Value::Undef => "nil:NilClass".to_owned(),
        Value::Default | Value::Symbol(_) => format!("{}:Symbol", inspect(value)),
        Value::Boolean(true) => "true:TrueClass".to_owned(),
        Value::Boolean(false) => "false:FalseClass".to_owned(),
        Value::Integer(_) | Value::Float(_) | Value::Array(_) | Value::Hash(_) => {
            format!("{}:{}", inspect(value), class_name(value))
        }
        _ => format!("{}:{}", to_s(value), class_name(value)),
    };
    Fault::new(format!("undefined method `{name}' for {receiver}"))
}

/// Arrays in arrays become one list; other values stay as they are.
pub(super) fn flattened(values: &[Value]) -> Vec<Value> {
    values.iter().flat_map(Value::flattened).collect()
}
