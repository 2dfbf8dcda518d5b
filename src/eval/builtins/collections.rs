//! Functions that look at arrays, hashes and strings, or take them apart.

use std::collections::hash_map::Entry;

use pantin_base::Place;
use pantin_base::stack::with_room;
use pantin_values::{Fault, Hash, Str, Value, ops};
use rustc_hash::{FxHashMap, FxHashSet};

use super::iteration::{Element, check_method, go_through, go_through_all, or_broken_steps};
use crate::{Builtin, Flow, Invocation, block, optional, optional_block, overload, repeated, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "flatten",
        &[overload(&[repeated("Any", "args")], None, flatten)],
        "All arguments as one array without arrays in it.",
    ),
    Builtin::typed(
        "join",
        &[overload(&[required("Array", "arg"), optional("String", "delimiter")], None, join)],
        "The elements as one string, arrays in it too, with the delimiter between them.",
    ),
    Builtin::typed("keys", &[overload(&[required("Hash", "hsh")], None, keys)], "The keys of a hash."),
    Builtin::typed("values", &[overload(&[required("Hash", "hsh")], None, values)], "The values of a hash."),
    Builtin::typed(
        "length",
        &[
            overload(&[required("Collection", "arg")], None, length),
            overload(&[required("String", "arg")], None, length),
            overload(&[required("Binary", "arg")], None, length),
        ],
        "How many elements, characters or bytes there are.",
    ),
    Builtin::typed(
        "size",
        &[overload(&[required("Variant[Collection, String, Binary]", "arg")], None, length)],
        "The same as `length`.",
    ),
    Builtin::typed(
        "empty",
        &[
            overload(&[required("Collection", "coll")], None, empty),
            overload(&[required("Sensitive[String]", "str")], None, empty),
            overload(&[required("String", "str")], None, empty),
            overload(&[required("Numeric", "num")], None, empty),
            overload(&[required("Binary", "bin")], None, empty),
            overload(&[required("Undef", "x")], None, empty),
        ],
        "Whether nothing is in it.",
    ),
    Builtin::typed(
        "unique",
        &[
            overload(&[required("String", "string")], optional_block("Callable[String]"), unique),
            overload(&[required("Hash", "hash")], optional_block("Callable[Any]"), unique),
            overload(&[required("Array", "array")], optional_block("Callable[Any]"), unique),
            overload(&[required("Iterable", "iterable")], optional_block("Callable[Any]"), unique),
        ],
        "The elements without those that were there before; those count as the same for which the lambda is worth the same.",
    ),
    Builtin::typed(
        "group_by",
        &[
            overload(&[required("Collection", "collection")], block("Callable[1,1]"), group_singly).returning("Hash"),
            overload(&[required("Array", "array")], block("Callable[2,2]"), group_in_pairs).returning("Hash"),
            overload(&[required("Collection", "collection")], block("Callable[2,2]"), group_in_pairs).returning("Hash"),
        ],
        "A hash of arrays of those elements for which the lambda is worth the same.",
    ),
    Builtin::typed(
        "partition",
        &[
            overload(&[required("Collection", "collection")], block("Callable[1,1]"), part_singly)
                .returning("Tuple[Array, Array]"),
            overload(&[required("Array", "array")], block("Callable[2,2]"), part_in_pairs)
                .returning("Tuple[Array, Array]"),
            overload(&[required("Collection", "collection")], block("Callable[2,2]"), part_in_pairs)
                .returning("Tuple[Array, Array]"),
        ],
        "Two arrays: the elements for which the lambda is worth something true, and the others.",
    ),
];

fn flatten(call: &mut Invocation<'_, '_>) -> Flow {
    if let [Value::Array(items)] = call.args()
        && !items.iter().any(|item| matches!(item, Value::Array(_)))
    {
        return Ok(call.take(0));
    }
    let mut flat = Vec::new();
    flatten_into(&mut flat, call.args(), call)?;
    Ok(Value::Array(flat.into()))
}

