//! Ranges of versions as types need them.

use std::sync::Arc;

use super::Type;
use crate::pcore::{Fault, SemVer, SemVerRange, Value};

pub(super) fn covers(wide: &SemVerRange, narrow: &SemVerRange) -> bool {
    wide == narrow || narrow.is_covered_by(wide).unwrap_or(false)
}

pub(super) fn includes(range: &SemVerRange, version: &SemVer) -> bool {
    range.includes(version)
}

pub(super) fn exactly(version: &SemVer) -> SemVerRange {
    SemVerRange::exactly(version)
}

pub(super) fn merged(ranges: impl Iterator<Item = Arc<SemVerRange>>) -> Arc<[Arc<SemVerRange>]> {
    ranges.collect()
}

pub(super) fn sem_ver(keys: &[Value]) -> Result<Type, Fault> {
    let ranges = keys.iter().map(|key| match key {
        Value::SemVerRange(range) => Ok(range.clone()),
        Value::String(text) => SemVerRange::parse(text).map(Arc::new).map_err(|error| Fault::new(error.to_string())),
        _ => Err(Fault::new("Unable to convert to a SemVerRange")),
    });
    let ranges: Result<Vec<Arc<SemVerRange>>, Fault> = ranges.collect();
    Ok(Type::SemVer(ranges?.into()))
}

pub(super) fn timespan(keys: &[Value]) -> Result<Type, Fault> {
    let bound = |key: Option<&Value>| match key {
        Some(Value::Timespan(span)) => Some(*span),
        _ => None,
    };
    Ok(Type::Timespan(Some(Arc::new((bound(keys.first()), bound(keys.get(1)))))))
}

pub(super) fn timestamp(keys: &[Value]) -> Result<Type, Fault> {
    let bound = |key: Option<&Value>| match key {
        Some(Value::Timestamp(time)) => Some(*time),
        _ => None,
    };
    Ok(Type::Timestamp(Some(Arc::new((bound(keys.first()), bound(keys.get(1)))))))
}
