//! The symbol `:undef` in data, which is undef in the end: merges take it for a value, a text has its name, and a parameter
//! of a class does not go back to its default.

use pantin_base::stack;
use pantin_values::{Value, types};

/// Returns true if it is the symbol.
pub(super) fn is_undef_symbol(value: &Value) -> bool {
    matches!(value, Value::Symbol(name) if name == "undef")
}

/// Returns true if a back end may give it.
pub(super) fn is_data(value: &Value) -> bool {
    let accepts = |value: &Value| types::rich_data().accepts(value).unwrap_or(false);
    accepts(value) || holds_undef(value) && accepts(&without(value.clone()))
}

pub(super) fn holds_undef(value: &Value) -> bool {
    match value {
        Value::Array(items) => stack::with_room(|| items.iter().any(holds_undef)),
        Value::Hash(entries) => stack::with_room(|| entries.values().any(holds_undef)),
        value => is_undef_symbol(value),
    }
}

/// The same with undef for the symbol.
pub(super) fn without(value: Value) -> Value {
    match value {
        Value::Array(items) => stack::with_room(|| Value::array(items.iter().cloned().map(without))),
        Value::Hash(entries) => {
            stack::with_room(|| Value::hash(entries.iter().map(|(key, value)| (key.clone(), without(value.clone())))))
        }
        value if is_undef_symbol(&value) => Value::Undef,
        value => value,
    }
}
