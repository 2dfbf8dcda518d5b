//! The strict identity of values: everything that distinguishes values counts. It avoids computing digests where it can.

use std::hash::{Hash, Hasher};

use pantin_base::stack;

use super::{NamedValues, Type, Value};

/// Returns true if two values have the same digest, without making one where that can be seen.
pub fn identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Undef, Value::Undef) => true,
        (Value::String(_) | Value::Undef, _) | (_, Value::String(_) | Value::Undef) => false,
        (Value::Integer(a), Value::Integer(b)) => a == b,
        (Value::Boolean(a), Value::Boolean(b)) => a == b,
        (Value::Type(Type::Resource(a)), Value::Type(Type::Resource(b))) => a == b,
        (Value::Resource(a), Value::Resource(b)) => a == b,
        (Value::Type(Type::Class(a)), Value::Type(Type::Class(b))) => a == b,
        // What a collector is worth.
        (Value::Type(Type::Runtime(a)), Value::Type(Type::Runtime(b))) => a == b,
        (Value::Array(a), Value::Array(b)) if a.ptr_eq(b) => true,
        (Value::Array(a), Value::Array(b)) if a.len() != b.len() => false,
        (Value::Array(a), Value::Array(b)) if a.len() <= FEW => {
            stack::with_room(|| a.iter().zip(b.iter()).all(|(a, b)| identical(a, b)))
        }
        (Value::Hash(a), Value::Hash(b)) if a.ptr_eq(b) => true,
        (Value::Hash(a), Value::Hash(b)) if a.len() != b.len() => false,
        (Value::Hash(a), Value::Hash(b)) if a.len() <= FEW => stack::with_room(|| {
            a.iter().zip(b.iter()).all(|((key, value), (k, v))| identical(key, k) && identical(value, v))
        }),
        _ => a.digest() == b.digest(),
    }
}

/// Arrays and hashes up to this length are compared item by item.
const FEW: usize = 8;

/// A hash that identical values have alike. Containers keep their digest.
pub fn hash_identical<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Array(_) | Value::Hash(_) => value.digest().hash(state),
        value => value.hash(state),
    }
}

impl NamedValues {
    /// Returns true if the same names stand in it, in the same order, with identical values.
    pub fn is_identical(&self, other: &NamedValues) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|((a, x), (b, y))| a == b && identical(x, y))
    }
}
