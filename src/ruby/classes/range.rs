//! Ranges.

use crate::class::Core;
use crate::interp::{CallArguments, Interp, float_of};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Range, Value};

pub(super) const TABLES: &[Table] = &[(Core::Range, Side::Instance, METHODS), (Core::Range, Side::Class, MAKE)];

const MAKE: &[NativeMethod] = &[method("new", 2, 3, |interp, given| {
    interp.range(given.arg(0).clone(), given.arg(1).clone(), given.arg(2).is_truthy())
})];

const METHODS: &[NativeMethod] = &[
    method("begin", 0, 0, |_, given| Ok(with(given, |range| range.from.clone()))),
    method("end", 0, 0, |_, given| Ok(with(given, |range| range.to.clone()))),
    method("exclude_end?", 0, 0, |_, given| Ok(with(given, |range| range.exclusive.into()))),
    method("first", 0, 1, |interp, given| match given.args.first() {
        None => Ok(with(given, |range| range.from.clone())),
        Some(_) => {
            let Ok(count) = usize::try_from(interp.int_arg(given.arg(0))?) else {
                return interp.raise(Core::ArgumentError, "negative array size (or size too big)");
            };
            if let Value::Range(range) = given.receiver
                && let (Value::Int(from), Value::Nil | Value::Float(f64::INFINITY)) = (&range.from, &range.to)
            {
                interp.check_count(count)?;
                return Ok(Value::array((*from..from.saturating_add(count as i64)).map(Value::Int).collect()));
            }
            let items = interp.items(given.receiver)?;
            Ok(Value::array(items.into_iter().take(count).collect()))
        }
    }),
    method("last", 0, 1, |interp, given| match given.args.first() {
        None => Ok(with(given, |range| range.to.clone())),
        Some(count) => {
            let count = super::array::count_arg(interp, count)?;
            let items = interp.items(given.receiver)?;
            Ok(Value::array(items[items.len().saturating_sub(count)..].to_vec()))
        }
    }),
    method("min", 0, 1, |interp, given| end_of(interp, given, true)),
    method("max", 0, 1, |interp, given| end_of(interp, given, false)),
    method("size", 0, 0, |interp, given| match given.receiver {
        Value::Range(range) if matches!(range.from, Value::Int(_)) => Ok(interp.items(given.receiver)?.len().into()),
        _ => Ok(Value::Nil),
    }),
    method("each", 0, 0, each),
    method("include?", 1, 1, covers),
    method("member?", 1, 1, covers),
    method("cover?", 1, 1, covers),
    method("===", 1, 1, covers),
    method("step", 0, 1, step),
    method("%", 1, 1, step),
    method("to_s", 0, 0, |interp, given| Ok(Value::text(interp.text_of(given.receiver)?))),
];

fn with(given: &CallArguments<'_>, look: impl FnOnce(&Range) -> Value) -> Value {
    match given.receiver {
        Value::Range(range) => look(range),
        _ => Value::Nil,
    }
}

fn end_of(interp: &mut Interp<'_>, given: &CallArguments<'_>, least: bool) -> Flow {
    if let Value::Range(range) = given.receiver
        && let (Value::Float(_), Value::Float(_) | Value::Int(_), None) = (&range.from, &range.to, given.block)
        && given.args.is_empty()
    {
        let empty = interp.order(&range.from, &range.to)?.is_gt();
        return Ok(if empty { Value::Nil } else { if least { &range.from } else { &range.to }.clone() });
    }
    let items = Value::array(interp.items(given.receiver)?);
    interp.send_with(&items, if least { "min" } else { "max" }, given.args, given.block)
}

fn each(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    if let Value::Range(range) = given.receiver
        && let (Value::Int(from), Value::Nil | Value::Float(f64::INFINITY)) = (&range.from, &range.to)
    {
        let mut at = *from;
        loop {
            interp.step()?;
            interp.yield_one(block, Value::Int(at))?;
            at += 1;
        }
    }
    for item in interp.items(given.receiver)? {
        interp.yield_one(block, item)?;
    }
    Ok(given.receiver.clone())
}

/// Returns true if an element is looked for one by one: between texts lies much that is none, and of objects nobody
/// knows.
fn is_gone_through(range: &Range, value: &Value) -> bool {
    match (&range.from, &range.to) {
        (Value::String(_), Value::String(_)) => matches!(value, Value::String(_)),
        (Value::Symbol(_), Value::Symbol(_)) | (Value::Array(_), Value::Array(_)) => true,
        (Value::Object(from), Value::Object(_)) => matches!(&*from.data.borrow(), Data::None | Data::Struct),
        _ => false,
    }
}

