//! Types of versions and times: what their parameters make of them.

use std::sync::Arc;

use super::Type;
use super::access::class_name;
use crate::scalar::{ScalarError, TimeZone};
use crate::{BuiltInOnly, Fault, Hash, SemVerRange, SpanEnd, Timespan, Timestamp, Value, ops};

/// A range of several pieces has no ends to compare: it covers itself alone.
pub(super) fn covers(wide: &SemVerRange, narrow: &SemVerRange) -> bool {
    wide == narrow || narrow.is_covered_by(wide).unwrap_or(false)
}

/// Fewer ranges that say the same; starting with the last, and again with what was left over.
pub(super) fn merged(ranges: Vec<Arc<SemVerRange>>) -> Arc<[Arc<SemVerRange>]> {
    if ranges.len() < 2 {
        return ranges.into();
    }
    let mut left = ranges;
    let mut result = Vec::new();
    while let Some(mut whole) = left.pop() {
        let mut apart = Vec::new();
        for range in left {
            match whole.merge(&range) {
                Ok(Some(wider)) => whole = Arc::new(wider),
                _ => apart.push(range),
            }
        }
        result.push(whole);
        left = apart;
    }
    result.reverse();
    result.into()
}

pub(super) fn sem_ver(keys: &[Value]) -> Result<Type, Fault> {
    let ranges = keys.iter().map(|key| match key {
        Value::SemVerRange(range) => Ok(range.clone()),
        Value::String(text) => SemVerRange::parse(text).map(Arc::new).map_err(fault),
        other => Err(Fault::new(format!("expected a String or SemVerRange, got {}", class_name(other)))),
    });
    let ranges: Result<Vec<Arc<SemVerRange>>, Fault> = ranges.collect();
    ranges.map(|ranges| Type::SemVer(merged(ranges)))
}

fn fault(error: ScalarError) -> Fault {
    Fault::new(error.to_string())
}

/// A float that is too big is no bound, if it is so in the direction in which there is none.
fn check_reach(keys: &[Value]) -> Result<(), Fault> {
    for (key, no_bound) in keys.iter().zip([f64::NEG_INFINITY, f64::INFINITY]) {
        let Value::Float(seconds) = key else { continue };
        if SpanEnd::from_seconds(*seconds).is_none() && no_bound.is_sign_negative() != (*seconds < 0.0) {
            return Err(Fault::new(ops::to_s(&Value::Float(-no_bound))));
        }
    }
    Ok(())
}

pub(super) fn timespan(keys: &[Value]) -> Result<Type, Fault> {
    check_reach(keys)?;
    let bound = |key: &Value| match key {
        Value::Timespan(span) => Ok(Some(SpanEnd::from(*span))),
        Value::Undef | Value::Default => Ok(None),
        Value::String(text) => Timespan::parse(text).map(|span| Some(span.into())).map_err(fault),
        Value::Integer(seconds) => Ok(Some(Timespan::from_seconds(*seconds).into())),
        Value::Float(seconds) => Ok(SpanEnd::from_seconds(*seconds)),
        Value::Hash(fields) => {
            let known = Value::Hash(known_fields(fields));
            match crate::new::new_instance(&Type::Timespan(None), &[known], &mut BuiltInOnly)? {
                Value::Timespan(span) => Ok(Some(span.into())),
                _ => Err(cannot_make("Timespan", key)),
            }
        }
        other => Err(cannot_make("Timespan", other)),
    };
    bounds(keys, bound).map(Type::Timespan)
}

/// A bound takes what it knows from a hash, and lets the rest lie.
fn known_fields(fields: &Hash) -> Hash {
    const TEXT: [&str; 2] = ["string", "format"];
    const PARTS: [&str; 8] =
        ["negative", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];
    let known: &[&str] = if fields.get_str("string").is_some() { &TEXT } else { &PARTS };
    let is_known = |key: &Value| key.as_str().is_some_and(|name| known.contains(&name));
    fields.iter().filter(|(key, _)| is_known(key)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

pub(super) fn timestamp(keys: &[Value]) -> Result<Type, Fault> {
    let bound = |key: &Value| match key {
        Value::Timestamp(time) => Ok(Some(*time)),
        Value::Undef | Value::Default => Ok(None),
        Value::String(text) => Timestamp::parse(text, TimeZone::default()).map(Some).map_err(fault),
        Value::Integer(seconds) => Ok(Some(Timestamp::from_seconds(*seconds))),
        Value::Float(seconds) => Timestamp::from_float_seconds(*seconds).map(Some).map_err(fault),
        other => Err(cannot_make("Timestamp", other)),
    };
    bounds(keys, bound).map(Type::Timestamp)
}

fn cannot_make(name: &str, key: &Value) -> Fault {
    Fault::new(format!("Unable to create a Puppet::Pops::Time::{name} from a {}", class_name(key)))
}

type Bounds<T> = Option<Arc<(Option<T>, Option<T>)>>;

fn bounds<T: PartialOrd + std::fmt::Display>(
    keys: &[Value],
    bound: impl Fn(&Value) -> Result<Option<T>, Fault>,
) -> Result<Bounds<T>, Fault> {
    let from = keys.first().map_or(Ok(None), &bound)?;
    let to = keys.get(1).map_or(Ok(None), &bound)?;
    match (&from, &to) {
        (None, None) => return Ok(None),
        (Some(least), Some(most)) if least > most => {
            return Err(Fault::new(format!("'from' must be less or equal to 'to'. Got ({least}, {most}")));
        }
        _ => {}
    }
    Ok(Some(Arc::new((from, to))))
}
