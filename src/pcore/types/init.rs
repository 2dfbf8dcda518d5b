//! `Init[T]`: what a new instance of a type can be made of.

use super::assignable::{Guard, fits};
use super::{InitType, Type};
use crate::pcore::Value;
use crate::pcore::regex::StepLimit;

pub(super) fn admits(_this: &Type, wanted: Option<&InitType>, other: &Type, guard: Guard<'_>) -> bool {
    match (wanted.and_then(|wanted| wanted.of.as_ref()), other) {
        (None, Type::Init(_)) => true,
        (None, _) => super::rich_data().assignable(other),
        (Some(of), Type::Init(Some(given))) => given.of.as_ref().is_some_and(|given| fits(of, given, guard)),
        (Some(of), _) => fits(of, other, guard),
    }
}

pub(super) fn is_instance(wanted: Option<&InitType>, value: &Value) -> Result<bool, StepLimit> {
    let of = wanted.and_then(|wanted| wanted.of.clone()).unwrap_or_else(super::rich_data);
    Ok(of.accepts(value).unwrap_or(false))
}
