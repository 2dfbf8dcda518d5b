//! `Timespan` and `Timestamp` made of numbers, texts, fields and hashes of those.

use std::sync::LazyLock;

use super::constructor::{Constructor, form};
use super::shapes::*;
use super::{Call, fault};
use crate::scalar::{TimeZone, Timespan, TimespanFields, Timestamp};
use crate::{Fault, Type, Value};

fn formats() -> Type {
    named("Formats", variant([text_of(2), array(text_of(2), 1)]))
}

fn seconds() -> Type {
    variant([any_integer(), Type::FLOAT])
}

pub(super) static TIMESPAN: LazyLock<Constructor> = LazyLock::new(|| {
    let text_hash = structure([("string", text_of(1)), ("format?", formats())]);
    let fields_hash = structure([
        ("negative?", boolean()),
        ("days?", any_integer()),
        ("hours?", any_integer()),
        ("minutes?", any_integer()),
        ("seconds?", any_integer()),
        ("milliseconds?", any_integer()),
        ("microseconds?", any_integer()),
        ("nanoseconds?", any_integer()),
    ]);
    Constructor::new(
        "new_timespan",
        [
            form([("seconds", seconds())]),
            form([("string", text_of(1)), ("format?", formats())]),
            form([
                ("days", any_integer()),
                ("hours", any_integer()),
                ("minutes", any_integer()),
                ("seconds", any_integer()),
                ("milliseconds?", any_integer()),
                ("microseconds?", any_integer()),
                ("nanoseconds?", any_integer()),
            ]),
            form([("hash_arg", text_hash)]),
            form([("hash_arg", fields_hash)]),
        ],
    )
});

pub(super) static TIMESTAMP: LazyLock<Constructor> = LazyLock::new(|| {
    let text_hash = structure([("string", text_of(1)), ("format?", formats()), ("timezone?", text_of(1))]);
    Constructor::new(
        "new_timestamp",
        [
            form([]),
            form([("seconds", seconds())]),
            form([("string", text_of(1)), ("format?", formats()), ("timezone?", text_of(1))]),
            form([("hash_arg", text_hash)]),
        ],
    )
});

pub(super) fn make_timespan(call: &mut Call<'_>) -> Result<Value, Fault> {
    let span = match (call.form, call.arg(0)) {
        (0, Value::Integer(seconds)) => Ok(Timespan::from_seconds(*seconds)),
        (0, Value::Float(seconds)) => Timespan::from_float_seconds(*seconds),
        (1, text) => timespan_of(text, call.arg(1)),
        (2, _) => Timespan::from_fields(&TimespanFields {
            negative: false,
            days: whole(call.arg(0)),
            hours: whole(call.arg(1)),
            minutes: whole(call.arg(2)),
            seconds: whole(call.arg(3)),
            milliseconds: whole(call.arg(4)),
            microseconds: whole(call.arg(5)),
            nanoseconds: whole(call.arg(6)),
        }),
        (3, _) => timespan_of(call.named_argument("string"), call.named_argument("format")),
        _ => Timespan::from_fields(&TimespanFields {
            negative: call.named_argument("negative").is_truthy(),
            days: whole(call.named_argument("days")),
            hours: whole(call.named_argument("hours")),
            minutes: whole(call.named_argument("minutes")),
            seconds: whole(call.named_argument("seconds")),
            milliseconds: whole(call.named_argument("milliseconds")),
            microseconds: whole(call.named_argument("microseconds")),
            nanoseconds: whole(call.named_argument("nanoseconds")),
        }),
    };
    span.map(Value::Timespan).map_err(fault)
}

/// Zero where it is left out.
fn whole(value: &Value) -> i64 {
    match value {
        Value::Integer(value) => *value,
        _ => 0,
    }
}

fn timespan_of(text: &Value, format: &Value) -> Result<Timespan, crate::scalar::ScalarError> {
    let text = text.as_str().unwrap_or_default();
    match format {
        Value::String(format) => Timespan::parse_with(text, format),
        Value::Array(formats) => Timespan::parse_any(text, &texts(formats)),
        _ => Timespan::parse(text),
    }
}

fn texts(values: &[Value]) -> Vec<&str> {
    values.iter().filter_map(Value::as_str).collect()
}

pub(super) fn make_timestamp(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, format, zone) = match (call.form, call.arg(0)) {
        (0, _) => return call.names.now().map(Value::Timestamp),
        (1, Value::Integer(seconds)) => return Ok(Value::Timestamp(Timestamp::from_seconds(*seconds))),
        (1, Value::Float(seconds)) => {
            return Timestamp::from_float_seconds(*seconds).map(Value::Timestamp).map_err(fault);
        }
        (2, text) => (text, call.arg(1), call.arg(2)),
        _ => (call.named_argument("string"), call.named_argument("format"), call.named_argument("timezone")),
    };
    let text = text.as_str().unwrap_or_default();
    let zone = TimeZone { name: zone.as_str(), local_offset: call.names.local_offset() };
    let time = match format {
        Value::String(format) => Timestamp::parse_with(text, format, zone),
        Value::Array(formats) => Timestamp::parse_any(text, &texts(formats), zone),
        _ => Timestamp::parse(text, zone),
    };
    time.map(Value::Timestamp).map_err(fault)
}
