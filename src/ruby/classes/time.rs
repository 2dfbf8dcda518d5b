//! Times: what the clock says, as the request has it, and what can be worked out of that. Zones are UTC and the machine's.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

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

const NANOSECONDS: i128 = 1_000_000_000;

const MAKE: &[NativeMethod] = &[
    method("now", 0, 0, now),
    method("new", 0, 7, |interp, given| match given.args.len() {
        0 => now(interp, given),
        _ if given.args.len() < 7 => of_parts(interp, given, false),
        _ => interp.unsupported("the method Time.new with a zone"),
    }),
    method("utc", 1, 6, |interp, given| of_parts(interp, given, true)),
    method("gm", 1, 6, |interp, given| of_parts(interp, given, true)),
    method("local", 1, 6, |interp, given| of_parts(interp, given, false)),
    method("mktime", 1, 6, |interp, given| of_parts(interp, given, false)),
    method("parse", 1, 1, parse),
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
        let utc = made(Moment { is_utc: true, ..own(given) });
        written(interp, &Given { receiver: &utc, ..*given }, "%a, %d %b %Y %T GMT").map(Value::text)
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

/// With so many digits of a second as are wanted.
fn in_iso(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let digits = given.args.first().map_or(Ok(0), |digits| interp.int_arg(digits))?.clamp(0, 100);
    let fraction = if digits > 0 { format!(".%{digits}N") } else { String::new() };
    let zone = if own(given).is_utc { "Z" } else { "%:z" };
    written(interp, given, &format!("%FT%T{fraction}{zone}")).map(Value::text)
}

fn in_mail(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let zone = if own(given).is_utc { "-0000" } else { "%z" };
    written(interp, given, &format!("%a, %d %b %Y %T {zone}")).map(Value::text)
}

fn is_day(interp: &mut Interp<'_>, given: &Given<'_>, day: i64) -> Flow {
    Ok(matches!(number(interp, given, "%w")?, Value::Int(own) if own == day).into())
}

/// How many seconds the zone that it is shown in is ahead.
fn offset(interp: &mut Interp<'_>, given: &Given<'_>) -> i64 {
    if own(given).is_utc { 0 } else { interp.outside.local_offset().into() }
}

/// `Time.utc(year, month, day, …)`; what is left out is the first.
fn of_parts(interp: &mut Interp<'_>, given: &Given<'_>, is_utc: bool) -> Flow {
    let mut parts = [0, 1, 1, 0, 0, 0];
    for (part, value) in parts.iter_mut().zip(given.args) {
        match value {
            Value::Int(value) => *part = *value,
            Value::Nil => {}
            _ => return interp.unsupported("a time of parts that are no integers"),
        }
    }
    from_parts(interp, parts, 0, is_utc)
}

fn from_parts(interp: &mut Interp<'_>, parts: [i64; 6], nanoseconds: i64, is_utc: bool) -> Flow {
    let [year, month, day, hour, minute, second] = parts;
    if let Some(wrong) = out_of_range(parts) {
        return interp.raise(Core::ArgumentError, format!("{wrong} out of range"));
    }
    if !(-9999..=9999).contains(&year) {
        return interp.unsupported("a time of a year with more than four digits");
    }
    let ahead = if is_utc { 0 } else { i64::from(interp.outside.local_offset()) };
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - ahead;
    let total = i128::from(seconds) * NANOSECONDS + i128::from(nanoseconds);
    let time = or_raise(interp, Timestamp::from_nanoseconds(total))?;
    Ok(made(Moment { time, is_utc }))
}

/// What is no part of a time. What has no room in the few bits that Ruby has for it has no name there.
fn out_of_range([_, month, day, hour, minute, second]: [i64; 6]) -> Option<&'static str> {
    let fits = |value: i64, bits: u32| (0..1 << bits).contains(&value);
    if !(fits(month, 4) && fits(day, 5) && fits(hour, 5) && fits(minute, 6) && fits(second, 6)) {
        return Some("argument");
    }
    match () {
        () if !(1..=12).contains(&month) => Some("mon"),
        () if day == 0 => Some("mday"),
        () if hour > 24 => Some("hour"),
        () if minute > 59 || hour == 24 && minute > 0 => Some("min"),
        () if second > 60 || hour == 24 && second > 0 => Some("sec"),
        () => None,
    }
}

/// A day behind the end of its month is one of the next.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the day that some have more is their last.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// `Time.parse`: a day as ISO 8601 writes it, with a time behind it or without, in UTC or the zone of the machine.
fn parse(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    match Written::of(text.trim()) {
        Some(Written { parts, nanoseconds, is_utc }) => from_parts(interp, parts, nanoseconds, is_utc),
        None => interp.unsupported("the method Time.parse for what is no day as in 2024-12-31 23:59:59 UTC"),
    }
}

/// A time as it is written.
struct Written {
    parts: [i64; 6],
    nanoseconds: i64,
    is_utc: bool,
}

impl Written {
    fn of(text: &str) -> Option<Written> {
        let number = |text: &str, digits: usize| -> Option<i64> {
            (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
        };
        let (day, time) = text.split_once(['T', ' ']).map_or((text, None), |(day, time)| (day, Some(time)));
        let [year, month, day] = day.split('-').collect::<Vec<_>>().try_into().ok()?;
        let day = [number(year, 4)?, number(month, 2)?, number(day, 2)?];
        let Some(time) = time else {
            return Some(Written { parts: [day[0], day[1], day[2], 0, 0, 0], nanoseconds: 0, is_utc: false });
        };
        let bare = ["Z", "UTC", "+00:00", "+0000"].iter().find_map(|zone| time.strip_suffix(zone));
        // Ruby shows a time that was written with `+00:00` so.
        let is_utc = bare.is_some() && !time.contains('+');
        if bare.is_some() && !is_utc {
            return None;
        }
        let time = bare.unwrap_or(time).trim_end();
        let (time, fraction) = time.split_once('.').map_or((time, None), |(time, part)| (time, Some(part)));
        let nanoseconds = match fraction {
            Some(digits) if (1..=9).contains(&digits.len()) => {
                number(digits, digits.len())? * 10_i64.pow(9 - digits.len() as u32)
            }
            Some(_) => return None,
            None => 0,
        };
        let mut clock = time.split(':').map(|part| number(part, 2));
        let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next().unwrap_or(Some(0))?);
        let parts = [day[0], day[1], day[2], hour, minute, second];
        clock.next().is_none().then_some(Written { parts, nanoseconds, is_utc })
    }
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
