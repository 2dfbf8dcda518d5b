//! `+ - * / % << >>` and the minus before a value.

use pantin_base::limits;
use pantin_syntax::Settings;
use pantin_syntax::ast::BinaryOp;

use super::number::{Operand, coerce};
use super::time::{self, division_by_zero, not_applicable, not_applicable_between};
use super::{Blame, Coercion, OperandFault, collections};
use crate::{Fault, Value};

/// What is calculated with two integers is at most this wide, except by shifts.
const WIDTH: i128 = 127;

/// `left op right`. Strings that were taken as numbers are told in `coerced`, also when it fails.
pub fn arithmetic(
    op: BinaryOp,
    left: Value,
    right: Value,
    settings: &Settings,
    coerced: &mut Vec<Coercion>,
) -> Result<Value, OperandFault> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => {
            small_integers(op, a, b).map_or_else(|| integers(op, a.into(), b.into()), Ok)
        }
        (Value::Array(left), right) if op == BinaryOp::Add => Ok(collections::concatenate(left, right)),
        (Value::Array(left), right) if op == BinaryOp::Subtract => Ok(collections::remove(left, &right)),
        (Value::Array(left), right) if op == BinaryOp::ShiftLeft => Ok(collections::append(left, right)),
        (Value::Hash(left), right) if op == BinaryOp::Add => Ok(collections::merge(left, right, settings.language)?),
        (Value::Hash(left), right) if op == BinaryOp::Subtract => Ok(collections::remove_keys(left, &right)),
        (Value::Hash(_), _) if op == BinaryOp::ShiftLeft => Err(OperandFault::issue(
            Blame::Left,
            "OPERATOR_NOT_APPLICABLE",
            "Operator '<<' is not applicable to a Hash.",
        )),
        (Value::Uri(left), right) if op == BinaryOp::Add => Ok(collections::join_uri(&left, &right)?),
        (Value::Binary(left), right) if op == BinaryOp::Add => Ok(collections::join_binary(&left, &right)?),
        (left, right) => {
            let left = coerce(&left, Blame::Left, settings, coerced)?;
            let right = coerce(&right, Blame::Right, settings, coerced)?;
            numeric(op, &left, &right)
        }
    }
}

/// What nearly all of the work with numbers is; `None` where it takes a closer look. A part of whoever asks, so that the
/// result is written where it is wanted.
#[inline(always)]
pub fn plain_numbers(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => small_integers(op, *left, *right),
        (Value::Float(left), Value::Float(right)) => plain_floats(op, *left, *right),
        (Value::Float(left), Value::Integer(right)) => plain_floats(op, *left, *right as f64),
        (Value::Integer(left), Value::Float(right)) => plain_floats(op, *left as f64, *right),
        _ => None,
    }
}

fn plain_floats(op: BinaryOp, left: f64, right: f64) -> Option<Value> {
    let result = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Subtract => left - right,
        BinaryOp::Multiply => left * right,
        _ => return None,
    };
    result.is_finite().then_some(Value::Float(result))
}

#[inline(always)]
fn small_integers(op: BinaryOp, left: i64, right: i64) -> Option<Value> {
    let result = match op {
        BinaryOp::Add => left.checked_add(right)?,
        BinaryOp::Subtract => left.checked_sub(right)?,
        BinaryOp::Multiply => left.checked_mul(right)?,
        // Of numbers that are not negative, there is one way to round.
        BinaryOp::Divide if left >= 0 && right > 0 => left / right,
        BinaryOp::Modulo if left >= 0 && right > 0 => left % right,
        BinaryOp::ShiftLeft if (0..=62).contains(&right) => left.checked_mul(1 << right)?,
        BinaryOp::ShiftRight if (0..=63).contains(&right) => left >> right,
        BinaryOp::Equal => return Some(Value::Boolean(left == right)),
        BinaryOp::NotEqual => return Some(Value::Boolean(left != right)),
        BinaryOp::Less => return Some(Value::Boolean(left < right)),
        BinaryOp::LessEqual => return Some(Value::Boolean(left <= right)),
        BinaryOp::Greater => return Some(Value::Boolean(left > right)),
        BinaryOp::GreaterEqual => return Some(Value::Boolean(left >= right)),
        _ => return None,
    };
    Some(Value::Integer(result))
}

/// `-value`.
pub fn negate(value: &Value, settings: &Settings, coerced: &mut Vec<Coercion>) -> Result<Value, OperandFault> {
    match coerce(value, Blame::Whole, settings, coerced)? {
        Operand::Integer(value) => whole(BinaryOp::Subtract, -value),
        Operand::Float(value) => Ok(Value::Float(-value)),
        span @ Operand::Timespan(_) => time::calculate(BinaryOp::Subtract, &Operand::Integer(0), &span),
        Operand::Timestamp(_) => Err(Fault::new("undefined method `-@' for a Timestamp").into()),
        Operand::SemVer => Err(no_float_of_version()),
    }
}

