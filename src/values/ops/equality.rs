//! The equality of values: that of the operator `==`, and that of Ruby.

use std::cmp::Ordering;
use std::sync::Arc;

use pantin_base::budget;
use pantin_base::stack::with_room;

use super::{large, time, uri};
use crate::types::ObjectType;
use crate::{Array, Hash, Object, Type, Value};

/// `==` of two values, at any depth: strings without regard to the case of ASCII letters, numbers by value.
/// (Where the left operand of `==` itself is a type there is another rule: see [`super::compare`].)
#[inline]
pub fn equals(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::String(a) | Value::Unencoded(a), Value::String(b) | Value::Unencoded(b)) => a.eq_ignore_ascii_case(b),
        (Value::Integer(a), Value::Integer(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => arrays(a, b, equals),
        (Value::Hash(a), Value::Hash(b)) => hashes(a, b),
        _ => natively_equal(left, right),
    }
}

/// Ruby's `==`: as [`equals`], but the case of letters counts.
pub fn natively_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::Integer(a), Value::Float(b)) | (Value::Float(b), Value::Integer(a)) => {
            integer_to_float(*a, *b) == Some(Ordering::Equal)
        }
        (Value::Large(_), Value::Float(_)) | (Value::Float(_), Value::Large(_)) => {
            large::order(left, right) == Some(Ordering::Equal)
        }
        (Value::Array(a), Value::Array(b)) => arrays(a, b, natively_equal),
        (Value::Hash(a), Value::Hash(b)) => natively_equal_hashes(a, b),
        (Value::Timespan(_) | Value::Timestamp(_), _) => time::compare(left, right) == Some(Ordering::Equal),
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => {
            time::compare(right, left) == Some(Ordering::Equal)
        }
        (Value::Object(a), Value::Object(b)) => objects(a, b),
        (Value::Uri(a), Value::Uri(b)) => uri::equal(a, b),
        (Value::Type(a), Value::Type(b)) => budget::spend(steps_to_compare(a)) && a == b,
        _ => left == right,
    }
}

/// Alternatives are looked for among alternatives.
fn steps_to_compare(of: &Type) -> u64 {
    match of {
        Type::Variant(types) => (types.len() * types.len()) as u64 / 16,
        _ => 1,
    }
}

/// By their true values: no precision is lost.
pub(super) fn integer_to_float(integer: i64, float: f64) -> Option<Ordering> {
    /// Two to the power of 63: beyond all integers.
    const BOUND: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        None
    } else if float >= BOUND {
        Some(Ordering::Less)
    } else if float < -BOUND {
        Some(Ordering::Greater)
    } else {
        let whole = float.trunc();
        Some(integer.cmp(&(whole as i64)).then(whole.total_cmp(&float)))
    }
}

fn arrays(left: &Array, right: &Array, same: fn(&Value, &Value) -> bool) -> bool {
    left.len() == right.len()
        && budget::spend(1)
        && with_room(|| left.iter().zip(right.iter()).all(|(a, b)| same(a, b)))
}

/// Keys are looked up exactly; one that is missing counts as `undef`.
fn hashes(left: &Hash, right: &Hash) -> bool {
    left.len() == right.len()
        && budget::spend(1)
        && with_room(|| left.iter().all(|(key, value)| equals(right.get(key).unwrap_or(&Value::Undef), value)))
}

fn natively_equal_hashes(left: &Hash, right: &Hash) -> bool {
    left.len() == right.len()
        && budget::spend(1)
        && with_room(|| {
            left.iter().all(|(key, value)| right.get(key).is_some_and(|other| natively_equal(other, value)))
        })
}

/// By the attributes that each class from the object's up to the root says make two of its objects equal.
fn objects(left: &Arc<Object>, right: &Arc<Object>) -> bool {
    if Arc::ptr_eq(left, right) {
        return true;
    }
    let mut class = Some(&left.class);
    let mut decided = false;
    while let Some(of) = class {
        let parent = parent_of(of);
        let includes_type = of.equality_include_type && !parent.is_some_and(|parent| parent.equality_include_type);
        if includes_type && left.class != right.class {
            return false;
        }
        let own = of.attributes.keys();
        let names = of.equality.as_ref().map_or_else(|| own.collect(), |names| names.iter().collect::<Vec<_>>());
        if !names.iter().all(|name| left.get(name) == right.get(name)) {
            return false;
        }
        decided |= includes_type || !names.is_empty();
        class = parent;
    }
    // A class that says nothing of equality leaves it to identity.
    decided
}

fn parent_of(class: &ObjectType) -> Option<&Arc<ObjectType>> {
    let mut parent = class.parent.as_ref()?;
    loop {
        match parent {
            Type::Object(parent) => return Some(parent),
            Type::Alias(alias) => parent = alias.resolved()?,
            _ => return None,
        }
    }
}
