//! `Init[T]`: what a new instance of a type can be made of.

use std::sync::Arc;

use super::assignable::{Guard, fits};
use super::matching::Answer;
use super::{InitType, Type};
use crate::pcore::Value;
use crate::pcore::new::{init_accepts, init_assignable};

pub(super) fn admits(wanted: Option<&Arc<InitType>>, other: &Type, guard: Guard<'_>) -> bool {
    match (wanted, other) {
        (None, Type::Init(_)) => true,
        (None, _) => super::rich_data().assignable(other),
        (Some(wanted), Type::Init(Some(given))) => match (&wanted.of, &given.of) {
            (Some(of), Some(given)) => fits(of, given, guard),
            (of, _) => of.is_none(),
        },
        (Some(wanted), _) => init_assignable(wanted, other),
    }
}

pub(super) fn is_instance(wanted: Option<&Arc<InitType>>, value: &Value) -> Answer {
    let accepted = match wanted {
        Some(wanted) => init_accepts(wanted, value),
        None => super::rich_data().accepts(value),
    };
    accepted.map_err(Box::new)
}
