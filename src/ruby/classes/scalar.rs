//! The methods of nil, true, false and symbols, and `Comparable`.

use std::cmp::Ordering;

use crate::class::Core;
use crate::interp::{CallArguments, Interp, float_of};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::value::{Proc, ProcKind, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::NilClass, Side::Instance, NIL),
    (Core::TrueClass, Side::Instance, TRUE),
    (Core::FalseClass, Side::Instance, FALSE),
    (Core::Symbol, Side::Instance, SYMBOL),
    (Core::Comparable, Side::Instance, COMPARABLE),
];

const NIL: &[NativeMethod] = &[
    method("to_a", 0, 0, |_, _| Ok(Value::array(Vec::new()))),
    method("to_s", 0, 0, |_, _| Ok(Value::frozen_text(""))),
    method("to_h", 0, 0, |_, _| Ok(Value::hash(HashTable::default()))),
    method("to_i", 0, 0, |_, _| Ok(Value::Int(0))),
    method("to_f", 0, 0, |_, _| Ok(Value::Float(0.0))),
    method("&", 1, 1, |_, _| Ok(Value::Bool(false))),
    method("|", 1, 1, |_, given| Ok(given.arg(0).is_truthy().into())),
];

const TRUE: &[NativeMethod] = &[
    method("to_s", 0, 0, |_, _| Ok(Value::frozen_text("true"))),
    method("&", 1, 1, |_, given| Ok(given.arg(0).is_truthy().into())),
    method("|", 1, 1, |_, _| Ok(Value::Bool(true))),
    method("^", 1, 1, |_, given| Ok((!given.arg(0).is_truthy()).into())),
];

const FALSE: &[NativeMethod] = &[
    method("to_s", 0, 0, |_, _| Ok(Value::frozen_text("false"))),
    method("&", 1, 1, |_, _| Ok(Value::Bool(false))),
    method("|", 1, 1, |_, given| Ok(given.arg(0).is_truthy().into())),
    method("^", 1, 1, |_, given| Ok(given.arg(0).is_truthy().into())),
];

const SYMBOL: &[NativeMethod] = &[
    method("to_sym", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("to_proc", 0, 0, |interp, given| {
        let name = interp.name_arg(given.receiver)?;
        Ok(Value::Proc(std::rc::Rc::new(Proc { tag: 0, kind: ProcKind::Symbol(name), is_lambda: true })))
    }),
    method("name", 0, 0, |interp, given| Ok(Value::frozen_text(interp.text_of(given.receiver)?))),
    method("id2name", 0, 0, |interp, given| Ok(Value::text(interp.text_of(given.receiver)?))),
    method("length", 0, 0, through_text),
    method("size", 0, 0, through_text),
    method("empty?", 0, 0, through_text),
    method("start_with?", 0, 255, through_text),
    method("end_with?", 0, 255, through_text),
    method("[]", 1, 2, through_text),
    method("=~", 1, 1, through_text),
    method("match?", 1, 2, through_text),
    method("match", 1, 2, through_text),
    method("upcase", 0, 0, symbol_again),
    method("downcase", 0, 0, symbol_again),
    method("capitalize", 0, 0, symbol_again),
    method("succ", 0, 0, symbol_again),
    method("<=>", 1, 1, order_value),
];

const COMPARABLE: &[NativeMethod] = &[
    method("<", 1, 1, |interp, given| compared(interp, given, Ordering::is_lt)),
    method("<=", 1, 1, |interp, given| compared(interp, given, Ordering::is_le)),
    method(">", 1, 1, |interp, given| compared(interp, given, Ordering::is_gt)),
    method(">=", 1, 1, |interp, given| compared(interp, given, Ordering::is_ge)),
    method("between?", 2, 2, |interp, given| {
        let above = interp.order(given.receiver, given.arg(0))?.is_ge();
        Ok((above && interp.order(given.receiver, given.arg(1))?.is_le()).into())
    }),
    method("clamp", 1, 2, clamp),
];

fn through_text(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = Value::text(interp.text_of(given.receiver)?);
    let given = CallArguments { receiver: &text, ..*given };
    interp.call_named(&given, given.name)
}

fn symbol_again(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = through_text(interp, given)?;
    Ok(Value::Symbol(interp.name_arg(&text)?))
}

pub(super) fn order_value(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(interp.compare(given.receiver, given.arg(0))?.map_or(Value::Nil, |order| Value::Int(order as i64)))
}

fn compared(interp: &mut Interp<'_>, given: &CallArguments<'_>, test: fn(Ordering) -> bool) -> Flow {
    if let (Some(one), Some(other)) = (float_of(given.receiver), float_of(given.arg(0)))
        && (one.is_nan() || other.is_nan())
    {
        return Ok(Value::Bool(false));
    }
    Ok(test(interp.order(given.receiver, given.arg(0))?).into())
}

fn clamp(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (low, high) = match (given.arg(0), given.args.get(1)) {
        (Value::Range(range), None) => (range.from.clone(), range.to.clone()),
        (low, Some(high)) => (low.clone(), high.clone()),
        _ => return interp.raise(Core::TypeError, "wrong argument type (expected Range)"),
    };
    if !low.is_nil() && !high.is_nil() && interp.order(&low, &high)?.is_gt() {
        return interp.raise(Core::ArgumentError, "min argument must be smaller than max argument");
    }
    if !low.is_nil() && interp.order(given.receiver, &low)?.is_lt() {
        return Ok(low);
    }
    if !high.is_nil() && interp.order(given.receiver, &high)?.is_gt() {
        return Ok(high);
    }
    Ok(given.receiver.clone())
}
