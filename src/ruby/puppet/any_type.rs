//! Puppet's types as Ruby code has them: of those that can be gone through, each of what they stand for.

use pantin_values::Type;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: [Table; 2] = [
    (Core::PuppetAnyType, Side::Instance, &[method("each", 0, 0, each)]),
    (Core::PuppetIterable, Side::Class, &[method("asserted_iterable", 2, 3, asserted)]),
];

/// What a function of the core goes through, as an array of it.
fn asserted(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.arg(1) {
        list @ Value::Array(_) => Ok(list.clone()),
        Value::Hash(_) => Ok(Value::array(interp.items(given.arg(1))?)),
        Value::String(_) => interp.send(given.arg(1), "chars", &[]),
        Value::Int(count @ 0..) => {
            interp.check_count(usize::try_from(*count).unwrap_or(usize::MAX))?;
            Ok(Value::array((0..*count).map(Value::Int).collect()))
        }
        Value::Nil | Value::Bool(_) | Value::Float(_) | Value::Int(_) | Value::Symbol(_) => {
            let (caller, of) = (interp.class_name_of(given.arg(0)), interp.class_name_of(given.arg(1)));
            let message = format!("{caller}(): wrong argument type ({of}; is not Iterable.");
            interp.raise(Core::ArgumentError, message)
        }
        _ => interp.unsupported("Iterable.asserted_iterable of what is no text, number, array or hash"),
    }
}

/// Of an `Enum` its texts.
fn each(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(texts) = texts(given.receiver) else {
        return interp.unsupported("to go through a type that is no Enum");
    };
    let texts = Value::array(texts);
    interp.send_with(&texts, "each", &[], given.block)
}

fn texts(of: &Value) -> Option<Vec<Value>> {
    let Value::Foreign(value) = of else { return None };
    let pantin_values::Value::Type(of) = &**value else { return None };
    match of.resolved() {
        Type::Enum(of) if !of.values.is_empty() => {
            Some(of.values.iter().map(|text| Value::text(text.as_str())).collect())
        }
        _ => None,
    }
}
