//! The order in which Ruby sorts an array of values.

use std::cmp::Ordering;

use pantin_base::stack;
use pantin_values::{Value, ruby_class, sprintf};

use crate::trouble::Trouble;

/// Sorts as the C library does for Ruby, by merging halves: which two values are found to be incomparable is seen.
pub(super) fn sort(items: &mut Vec<Value>) -> Result<(), Trouble> {
    if items.len() < 2 {
        return Ok(());
    }
    let mut right = items.split_off(items.len() / 2);
    sort(items)?;
    sort(&mut right)?;
    let mut merged = Vec::with_capacity(items.len() + right.len());
    let (mut left, mut right) = (items.drain(..).peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let order = compare(a, b)
            .ok_or_else(|| Trouble::ruby(format!("comparison of {} with {} failed", ruby_class(a), shown(b))))?;
        merged.extend(if order == Ordering::Greater { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    *items = merged;
    Ok(())
}

/// Small values are named by themselves, others by their class.
fn shown(value: &Value) -> String {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => sprintf::inspect(value),
        other => ruby_class(other).into_owned(),
    }
}

/// Ruby's `<=>`.
fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Integer(a), Value::Float(b)) => (*a as f64).partial_cmp(b),
        (Value::Float(a), Value::Integer(b)) => a.partial_cmp(&(*b as f64)),
        (Value::Array(a), Value::Array(b)) => stack::with_room(|| {
            for (a, b) in a.iter().zip(b.iter()) {
                match compare(a, b)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }),
        (a, b) => (a == b).then_some(Ordering::Equal),
    }
}
