//! `== != < <= > >=`.

use std::cmp::Ordering;

use pantin_syntax::ast::BinaryOp;

use super::equality::{equals, integer_to_float};
use super::{large, time};
use crate::label::label;
use crate::sprintf::inspect;
use crate::types::has_no_answer;
use crate::{Fault, Type, Value, ruby_class};

/// `left op right` for one of the six operators.
#[inline]
pub fn compare(op: BinaryOp, left: &Value, right: &Value) -> Result<bool, Fault> {
    if let Value::Type(left) = left {
        return types(op, left, right);
    }
    match op {
        BinaryOp::Equal | BinaryOp::NotEqual if is_beside_reference(left, right) => {
            let class = ruby_class(right);
            Err(Fault::new(format!("undefined method `type' for #<{class}>:{class}")))
        }
        BinaryOp::Equal => Ok(equals(left, right)),
        BinaryOp::NotEqual => Ok(!equals(left, right)),
        _ => match order(left, right) {
            Ok(Some(ordering)) => holds(op, ordering),
            Ok(None) => Err(Fault::new(format!("undefined method `{}' for nil:NilClass", op.symbol()))),
            Err(detail) => Err(not_possible(op, left, right, detail)),
        },
    }
}

/// The same as a value: of types Ruby sometimes has no answer.
pub fn comparison(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, Fault> {
    let holds = compare(op, left, right)?;
    Ok(match (left, right, op) {
        _ if holds => Value::Boolean(true),
        (Value::Type(left), Value::Type(right), BinaryOp::Greater | BinaryOp::GreaterEqual)
            if has_no_answer(left, right) =>
        {
            Value::Undef
        }
        (Value::Type(left), Value::Type(right), BinaryOp::Equal | BinaryOp::Less | BinaryOp::LessEqual)
            if has_no_answer(right, left) =>
        {
            Value::Undef
        }
        _ => Value::Boolean(false),
    })
}

/// To Ruby a reference looks like a resource, until one is asked whether they are equal.
fn is_beside_reference(left: &Value, right: &Value) -> bool {
    matches!((left, right), (Value::Resource(_), Value::Type(Type::Resource(_))))
}

/// Returns which of two values comes first; `None` where a number is none; else why there is no order.
#[inline]
pub fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, &'static str> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => Ok(Some(a.cmp(b))),
        (Value::String(a), Value::String(b)) => Ok(Some(without_case(a, b))),
        (Value::Float(a), Value::Float(b)) => Ok(a.partial_cmp(b)),
        (Value::Integer(a), Value::Float(b)) => Ok(integer_to_float(*a, *b)),
        (Value::Float(a), Value::Integer(b)) => Ok(integer_to_float(*b, *a).map(Ordering::reverse)),
        _ => order_of_others(left, right),
    }
}

fn order_of_others(left: &Value, right: &Value) -> Result<Option<Ordering>, &'static str> {
    match (left, right) {
        (Value::Large(_), Value::Integer(_) | Value::Large(_) | Value::Float(_))
        | (Value::Integer(_) | Value::Float(_), Value::Large(_)) => Ok(large::order(left, right)),
        (Value::Integer(a), Value::Timespan(_) | Value::Timestamp(_)) => {
            Ok(time::seconds(right).and_then(|seconds| (*a as f64).partial_cmp(&seconds)))
        }
        (Value::Float(a), Value::Timespan(_) | Value::Timestamp(_)) => {
            Ok(time::seconds(right).and_then(|seconds| a.partial_cmp(&seconds)))
        }
        (Value::Integer(_) | Value::Float(_), Value::SemVer(_)) => Err(VERSION_IS_NO_FLOAT),
        (Value::Timespan(_), Value::Timespan(_) | Value::Integer(_) | Value::Float(_))
        | (Value::Timestamp(_), Value::Timestamp(_) | Value::Integer(_) | Value::Float(_)) => {
            Ok(time::compare(left, right))
        }
        (Value::SemVer(a), Value::SemVer(b)) => Ok(Some(a.compare(b))),
        (Value::Default | Value::Symbol(_), Value::Default | Value::Symbol(_)) => {
            Ok(Some(symbol_name(left).cmp(symbol_name(right))))
        }
        (Value::Unencoded(_), _) => order(&left.in_letters(), right),
        (_, Value::Unencoded(_)) => order(left, &right.in_letters()),
        (Value::String(_), _) => Err("A String is not comparable to a non String"),
        (Value::Integer(_) | Value::Large(_) | Value::Float(_), _) => Err("A Numeric is not comparable to non Numeric"),
        (Value::Timespan(_), _) => Err("Timespans are only comparable to Timespans, Integers, and Floats"),
        (Value::Timestamp(_), _) => Err("Timestamps are only comparable to Timestamps, Integers, and Floats"),
        (Value::SemVer(_), _) => Err("Versions not comparable to non Versions"),
        (Value::Default | Value::Symbol(_), _) => Err("Symbol not comparable to non Symbol"),
        _ => Err("Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"),
    }
}

