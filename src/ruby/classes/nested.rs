//! Arrays in arrays: made flat, and joined. One that holds itself has no end, and is an error of Ruby's.

use std::rc::Rc;

use super::array::own;
use crate::class::Core;
use crate::interp::Interp;
use crate::native::{NativeMethod, Side, Table, by_letters, method};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::Value;

pub(super) const TABLES: &[Table] =
    &[(Core::Array, Side::Instance, OF_ARRAYS), (Core::Hash, Side::Instance, OF_HASHES)];

const OF_ARRAYS: &[NativeMethod] = &[
    method("flatten", 0, 1, |interp, given| {
        let depth = depth_arg(interp, given.arg(0))?;
        Ok(Value::array(flatten(interp, given.receiver, depth)?))
    }),
    by_letters("join", 0, 1, |interp, given| {
        // Of an empty array Ruby does not look at it.
        if own(given).is_empty() {
            return Ok(Value::text(""));
        }
        let separator = if given.arg(0).is_nil() { String::new() } else { interp.text_arg(given.arg(0))? };
        let mut out = String::new();
        join_into(interp, &mut out, &mut vec![given.receiver.clone()], own(given), &separator)?;
        Ok(if is_of_bytes(given.receiver, &out) {
            Value::String(Rc::new(Text::binary(out.into_bytes())))
        } else {
            super::broken::text(&out)
        })
    }),
];

const OF_HASHES: &[NativeMethod] = &[method("flatten", 0, 1, |interp, given| {
    let depth = given.args.first().map_or(Ok(1), |depth| interp.int_arg(depth))?;
    let pairs = Value::array(interp.items(given.receiver)?);
    Ok(Value::array(flatten(interp, &pairs, depth)?))
})];

/// Returns how deep it is to go; nothing is without a bound.
pub(super) fn depth_arg(interp: &mut Interp<'_>, depth: &Value) -> Flow<i64> {
    if depth.is_nil() { Ok(-1) } else { interp.int_arg(depth) }
}

/// What is put together has the encoding of its first part, unless letters beyond ASCII decide.
fn is_of_bytes(joined: &Value, text: &str) -> bool {
    match joined {
        Value::Array(list) if text.is_ascii() => {
            matches!(list.items.borrow().first(), Some(Value::String(first)) if first.is_binary())
        }
        Value::Array(list) => list.items.borrow().iter().any(|item| is_of_bytes(item, text)),
        Value::String(part) => part.is_binary() && !part.bytes().is_ascii(),
        _ => false,
    }
}

/// Returns the elements of an array, and in their places those of the arrays in it, so deep; a negative depth is no
/// bound.
pub(super) fn flatten(interp: &mut Interp<'_>, array: &Value, depth: i64) -> Flow<Vec<Value>> {
    let mut flat = Vec::new();
    flatten_into(interp, &mut flat, &mut vec![array.clone()], depth)?;
    Ok(flat)
}

fn flatten_into(interp: &mut Interp<'_>, flat: &mut Vec<Value>, around: &mut Vec<Value>, depth: i64) -> Flow<()> {
    interp.step()?;
    let items = match around.last() {
        Some(Value::Array(list)) => list.items.borrow().clone(),
        _ => Vec::new(),
    };
    for item in items {
        match if depth == 0 { None } else { array_of(interp, &item)? } {
            Some(inner) if depth < 0 && is_around(around, &inner) => {
                return interp.raise(Core::ArgumentError, "tried to flatten recursive array");
            }
            Some(inner) => {
                around.push(inner);
                interp.deeper(|interp| flatten_into(interp, flat, around, depth - 1))?;
                around.pop();
            }
            None => flat.push(item),
        }
    }
    interp.check_count(flat.len())
}

/// An array, or what says that it is one.
fn array_of(interp: &mut Interp<'_>, value: &Value) -> Flow<Option<Value>> {
    match value {
        Value::Array(_) => Ok(Some(value.clone())),
        other => Ok(interp.as_array(other)?.map(Value::array)),
    }
}

fn is_around(around: &[Value], array: &Value) -> bool {
    around.iter().any(|outer| outer.is_same(array))
}

fn join_into(
    interp: &mut Interp<'_>,
    out: &mut String,
    around: &mut Vec<Value>,
    items: Vec<Value>,
    separator: &str,
) -> Flow<()> {
    interp.step()?;
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        let text = match item {
            Value::Object(_) => interp.as_text(item)?,
            _ => None,
        };
        if text.is_none()
            && let Some(inner) = interp.as_array(item)?
        {
            if is_around(around, item) {
                return interp.raise(Core::ArgumentError, "recursive array join");
            }
            around.push(item.clone());
            interp.deeper(|interp| join_into(interp, out, around, inner, separator))?;
            around.pop();
            continue;
        }
        match text {
            Some(text) => out.push_str(&text),
            None => super::broken::push_to_s(interp, out, item)?,
        }
        interp.check_bytes(out.len())?;
    }
    Ok(())
}
