//! Operators on times, with each other and with numbers, which stand for seconds.

use std::cmp::Ordering;

use pantin_syntax::ast::BinaryOp;

use super::number::Operand;
use super::{Blame, OperandFault};
use crate::scalar::{ArithmeticOperator, Quantity, ScalarError};
use crate::{Fault, Value};

/// Returns a time with a time of its kind, or with a number; a time has only its whole seconds to compare with an
/// integer.
pub(super) fn compare(time: &Value, other: &Value) -> Option<Ordering> {
    let number = match other {
        Value::Integer(value) => Some(Quantity::Integer(*value)),
        Value::Float(value) => Some(Quantity::Float(*value)),
        _ => None,
    };
    match (time, other, number) {
        (Value::Timespan(a), Value::Timespan(b), _) => Some(a.cmp(b)),
        (Value::Timestamp(a), Value::Timestamp(b), _) => Some(a.cmp(b)),
        (Value::Timespan(span), _, Some(number)) => span.compare_number(number),
        (Value::Timestamp(time), _, Some(number)) => time.compare_number(number),
        _ => None,
    }
}

/// Returns the seconds of a time as a float, which is how a number on the left compares itself with one.
pub(super) fn seconds(time: &Value) -> Option<f64> {
    match time {
        Value::Timespan(span) => Some(span.to_seconds()),
        Value::Timestamp(time) => Some(time.to_seconds()),
        _ => None,
    }
}

/// `left op right`, where at least one of them is a time.
pub(super) fn calculate(op: BinaryOp, left: &Operand, right: &Operand) -> Result<Value, OperandFault> {
    let operator = match op {
        BinaryOp::Add => ArithmeticOperator::Add,
        BinaryOp::Subtract => ArithmeticOperator::Subtract,
        BinaryOp::Multiply => ArithmeticOperator::Multiply,
        BinaryOp::Divide => ArithmeticOperator::Divide,
        BinaryOp::Modulo => ArithmeticOperator::Modulo,
        _ if left.is_time() => return Err(not_applicable(op, left)),
        _ => return Err(not_applicable_between(op, left, right)),
    };
    // The time does the calculation; where the order does not matter it is asked first.
    let swapped = !left.is_time()
        && (operator == ArithmeticOperator::Add
            || operator == ArithmeticOperator::Multiply && matches!(right, Operand::Timespan(_)));
    let is_lengthened = operator == ArithmeticOperator::Subtract && matches!(right, Operand::Timespan(_));
    if !left.is_time() && !swapped && !is_lengthened {
        return Err(not_applicable_between(op, left, right));
    }
    let (first, second) = if swapped { (right, left) } else { (left, right) };
    match Quantity::calculate(quantity(first)?, operator, quantity(second)?) {
        Ok(Quantity::Integer(value)) => Ok(Value::Integer(value)),
        Ok(Quantity::Float(value)) => Ok(Value::Float(value)),
        Ok(Quantity::Timespan(span)) => Ok(Value::Timespan(span)),
        Ok(Quantity::Timestamp(time)) => Ok(Value::Timestamp(time)),
        Ok(Quantity::Other(_)) | Err(ScalarError::NoSuchOperator) => Err(not_applicable(op, left)),
        Err(ScalarError::NoSuchOperatorBetween) => Err(not_applicable_between(op, left, right)),
        Err(ScalarError::DivisionByZero) => Err(division_by_zero()),
        Err(ScalarError::Limit(message)) => Err(Fault::limit(message).into()),
        Err(ScalarError::Argument(message)) => Err(Fault::new(message).into()),
    }
}

fn quantity(operand: &Operand) -> Result<Quantity<'static>, OperandFault> {
    Ok(match operand {
        Operand::Integer(value) => Quantity::Integer(
            i64::try_from(*value).map_err(|_| Fault::limit(format!("The number {value} is too large for a time")))?,
        ),
        Operand::Float(value) => Quantity::Float(*value),
        Operand::Timespan(span) => Quantity::Timespan(*span),
        Operand::Timestamp(time) => Quantity::Timestamp(*time),
        Operand::SemVer => Quantity::Other("Version"),
    })
}

pub(super) fn not_applicable(op: BinaryOp, left: &Operand) -> OperandFault {
    let message = format!("Operator '{}' is not applicable to {}.", op.symbol(), left.a_an());
    OperandFault::issue(Blame::Left, "OPERATOR_NOT_APPLICABLE", message)
}

pub(super) fn not_applicable_between(op: BinaryOp, left: &Operand, right: &Operand) -> OperandFault {
    let (left, right) = (left.a_an(), right.a_an());
    let message = format!("Operator '{}' is not applicable to {left} when right side is {right}.", op.symbol());
    OperandFault::issue(Blame::Left, "OPERATOR_NOT_APPLICABLE_WHEN", message)
}

pub(super) fn division_by_zero() -> OperandFault {
    OperandFault::issue(Blame::Right, "DIV_BY_ZERO", "Division by 0")
}