fn symbol_name(value: &Value) -> &str {
    match value {
        Value::Symbol(name) => name,
        _ => "default",
    }
}

/// To Ruby a version is a number, until it is compared with one.
const VERSION_IS_NO_FLOAT: &str = "can't convert SemanticPuppet::Version into Float";

fn not_possible(op: BinaryOp, left: &Value, right: &Value, detail: &'static str) -> Fault {
    if detail == VERSION_IS_NO_FLOAT {
        return Fault::new(detail);
    }
    let (left, operator, right) = (label(left), op.symbol(), label(right));
    let message = format!("Comparison of: {left} {operator} {right}, is not possible. Caused by '{detail}'.");
    Fault::issue("COMPARISON_NOT_POSSIBLE", message)
}

fn holds(op: BinaryOp, ordering: Ordering) -> Result<bool, Fault> {
    match op {
        BinaryOp::Less => Ok(ordering.is_lt()),
        BinaryOp::LessEqual => Ok(ordering.is_le()),
        BinaryOp::Greater => Ok(ordering.is_gt()),
        BinaryOp::GreaterEqual => Ok(ordering.is_ge()),
        _ => Err(unsupported(op)),
    }
}

fn unsupported(op: BinaryOp) -> Fault {
    Fault::issue("UNSUPPORTED_OPERATOR", format!("The operator '{}' is not supported.", op.symbol()))
}

/// By bytes, ASCII letters as small ones.
fn without_case(left: &str, right: &str) -> Ordering {
    let small = |byte: u8| byte.to_ascii_lowercase();
    left.bytes().map(small).cmp(right.bytes().map(small))
}

/// Returns true if a type is wider than what is no type at all. An Iterable asks it all the same; it has no type
/// inside, and that is what an Optional of no type asks for.
fn is_wider(left: &Type, right: &Value) -> Result<bool, Fault> {
    match left {
        Type::Iterable(of) => {
            let method = if of.is_none() { "iterable?" } else { "iterable_type" };
            let (right, class) = (inspect(right), ruby_class(right));
            Err(Fault::new(format!("undefined method `{method}' for {right}:{class}")))
        }
        Type::Optional(None) => Ok(true),
        Type::Optional(Some(of)) => is_wider(of, right),
        Type::Variant(types) => {
            for of in types.iter() {
                if is_wider(of, right)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Type::Alias(alias) if !alias.is_recursive() => alias.resolved().map_or(Ok(false), |of| is_wider(of, right)),
        _ => Ok(false),
    }
}

/// A narrower type is less than a wider one. What is no type is in no relation to any.
fn types(op: BinaryOp, left: &Type, right: &Value) -> Result<bool, Fault> {
    let Value::Type(right) = right else {
        return match op {
            BinaryOp::Greater | BinaryOp::GreaterEqual => is_wider(left, right),
            _ => Ok(op == BinaryOp::NotEqual),
        };
    };
    let fits = |narrow: &Type, wide: &Type| wide.assignable(narrow);
    let same = || left == right || (fits(left, right) && fits(right, left));
    match op {
        BinaryOp::Equal => Ok(same()),
        BinaryOp::NotEqual => Ok(!same()),
        BinaryOp::Less => Ok(fits(left, right) && !same()),
        BinaryOp::LessEqual => Ok(fits(left, right)),
        BinaryOp::Greater => Ok(fits(right, left) && !same()),
        BinaryOp::GreaterEqual => Ok(fits(right, left)),
        _ => Err(unsupported(op)),
    }
}
