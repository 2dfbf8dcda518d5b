//! `Array` and `Hash` made of what can be gone through.

use std::sync::LazyLock;

use super::constructor::{Constructor, form, not_convertible};
use super::shapes::*;
use super::{Call, elements, tree};
use crate::types::Type;
use crate::{Array, Fault, Hash, Value};

pub(super) static ARRAY: LazyLock<Constructor> = LazyLock::new(|| {
    let from = variant([any_array(), any_hash(), Type::Binary, Type::Iterable(None)]);
    Constructor::new(
        "new_array",
        [
            form([("from", from), ("wrap?", Type::Boolean(Some(false)))]),
            form([("from", Type::Any), ("wrap", Type::Boolean(Some(true)))]),
        ],
    )
    .refusing([form([("from", Type::Any), ("wrap?", boolean())])])
});

pub(super) static HASH: LazyLock<Constructor> = LazyLock::new(|| {
    let pair = |key| tuple(vec![key, Type::Any]);
    let trees = named("TreeArray", array(pair(any_array()), 1));
    let pairs = named("KeyValueArray", array(pair(Type::Any), 1));
    let option = named("NewHashOption", enumeration(&["hash_tree", "tree"], false));
    Constructor::new(
        "new_hash",
        [form([("from", trees), ("build_option?", option)]), form([("from", pairs)]), form([("from", Type::Any)])],
    )
});

pub(super) fn make_array(call: &mut Call<'_>) -> Result<Value, Fault> {
    let from = call.arg(0);
    match (call.form, from) {
        (0 | 1, Value::Array(_)) => Ok(from.clone()),
        (0, Value::Binary(bytes)) => Ok(Value::array(bytes.bytes().iter().map(|&byte| Value::Integer(byte.into())))),
        (0, _) => match elements(from, call.names.most_elements())? {
            Some(items) => Ok(Value::Array(items)),
            None => Err(ARRAY.refusal(not_convertible(from, "Array"))),
        },
        (1, _) => Ok(Value::array([from.clone()])),
        _ => Err(ARRAY.refusal(not_convertible(from, "Array"))),
    }
}

pub(super) fn make_hash(call: &mut Call<'_>) -> Result<Value, Fault> {
    let hash = match (call.form, call.arg(0)) {
        (0, Value::Array(entries)) => match call.arg(1) {
            Value::String(option) => tree::grow(entries, option == "hash_tree")?,
            _ => of_pairs(entries)?,
        },
        (1, Value::Array(entries)) => of_pairs(entries)?,
        (_, Value::Array(items)) if items.len() % 2 == 1 => return Err(odd_number()),
        (_, Value::Array(items)) => alternating(items),
        (_, Value::Hash(hash)) => hash.clone(),
        (_, from) => match elements(from, call.names.most_elements())? {
            Some(items) => of_arguments(&items)?,
            None => return Err(Fault::new(not_convertible(from, "Hash"))),
        },
    };
    Ok(Value::Hash(hash))
}

/// Ruby's `Hash[*items]`.
fn of_arguments(items: &Array) -> Result<Hash, Fault> {
    match &items[..] {
        [Value::Hash(hash)] => Ok(hash.clone()),
        [Value::Array(pairs)] => of_pairs(pairs),
        _ if items.len() % 2 == 1 => Err(odd_number()),
        _ => Ok(alternating(items)),
    }
}

fn odd_number() -> Fault {
    Fault::new("odd number of arguments for Hash")
}

fn alternating(items: &[Value]) -> Hash {
    items.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// Ruby's `Hash[pairs]`.
fn of_pairs(pairs: &[Value]) -> Result<Hash, Fault> {
    let entry = |(index, pair): (usize, &Value)| match pair {
        Value::Array(pair) => match &pair[..] {
            [key] => Ok((key.clone(), Value::Undef)),
            [key, value] => Ok((key.clone(), value.clone())),
            _ => Err(Fault::new(format!("invalid number of elements ({} for 1..2)", pair.len()))),
        },
        _ => Err(Fault::new(format!("wrong element type {} at {index} (expected array)", crate::ruby_class(pair)))),
    };
    pairs.iter().enumerate().map(entry).collect()
}
