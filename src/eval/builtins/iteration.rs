//! The iteration protocol for all values, and the functions that only iterate.

use pantin_base::Language;
use pantin_values::types::IntegerRange;
use pantin_values::{Fault, Hash, Items, Str, Type, Value, ops};

use super::older::no_method;
use crate::{Builtin, Cursors, Flow, Invocation, Reason, Stop, block, optional_block, overload, required};

/// The four signatures that most of them have, all with the same code.
macro_rules! over_any_collection {
    ($run:path $(, $more:expr)*) => {
        &[
            overload(&[required("Hash[Any, Any]", "hash")], block("Callable[2,2]"), $run),
            overload(&[required("Hash[Any, Any]", "hash")], block("Callable[1,1]"), $run),
            overload(&[required("Iterable", "enumerable")], block("Callable[2,2]"), $run),
            overload(&[required("Iterable", "enumerable")], block("Callable[1,1]"), $run),
            $($more),*
        ]
    };
}

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "each",
        over_any_collection!(each),
        "Calls the lambda for each element, and is worth the collection.",
    ),
    Builtin::typed("map", over_any_collection!(map), "The array of what the lambda is worth for each element."),
    Builtin::typed(
        "filter",
        over_any_collection!(filter),
        "The elements for which the lambda is worth something true; of a hash, a hash.",
    ),
    Builtin::typed("any", over_any_collection!(any), "Whether the lambda is worth something true for an element."),
    Builtin::typed("all", over_any_collection!(all), "Whether the lambda is worth something true for every element."),
    Builtin::typed(
        "index",
        over_any_collection!(
            index,
            overload(&[required("String", "str"), required("Variant[String,Regexp]", "match")], None, index_in_string),
            overload(&[required("Iterable", "enumerable"), required("Any", "match")], None, index_of_value)
        ),
        "Where the first element is that the lambda wants, or that equals the value: its index, or its key in a hash.",
    ),
    Builtin::typed(
        "reduce",
        &[
            overload(&[required("Iterable", "enumerable")], block("Callable[2,2]"), reduce),
            overload(&[required("Iterable", "enumerable"), required("Any", "memo")], block("Callable[2,2]"), reduce),
        ],
        "Combines all elements: the lambda gets what there is so far and the next element.",
    ),
    Builtin::typed(
        "slice",
        &[
            overload(
                &[required("Hash[Any, Any]", "hash"), required("Integer[1, default]", "slice_size")],
                optional_block("Callable"),
                slice,
            ),
            overload(
                &[required("Iterable", "enumerable"), required("Integer[1, default]", "slice_size")],
                optional_block("Callable"),
                slice,
            ),
        ],
        "Cuts a collection into arrays of a size; with a lambda, calls it for each of them.",
    ),
];

// ---- going through ----

/// What an iteration is at.
#[derive(Clone, Copy)]
pub(super) enum Element<'v> {
    Item(&'v Value),
    Entry(&'v Value, &'v Value),
}

impl Element<'_> {
    /// An entry of a hash is an array of key and value.
    pub(super) fn value(self) -> Value {
        match self {
            Element::Item(item) => item.clone(),
            Element::Entry(key, value) => Value::array([key.clone(), value.clone()]),
        }
    }
}

/// How a function asks for the elements. Where it is no iterator that is gone through, both are the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// One after the other: an iterator goes on where it is.
    Next,
    /// As Ruby's own methods do: see [`Cursors::each`].
    Each,
}

