//! Arrays that are changed in place.

use super::array::{count_arg, own, place};
use super::nested::{depth_arg, flatten};
use super::order::order_by;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{List, Value};

pub(super) const TABLES: &[Table] = &[(Core::Array, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("<<", 1, 1, push),
    method("push", 0, ANY, push),
    method("append", 0, ANY, push),
    method("pop", 0, 1, |interp, given| {
        let list = mutable(interp, given)?;
        let mut items = list.items.borrow_mut();
        match given.args.first() {
            None => Ok(items.pop().unwrap_or_default()),
            Some(count) => {
                drop(items);
                let count = count_arg(interp, count)?;
                let mut items = list.items.borrow_mut();
                let at = items.len().saturating_sub(count);
                Ok(Value::array(items.split_off(at)))
            }
        }
    }),
    method("shift", 0, 1, |interp, given| {
        let list = mutable(interp, given)?;
        let count = match given.args.first() {
            None => None,
            Some(count) => Some(count_arg(interp, count)?),
        };
        let mut items = list.items.borrow_mut();
        match count {
            None => Ok(if items.is_empty() { Value::Nil } else { items.remove(0) }),
            Some(count) => {
                let count = count.min(items.len());
                Ok(Value::array(items.drain(..count).collect()))
            }
        }
    }),
    method("unshift", 0, ANY, unshift),
    method("prepend", 0, ANY, unshift),
    method("insert", 1, ANY, insert),
    method("concat", 0, ANY, |interp, given| {
        mutable(interp, given)?;
        let mut more = Vec::new();
        for other in given.args {
            more.extend(interp.array_arg(other)?);
        }
        mutable(interp, given)?.items.borrow_mut().extend(more);
        checked(interp, given)
    }),
    method("[]=", 2, 3, set),
    method("clear", 0, 0, |interp, given| replaced(interp, given, Vec::new())),
    method("replace", 1, 1, |interp, given| {
        let items = interp.array_arg(given.arg(0))?;
        replaced(interp, given, items)
    }),
    method("fill", 0, 3, |interp, given| {
        let mut items = own(given);
        let place = usize::from(given.block.is_none());
        let size = items.len() as i64;
        let from = match given.arg(place) {
            Value::Nil => 0,
            Value::Range(_) => return interp.unsupported("the method Array#fill with a range"),
            from => interp.int_arg(from)?,
        };
        let from = if from < 0 { (from + size).max(0) } else { from };
        let to = match given.arg(place + 1) {
            Value::Nil => size,
            length => from.saturating_add(interp.int_arg(length)?),
        };
        interp.check_count(to.max(0) as usize)?;
        if to > from {
            items.resize((to.max(size)) as usize, Value::Nil);
        }
        for at in from..to {
            items[at as usize] = match given.block {
                Some(block) => interp.yield_one(block, at.into())?,
                None => given.arg(0).clone(),
            };
        }
        replaced(interp, given, items)
    }),
    method("delete", 1, 1, |interp, given| {
        let (mut kept, mut found) = (Vec::new(), Value::Nil);
        for item in own(given) {
            if interp.equal(&item, given.arg(0))? { found = item } else { kept.push(item) }
        }
        replaced(interp, given, kept)?;
        match given.block {
            Some(block) if found.is_nil() => interp.yield_one(block, given.arg(0).clone()),
            _ => Ok(found),
        }
    }),
    method("delete_at", 1, 1, |interp, given| {
        let at = interp.int_arg(given.arg(0))?;
        let mut items = mutable(interp, given)?.items.borrow_mut();
        Ok(match place(at, items.len()) {
            Some(at) if at < items.len() => items.remove(at),
            _ => Value::Nil,
        })
    }),
    method("delete_if", 0, 0, |interp, given| filtered(interp, given, false, false)),
    method("reject!", 0, 0, |interp, given| filtered(interp, given, false, true)),
    method("select!", 0, 0, |interp, given| filtered(interp, given, true, true)),
    method("filter!", 0, 0, |interp, given| filtered(interp, given, true, true)),
    method("keep_if", 0, 0, |interp, given| filtered(interp, given, true, false)),
    method("map!", 0, 0, |interp, given| by_name(interp, given, "map")),
    method("collect!", 0, 0, |interp, given| by_name(interp, given, "map")),
    method("reverse!", 0, 0, |interp, given| by_name(interp, given, "reverse")),
    method("rotate!", 0, 1, |interp, given| by_name(interp, given, "rotate")),
    method("sort!", 0, 0, |interp, given| {
        mutable(interp, given)?;
        let items = interp.sort(own(given), |interp, a, b| order_by(interp, given.block, a, b))?;
        replaced(interp, given, items)
    }),
    method("sort_by!", 0, 0, |interp, given| by_name(interp, given, "sort_by")),
    method("compact!", 0, 0, |interp, given| or_nil(interp, given, "compact")),
    method("uniq!", 0, 0, |interp, given| or_nil(interp, given, "uniq")),
    method("flatten!", 0, 1, |interp, given| {
        let had_arrays = own(given).iter().any(|item| matches!(item, Value::Array(_)));
        let depth = depth_arg(interp, given.arg(0))?;
        let flat = flatten(interp, given.receiver, depth)?;
        let changed = replaced(interp, given, flat)?;
        Ok(if had_arrays { changed } else { Value::Nil })
    }),
    method("slice!", 1, 2, slice),
];

fn mutable<'a>(interp: &mut Interp<'_>, given: &'a CallArguments<'_>) -> Flow<&'a List> {
    interp.check_lent_value(given.receiver)?;
    match given.receiver {
        Value::Array(list) if list.frozen.get() => interp.frozen(given.receiver),
        Value::Array(list) => {
            interp.touched |= list.lent.get();
            Ok(list)
        }
        _ => interp.raise(Core::TypeError, "this is no array"),
    }
}

