//! Date: a day. Before 1582-10-15 Ruby counts in another calendar, which is not here.

use num_bigint::BigInt;
use pantin_values::Timestamp;
use pantin_values::scalar::TimeZone;

use super::calendar::{civil, days_since_1970, is_leap, valid, week, weekday};
use super::day::{Day, date_object, day_of, invalid, own, time_from_parts};
use super::make::{local_midnight, parse_time, today_in_days};
use super::rational::{self, Fraction};
use super::reading::{is_without_time, read};
use crate::class::Core;
use crate::interp::{CallArguments, Interp, float_of};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[
    (Core::Date, Side::Class, MAKE),
    (Core::Date, Side::Instance, METHODS),
    (Core::DateTime, Side::Class, MAKE_TIMES),
];

const MAKE: &[NativeMethod] = &[
    method("new", 0, 3, date_from_numbers),
    method("civil", 0, 3, date_from_numbers),
    method("today", 0, 0, |interp, given| {
        let today = today_in_days(interp)?;
        date_object(interp, given, Day(today))
    }),
    method("parse", 1, 2, parse),
    method("iso8601", 1, 1, parse),
    method("strptime", 1, 2, strptime),
    method("jd", 1, 1, |interp, given| {
        let number = interp.int_arg(given.arg(0))?;
        date_object(interp, given, Day(number.saturating_sub(super::calendar::JULIAN_1970)))
    }),
    method("valid_date?", 3, 3, is_valid),
    method("valid_civil?", 3, 3, is_valid),
    method("leap?", 1, 1, |interp, given| Ok(is_leap(interp.int_arg(given.arg(0))?).into())),
    method("gregorian_leap?", 1, 1, |interp, given| Ok(is_leap(interp.int_arg(given.arg(0))?).into())),
];

/// Of a day with a time there is the name: so that code can ask whether something is one, and nothing is.
const MAKE_TIMES: &[NativeMethod] = &[
    not_here("new"),
    not_here("now"),
    not_here("civil"),
    not_here("today"),
    not_here("jd"),
    not_here("ordinal"),
    not_here("commercial"),
    not_here("parse"),
    not_here("strptime"),
    not_here("iso8601"),
    not_here("xmlschema"),
    not_here("rfc3339"),
    not_here("rfc2822"),
    not_here("rfc822"),
    not_here("httpdate"),
    not_here("jisx0301"),
    not_here("_strptime"),
];

const fn not_here(name: &'static str) -> NativeMethod {
    method(name, 0, ANY, |interp, given| interp.unsupported(format!("the method DateTime.{}", given.name)))
}

