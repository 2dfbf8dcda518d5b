//! Values that can be stored: those that consist of data.

use pantin_base::stack;
use pantin_values::{Str, Value, unencoded};
use serde::{Deserialize, Serialize};

/// A value of data. What is deeper than this is not kept: whoever reads it back has no more stack than who wrote it.
const DEEPEST: usize = 64;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Plain {
    Undef,
    Default,
    Boolean(bool),
    Integer(i64),
    /// By its bits: no number is another one after it was read.
    Float(u64),
    Text(Str),
    Symbol(Str),
    Array(Vec<Plain>),
    Hash(Vec<(Plain, Plain)>),
    Sensitive(Box<Plain>),
    /// A text in no encoding, by its letters.
    Unencoded(Str),
}

impl Plain {
    /// `None`: it is no value of data, or too deep.
    pub fn from_value(value: &Value) -> Option<Plain> {
        Plain::from_value_within(value, DEEPEST)
    }

    fn from_value_within(value: &Value, deep: usize) -> Option<Plain> {
        let deep = deep.checked_sub(1)?;
        let within = |value: &Value| stack::with_room(|| Plain::from_value_within(value, deep));
        Some(match value {
            Value::Undef => Plain::Undef,
            Value::Default => Plain::Default,
            Value::Boolean(value) => Plain::Boolean(*value),
            Value::Integer(value) => Plain::Integer(*value),
            Value::Float(value) => Plain::Float(value.to_bits()),
            Value::String(text) => Plain::Text(text.clone()),
            Value::Unencoded(letters) => Plain::Unencoded(letters.clone()),
            Value::Symbol(name) => Plain::Symbol(name.clone()),
            Value::Array(items) => Plain::Array(items.iter().map(within).collect::<Option<_>>()?),
            Value::Hash(entries) => {
                let entry = |(key, value): (&Value, &Value)| Some((within(key)?, within(value)?));
                Plain::Hash(entries.iter().map(entry).collect::<Option<_>>()?)
            }
            Value::Sensitive(value) => Plain::Sensitive(Box::new(within(value)?)),
            _ => return None,
        })
    }

    pub fn value(&self) -> Value {
        match self {
            Plain::Undef => Value::Undef,
            Plain::Default => Value::Default,
            Plain::Boolean(value) => Value::Boolean(*value),
            Plain::Integer(value) => Value::Integer(*value),
            Plain::Float(bits) => Value::Float(f64::from_bits(*bits)),
            Plain::Text(text) => Value::String(text.clone()),
            Plain::Unencoded(letters) => unencoded::from_letters(letters.clone()),
            Plain::Symbol(name) => Value::Symbol(name.clone()),
            Plain::Array(items) => Value::array(items.iter().map(Plain::value)),
            Plain::Hash(entries) => {
                Value::Hash(entries.iter().map(|(key, value)| (key.value(), value.value())).collect())
            }
            Plain::Sensitive(value) => Value::sensitive(value.value()),
        }
    }
}
