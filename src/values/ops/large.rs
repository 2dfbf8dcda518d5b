//! Operands that do not fit into 64 bits: the result has to fit again.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use super::number::Operand;
use crate::Value;

/// Returns which of two numbers comes first, by their true values; `None` where one is no number.
pub(super) fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Float(_), Value::Float(_)) => None,
        (left, Value::Float(float)) => to_float(&whole(left)?, *float),
        (Value::Float(float), right) => to_float(&whole(right)?, *float).map(Ordering::reverse),
        (left, right) => Some(whole(left)?.cmp(&whole(right)?)),
    }
}

fn whole(value: &Value) -> Option<BigInt> {
    match value {
        Value::Integer(number) => Some(BigInt::from(*number)),
        Value::Large(number) => Some((**number).clone()),
        _ => None,
    }
}

fn to_float(integer: &BigInt, float: f64) -> Option<Ordering> {
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = float.trunc();
    Some(integer.cmp(&BigInt::from_f64(whole)?).then(whole.total_cmp(&float)))
}

/// Returns what is calculated with; `None` where it is beyond that.
pub(super) fn operand(number: &BigInt) -> Option<Operand> {
    number.to_i128().map(Operand::Integer)
}