fn flatten_into(flat: &mut Vec<Value>, items: &[Value], call: &Invocation<'_, '_>) -> Result<(), Fault> {
    for item in items {
        match item {
            Value::Array(items) => with_room(|| flatten_into(flat, items, call))?,
            _ => flat.push(item.clone()),
        }
    }
    // Few arrays that share their elements may stand for very many.
    call.check_elements(flat.len())
}

fn join(call: &mut Invocation<'_, '_>) -> Flow {
    let Value::Array(items) = call.arg(0) else { return Ok(Value::Undef) };
    let delimiter = call.arg(1).as_str().unwrap_or_default();
    let mut joined = String::new();
    join_into(&mut joined, items, delimiter, call)?;
    Ok(Value::String(joined.into()))
}

fn join_into(joined: &mut String, items: &[Value], delimiter: &str, call: &Invocation<'_, '_>) -> Result<(), Fault> {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            call.push_text(joined, delimiter)?;
        }
        match item {
            Value::String(text) => call.push_text(joined, text)?,
            Value::Array(items) => with_room(|| join_into(joined, items, delimiter, call))?,
            _ => call.push_text(joined, &ops::to_s(item))?,
        }
    }
    Ok(())
}

fn keys(call: &mut Invocation<'_, '_>) -> Flow {
    let Value::Hash(entries) = call.arg(0) else { return Ok(Value::Undef) };
    Ok(Value::array(entries.keys().cloned()))
}

fn values(call: &mut Invocation<'_, '_>) -> Flow {
    let Value::Hash(entries) = call.arg(0) else { return Ok(Value::Undef) };
    Ok(Value::array(entries.values().cloned()))
}

fn length(call: &mut Invocation<'_, '_>) -> Flow {
    let length = match call.arg(0) {
        Value::Array(items) => items.len(),
        Value::Hash(entries) => entries.len(),
        Value::String(text) => text.chars().count(),
        Value::Binary(binary) => binary.len(),
        _ => 0,
    };
    Ok(Value::Integer(length as i64))
}

fn empty(call: &mut Invocation<'_, '_>) -> Flow {
    let is_empty = match call.arg(0) {
        Value::Array(items) => items.is_empty(),
        Value::Hash(entries) => entries.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Sensitive(secret) => secret.as_str() == Some(""),
        Value::Binary(binary) => binary.is_empty(),
        Value::Undef => true,
        _ => {
            warn_of_number(call)?;
            false
        }
    };
    Ok(Value::Boolean(is_empty))
}

/// Once for each line of the source.
fn warn_of_number(call: &mut Invocation<'_, '_>) -> Flow<()> {
    let at = call.place();
    let line = match at.place() {
        Place::At { line, .. } => line,
        _ => 0,
    };
    let key = format!("empty-from-{}-{line}", at.unit.source.name().unwrap_or_default());
    call.deprecated(&key, "Calling function empty() with Numeric value is deprecated.", true)
}

// ---- unique ----

fn unique(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    match &collection {
        Value::String(text) => {
            let kept = each_once(call, &collection, text.chars().nth(1).is_none())?;
            Ok(Value::String(kept.iter().filter_map(Value::as_str).collect::<Str>()))
        }
        Value::Hash(entries) => keys_by_value(call, entries),
        Value::Array(items) => Ok(Value::Array(each_once(call, &collection, items.len() <= 1)?.into())),
        _ => Ok(Value::Array(each_once(call, &collection, false)?.into())),
    }
}