const METHODS: &[NativeMethod] = &[
    method("year", 0, 0, |_, given| Ok(Value::Int(civil(own(given).0)[0]))),
    method("month", 0, 0, |_, given| Ok(Value::Int(civil(own(given).0)[1]))),
    method("mon", 0, 0, |_, given| Ok(Value::Int(civil(own(given).0)[1]))),
    method("day", 0, 0, |_, given| Ok(Value::Int(civil(own(given).0)[2]))),
    method("mday", 0, 0, |_, given| Ok(Value::Int(civil(own(given).0)[2]))),
    method("wday", 0, 0, |_, given| Ok(Value::Int(weekday(own(given).0)))),
    method("yday", 0, 0, |_, given| {
        let Day(days) = own(given);
        Ok(Value::Int(days - days_since_1970(civil(days)[0], 1, 1) + 1))
    }),
    method("cwyear", 0, 0, |_, given| Ok(Value::Int(week(own(given).0)[0]))),
    method("cweek", 0, 0, |_, given| Ok(Value::Int(week(own(given).0)[1]))),
    method("cwday", 0, 0, |_, given| Ok(Value::Int(week(own(given).0)[2]))),
    method("jd", 0, 0, |_, given| Ok(Value::Int(own(given).julian()))),
    method("mjd", 0, 0, |_, given| Ok(Value::Int(own(given).0 + 40_587))),
    method("leap?", 0, 0, |_, given| Ok(is_leap(civil(own(given).0)[0]).into())),
    method("sunday?", 0, 0, |_, given| Ok((weekday(own(given).0) == 0).into())),
    method("monday?", 0, 0, |_, given| Ok((weekday(own(given).0) == 1).into())),
    method("tuesday?", 0, 0, |_, given| Ok((weekday(own(given).0) == 2).into())),
    method("wednesday?", 0, 0, |_, given| Ok((weekday(own(given).0) == 3).into())),
    method("thursday?", 0, 0, |_, given| Ok((weekday(own(given).0) == 4).into())),
    method("friday?", 0, 0, |_, given| Ok((weekday(own(given).0) == 5).into())),
    method("saturday?", 0, 0, |_, given| Ok((weekday(own(given).0) == 6).into())),
    method("+", 1, 1, |interp, given| moved(interp, given, 1)),
    method("-", 1, 1, |interp, given| match day_of(given.arg(0)) {
        Some(other) => Ok(rational::fraction_value(Fraction::from_integer(BigInt::from(own(given).0 - other.0)))),
        None => moved(interp, given, -1),
    }),
    method(">>", 1, 1, |interp, given| months(interp, given, 1)),
    method("<<", 1, 1, |interp, given| months(interp, given, -1)),
    method("next_day", 0, 1, |interp, given| moved(interp, given, 1)),
    method("prev_day", 0, 1, |interp, given| moved(interp, given, -1)),
    method("next_month", 0, 1, |interp, given| months(interp, given, 1)),
    method("prev_month", 0, 1, |interp, given| months(interp, given, -1)),
    method("next_year", 0, 1, |interp, given| months(interp, given, 12)),
    method("prev_year", 0, 1, |interp, given| months(interp, given, -12)),
    method("succ", 0, 0, |interp, given| date_object(interp, given, Day(own(given).0 + 1))),
    method("next", 0, 0, |interp, given| date_object(interp, given, Day(own(given).0 + 1))),
    method("<=>", 1, 1, |_, given| Ok(order(given).map_or(Value::Nil, |order| Value::Int(order as i64)))),
    method("==", 1, 1, |_, given| Ok(order(given).is_some_and(std::cmp::Ordering::is_eq).into())),
    method("===", 1, 1, |_, given| Ok(order(given).is_some_and(std::cmp::Ordering::is_eq).into())),
    method("eql?", 1, 1, |_, given| Ok((day_of(given.arg(0)) == Some(own(given))).into())),
    method("upto", 1, 1, |interp, given| each_to(interp, given, 1)),
    method("downto", 1, 1, |interp, given| each_to(interp, given, -1)),
    method("strftime", 0, 1, |interp, given| {
        let format = given.args.first().map_or(Ok("%F".to_owned()), |format| interp.text_arg(format))?;
        written(interp, given, &format)
    }),
    method("to_s", 0, 0, |interp, given| written(interp, given, "%F")),
    method("iso8601", 0, 0, |interp, given| written(interp, given, "%F")),
    method("xmlschema", 0, 0, |interp, given| written(interp, given, "%F")),
    method("rfc3339", 0, 0, |interp, given| written(interp, given, "%FT%T+00:00")),
    method("rfc2822", 0, 0, |interp, given| written(interp, given, "%a, %-d %b %Y %T +0000")),
    method("httpdate", 0, 0, |interp, given| written(interp, given, "%a, %d %b %Y %T GMT")),
    method("ctime", 0, 0, |interp, given| written(interp, given, "%a %b %e %T %Y")),
    method("asctime", 0, 0, |interp, given| written(interp, given, "%a %b %e %T %Y")),
    method("inspect", 0, 0, |interp, given| {
        let class = interp.classes.name(interp.real_class_of(given.receiver));
        let julian = own(given).julian();
        written(interp, given, &format!("#<{class}: %F (({julian}j,0s,0n),+0s,2299161j)>"))
    }),
    method("to_date", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("to_time", 0, 0, |interp, given| local_midnight(interp, own(given).0)),
];

fn date_from_numbers(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut parts = [-4712, 1, 1];
    for (part, value) in parts.iter_mut().zip(given.args) {
        match value {
            Value::Int(value) => *part = *value,
            Value::Nil | Value::String(_) => {
                let what = ["year", "month", "day"][given.args.iter().position(|arg| arg.is_same(value)).unwrap_or(0)];
                return interp.raise(Core::TypeError, format!("invalid {what} (not numeric)"));
            }
            _ => return interp.unsupported("a date of parts that are no integers"),
        }
    }
    time_from_parts(interp, given, parts)
}

fn is_valid(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut parts = [0; 3];
    for (part, value) in parts.iter_mut().zip(given.args) {
        match value {
            Value::Int(value) => *part = *value,
            _ => return Ok(Value::Bool(false)),
        }
    }
    if parts[0] < 1583 {
        return interp.unsupported("a date before 1582-10-15 or after the year 9999");
    }
    Ok(valid(parts[0], parts[1], parts[2]).is_some().into())
}

fn parse(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    match read(&text) {
        Some(read) => time_from_parts(interp, given, read.day),
        None if is_without_time(&text) => invalid(interp),
        None => interp.unsupported(format!("the method Date.{} for what is no day as in 2024-12-31", given.name)),
    }
}

fn strptime(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    let format = given.args.get(1).map_or(Ok("%F".to_owned()), |format| interp.text_arg(format))?;
    let has = |parts: &[&str]| parts.iter().any(|part| format.contains(part));
    // What is not said, and days that are told by weeks or by their number in the year, are worked out by rules of their own.
    if !has(&["%Y", "%F", "%y", "%D", "%x"])
        || has(&["%j", "%U", "%W", "%V", "%G", "%u", "%w", "%s", "%Q", "%C", "%z", "%Z"])
    {
        return interp.unsupported(format!("the method Date.strptime with the format {format:?}"));
    }
    let Some((time, read)) = parse_time(&text, &format, TimeZone::default()) else { return invalid(interp) };
    // A day that its month has not would be one of the next.
    let again = time.format(&format, TimeZone::default()).unwrap_or_default();
    if bare(&again) != bare(read) {
        return match has(&["%b", "%B", "%h", "%a", "%A", "%p", "%P"]) {
            true => interp.unsupported("the method Date.strptime with names that are not as strftime writes them"),
            false => invalid(interp),
        };
    }
    date_object(interp, given, Day(time.whole_seconds().div_euclid(86_400)))
}

/// Without the noughts that numbers may begin with.
fn bare(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        let begins = !out.ends_with(|last: char| last.is_ascii_digit());
        if !(letter == '0' && begins || letter.is_whitespace()) {
            out.extend(letter.to_lowercase());
        }
    }
    out
}