fn covers(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Range(range) = given.receiver else { return Ok(Value::Bool(false)) };
    let value = given.arg(0);
    if let (Value::Range(inner), "cover?") = (value, given.name) {
        return covers_range(interp, range, inner).map(Value::Bool);
    }
    if matches!(given.name, "include?" | "member?") && is_gone_through(range, value) {
        for item in interp.items(given.receiver)? {
            if interp.equal(&item, value)? {
                return Ok(Value::Bool(true));
            }
        }
        return Ok(Value::Bool(false));
    }
    let after = range.from.is_nil() || interp.compare(&range.from, value)?.is_some_and(std::cmp::Ordering::is_le);
    if !after {
        return Ok(Value::Bool(false));
    }
    let before = range.to.is_nil()
        || interp
            .compare(value, &range.to)?
            .is_some_and(|order| if range.exclusive { order.is_lt() } else { order.is_le() });
    Ok(before.into())
}

/// Returns true if all of a range lies in another one; of two whose ends are told apart by their last place alone Ruby
/// looks at the last element.
fn covers_range(interp: &mut Interp<'_>, outer: &Range, inner: &Range) -> Flow<bool> {
    let is_at_most = |interp: &mut Interp<'_>, a: &Value, b: &Value| {
        interp.compare(a, b).map(|order| order.is_some_and(std::cmp::Ordering::is_le))
    };
    let is_empty = !inner.from.is_nil()
        && !inner.to.is_nil()
        && !interp.compare(&inner.from, &inner.to)?.is_some_and(|order| match inner.exclusive {
            true => order.is_lt(),
            false => order.is_le(),
        });
    let begins = outer.from.is_nil() || (!inner.from.is_nil() && is_at_most(interp, &outer.from, &inner.from)?);
    if is_empty || !begins {
        return Ok(false);
    }
    if outer.to.is_nil() || inner.to.is_nil() {
        return Ok(outer.to.is_nil());
    }
    let Some(order) = interp.compare(&inner.to, &outer.to)? else { return Ok(false) };
    if order.is_lt() || (order.is_eq() && (!outer.exclusive || inner.exclusive)) {
        return Ok(true);
    }
    // `(1..4).cover?(1...5)`
    if outer.exclusive || !inner.exclusive || !matches!((&inner.from, &inner.to), (Value::Int(_), Value::Int(_))) {
        return Ok(false);
    }
    let last = interp.send(&inner.to, "-", &[Value::Int(1)])?;
    is_at_most(interp, &last, &outer.to)
}

fn step(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let by = if given.args.is_empty() { Value::Int(1) } else { given.arg(0).clone() };
    let Value::Range(range) = given.receiver else { return Ok(Value::Nil) };
    let is_of_numbers = matches!(range.from, Value::Int(_) | Value::Float(_));
    let by = if is_of_numbers && float_of(&by).is_none() { Value::Int(interp.int_arg(&by)?) } else { by };
    if is_of_numbers && matches!(by, Value::Int(0)) {
        return interp.raise(Core::ArgumentError, "step can't be 0");
    }
    let Some(block) = given.block else {
        return match is_of_numbers && float_of(&by).is_some_and(|by| by < 0.0) {
            // With a block that is an error.
            true if range.exclusive => interp.unsupported("a range without its end that is gone through downwards"),
            true => interp.send(&range.from, "step", &[range.to.clone(), by]),
            false => interp.enumerator(given),
        };
    };
    let mut at = range.from.clone();
    if interp.order(&by, &Value::Int(0))?.is_lt() {
        return interp.raise(Core::ArgumentError, "step can't be negative");
    }
    if [&range.from, &range.to, &by].iter().any(|value| matches!(value, Value::Float(_)))
        && let (Some(from), Some(by)) = (float_of(&range.from), float_of(&by))
        && (range.to.is_nil() || float_of(&range.to).is_some())
    {
        let to = float_of(&range.to).unwrap_or(f64::INFINITY);
        super::numeric::float_steps(interp, block, [from, to, by], range.exclusive)?;
        return Ok(given.receiver.clone());
    }
    if matches!(at, Value::String(_)) {
        let by = interp.int_arg(&by)?;
        if by == 0 {
            return interp.raise(Core::ArgumentError, "step can't be 0");
        }
        for item in interp.items(given.receiver)?.into_iter().step_by(by as usize) {
            interp.yield_one(block, item)?;
        }
        return Ok(given.receiver.clone());
    }
    loop {
        let inside = CallArguments { args: std::slice::from_ref(&at), ..*given };
        if !covers(interp, &inside)?.is_truthy() {
            return Ok(given.receiver.clone());
        }
        interp.yield_one(block, at.clone())?;
        at = interp.send(&at, "+", std::slice::from_ref(&by))?;
    }
}
