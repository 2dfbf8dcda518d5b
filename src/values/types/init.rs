//! `Init[T]`: what a new instance of a type can be made of.

use std::sync::Arc;

use super::assignable::{Guard, fits};
use super::matching::Answer;
use super::{InitType, Type};
use crate::Value;
use crate::new::{init_accepts, init_assignable};

pub(super) fn admits(wanted: Option<&Arc<InitType>>, other: &Type, guard: Guard<'_>) -> bool {
    match (wanted, other) {
        (None, Type::Init(_)) => true,
        (None, _) => super::rich_data().assignable(other),
        (Some(wanted), Type::Init(Some(given))) => match (&wanted.target, &given.target) {
            (Some(of), Some(given)) => fits(of, given, guard),
            (of, _) => of.is_none(),
        },
        (Some(wanted), _) => init_assignable(wanted, other).unwrap_or(false),
    }
}

/// Returns true if Ruby has no answer to the question whether a narrower type fits a wider one, which is an `Init`, or
/// an array or an optional value of it. Whoever asks has `undef` for it.
pub fn has_no_answer(wide: &Type, narrow: &Type) -> bool {
    match (wide.resolved(), narrow.resolved()) {
        (Type::Init(Some(_)), Type::Init(_) | Type::Variant(_)) => false,
        (Type::Init(Some(wide)), Type::Optional(Some(narrow))) => init_assignable(wide, narrow).is_none(),
        (Type::Init(Some(wide)), narrow) => init_assignable(wide, narrow).is_none(),
        (Type::Optional(Some(wide)), Type::Optional(Some(narrow))) => has_no_answer(wide, narrow),
        (Type::Optional(Some(wide)), _) => has_no_answer(wide, narrow),
        (Type::Array(wide), Type::Array(narrow)) => {
            wide.size.covers(narrow.size) && has_no_answer(&wide.element, &narrow.element)
        }
        _ => false,
    }
}

pub(super) fn is_instance(wanted: Option<&Arc<InitType>>, value: &Value) -> Answer {
    let accepted = match wanted {
        Some(wanted) => init_accepts(wanted, value),
        None => super::rich_data().accepts(value),
    };
    accepted.map_err(Box::new)
}
