//! Times and spans of time, for which the real Puppet has objects. There they are numbers, of which they have little; here
//! they are none, so that nobody reckons with them by mistake.

use crate::border;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLE: Table = (Core::PuppetTimeData, Side::Instance, TIME);

const TIME: &[NativeMethod] = &[
    method("to_s", 0, 0, shown),
    method("to_i", 0, 0, seconds),
    method("to_int", 0, 0, seconds),
    method("to_f", 0, 0, |_, given| {
        Ok(nanoseconds(given).map_or(Value::Nil, |total| Value::Float(total as f64 / SECOND as f64)))
    }),
    method("<=>", 1, 1, |interp, given| {
        let order = interp.compare(given.receiver, given.arg(0))?;
        Ok(order.map_or(Value::Nil, |order| Value::Int(order as i64)))
    }),
];

const SECOND: i128 = 1_000_000_000;

fn foreign(value: &Value) -> Option<&pantin_values::Value> {
    match value {
        Value::Foreign(value) => Some(value),
        _ => None,
    }
}

fn shown(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(Value::text(foreign(given.receiver).map(border::foreign_text).unwrap_or_default()))
}

fn nanoseconds(given: &CallArguments<'_>) -> Option<i128> {
    match foreign(given.receiver)? {
        pantin_values::Value::Timestamp(time) => Some(time.nanoseconds()),
        pantin_values::Value::Timespan(span) => Some(span.nanoseconds()),
        _ => None,
    }
}

fn seconds(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(nanoseconds(given).map_or(Value::Nil, |total| Value::Int(total.div_euclid(SECOND) as i64)))
}
