//! `+`, `-` and `<<` of arrays, hashes, URIs and bytes. What nobody else holds is changed in place.

use pantin_base::{Language, budget};
use rustc_hash::FxHashSet;

use super::equality::natively_equal;
use super::uri;
use crate::{Array, Binary, Fault, Hash, Timespan, Uri, Value};

/// An array is joined, a hash as an array of its entries, anything else is one more element.
pub(super) fn concatenate(mut left: Array, right: Value) -> Value {
    let items = left.make_mut();
    match right {
        Value::Array(right) => items.extend_from_slice(&right),
        Value::Hash(right) => items.extend(entries(&right)),
        right => items.push(right),
    }
    Value::Array(left)
}

pub(super) fn append(mut left: Array, right: Value) -> Value {
    left.make_mut().push(right);
    Value::Array(left)
}

/// Without all elements that are equal to one on the right, in Ruby's sense.
pub(super) fn remove(mut left: Array, right: &Value) -> Value {
    let unwanted: Vec<Value> = match right {
        Value::Array(items) => items.to_vec(),
        Value::Hash(hash) => entries(hash).collect(),
        _ => vec![right.clone()],
    };
    // A string is equal to nothing but the same string, which a set knows at once; so is an integer among integers.
    let strings: FxHashSet<&str> = unwanted.iter().filter_map(Value::as_str).collect();
    let integers: FxHashSet<i64> = unwanted.iter().filter_map(integer).collect();
    let others: Vec<&Value> = unwanted
        .iter()
        .filter(|value| !matches!(value, Value::String(_) | Value::Unencoded(_) | Value::Integer(_)))
        .collect();
    left.make_mut().retain(|item| match item {
        Value::String(text) | Value::Unencoded(text) => !strings.contains(text.as_str()),
        Value::Integer(value) => {
            !integers.contains(value)
                && (!budget::spend(others.len() as u64) || !others.iter().any(|other| natively_equal(item, other)))
        }
        // Who counts the steps sees that there were too many.
        _ => !budget::spend(unwanted.len() as u64) || !unwanted.iter().any(|other| natively_equal(item, other)),
    });
    Value::Array(left)
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(value) => Some(*value),
        _ => None,
    }
}

pub(super) fn remove_keys(mut left: Hash, right: &Value) -> Value {
    match right {
        Value::Array(keys) => {
            let unwanted: FxHashSet<&Value> = keys.iter().collect();
            left.make_mut().retain(|key, _| !unwanted.contains(key));
        }
        Value::Hash(keys) => left.make_mut().retain(|key, _| !keys.contains_key(key)),
        key => left.make_mut().shift_remove(key),
    }
    Value::Hash(left)
}

/// Entries of the right override those of the left.
pub(super) fn merge(mut left: Hash, right: Value, language: Language) -> Result<Value, Fault> {
    let right = match right {
        Value::Hash(hash) => hash,
        Value::Array(items) => hash_of(&items, language)?,
        _ => return Err(Fault::new("Can only append Array or Hash to a Hash")),
    };
    if left.is_empty() {
        return Ok(Value::Hash(right));
    }
    left.make_mut().extend(right.iter().map(|(key, value)| (key.clone(), value.clone())));
    Ok(Value::Hash(left))
}

/// Returns an array of pairs, or of keys and values in turn.
fn hash_of(items: &[Value], language: Language) -> Result<Hash, Fault> {
    let are_pairs = |item: &Value| matches!(item, Value::Array(_) | Value::Undef);
    if items.iter().all(are_pairs) && (items.is_empty() || items.iter().any(|item| !item.is_undef())) {
        return items.iter().enumerate().map(|(index, item)| pair(index, item, language)).collect();
    }
    match items {
        [Value::Hash(only)] => Ok(only.clone()),
        // The one other value that Ruby takes for a hash.
        [Value::Timespan(span)] => Ok(parts_of(*span)),
        _ if items.len() % 2 == 1 => Err(Fault::new("odd number of arguments for Hash")),
        _ => Ok(items.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()),
    }
}

fn pair(index: usize, item: &Value, language: Language) -> Result<(Value, Value), Fault> {
    let Value::Array(parts) = item else {
        let nothing = if language >= Language::Puppet8 { "NilClass" } else { "nil" };
        return Err(Fault::new(format!("wrong element type {nothing} at {index} (expected array)")));
    };
    match (&**parts, language) {
        ([key, value], _) => Ok((key.clone(), value.clone())),
        ([key], Language::Puppet7) => Ok((key.clone(), Value::Undef)),
        (parts, Language::Puppet7) => Err(Fault::new(format!("invalid number of elements ({} for 1..2)", parts.len()))),
        (parts, _) => Err(Fault::new(format!("wrong array length at {index} (expected 2, was {})", parts.len()))),
    }
}

/// Returns the parts of a length of time that are not zero.
fn parts_of(span: Timespan) -> Hash {
    let parts = span.fields();
    let numbers = [
        ("days", parts.days),
        ("hours", parts.hours),
        ("minutes", parts.minutes),
        ("seconds", parts.seconds),
        ("nanoseconds", parts.nanoseconds),
        ("microseconds", parts.microseconds),
        ("milliseconds", parts.milliseconds),
    ];
    let numbers = numbers.into_iter().filter(|(_, number)| *number != 0);
    let parts_of_it = numbers.map(|(name, number)| (name.into(), Value::Integer(number)));
    parts_of_it.chain(parts.negative.then(|| ("negative".into(), Value::Boolean(true)))).collect()
}

fn entries(hash: &Hash) -> impl Iterator<Item = Value> {
    hash.iter().map(|(key, value)| Value::array([key.clone(), value.clone()]))
}

pub(super) fn join_uri(left: &Uri, right: &Value) -> Result<Value, Fault> {
    match right {
        Value::Uri(right) => uri::join(left, &right.to_string()),
        Value::String(right) => uri::join(left, right),
        _ => Err(Fault::new("An URI can only be merged with an URI or String")),
    }
}

pub(super) fn join_binary(left: &Binary, right: &Value) -> Result<Value, Fault> {
    match right {
        Value::Binary(right) => Ok(Value::Binary(Binary::new([left.bytes(), right.bytes()].concat()))),
        _ => Err(Fault::new("Can only append Binary to a Binary")),
    }
}
