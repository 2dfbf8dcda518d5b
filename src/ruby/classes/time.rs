//! Times: what the clock says, as the request has it, and what can be worked out of that. Zones are UTC and the machine's.

use std::cmp::Ordering;

use crate::pcore::Timestamp;
use crate::pcore::scalar::{ScalarError, TimeZone};
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp, float_of};
use crate::ruby::native::{NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[(Core::Time, Side::Class, MAKE), (Core::Time, Side::Instance, METHODS)];

/// A moment, and whether it is shown in UTC rather than in the zone of the machine.
#[derive(Clone, Copy)]
pub(in crate::ruby) struct Moment {
    time: Timestamp,
    is_utc: bool,
}

const NANOSECONDS: i128 = 1_000_000_000;

const MAKE: &[NativeMethod] = &[
    method("now", 0, 0, now),
    method("new", 0, 7, |interp, given| match given.args.len() {
        0 => now(interp, given),
        _ => interp.unsupported("the method Time.new with arguments"),
    }),
    method("at", 1, 1, |interp, given| {
        let time = time_of(interp, given.arg(0))?;
        Ok(made(Moment { time, is_utc: false }))
    }),
];

const METHODS: &[NativeMethod] = &[
    method("to_i", 0, 0, |_, given| Ok(Value::Int(seconds(given)))),
    method("tv_sec", 0, 0, |_, given| Ok(Value::Int(seconds(given)))),
    method("to_f", 0, 0, |_, given| Ok(Value::Float(in_seconds(own(given).time.nanoseconds())))),
    method("usec", 0, 0, |_, given| Ok(Value::Int(nanoseconds(given) / 1000))),
    method("tv_usec", 0, 0, |_, given| Ok(Value::Int(nanoseconds(given) / 1000))),
    method("nsec", 0, 0, |_, given| Ok(Value::Int(nanoseconds(given)))),
    method("tv_nsec", 0, 0, |_, given| Ok(Value::Int(nanoseconds(given)))),
    method("year", 0, 0, |interp, given| number(interp, given, "%Y")),
    method("month", 0, 0, |interp, given| number(interp, given, "%-m")),
    method("mon", 0, 0, |interp, given| number(interp, given, "%-m")),
    method("day", 0, 0, |interp, given| number(interp, given, "%-d")),
    method("mday", 0, 0, |interp, given| number(interp, given, "%-d")),
    method("yday", 0, 0, |interp, given| number(interp, given, "%-j")),
    method("wday", 0, 0, |interp, given| number(interp, given, "%w")),
    method("hour", 0, 0, |interp, given| number(interp, given, "%-H")),
    method("min", 0, 0, |interp, given| number(interp, given, "%-M")),
    method("sec", 0, 0, |interp, given| number(interp, given, "%-S")),
    method("utc", 0, 0, |_, given| Ok(shown_in(given, true))),
    method("gmtime", 0, 0, |_, given| Ok(shown_in(given, true))),
    method("localtime", 0, 0, |_, given| Ok(shown_in(given, false))),
    method("getutc", 0, 0, |_, given| Ok(made(Moment { is_utc: true, ..own(given) }))),
    method("getgm", 0, 0, |_, given| Ok(made(Moment { is_utc: true, ..own(given) }))),
    method("getlocal", 0, 0, |_, given| Ok(made(Moment { is_utc: false, ..own(given) }))),
    method("utc?", 0, 0, |_, given| Ok(own(given).is_utc.into())),
    method("gmt?", 0, 0, |_, given| Ok(own(given).is_utc.into())),
    method("strftime", 1, 1, |interp, given| {
        let format = interp.text_arg(given.arg(0))?;
        written(interp, given, &format).map(Value::text)
    }),
    method("to_s", 0, 0, |interp, given| {
        let format = if own(given).is_utc { "%F %T UTC" } else { "%F %T %z" };
        written(interp, given, format).map(Value::text)
    }),
    method("inspect", 0, 0, |interp, given| {
        let fraction = match nanoseconds(given) {
            0 => String::new(),
            nanoseconds => format!(".{nanoseconds:09}").trim_end_matches('0').to_owned(),
        };
        let format = format!("%F %T{fraction} {}", if own(given).is_utc { "UTC" } else { "%z" });
        written(interp, given, &format).map(Value::text)
    }),
    method("iso8601", 0, 0, in_iso),
    method("xmlschema", 0, 0, in_iso),
    method("+", 1, 1, |interp, given| {
        if moment(given.arg(0)).is_some() {
            return interp.raise(Core::TypeError, "time + time?");
        }
        let more = time_of(interp, given.arg(0))?.nanoseconds();
        moved(interp, given, more)
    }),
    method("-", 1, 1, |interp, given| match moment(given.arg(0)) {
        Some(other) => {
            let apart = own(given).time.nanoseconds() - other.time.nanoseconds();
            Ok(Value::Float(in_seconds(apart)))
        }
        None => {
            let less = time_of(interp, given.arg(0))?.nanoseconds();
            moved(interp, given, -less)
        }
    }),
    method("<=>", 1, 1, |_, given| Ok(order(given).map_or(Value::Nil, |order| Value::Int(order as i64)))),
    method("==", 1, 1, |_, given| Ok((order(given) == Some(Ordering::Equal)).into())),
    method("eql?", 1, 1, |_, given| Ok((order(given) == Some(Ordering::Equal)).into())),
];

fn now(interp: &mut Interp<'_>, _: &Given<'_>) -> Flow {
    let said = interp.outside.now();
    let (seconds, nanoseconds) = interp.outside(said)?;
    let total = i128::from(seconds) * NANOSECONDS + i128::from(nanoseconds);
    let time = or_raise(interp, Timestamp::from_nanoseconds(total))?;
    Ok(made(Moment { time, is_utc: false }))
}

/// So many seconds, since 1970 or apart.
fn time_of(interp: &mut Interp<'_>, value: &Value) -> Flow<Timestamp> {
    match value {
        Value::Int(seconds) => or_raise(interp, Timestamp::from_nanoseconds(i128::from(*seconds) * NANOSECONDS)),
        _ => match (moment(value), float_of(value)) {
            (Some(moment), _) => Ok(moment.time),
            (None, Some(seconds)) => or_raise(interp, Timestamp::from_nanoseconds(in_nanoseconds(seconds))),
            (None, None) => {
                let of = interp.class_name_of(value);
                interp.raise(Core::TypeError, format!("can't convert {of} into an exact number"))
            }
        },
    }
}

/// What a float stands for exactly, without what is less than a nanosecond.
fn in_nanoseconds(seconds: f64) -> i128 {
    let whole = seconds.floor();
    let bits = (seconds - whole).to_bits();
    let (power, digits) = ((bits >> 52 & 0x7ff) as u32, bits & ((1 << 52) - 1) | 1 << 52);
    // Less than one, so that all of it is behind the point.
    let part = if power == 0 { 0 } else { (u128::from(digits) * 1_000_000_000).checked_shr(1075 - power).unwrap_or(0) };
    (whole as i128).saturating_mul(NANOSECONDS).saturating_add(part as i128)
}

/// As Ruby divides: what is not whole loses the digits that the nanoseconds have too many for a float.
fn in_seconds(nanoseconds: i128) -> f64 {
    match nanoseconds % NANOSECONDS {
        0 => (nanoseconds / NANOSECONDS) as f64,
        _ => nanoseconds as f64 / NANOSECONDS as f64,
    }
}

fn moved(interp: &mut Interp<'_>, given: &Given<'_>, by: i128) -> Flow {
    let own = own(given);
    let time = or_raise(interp, Timestamp::from_nanoseconds(own.time.nanoseconds() + by))?;
    Ok(made(Moment { time, ..own }))
}

fn in_iso(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let format = if own(given).is_utc { "%FT%TZ" } else { "%FT%T%:z" };
    written(interp, given, format).map(Value::text)
}

fn written(interp: &mut Interp<'_>, given: &Given<'_>, format: &str) -> Flow<String> {
    let own = own(given);
    let zone = match own.is_utc {
        true => TimeZone::default(),
        false => TimeZone { name: Some("current"), local_offset: interp.outside.local_offset() },
    };
    or_raise(interp, own.time.format(format, zone))
}

fn number(interp: &mut Interp<'_>, given: &Given<'_>, format: &str) -> Flow {
    Ok(Value::Int(written(interp, given, format)?.parse().unwrap_or_default()))
}

fn or_raise<T>(interp: &mut Interp<'_>, result: Result<T, ScalarError>) -> Flow<T> {
    match result {
        Ok(value) => Ok(value),
        Err(error) => interp.raise(Core::ArgumentError, error.to_string()),
    }
}

fn seconds(given: &Given<'_>) -> i64 {
    own(given).time.nanoseconds().div_euclid(NANOSECONDS) as i64
}

fn nanoseconds(given: &Given<'_>) -> i64 {
    own(given).time.nanoseconds().rem_euclid(NANOSECONDS) as i64
}

/// The time itself is shown otherwise from then on.
fn shown_in(given: &Given<'_>, is_utc: bool) -> Value {
    if let Value::Object(object) = given.receiver
        && let Data::Time(moment) = &mut *object.data.borrow_mut()
    {
        moment.is_utc = is_utc;
    }
    given.receiver.clone()
}

fn order(given: &Given<'_>) -> Option<Ordering> {
    Some(own(given).time.cmp(&moment(given.arg(0))?.time))
}

fn moment(value: &Value) -> Option<Moment> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Time(moment) => Some(*moment),
            _ => None,
        },
        _ => None,
    }
}

/// The time that a method is called on.
fn own(given: &Given<'_>) -> Moment {
    moment(given.receiver).unwrap_or(Moment { time: Timestamp::from_seconds(0), is_utc: false })
}

fn made(moment: Moment) -> Value {
    Value::object(Core::Time.class(), Data::Time(moment))
}
