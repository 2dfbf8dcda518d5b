//! Times that are made: of the clock, of numbers, of texts.

use pantin_values::Timestamp;
use pantin_values::scalar::TimeZone;

use super::NANOSECONDS;
use super::calendar::days_since_1970;
use super::reading::{ReadZone, is_without_time, read};
use super::time::{Moment, or_raise, time_object, time_of};
use super::zone::{ZoneDisplay, zone_arg};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Time, Side::Class, MAKE)];

const MAKE: &[NativeMethod] = &[
    method("now", 0, 1, now),
    method("new", 0, 7, |interp, given| match given.args.len() {
        0 => now(interp, given),
        _ => time_from_parts(interp, given, ZoneDisplay::Local),
    }),
    method("utc", 1, 6, |interp, given| time_from_parts(interp, given, ZoneDisplay::Utc)),
    method("gm", 1, 6, |interp, given| time_from_parts(interp, given, ZoneDisplay::Utc)),
    method("local", 1, 6, |interp, given| time_from_parts(interp, given, ZoneDisplay::Local)),
    method("mktime", 1, 6, |interp, given| time_from_parts(interp, given, ZoneDisplay::Local)),
    method("parse", 1, 1, parse),
    method("strptime", 2, 2, strptime),
    method("at", 1, 4, at),
];