fn numeric(op: BinaryOp, left: &Operand, right: &Operand) -> Result<Value, OperandFault> {
    if op == BinaryOp::Modulo && (left.is_float() || right.is_float()) {
        return Err(if left.is_float() { not_applicable(op, left) } else { not_applicable_between(op, left, right) });
    }
    match (left, right) {
        (Operand::Integer(a), Operand::Integer(b)) => integers(op, *a, *b),
        (Operand::Integer(a), Operand::Float(b)) if is_shift(op) => shift(op, *a, shift_width(*b)?),
        (Operand::Integer(a), Operand::Float(b)) => floats(op, *a as f64, *b),
        (Operand::Float(_), _) if is_shift(op) && !right.is_time() => Err(not_applicable(op, left)),
        (Operand::Float(a), Operand::Integer(b)) => floats(op, *a, *b as f64),
        (Operand::Float(a), Operand::Float(b)) => floats(op, *a, *b),
        (Operand::Timespan(_) | Operand::Timestamp(_), _) | (_, Operand::Timespan(_) | Operand::Timestamp(_)) => {
            finite(op, time::calculate(op, left, right)?)
        }
        // Before anything else a remainder asks whether there is one at all.
        (Operand::SemVer, Operand::Integer(0)) if op == BinaryOp::Modulo => Err(division_by_zero()),
        (Operand::SemVer, _) => Err(not_applicable(op, left)),
        (Operand::Integer(_), Operand::SemVer) if is_shift(op) => Err(not_applicable(op, left)),
        (Operand::Integer(_) | Operand::Float(_), Operand::SemVer) => Err(no_float_of_version()),
    }
}

/// To Ruby a version is a number, as far as the first step of a calculation with it.
fn no_float_of_version() -> OperandFault {
    Fault::new("can't convert SemanticPuppet::Version into Float").into()
}

fn floats(op: BinaryOp, left: f64, right: f64) -> Result<Value, OperandFault> {
    let result = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Subtract => left - right,
        BinaryOp::Multiply => left * right,
        BinaryOp::Divide => left / right,
        _ => return Err(not_applicable(op, &Operand::Float(left))),
    };
    finite(op, Value::Float(result))
}

fn finite(op: BinaryOp, result: Value) -> Result<Value, OperandFault> {
    match result {
        Value::Float(value) if value.is_infinite() => {
            let message = format!("The result of the {} expression is Infinity", op.symbol());
            Err(OperandFault::issue(Blame::Left, "RESULT_IS_INFINITY", message))
        }
        _ => Ok(result),
    }
}

fn integers(op: BinaryOp, left: i128, right: i128) -> Result<Value, OperandFault> {
    let result = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide | BinaryOp::Modulo if right == 0 => return Err(division_by_zero()),
        // Rounded down, not towards zero; what remains has the sign of the divisor.
        BinaryOp::Divide => left.checked_div(right).map(|quotient| {
            let inexact = quotient.wrapping_mul(right) != left;
            if inexact && (left < 0) != (right < 0) { quotient - 1 } else { quotient }
        }),
        BinaryOp::Modulo => {
            let rest = left.wrapping_rem(right);
            Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return shift(op, left, right),
        _ => return Err(not_applicable(op, &Operand::Integer(left))),
    };
    match result {
        Some(value) => whole(op, value),
        None => {
            Err(Fault::limit(format!("The result of the {} expression is too large to be shown", op.symbol())).into())
        }
    }
}

/// Returns an integer that has to fit into 64 bits.
fn whole(op: BinaryOp, value: i128) -> Result<Value, OperandFault> {
    i64::try_from(value)
        .map(Value::Integer)
        .map_err(|_| overflow(op, value < 0, &format!("{:x}", value.unsigned_abs())))
}

fn overflow(op: BinaryOp, negative: bool, digits: &str) -> OperandFault {
    let (end, sign) = if negative { ("min", '-') } else { ("max", '+') };
    let message = format!(
        "A '{}' expression resulted in a value outside of Puppet Integer {end} range, got '{sign}0x{digits}'",
        op.symbol()
    );
    OperandFault::issue(Blame::Whole, "NUMERIC_OVERFLOW", message)
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
}

/// Truncates a shift width that is a float.
fn shift_width(width: f64) -> Result<i128, OperandFault> {
    if width.is_nan() { Err(Fault::new("NaN").into()) } else { Ok(width as i128) }
}

/// Shifts an integer; a negative width shifts the other way.
fn shift(op: BinaryOp, value: i128, width: i128) -> Result<Value, OperandFault> {
    let left = (op == BinaryOp::ShiftLeft) == (width >= 0);
    let width = width.unsigned_abs();
    if !left {
        // Once all bits are gone nothing remains but the sign.
        return whole(op, value >> width.min(WIDTH as u128));
    }
    if value == 0 {
        return Ok(Value::Integer(0));
    }
    let magnitude = value.unsigned_abs();
    if width < u128::from(magnitude.leading_zeros()) {
        let shifted = magnitude << width;
        let fits = i128::try_from(shifted).ok();
        return match fits {
            Some(shifted) => whole(op, if value < 0 { -shifted } else { shifted }),
            None => Err(overflow(op, value < 0, &format!("{shifted:x}"))),
        };
    }
    if width / 4 > limits::NUMBER_DIGITS as u128 {
        return Err(Fault::new("shift width too big").into());
    }
    Err(overflow(op, value < 0, &shifted_digits(magnitude, width as usize)))
}

/// Returns the hexadecimal digits of a number shifted to the left: four bits are one digit.
fn shifted_digits(magnitude: u128, width: usize) -> String {
    let (zeros, bits) = (width / 4, width % 4);
    let high = magnitude >> (128 - 4);
    let low = magnitude << bits;
    let carried = if bits == 0 { 0 } else { high >> (4 - bits) };
    let digits = if carried == 0 { format!("{low:x}") } else { format!("{carried:x}{low:032x}") };
    digits + &"0".repeat(zeros)
}