/// Ruby does not ask the lambda where an array `is_short`.
fn each_once(call: &mut Invocation<'_, '_>, collection: &Value, is_short: bool) -> Flow<Vec<Value>> {
    check_method(collection, "uniq")?;
    let mut seen = FxHashSet::default();
    let mut kept = Vec::new();
    if !call.has_block() || is_short {
        go_through_all(call, collection, |_, element| {
            let value = element.value();
            if seen.insert(value.clone()) {
                kept.push(value);
            }
            Ok(true)
        })?;
        return Ok(kept);
    }
    let iteration = go_through(&call.cursors(), collection, |_, element| {
        let value = element.value();
        if seen.insert(call.yield_values([value.clone()])?) {
            kept.push(value);
        }
        Ok(true)
    });
    or_broken_steps(collection, iteration)?;
    Ok(kept)
}

/// The keys that have the same value, as an array, with those values, each once.
fn keys_by_value(call: &mut Invocation<'_, '_>, entries: &Hash) -> Flow {
    let mut groups = Groups::default();
    for (key, value) in entries.iter() {
        let same = if call.has_block() { call.yield_values([value.clone()])? } else { value.clone() };
        groups.add(same, (key.clone(), value.clone()));
    }
    let inverted = groups.in_order().map(|(_, group)| {
        let (keys, values): (Vec<Value>, Vec<Value>) = group.into_iter().unzip();
        let mut seen = FxHashSet::default();
        let values = values.into_iter().filter(|value| seen.insert(value.clone())).collect();
        (Value::Array(keys.into()), Value::Array(values))
    });
    Ok(Value::hash(inverted))
}

/// What belongs together by what it is worth, in the order in which that came up first.
struct Groups<T> {
    places: FxHashMap<Value, usize>,
    groups: Vec<(Value, Vec<T>)>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Groups { places: FxHashMap::default(), groups: Vec::new() }
    }
}

impl<T> Groups<T> {
    fn add(&mut self, worth: Value, member: T) {
        match self.places.entry(worth) {
            Entry::Occupied(place) => self.groups[*place.get()].1.push(member),
            Entry::Vacant(place) => {
                self.groups.push((place.key().clone(), vec![member]));
                place.insert(self.groups.len() - 1);
            }
        }
    }

    fn in_order(self) -> impl Iterator<Item = (Value, Vec<T>)> {
        self.groups.into_iter()
    }
}

// ---- groups ----

/// Calls the lambda for each element, with one argument or with two.
fn sort_out(call: &mut Invocation<'_, '_>, in_pairs: bool, mut put: impl FnMut(Value, Value)) -> Flow<()> {
    let collection = call.take(0);
    go_through(&call.cursors(), &collection, |index, element| {
        let worth = match element {
            Element::Item(item) if in_pairs => call.yield_values([Value::Integer(index), item.clone()]),
            Element::Entry(key, value) if in_pairs => call.yield_values([key.clone(), value.clone()]),
            element => call.yield_values([element.value()]),
        }?;
        put(worth, element.value());
        Ok(true)
    })
}

fn group_singly(call: &mut Invocation<'_, '_>) -> Flow {
    group_by(call, false)
}

fn group_in_pairs(call: &mut Invocation<'_, '_>) -> Flow {
    group_by(call, true)
}

fn group_by(call: &mut Invocation<'_, '_>, in_pairs: bool) -> Flow {
    let mut groups = Groups::default();
    sort_out(call, in_pairs, |worth, element| groups.add(worth, element))?;
    Ok(Value::hash(groups.in_order().map(|(worth, group)| (worth, Value::Array(group.into())))))
}

fn part_singly(call: &mut Invocation<'_, '_>) -> Flow {
    partition(call, false)
}

fn part_in_pairs(call: &mut Invocation<'_, '_>) -> Flow {
    partition(call, true)
}

fn partition(call: &mut Invocation<'_, '_>, in_pairs: bool) -> Flow {
    let (mut wanted, mut others) = (Vec::new(), Vec::new());
    sort_out(
        call,
        in_pairs,
        |worth, element| {
            if worth.is_truthy() { wanted.push(element) } else { others.push(element) }
        },
    )?;
    Ok(Value::array([Value::Array(wanted.into()), Value::Array(others.into())]))
}
