//! The bits of integers of any size: shifted, cut out, put together.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use pantin_base::limits;

use super::numeric::uncoercible;
use super::rounding::from_float;
use crate::class::Core;
use crate::interp::{CallArguments, Interp, big_of};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Integer, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("&", 1, 1, |interp, given| both(interp, given, |a, b| a & b)),
    method("|", 1, 1, |interp, given| both(interp, given, |a, b| a | b)),
    method("^", 1, 1, |interp, given| both(interp, given, |a, b| a ^ b)),
    method("~", 0, 0, |_, given| Ok(big_of(given.receiver).map_or(Value::Nil, |value| Value::big(-value - 1)))),
    method("<<", 1, 1, |interp, given| {
        let by = whole_arg(interp, given.arg(0))?;
        shifted(interp, &own(given), &by).map(Value::big)
    }),
    method(">>", 1, 1, |interp, given| {
        let by = whole_arg(interp, given.arg(0))?;
        shifted(interp, &own(given), &-by).map(Value::big)
    }),
    method("[]", 1, 2, part),
    method("allbits?", 1, 1, |interp, given| has_bits(interp, given, |both, wanted| both == wanted)),
    method("anybits?", 1, 1, |interp, given| has_bits(interp, given, |both, _| !both.is_zero())),
    method("nobits?", 1, 1, |interp, given| has_bits(interp, given, |both, _| both.is_zero())),
    method("bit_length", 0, 0, |_, given| {
        // A negative one is as long as the one of its bits turned around.
        let length = |value: BigInt| if value.is_negative() { -value - 1 } else { value }.bits() as i64;
        Ok(big_of(given.receiver).map_or(0, length).into())
    }),
];

fn own(given: &CallArguments<'_>) -> BigInt {
    big_of(given.receiver).unwrap_or_default()
}

fn both(interp: &mut Interp<'_>, given: &CallArguments<'_>, run: fn(BigInt, BigInt) -> BigInt) -> Flow {
    match (big_of(given.receiver), big_of(given.arg(0))) {
        (Some(left), Some(right)) => Ok(Value::big(run(left, right))),
        (_, None) if matches!(given.arg(0), Value::Object(_)) && interp.responds(given.arg(0), "coerce")? => {
            let pair = interp.send(given.arg(0), "coerce", std::slice::from_ref(given.receiver))?;
            match interp.as_array(&pair)?.as_deref() {
                Some([left, right]) => interp.send(left, given.name, std::slice::from_ref(right)),
                _ => interp.raise(Core::TypeError, "coerce must return [x, y]"),
            }
        }
        _ => uncoercible(interp, given.arg(0), given.receiver),
    }
}

fn has_bits(interp: &mut Interp<'_>, given: &CallArguments<'_>, holds: fn(&BigInt, &BigInt) -> bool) -> Flow {
    let wanted = match big_of(given.arg(0)) {
        Some(wanted) => wanted,
        None => BigInt::from(interp.int_arg(given.arg(0))?),
    };
    let both = own(given) & &wanted;
    Ok(holds(&both, &wanted).into())
}

/// An integer of any size, or what is cut down to one.
pub(super) fn whole_arg(interp: &mut Interp<'_>, value: &Value) -> Flow<BigInt> {
    let value = match value {
        Value::Float(float) => from_float(interp, float.trunc())?,
        Value::Nil => return interp.raise(Core::TypeError, "no implicit conversion of nil into Integer"),
        Value::Int(_) | Value::Big(_) => value.clone(),
        other => Value::Int(interp.int_arg(other)?),
    };
    Ok(big_of(&value).unwrap_or_default())
}

/// To the left; to the right by a negative number.
fn shifted(interp: &mut Interp<'_>, value: &BigInt, by: &BigInt) -> Flow<BigInt> {
    /// Of so many bits Ruby does not even ask for memory.
    const TOO_WIDE: u64 = 67;
    if by.is_negative() || value.is_zero() {
        let sign = if value.is_negative() { BigInt::from(-1) } else { BigInt::ZERO };
        return Ok(match usize::try_from(by.magnitude()) {
            Ok(by) if (by as u64) < value.bits() => value >> by,
            _ => sign,
        });
    }
    match by.to_u64() {
        Some(by) if value.bits().saturating_add(by) <= 8 * limits::NUMBER_DIGITS as u64 => Ok(value << by),
        None if by.bits() >= TOO_WIDE => interp.raise(Core::RangeError, "shift width too big"),
        _ => interp.fatal("a number may not become so large"),
    }
}

/// `n[at]`, `n[from, count]`, `n[from..to]`
fn part(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let value = own(given);
    if let Some(count) = given.args.get(1) {
        let (from, count) = (whole_arg(interp, given.arg(0))?, whole_arg(interp, count)?);
        let moved = shifted(interp, &value, &-from)?;
        return Ok(Value::big(moved & mask(interp, &count)?));
    }
    let Value::Range(range) = given.arg(0) else {
        // What Ruby has as an object wants an integer that is none, or a small one.
        let at = match (given.receiver, given.arg(0)) {
            (Value::Big(_), at) if !matches!(at, Value::Big(_)) => BigInt::from(interp.int_arg(at)?),
            (_, at) => whole_arg(interp, at)?,
        };
        return Ok(Value::Int(bit(&value, &at)));
    };
    let more = BigInt::from(i64::from(!range.exclusive));
    if range.from.is_nil() {
        let to = whole_arg(interp, &range.to)?;
        if !to.is_negative() && !(value & mask(interp, &(to + more))?).is_zero() {
            let message = "The beginless range for Integer#[] results in infinity";
            return interp.raise(Core::ArgumentError, message);
        }
        return Ok(Value::Int(0));
    }
    let from = whole_arg(interp, &range.from)?;
    if range.to.is_nil() {
        return Ok(Value::big(shifted(interp, &value, &-from)?));
    }
    let to = whole_arg(interp, &range.to)?;
    if from == to {
        return Ok(Value::Int(if range.exclusive { 0 } else { bit(&value, &from) }));
    }
    let moved = shifted(interp, &value, &-&from)?;
    // A range that ends before it begins cuts nothing off.
    Ok(Value::big(if from < to { moved & mask(interp, &(to - from + more))? } else { moved }))
}

/// So many ones.
fn mask(interp: &mut Interp<'_>, count: &BigInt) -> Flow<BigInt> {
    Ok(shifted(interp, &BigInt::one(), count)? - 1)
}

fn bit(value: &BigInt, at: &BigInt) -> i64 {
    match u64::try_from(at) {
        Ok(at) if at < value.bits() => i64::from((value >> at).is_odd()),
        Ok(_) => i64::from(value.is_negative()),
        Err(_) => i64::from(value.is_negative() && at.sign() == Sign::Plus),
    }
}
