//! Ruby's symbols among the values of a YAML text.

use crate::Value;

/// Returns the symbol of this name; the language itself has but one.
pub fn value(name: &str) -> Value {
    match name {
        "default" => Value::Default,
        _ => Value::Symbol(name.into()),
    }
}

/// Where a key may be no symbol it is its text.
pub(super) fn as_key(key: Value) -> Value {
    match key {
        Value::Default => "default".into(),
        Value::Symbol(name) => Value::String(name),
        key => key,
    }
}