/// So many days, where nothing is said one.
fn count(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<i64> {
    match given.args.first() {
        None => Ok(1),
        Some(Value::Int(count)) if count.abs() < 10_000_000 => Ok(*count),
        Some(other) if float_of(other).is_some() => {
            if float_of(other).is_some_and(|count| count.fract() == 0.0 && count.abs() < 1e7) {
                return Ok(float_of(other).unwrap_or_default() as i64);
            }
            interp.unsupported("a part of a day")
        }
        Some(_) => interp.raise(Core::TypeError, "expected numeric"),
    }
}

fn moved(interp: &mut Interp<'_>, given: &CallArguments<'_>, sign: i64) -> Flow {
    let count = count(interp, given)?;
    date_object(interp, given, Day(own(given).0 + sign * count))
}

fn months(interp: &mut Interp<'_>, given: &CallArguments<'_>, unit: i64) -> Flow {
    let count = count(interp, given)?;
    date_object(interp, given, own(given).months_later(unit * count))
}

fn order(given: &CallArguments<'_>) -> Option<std::cmp::Ordering> {
    Some(own(given).cmp(&day_of(given.arg(0))?))
}

fn each_to(interp: &mut Interp<'_>, given: &CallArguments<'_>, step: i64) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let Some(Day(end)) = day_of(given.arg(0)) else {
        return interp.unsupported(format!("the method Date#{} to what is no date", given.name));
    };
    let Day(mut at) = own(given);
    while (end - at) * step >= 0 {
        let day = date_object(interp, given, Day(at))?;
        interp.yield_one(block, day)?;
        at += step;
    }
    Ok(given.receiver.clone())
}

fn written(interp: &mut Interp<'_>, given: &CallArguments<'_>, format: &str) -> Flow {
    // The zone of a date has its offset for a name.
    let mut named = String::with_capacity(format.len());
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        named.push(letter);
        if letter != '%' {
            continue;
        }
        match letters.next() {
            Some('Z') => {
                named.pop();
                named.push_str("+00:00");
            }
            Some('+') => {
                named.pop();
                named.push_str("%a %b %e %T +00:00 %Y");
            }
            next => named.extend(next),
        }
    }
    match Timestamp::from_seconds(own(given).0 * 86_400).format(&named, TimeZone::default()) {
        Ok(text) => Ok(Value::text(text)),
        Err(error) => interp.raise(Core::ArgumentError, error.to_string()),
    }
}