/// Goes through all elements, with the index of each, until `step` gives `false`. What is generated (numbers,
/// characters) is never there all at once. What cannot be gone through has no elements.
pub(super) fn go_through(
    cursors: &Cursors,
    collection: &Value,
    step: impl FnMut(i64, Element<'_>) -> Flow<bool>,
) -> Flow<()> {
    go_by(By::Each, cursors, collection, step)
}

pub(super) fn go_by(
    by: By,
    cursors: &Cursors,
    collection: &Value,
    step: impl FnMut(i64, Element<'_>) -> Flow<bool>,
) -> Flow<()> {
    match collection {
        Value::Array(items) => over(items.iter().map(Element::Item), step),
        Value::Hash(entries) => over(entries.iter().map(|(key, value)| Element::Entry(key, value)), step),
        Value::Iterator(sequence) => {
            let next = || std::iter::from_fn(|| cursors.next(sequence));
            match (by, &sequence.items) {
                (By::Next, Items::Pairs(_)) => over_pairs(next(), step),
                (By::Each, Items::Pairs(_)) => over_pairs(cursors.each(sequence), step),
                (By::Next, _) => over_made(next(), step),
                (By::Each, _) => over_made(cursors.each(sequence), step),
            }
        }
        Value::String(text) => over_made(text.chars().map(character), step),
        Value::Unencoded(letters) => over_made(letters.chars().map(|letter| Value::Unencoded(letter.into())), step),
        Value::Integer(count) => over_made((0..*count).map(Value::Integer), step),
        Value::Type(of) => match of.resolved() {
            Type::Integer(range) if range.is_finite() => over_made((range.from..=range.to).map(Value::Integer), step),
            Type::Enum(of) => over_made(of.values.iter().cloned().map(Value::String), step),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

fn over<'v>(
    elements: impl Iterator<Item = Element<'v>>,
    mut step: impl FnMut(i64, Element<'_>) -> Flow<bool>,
) -> Flow<()> {
    for (index, element) in (0..).zip(elements) {
        if !step(index, element)? {
            break;
        }
    }
    Ok(())
}

fn over_pairs(pairs: impl Iterator<Item = Value>, mut step: impl FnMut(i64, Element<'_>) -> Flow<bool>) -> Flow<()> {
    over_made(pairs, |index, pair| match pair {
        Element::Item(Value::Array(pair)) if pair.len() == 2 => step(index, Element::Entry(&pair[0], &pair[1])),
        other => step(index, other),
    })
}

fn over_made(items: impl Iterator<Item = Value>, mut step: impl FnMut(i64, Element<'_>) -> Flow<bool>) -> Flow<()> {
    for (index, item) in (0..).zip(items) {
        if !step(index, Element::Item(&item))? {
            break;
        }
    }
    Ok(())
}

fn character(character: char) -> Value {
    Value::String(Str::from(character.encode_utf8(&mut [0; 4]) as &str))
}

/// Returns how many elements there are, at most [`u64::MAX`]; of a string, how many there can be.
pub(super) fn count(collection: &Value) -> u64 {
    match collection {
        Value::Array(items) => items.len() as u64,
        Value::Hash(entries) => entries.len() as u64,
        Value::Iterator(sequence) => sequence.len(),
        Value::String(text) | Value::Unencoded(text) => text.len() as u64,
        Value::Integer(count) => u64::try_from(*count).unwrap_or(0),
        Value::Type(of) => match of.resolved() {
            Type::Integer(range) => count_of_range(*range),
            Type::Enum(of) => of.values.len() as u64,
            _ => 0,
        },
        _ => 0,
    }
}

pub(super) fn count_of_range(range: IntegerRange) -> u64 {
    if range.from > range.to { 0 } else { range.to.abs_diff(range.from).saturating_add(1) }
}

/// The same as [`go_through`] where no lambda counts the turns: there may not be more elements than a value holds.
pub(super) fn go_through_all(
    call: &Invocation<'_, '_>,
    collection: &Value,
    step: impl FnMut(i64, Element<'_>) -> Flow<bool>,
) -> Flow<()> {
    call.check_elements(usize::try_from(count(collection)).unwrap_or(usize::MAX))?;
    go_through(&call.cursors(), collection, step)
}

/// Calls the lambda for each element: with the element, or with its key or index and the element, as many
/// parameters as it has. `step` gets what the lambda is worth, and says whether to go on.
fn yield_each(
    call: &mut Invocation<'_, '_>,
    by: By,
    collection: &Value,
    mut step: impl FnMut(i64, Element<'_>, Value) -> bool,
) -> Flow<()> {
    let cursors = call.cursors();
    if call.block_params() >= 2 {
        go_by(by, &cursors, collection, |index, element| {
            let worth = match element {
                Element::Item(item) => call.yield_values([Value::Integer(index), item.clone()]),
                Element::Entry(key, value) => call.yield_values([key.clone(), value.clone()]),
            }?;
            Ok(step(index, element, worth))
        })
    } else {
        go_by(by, &cursors, collection, |index, element| {
            let worth = call.yield_values([element.value()])?;
            Ok(step(index, element, worth))
        })
    }
}

/// `break()` ends the iteration, which is no error.
pub(super) fn or_broken(iteration: Flow<()>) -> Flow<()> {
    match iteration {
        Err(Stop(reason)) if matches!(*reason, Reason::Break(_)) => Ok(()),
        other => other,
    }
}

/// Where Ruby itself goes through a collection, `break()` is an error; unless it is Puppet's own way to go through it
/// that Ruby uses: of numbers, and of what comes in steps.
pub(super) fn or_broken_steps(collection: &Value, iteration: Flow<()>) -> Flow<()> {
    let is_puppets = match collection {
        Value::Integer(count) => *count > 0,
        Value::Iterator(sequence) => !matches!(sequence.items, Items::Values(_) | Items::Pairs(_)),
        Value::Type(of) => matches!(of.resolved(), Type::Integer(_)),
        _ => false,
    };
    if is_puppets { or_broken(iteration) } else { iteration }
}

/// Of the iterators, that over a tree has few of the methods that Ruby's collections have.
pub(super) fn check_method(collection: &Value, method: &str) -> Flow<()> {
    match collection {
        Value::Iterator(sequence) if sequence.is_tree() => Err(no_method(method, collection).into()),
        _ => Ok(()),
    }
}

fn is_of_pairs(collection: &Value) -> bool {
    matches!(collection, Value::Iterator(sequence) if matches!(sequence.items, Items::Pairs(_)))
}

// ---- the functions ----

/// Returns how a lambda gets the elements, by itself or with their places. Since Puppet 8 it is Ruby that counts the
/// places.
fn by_places(call: &Invocation<'_, '_>, collection: &Value) -> Flow<By> {
    let counts = call.block_params() >= 2 && !is_of_pairs(collection);
    if !counts || call.settings().language == Language::Puppet7 {
        return Ok(By::Next);
    }
    check_method(collection, "each_with_index").map(|()| By::Each)
}

fn each(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    let by = by_places(call, &collection)?;
    or_broken(yield_each(call, by, &collection, |_, _, _| true))?;
    Ok(collection)
}

fn map(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    let mut mapped = Vec::with_capacity(known_count(&collection));
    let is_rubys = call.block_params() >= 2 && is_of_pairs(&collection);
    let by = if is_rubys { By::Each } else { by_places(call, &collection)? };
    let most = call.settings().limits.elements;
    let iteration = yield_each(call, by, &collection, |_, _, worth| {
        mapped.push(worth);
        mapped.len() as u64 <= most
    });
    if is_rubys { iteration } else { or_broken(iteration) }?;
    call.check_elements(mapped.len())?;
    Ok(Value::Array(mapped.into()))
}

/// For how many elements there had better be room from the first; what a number stands for may never be reached.
fn known_count(collection: &Value) -> usize {
    const LIKELY: u64 = 512;
    match collection {
        Value::Array(items) => items.len(),
        Value::Hash(entries) => entries.len(),
        other => count(other).min(LIKELY) as usize,
    }
}

fn filter(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    if matches!(collection, Value::Hash(_)) || (call.block_params() >= 2 && is_of_pairs(&collection)) {
        let mut kept = Hash::default();
        yield_each(call, By::Next, &collection, |_, element, worth| {
            if let (Element::Entry(key, value), true) = (element, worth.is_truthy()) {
                kept.insert(key.clone(), value.clone());
            }
            true
        })?;
        return Ok(Value::Hash(kept));
    }
    let mut kept = Vec::new();
    let by = by_places(call, &collection)?;
    or_broken(yield_each(call, by, &collection, |_, element, worth| {
        if worth.is_truthy() {
            kept.push(element.value());
        }
        true
    }))?;
    Ok(Value::Array(kept.into()))
}

fn any(call: &mut Invocation<'_, '_>) -> Flow {
    check_find(call, "any?")?;
    find(call, true).map(|found| Value::Boolean(found.is_some()))
}

fn all(call: &mut Invocation<'_, '_>) -> Flow {
    check_find(call, "all?")?;
    find(call, false).map(|found| Value::Boolean(found.is_none()))
}

fn check_find(call: &Invocation<'_, '_>, method: &str) -> Flow<()> {
    check_method(call.arg(0), if call.block_params() >= 2 { "each_with_index" } else { method })
}

/// The index of the first element for which the lambda is worth something that is (not) true.
fn find(call: &mut Invocation<'_, '_>, wanted: bool) -> Flow<Option<i64>> {
    let collection = call.take(0);
    let mut found = None;
    let iteration = yield_each(call, By::Each, &collection, |index, _, worth| {
        if worth.is_truthy() == wanted {
            found = Some(index);
        }
        found.is_none()
    });
    or_broken_steps(&collection, iteration)?;
    Ok(found)
}

fn index(call: &mut Invocation<'_, '_>) -> Flow {
    if !matches!(call.arg(0), Value::Hash(_)) && !is_of_pairs(call.arg(0)) {
        check_method(call.arg(0), "each_with_index")?;
        return find(call, true).map(|found| found.map_or(Value::Undef, Value::Integer));
    }
    // One parameter gets the value alone.
    let pairs = call.block_params() >= 2;
    let (collection, cursors) = (call.take(0), call.cursors());
    let mut found = Value::Undef;
    go_by(By::Next, &cursors, &collection, |_, element| {
        let Element::Entry(key, value) = element else { return Ok(true) };
        let worth =
            if pairs { call.yield_values([key.clone(), value.clone()]) } else { call.yield_values([value.clone()]) };
        let is_it = worth?.is_truthy();
        if is_it {
            found = key.clone();
        }
        Ok(!is_it)
    })?;
    Ok(found)
}

fn index_in_string(call: &mut Invocation<'_, '_>) -> Flow {
    let (Value::String(text), wanted) = (call.arg(0), call.arg(1)) else { return Ok(Value::Undef) };
    let at = match wanted {
        Value::String(part) => text.find(part.as_str()),
        pattern => {
            let found = ops::match_operator(call.arg(0), pattern).map_err(|blamed| blamed.fault)?;
            found.captured.and_then(|captured| captured.captures.get(0)).map(|(start, _)| start)
        }
    };
    Ok(at.map_or(Value::Undef, |at| Value::Integer(text[..at].chars().count() as i64)))
}

fn index_of_value(call: &mut Invocation<'_, '_>) -> Flow {
    let wanted = call.arg(1);
    check_method(call.arg(0), "each_with_index")?;
    let mut found = Value::Undef;
    go_through_all(call, call.arg(0), |index, element| {
        let (place, value) = match element {
            Element::Item(item) => (None, item),
            Element::Entry(key, value) => (Some(key), value),
        };
        let is_it = ops::natively_equal(value, wanted);
        if is_it {
            found = place.cloned().unwrap_or(Value::Integer(index));
        }
        Ok(!is_it)
    })?;
    Ok(found)
}

fn reduce(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    check_method(&collection, "reduce")?;
    let mut memo = (call.args().len() > 1).then(|| call.take(1));
    let iteration = go_through(&call.cursors(), &collection, |_, element| {
        memo = Some(match memo.take() {
            None => element.value(),
            Some(so_far) => {
                // Where the lambda breaks off, what there was so far is the result.
                memo = call.block_may_break().then(|| so_far.clone());
                call.yield_values([so_far, element.value()])?
            }
        });
        Ok(true)
    });
    or_broken(iteration)?;
    Ok(memo.unwrap_or_default())
}

fn slice(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    let size = match call.arg(1) {
        Value::Integer(size) => usize::try_from(*size).unwrap_or(usize::MAX).max(1),
        _ => 1,
    };
    check_method(&collection, "each_slice")?;
    let cursors = call.cursors();
    if !call.has_block() {
        let mut slices = Vec::new();
        call.check_elements(usize::try_from(count(&collection)).unwrap_or(usize::MAX))?;
        go_through_slices(&cursors, &collection, size, |slice| {
            slices.push(Value::Array(slice.into()));
            Ok(())
        })?;
        return Ok(Value::Array(slices.into()));
    }
    let filler = if matches!(collection, Value::Hash(_)) { Value::array([]) } else { Value::Undef };
    let served = served(call, size)?;
    let iteration = go_through_slices(&cursors, &collection, size, |mut slice| {
        if served == 1 {
            return call.yield_values([Value::Array(slice.into())]).map(|_| ());
        }
        slice.resize(served, filler.clone());
        call.yield_list(slice.into()).map(|_| ())
    });
    or_broken(iteration)?;
    Ok(collection)
}

/// Returns how many values the lambda gets at once: all as one array, or each by itself.
fn served(call: &Invocation<'_, '_>, size: usize) -> Flow<usize> {
    let served = call.block_arity().unwrap_or(size);
    if served == 0 {
        return Err(call.fault("slice(): block must define at least one parameter. Block has 0."));
    }
    if served != 1 && served != size {
        let names = call.block_param_names().join(", ");
        return Err(call.fault(format!(
            "slice(): block must define one parameter, or the same number of parameters as the given size of the slice \
             ({size}). Block has {served}; {names}"
        )));
    }
    if served > 1 {
        call.check_elements(served)?;
    }
    Ok(served)
}

/// Ruby cuts no slice longer than what it takes the whole to be: the real one takes numbers to be one fewer than they
/// are, and leaves away what is over at the end of steps.
fn longest_slice(collection: &Value) -> Flow<u64> {
    let numbers = |count: u64| count.saturating_sub(1);
    match collection {
        Value::Integer(_) | Value::Type(Type::Integer(_)) => Ok(numbers(count(collection))),
        Value::Iterator(sequence) => {
            let (mut sequence, mut by) = (sequence, 1_u64);
            while let Items::Steps { source: of, step: further } = &sequence.items {
                (sequence, by) = (of, by.saturating_mul(*further));
            }
            match &sequence.items {
                Items::Numbers { count, .. } => Ok(numbers(*count) / by),
                Items::Tree { .. } => Err(Fault::new("Not yet implemented - computes size lazily").into()),
                _ => Ok(sequence.len() / by),
            }
        }
        _ => Ok(u64::MAX),
    }
}

fn go_through_slices(
    cursors: &Cursors,
    collection: &Value,
    size: usize,
    mut take: impl FnMut(Vec<Value>) -> Flow<()>,
) -> Flow<()> {
    let size = size.min(usize::try_from(longest_slice(collection)?).unwrap_or(usize::MAX)).max(1);
    let mut slice = Vec::new();
    go_through(cursors, collection, |_, element| {
        slice.push(element.value());
        if slice.len() == size {
            take(std::mem::take(&mut slice))?;
        }
        Ok(true)
    })?;
    if slice.is_empty() { Ok(()) } else { take(slice) }
}
