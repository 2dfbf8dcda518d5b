//! Ruby's `<=>` for values that can be compared.

use std::cmp::Ordering;

use pantin_base::stack;
use pantin_values::sprintf::inspect;
use pantin_values::{Fault, Value};

use super::ruby::class_name;

/// Nothing where Ruby cannot tell.
pub(super) fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Float(b)) => (*a as f64).partial_cmp(b),
        (Value::Float(a), Value::Integer(b)) => a.partial_cmp(&(*b as f64)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::String(a) | Value::Unencoded(a), Value::String(b) | Value::Unencoded(b)) => {
            Some(a.as_str().cmp(b.as_str()))
        }
        (Value::Array(a), Value::Array(b)) => stack::with_room(|| {
            for (a, b) in a.iter().zip(b.iter()) {
                match compare(a, b)? {
                    Ordering::Equal => {}
                    order => return Some(order),
                }
            }
            Some(a.len().cmp(&b.len()))
        }),
        (a, b) if a == b => Some(Ordering::Equal),
        _ => None,
    }
}

pub(super) fn incomparable(a: &Value, b: &Value) -> Fault {
    let shown = match b {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => inspect(b),
        other => class_name(other),
    };
    Fault::new(format!("comparison of {} with {shown} failed", class_name(a)))
}