/// Returns the zone that the option `in` names.
fn wanted_zone(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Option<ZoneDisplay>> {
    let Some(Value::Hash(options)) = given.args.last() else { return Ok(None) };
    match options.get_symbol("in") {
        Some(zone) => zone_arg(interp, &zone).map(Some),
        None => Ok(None),
    }
}

/// `Time.at(seconds, part, unit)`
fn at(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let zone = wanted_zone(interp, given)?.unwrap_or(ZoneDisplay::Local);
    let args: Vec<&Value> = given.args.iter().filter(|arg| !matches!(arg, Value::Hash(_))).collect();
    let time = time_of(interp, args.first().copied().unwrap_or(&Value::Nil))?;
    let Some(part) = args.get(1) else { return Ok(time_object(Moment { time, zone })) };
    let unit = match args.get(2).copied() {
        None => 1000,
        Some(unit) => match interp.text_of(unit)?.as_str() {
            "millisecond" => 1_000_000,
            "usec" | "microsecond" => 1000,
            "nsec" | "nanosecond" => 1,
            other => return interp.raise(Core::ArgumentError, format!("unexpected unit: {other}")),
        },
    };
    let Value::Int(part) = part else { return interp.unsupported("a part of a second that is no integer") };
    let total = time.nanoseconds() + i128::from(*part) * unit;
    let time = or_raise(interp, Timestamp::from_nanoseconds(total))?;
    Ok(time_object(Moment { time, zone }))
}

fn now(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let zone = wanted_zone(interp, given)?.unwrap_or(ZoneDisplay::Local);
    let said = interp.outside.now();
    let (seconds, nanoseconds) = interp.outside(said)?;
    let total = i128::from(seconds) * NANOSECONDS + i128::from(nanoseconds);
    let time = or_raise(interp, Timestamp::from_nanoseconds(total))?;
    Ok(time_object(Moment { time, zone }))
}

/// `Time.utc(year, month, day, …)`; what is left out is the first.
fn time_from_parts(interp: &mut Interp<'_>, given: &CallArguments<'_>, zone: ZoneDisplay) -> Flow {
    let mut parts = [0, 1, 1, 0, 0, 0];
    let zone = match (wanted_zone(interp, given)?, given.args.get(6)) {
        (Some(zone), _) => zone,
        (None, Some(zone_given)) => zone_arg(interp, zone_given)?,
        (None, None) => zone,
    };
    let args: Vec<Value> = given.args.iter().filter(|arg| !matches!(arg, Value::Hash(_))).cloned().collect();
    if args.is_empty() {
        return now(interp, given);
    }
    for (part, value) in parts.iter_mut().zip(&args) {
        match value {
            Value::Int(value) => *part = *value,
            Value::Nil => {}
            _ => return interp.unsupported("a time of parts that are no integers"),
        }
    }
    from_parts(interp, parts, 0, zone)
}

fn from_parts(interp: &mut Interp<'_>, parts: [i64; 6], nanoseconds: i64, zone: ZoneDisplay) -> Flow {
    let [year, month, day, hour, minute, second] = parts;
    if let Some(wrong) = out_of_range(parts) {
        return interp.raise(Core::ArgumentError, format!("{wrong} out of range"));
    }
    if !(-9999..=9999).contains(&year) {
        return interp.unsupported("a time of a year with more than four digits");
    }
    let ahead = zone.offset(interp);
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - ahead;
    let total = i128::from(seconds) * NANOSECONDS + i128::from(nanoseconds);
    let time = or_raise(interp, Timestamp::from_nanoseconds(total))?;
    Ok(time_object(Moment { time, zone }))
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

/// `Time.parse`: a day with a time behind it or without, in a zone that is written or in that of the machine.
fn parse(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    let Some(read) = read(&text) else {
        if is_without_time(&text) {
            let shown = interp.inspect(given.arg(0))?;
            return interp.raise(Core::ArgumentError, format!("no time information in {shown}"));
        }
        return interp.unsupported("the method Time.parse for what is no day as in 2024-12-31 23:59:59 UTC");
    };
    let zone = match read.zone {
        None => ZoneDisplay::Local,
        Some(ReadZone::Utc) => ZoneDisplay::Utc,
        Some(ReadZone::Ahead(seconds)) => ZoneDisplay::ahead(interp, seconds),
    };
    let ([year, month, day], [hour, minute, second]) = (read.day, read.clock.unwrap_or_default());
    from_parts(interp, [year, month, day, hour, minute, second], read.nanoseconds, zone)
}

/// Of a format that says of which year, month and day; what is not said of these is today's, for Ruby.
fn strptime(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (text, format) = (interp.text_arg(given.arg(0))?, interp.text_arg(given.arg(1))?);
    let has = |letters: &[&str]| letters.iter().any(|letter| format.contains(letter));
    let has_day = has(&["%F", "%D", "%x", "%c"])
        || has(&["%Y", "%y"]) && has(&["%m", "%-m", "%b", "%B", "%h"]) && has(&["%d", "%-d", "%e"]);
    if !has_day || has(&["%z", "%Z", "%s", "%Q"]) {
        return interp.unsupported(format!("the method Time.strptime with the format {format:?}"));
    }
    match ZoneDisplay::Local.with(interp, |zone| parse_time(&text, &format, zone).map(|(time, _)| time)) {
        Some(time) => Ok(time_object(Moment { time, zone: ZoneDisplay::Local })),
        None => {
            let (text, format) = (interp.inspect(given.arg(0))?, format.replace('`', "'"));
            let message = format!("invalid date or strptime format - `{}' `{format}'", text.trim_matches('"'));
            interp.raise(Core::ArgumentError, message)
        }
    }
}

/// Returns what the text begins with, if that is of the format: what stands behind it does not matter to Ruby.
pub(super) fn parse_time<'t>(text: &'t str, format: &str, zone: TimeZone<'_>) -> Option<(Timestamp, &'t str)> {
    const LONGEST: usize = 100;
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).take(LONGEST);
    let ends: Vec<usize> = ends.collect();
    ends.iter().rev().find_map(|end| Some((Timestamp::parse_with(&text[..*end], format, zone).ok()?, &text[..*end])))
}

/// Returns the number of the day that it is in the zone of the machine.
pub(super) fn today_in_days(interp: &mut Interp<'_>) -> Flow<i64> {
    let said = interp.outside.now();
    let (seconds, _) = interp.outside(said)?;
    Ok((seconds + i64::from(interp.outside.local_offset())).div_euclid(86_400))
}

/// When that day began there.
pub(super) fn local_midnight(interp: &mut Interp<'_>, days: i64) -> Flow {
    let seconds = days * 86_400 - i64::from(interp.outside.local_offset());
    Ok(time_object(Moment { time: Timestamp::from_seconds(seconds), zone: ZoneDisplay::Local }))
}
