//! Times: what the clock says, as the request has it, and what can be worked out of that. Zones are UTC and the machine's.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use pantin_values::Timestamp;
use pantin_values::scalar::ScalarError;

use super::NANOSECONDS;
use super::day::{self, Day};
use super::rational::{self, Fraction};
use super::zone::{ZoneDisplay, zone_arg};
use crate::class::Core;
use crate::interp::{CallArguments, Interp, float_of};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[(Core::Time, Side::Instance, METHODS)];

/// A moment, and the zone that it is shown in.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    pub(super) time: Timestamp,
    pub(super) zone: ZoneDisplay,
}

/// The moment is what it is; how it is shown makes no difference.
impl PartialEq for Moment {
    fn eq(&self, other: &Moment) -> bool {
        self.time == other.time
    }
}

impl Hash for Moment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.time.hash(state);
    }
}

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
    method("sunday?", 0, 0, |interp, given| is_day(interp, given, 0)),
    method("monday?", 0, 0, |interp, given| is_day(interp, given, 1)),
    method("tuesday?", 0, 0, |interp, given| is_day(interp, given, 2)),
    method("wednesday?", 0, 0, |interp, given| is_day(interp, given, 3)),
    method("thursday?", 0, 0, |interp, given| is_day(interp, given, 4)),
    method("friday?", 0, 0, |interp, given| is_day(interp, given, 5)),
    method("saturday?", 0, 0, |interp, given| is_day(interp, given, 6)),
    method("hour", 0, 0, |interp, given| number(interp, given, "%-H")),
    method("min", 0, 0, |interp, given| number(interp, given, "%-M")),
    method("sec", 0, 0, |interp, given| number(interp, given, "%-S")),
    method("utc", 0, 0, |_, given| Ok(shown_in(given, ZoneDisplay::Utc))),
    method("gmtime", 0, 0, |_, given| Ok(shown_in(given, ZoneDisplay::Utc))),
    method("localtime", 0, 1, |interp, given| {
        let zone = zone_arg(interp, given.arg(0))?;
        Ok(shown_in(given, zone))
    }),
    method("getutc", 0, 0, |_, given| Ok(time_object(Moment { zone: ZoneDisplay::Utc, ..own(given) }))),
    method("getgm", 0, 0, |_, given| Ok(time_object(Moment { zone: ZoneDisplay::Utc, ..own(given) }))),
    method("getlocal", 0, 1, |interp, given| {
        let zone = zone_arg(interp, given.arg(0))?;
        Ok(time_object(Moment { zone, ..own(given) }))
    }),
    method("zone", 0, 0, zone_name),
    method("dst?", 0, 0, is_summer),
    method("isdst", 0, 0, is_summer),
    method("to_a", 0, 0, parts),
    method("round", 0, 1, rounded),
    method("floor", 0, 1, rounded),
    method("ceil", 0, 1, rounded),
    method("to_date", 0, 0, to_date),
    method("to_time", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("to_r", 0, 0, |_, given| {
        let total = own(given).time.nanoseconds();
        Ok(rational::fraction_value(Fraction::from_ratio(total.into(), NANOSECONDS.into())))
    }),
    method("utc?", 0, 0, |_, given| Ok((own(given).zone == ZoneDisplay::Utc).into())),
    method("gmt?", 0, 0, |_, given| Ok((own(given).zone == ZoneDisplay::Utc).into())),
    method("strftime", 1, 1, |interp, given| {
        let format = interp.text_arg(given.arg(0))?;
        written(interp, given, &format).map(Value::text)
    }),
    method("to_s", 0, 0, |interp, given| {
        let format = if own(given).zone == ZoneDisplay::Utc { "%F %T UTC" } else { "%F %T %z" };
        written(interp, given, format).map(Value::text)
    }),
    method("inspect", 0, 0, |interp, given| {
        let fraction = match nanoseconds(given) {
            0 => String::new(),
            nanoseconds => format!(".{nanoseconds:09}").trim_end_matches('0').to_owned(),
        };
        let format = format!("%F %T{fraction} {}", if own(given).zone == ZoneDisplay::Utc { "UTC" } else { "%z" });
        written(interp, given, &format).map(Value::text)
    }),
    method("iso8601", 0, 1, in_iso),
    method("xmlschema", 0, 1, in_iso),
    method("utc_offset", 0, 0, |interp, given| Ok(Value::Int(offset(interp, given)))),
    method("gmt_offset", 0, 0, |interp, given| Ok(Value::Int(offset(interp, given)))),
    method("gmtoff", 0, 0, |interp, given| Ok(Value::Int(offset(interp, given)))),
    method("ctime", 0, 0, |interp, given| written(interp, given, "%a %b %e %T %Y").map(Value::text)),
    method("asctime", 0, 0, |interp, given| written(interp, given, "%a %b %e %T %Y").map(Value::text)),
    method("rfc2822", 0, 0, in_mail),
    method("rfc822", 0, 0, in_mail),
    method("httpdate", 0, 0, |interp, given| {
        let utc = time_object(Moment { zone: ZoneDisplay::Utc, ..own(given) });
        written(interp, &CallArguments { receiver: &utc, ..*given }, "%a, %d %b %Y %T GMT").map(Value::text)
    }),
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

/// So many seconds, since 1970 or apart.
pub(super) fn time_of(interp: &mut Interp<'_>, value: &Value) -> Flow<Timestamp> {
    match value {
        Value::Int(seconds) => or_raise(interp, Timestamp::from_nanoseconds(i128::from(*seconds) * NANOSECONDS)),
        Value::Object(_) if let Some(seconds) = rational::fraction_of(value) => {
            or_raise(interp, Timestamp::from_nanoseconds(seconds.times(NANOSECONDS)))
        }
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

/// Returns what a float stands for exactly, without what is less than a nanosecond.
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

fn moved(interp: &mut Interp<'_>, given: &CallArguments<'_>, by: i128) -> Flow {
    let own = own(given);
    let time = or_raise(interp, Timestamp::from_nanoseconds(own.time.nanoseconds() + by))?;
    Ok(time_object(Moment { time, ..own }))
}

/// With so many digits of a second as are wanted.
fn in_iso(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let digits = given.args.first().map_or(Ok(0), |digits| interp.int_arg(digits))?.clamp(0, 100);
    let fraction = if digits > 0 { format!(".%{digits}N") } else { String::new() };
    let zone = if own(given).zone == ZoneDisplay::Utc { "Z" } else { "%:z" };
    written(interp, given, &format!("%FT%T{fraction}{zone}")).map(Value::text)
}

fn in_mail(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let zone = if own(given).zone == ZoneDisplay::Utc { "-0000" } else { "%z" };
    written(interp, given, &format!("%a, %d %b %Y %T {zone}")).map(Value::text)
}

fn is_day(interp: &mut Interp<'_>, given: &CallArguments<'_>, day: i64) -> Flow {
    Ok(matches!(number(interp, given, "%w")?, Value::Int(own) if own == day).into())
}

/// Returns how many seconds the zone that it is shown in is ahead.
fn offset(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> i64 {
    own(given).zone.offset(interp)
}

fn to_date(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let days = (seconds(given) + offset(interp, given)).div_euclid(86_400);
    day::date_object(interp, &CallArguments { receiver: &Value::Class(Core::Date.class()), ..*given }, Day(days))
}

/// Whether it is summer there nobody says.
fn is_summer(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match own(given).zone {
        ZoneDisplay::Local => interp.unsupported(format!("the method Time#{} in the zone of the machine", given.name)),
        _ => Ok(Value::Bool(false)),
    }
}

fn zone_name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match own(given).zone {
        ZoneDisplay::Utc => Ok(Value::text("UTC")),
        ZoneDisplay::Ahead(_) => Ok(Value::Nil),
        ZoneDisplay::Local => interp.unsupported("the method Time#zone in the zone of the machine"),
    }
}

/// From the second on, with whether it is summer and the name of the zone.
fn parts(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut all = Vec::with_capacity(10);
    for format in ["%-S", "%-M", "%-H", "%-d", "%-m", "%Y", "%w", "%-j"] {
        all.push(number(interp, given, format)?);
    }
    all.push(is_summer(interp, given)?);
    all.push(zone_name(interp, given)?);
    Ok(Value::array(all))
}

/// To so many digits of a second.
fn rounded(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let digits = given.args.first().map_or(Ok(0), |digits| interp.int_arg(digits))?;
    if digits < 0 {
        return interp.raise(Core::ArgumentError, "negative ndigits given");
    }
    let unit = 10_i128.pow(9 - digits.min(9) as u32);
    let total = own(given).time.nanoseconds();
    let rest = total.rem_euclid(unit);
    let by = match given.name {
        "floor" => -rest,
        "ceil" if rest > 0 => unit - rest,
        "round" if rest * 2 >= unit && rest > 0 => unit - rest,
        _ => -rest,
    };
    moved(interp, given, by)
}

fn written(interp: &mut Interp<'_>, given: &CallArguments<'_>, format: &str) -> Flow<String> {
    let own = own(given);
    let text = own.zone.with(interp, |zone| own.time.format(format, zone));
    or_raise(interp, text)
}

fn number(interp: &mut Interp<'_>, given: &CallArguments<'_>, format: &str) -> Flow {
    Ok(Value::Int(written(interp, given, format)?.parse().unwrap_or_default()))
}

pub(super) fn or_raise<T>(interp: &mut Interp<'_>, result: Result<T, ScalarError>) -> Flow<T> {
    match result {
        Ok(value) => Ok(value),
        Err(error) => interp.raise(Core::ArgumentError, error.to_string()),
    }
}

fn seconds(given: &CallArguments<'_>) -> i64 {
    own(given).time.nanoseconds().div_euclid(NANOSECONDS) as i64
}

fn nanoseconds(given: &CallArguments<'_>) -> i64 {
    own(given).time.nanoseconds().rem_euclid(NANOSECONDS) as i64
}

/// The time itself is shown otherwise from then on.
fn shown_in(given: &CallArguments<'_>, zone: ZoneDisplay) -> Value {
    if let Value::Object(object) = given.receiver
        && let Data::Time(moment) = &mut *object.data.borrow_mut()
    {
        moment.zone = zone;
    }
    given.receiver.clone()
}

fn order(given: &CallArguments<'_>) -> Option<Ordering> {
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

/// Returns the time that a method is called on.
fn own(given: &CallArguments<'_>) -> Moment {
    moment(given.receiver).unwrap_or(Moment { time: Timestamp::from_seconds(0), zone: ZoneDisplay::Utc })
}

pub(super) fn time_object(moment: Moment) -> Value {
    Value::object(Core::Time.class(), Data::Time(moment))
}
