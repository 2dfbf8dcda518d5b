//! Arrays: what is asked of them, and other arrays made of them.

use std::borrow::Cow;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, by_letters, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Array, Side::Instance, METHODS), (Core::Array, Side::Class, MAKE)];

const MAKE: &[NativeMethod] =
    &[method("new", 0, 2, new), method("[]", 0, ANY, |_, given| Ok(Value::array(given.args.to_vec())))];

const METHODS: &[NativeMethod] = &[
    method("[]", 1, 2, index),
    method("slice", 1, 2, index),
    method("at", 1, 1, index),
    method("dig", 1, ANY, |interp, given| {
        let found = interp.send(given.receiver, "[]", &given.args[..1])?;
        interp.dig_on(found, &given.args[1..])
    }),
    method("fetch", 1, 2, fetch),
    method("values_at", 0, ANY, |interp, given| {
        let mut found = Vec::new();
        for at in given.args {
            found.push(interp.send(given.receiver, "[]", std::slice::from_ref(at))?);
        }
        Ok(Value::array(found))
    }),
    method("length", 0, 0, |_, given| Ok(with_items(given, |items| items.len()).into())),
    method("size", 0, 0, |_, given| Ok(with_items(given, |items| items.len()).into())),
    method("empty?", 0, 0, |_, given| Ok((with_items(given, |items| items.len()) == 0).into())),
    method("to_a", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("to_ary", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("each", 0, 0, each),
    method("each_index", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for at in 0..with_items(given, |items| items.len()) {
            interp.yield_one(block, at.into())?;
        }
        Ok(given.receiver.clone())
    }),
    method("first", 0, 1, |interp, given| match given.args.first() {
        None => Ok(with_items(given, |items| items.first().cloned()).unwrap_or_default()),
        Some(count) => {
            let count = count_arg(interp, count)?;
            Ok(Value::array(with_items(given, |items| items[..count.min(items.len())].to_vec())))
        }
    }),
    method("last", 0, 1, last),
    method("reverse", 0, 0, |_, given| {
        Ok(Value::array(with_items(given, |items| items.iter().rev().cloned().collect())))
    }),
    method("rotate", 0, 1, |interp, given| {
        let by = if given.args.is_empty() { 1 } else { interp.int_arg(given.arg(0))? };
        let mut items = own(given);
        if !items.is_empty() {
            let by = by.rem_euclid(items.len() as i64) as usize;
            items.rotate_left(by);
        }
        Ok(Value::array(items))
    }),
    method("compact", 0, 0, |_, given| {
        Ok(Value::array(with_items(given, |items| items.iter().filter(|item| !item.is_nil()).cloned().collect())))
    }),
    method("+", 1, 1, |interp, given| {
        let mut all = own(given);
        all.extend(interp.array_arg(given.arg(0))?);
        interp.check_count(all.len())?;
        Ok(Value::array(all))
    }),
    by_letters("*", 1, 1, |interp, given| {
        if matches!(given.arg(0), Value::String(_)) || interp.as_text(given.arg(0))?.is_some() {
            return interp.call_named(given, "join");
        }
        let Ok(count) = usize::try_from(interp.int_arg(given.arg(0))?) else {
            return interp.raise(Core::ArgumentError, "negative argument");
        };
        let items = own(given);
        interp.check_count(items.len().saturating_mul(count))?;
        // Nothing, however many times it is taken, would take its time.
        let times = if items.is_empty() { 0 } else { count };
        Ok(Value::array(std::iter::repeat_n(items, times).flatten().collect()))
    }),
    method("<=>", 1, 1, super::scalar::order_value),
    method("index", 0, 1, |interp, given| match (given.args, given.block) {
        ([], None) => interp.enumerator(given),
        _ => interp.call_named(given, "find_index"),
    }),
    method("rindex", 0, 1, |interp, given| {
        for (at, item) in own(given).iter().enumerate().rev() {
            let hit = match (given.args.first(), given.block) {
                (Some(wanted), _) => interp.equal(item, wanted)?,
                (None, Some(block)) => interp.yield_one(block, item.clone())?.is_truthy(),
                (None, None) => return interp.enumerator(given),
            };
            if hit {
                return Ok(at.into());
            }
        }
        Ok(Value::Nil)
    }),
    method("rassoc", 1, 1, |interp, given| {
        for item in own(given) {
            if let Value::Array(pair) = &item {
                let second = pair.items.borrow().get(1).cloned();
                if let Some(second) = second
                    && interp.equal(&second, given.arg(0))?
                {
                    return Ok(item);
                }
            }
        }
        Ok(Value::Nil)
    }),
    method("assoc", 1, 1, |interp, given| {
        for item in own(given) {
            if let Value::Array(pair) = &item {
                let first = pair.items.borrow().first().cloned().unwrap_or_default();
                if interp.equal(&first, given.arg(0))? {
                    return Ok(item);
                }
            }
        }
        Ok(Value::Nil)
    }),
    method("transpose", 0, 0, transpose),
    method("product", 0, ANY, product),
    method("combination", 1, 1, |interp, given| {
        let size = interp.int_arg(given.arg(0))?;
        let (items, mut all) = (own(given), Vec::new());
        if let Ok(size) = usize::try_from(size) {
            choose(interp, &items, size, behind, &mut Vec::new(), &mut all)?;
        }
        hand_out(interp, given, all)
    }),
    method("permutation", 0, 1, |interp, given| {
        let items = own(given);
        let size = if given.args.is_empty() { items.len() as i64 } else { interp.int_arg(given.arg(0))? };
        let mut all = Vec::new();
        if let Ok(size) = usize::try_from(size) {
            choose(interp, &items, size, others, &mut Vec::new(), &mut all)?;
        }
        hand_out(interp, given, all)
    }),
];

pub(super) fn with_items<T: Default>(given: &CallArguments<'_>, look: impl FnOnce(&[Value]) -> T) -> T {
    match given.receiver {
        Value::Array(list) => look(&list.items.borrow()),
        _ => T::default(),
    }
}

pub(super) fn own(given: &CallArguments<'_>) -> Vec<Value> {
    with_items(given, <[Value]>::to_vec)
}

fn new(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if given.args.len() == 1
        && let Some(items) = interp.as_array(given.arg(0))?
    {
        return Ok(Value::array(items));
    }
    let count = if given.args.is_empty() { 0 } else { interp.int_arg(given.arg(0))? };
    let Ok(count) = usize::try_from(count) else { return interp.raise(Core::ArgumentError, "negative array size") };
    interp.check_count(count)?;
    let mut items = Vec::with_capacity(count);
    for at in 0..count {
        items.push(match given.block {
            Some(block) => interp.yield_one(block, at.into())?,
            None => given.arg(1).clone(),
        });
    }
    Ok(Value::array(items))
}

/// Returns how many elements are wanted.
pub(super) fn count_arg(interp: &mut Interp<'_>, count: &Value) -> Flow<usize> {
    match usize::try_from(interp.int_arg(count)?) {
        Ok(count) => Ok(count),
        Err(_) => interp.raise(Core::ArgumentError, "negative array size"),
    }
}

/// Where an index points to, counted from the end where it is negative.
pub(super) fn place(index: i64, count: usize) -> Option<usize> {
    usize::try_from(if index < 0 { index + count as i64 } else { index }).ok()
}

fn index(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let count = with_items(given, |items| items.len());
    match (given.arg(0), given.args.get(1)) {
        (Value::Int(at), None) => {
            Ok(place(*at, count).and_then(|at| with_items(given, |items| items.get(at).cloned())).unwrap_or_default())
        }
        (Value::Range(range), None) => match super::string_parts::span(interp, range, count)? {
            Some((from, length)) => Ok(Value::array(with_items(given, |items| items[from..from + length].to_vec()))),
            None => Ok(Value::Nil),
        },
        (at, None) => {
            let at = interp.int_arg(at)?;
            Ok(place(at, count).and_then(|at| with_items(given, |items| items.get(at).cloned())).unwrap_or_default())
        }
        (from, Some(length)) => {
            let (from, length) = (interp.int_arg(from)?, interp.int_arg(length)?);
            match (place(from, count), usize::try_from(length)) {
                (Some(from), Ok(length)) if from <= count => {
                    let end = from.saturating_add(length).min(count);
                    Ok(Value::array(with_items(given, |items| items[from..end].to_vec())))
                }
                _ => Ok(Value::Nil),
            }
        }
    }
}

fn fetch(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let at = interp.int_arg(given.arg(0))?;
    let count = with_items(given, |items| items.len());
    if let Some(found) = place(at, count).and_then(|at| with_items(given, |items| items.get(at).cloned())) {
        return Ok(found);
    }
    match (given.block, given.args.get(1)) {
        (Some(block), _) => interp.yield_one(block, given.arg(0).clone()),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => {
            interp.raise(Core::IndexError, format!("index {at} outside of array bounds: {}...{count}", -(count as i64)))
        }
    }
}

fn each(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let mut at = 0;
    // What the block adds is visited as well.
    while let Some(item) = with_items(given, |items| items.get(at).cloned()) {
        interp.yield_one(block, item)?;
        at += 1;
    }
    Ok(given.receiver.clone())
}

fn last(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.args.first() {
        None => Ok(with_items(given, |items| items.last().cloned()).unwrap_or_default()),
        Some(count) => {
            let count = count_arg(interp, count)?;
            Ok(Value::array(with_items(given, |items| items[items.len().saturating_sub(count)..].to_vec())))
        }
    }
}

fn transpose(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for row in own(given) {
        let row = interp.array_arg(&row)?;
        interp.check_count(row.len().saturating_mul(rows.len() + 1))?;
        let (size, width) = (row.len(), rows.first().map_or(row.len(), Vec::len));
        if size != width {
            return interp.raise(Core::IndexError, format!("element size differs ({size} should be {width})"));
        }
        rows.push(row);
    }
    let width = rows.first().map_or(0, Vec::len);
    interp.check_texts(width)?;
    Ok(Value::array((0..width).map(|at| Value::array(rows.iter().map(|row| row[at].clone()).collect())).collect()))
}

fn product(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut all: Vec<Vec<Value>> = own(given).into_iter().map(|item| vec![item]).collect();
    for other in given.args {
        let other = interp.array_arg(other)?;
        interp.check_texts(all.len().saturating_mul(other.len()))?;
        all = all
            .iter()
            .flat_map(|row| {
                other.iter().map(move |item| row.iter().cloned().chain(std::iter::once(item.clone())).collect())
            })
            .collect();
    }
    Ok(Value::array(all.into_iter().map(Value::array).collect()))
}

/// What may still be chosen once the item at a place was.
type Left = for<'i> fn(&'i [Value], usize) -> Cow<'i, [Value]>;