fn checked(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let count = super::array::with_items(given, |items| items.len());
    interp.check_count(count)?;
    Ok(given.receiver.clone())
}

fn replaced(interp: &mut Interp<'_>, given: &CallArguments<'_>, items: Vec<Value>) -> Flow {
    *mutable(interp, given)?.items.borrow_mut() = items;
    checked(interp, given)
}

fn push(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    mutable(interp, given)?.items.borrow_mut().extend(given.args.iter().cloned());
    checked(interp, given)
}

fn unshift(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    mutable(interp, given)?.items.borrow_mut().splice(0..0, given.args.iter().cloned());
    checked(interp, given)
}

fn insert(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let at = interp.int_arg(given.arg(0))?;
    let mut items = own(given);
    let place = if at < 0 { items.len() as i64 + at + 1 } else { at };
    let Ok(place) = usize::try_from(place) else {
        return interp
            .raise(Core::IndexError, format!("index {at} too small for array; minimum: -{}", items.len() + 1));
    };
    interp.check_count(place)?;
    if place > items.len() {
        items.resize(place, Value::Nil);
    }
    items.splice(place..place, given.args[1..].iter().cloned());
    replaced(interp, given, items)
}

fn set(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut items = own(given);
    let (from, length, value) = match given.args {
        [Value::Range(range), value] => match super::string_parts::span(interp, range, items.len())? {
            Some((from, length)) => (from, Some(length), value),
            None => return interp.raise(Core::RangeError, "range out of range"),
        },
        [at, value] => {
            let at = interp.int_arg(at)?;
            match place(at, items.len()) {
                Some(at) => (at, None, value),
                None => {
                    return interp.raise(
                        Core::IndexError,
                        format!("index {at} too small for array; minimum: {}", -(items.len() as i64)),
                    );
                }
            }
        }
        [from, length, value] => {
            let (from, length) = (interp.int_arg(from)?, interp.int_arg(length)?);
            match (place(from, items.len()), usize::try_from(length)) {
                (Some(from), Ok(length)) => (from, Some(length), value),
                (_, Err(_)) => return interp.raise(Core::IndexError, format!("negative length ({length})")),
                (None, _) => {
                    let least = -(items.len() as i64);
                    let message = format!("index {from} too small for array; minimum: {least}");
                    return interp.raise(Core::IndexError, message);
                }
            }
        }
        _ => return Ok(Value::Nil),
    };
    interp.check_count(from)?;
    if from > items.len() {
        items.resize(from, Value::Nil);
    }
    match length {
        None if from < items.len() => items[from] = value.clone(),
        None => items.push(value.clone()),
        Some(length) => {
            let end = from.saturating_add(length).min(items.len());
            let new = match value {
                Value::Array(list) => list.items.borrow().clone(),
                other => vec![other.clone()],
            };
            items.splice(from..end, new);
        }
    }
    replaced(interp, given, items)?;
    Ok(value.clone())
}

fn filtered(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: bool, nil_if_same: bool) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let items = own(given);
    let before = items.len();
    let mut kept = Vec::new();
    for item in items {
        if interp.yield_one(block, item.clone())?.is_truthy() == wanted {
            kept.push(item);
        }
    }
    let same = kept.len() == before;
    let list = replaced(interp, given, kept)?;
    Ok(if same && nil_if_same { Value::Nil } else { list })
}

fn by_name(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow {
    if given.block.is_none() && matches!(name, "map" | "sort_by") {
        return interp.enumerator(given);
    }
    let new = interp.call_named(given, name)?;
    let items = interp.array_arg(&new)?;
    replaced(interp, given, items)
}

fn or_nil(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow {
    let before = own(given).len();
    let list = by_name(interp, given, name)?;
    Ok(if own(given).len() == before { Value::Nil } else { list })
}

fn slice(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let found = interp.call_named(given, "[]")?;
    let mut items = own(given);
    let count = items.len();
    let span = match (given.arg(0), given.args.get(1)) {
        (Value::Range(range), None) => super::string_parts::span(interp, range, count)?,
        (at, length) => {
            let at = interp.int_arg(at)?;
            let length = length.map_or(Ok(1), |length| interp.int_arg(length))?;
            place(at, count).zip(usize::try_from(length).ok())
        }
    };
    if let Some((from, length)) = span
        && from <= count
    {
        items.drain(from..from.saturating_add(length).min(count));
        replaced(interp, given, items)?;
    }
    Ok(found)
}