/// For combinations: what stands behind it.
fn behind(items: &[Value], at: usize) -> Cow<'_, [Value]> {
    Cow::Borrowed(&items[at + 1..])
}

/// For permutations: all others.
fn others(items: &[Value], at: usize) -> Cow<'_, [Value]> {
    Cow::Owned([&items[..at], &items[at + 1..]].concat())
}

/// All ways to choose so many items one after the other.
fn choose(
    interp: &mut Interp<'_>,
    items: &[Value],
    size: usize,
    left: Left,
    chosen: &mut Vec<Value>,
    all: &mut Vec<Value>,
) -> Flow<()> {
    interp.check_count(all.len())?;
    if size == 0 {
        all.push(Value::array(chosen.clone()));
        return Ok(());
    }
    for (at, item) in items.iter().enumerate() {
        let left_over = left(items, at);
        if left_over.len() + 1 < size {
            break;
        }
        chosen.push(item.clone());
        choose(interp, &left_over, size - 1, left, chosen, all)?;
        chosen.pop();
    }
    Ok(())
}

fn hand_out(interp: &mut Interp<'_>, given: &CallArguments<'_>, all: Vec<Value>) -> Flow {
    match given.block {
        Some(block) => {
            for item in all {
                interp.yield_one(block, item)?;
            }
            Ok(given.receiver.clone())
        }
        None => interp.enumerator(given),
    }
}
