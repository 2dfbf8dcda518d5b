//! Stand-ins for what other rooms of pcore bring.

use std::cmp::Ordering;

use crate::pcore::{Binary, Fault, SemVer, SemVerRange, Timespan, Timestamp, Type, Uri, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArithmeticOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Quantity<'a> {
    Integer(i64),
    Float(f64),
    Timespan(Timespan),
    Timestamp(Timestamp),
    Other(&'a str),
}

#[derive(Debug)]
#[allow(dead_code)]
pub(super) enum ScalarError {
    Argument(String),
    Limit(&'static str),
    DivisionByZero,
    NoSuchOperator,
    NoSuchOperatorBetween,
}

impl Quantity<'_> {
    pub(super) fn calculate(
        _left: Quantity<'_>,
        _op: ArithmeticOperator,
        _right: Quantity<'_>,
    ) -> Result<Quantity<'static>, ScalarError> {
        Err(ScalarError::Limit("times cannot be calculated with"))
    }
}

pub(super) fn compare_span(_span: Timespan, _number: Quantity<'_>) -> Option<Ordering> {
    None
}

pub(super) fn compare_stamp(_time: Timestamp, _number: Quantity<'_>) -> Option<Ordering> {
    None
}

pub(super) fn span_seconds(span: Timespan) -> f64 {
    span.seconds as f64
}

pub(super) fn stamp_seconds(time: Timestamp) -> f64 {
    time.seconds as f64
}

pub(super) fn order_versions(left: &SemVer, right: &SemVer) -> Ordering {
    left.cmp(right)
}

pub(super) fn parse_version(text: &str) -> Option<SemVer> {
    Some(SemVer(text.to_owned()))
}

pub(super) fn range_includes(_range: &SemVerRange, _version: &SemVer) -> bool {
    false
}

pub(super) fn uris_equal(left: &Uri, right: &Uri) -> bool {
    left == right
}

pub(super) fn join_uris(_left: &Uri, _right: &str) -> Result<Value, Fault> {
    Err(Fault::limit("URIs cannot be joined"))
}

pub(super) fn bytes(binary: &Binary) -> &[u8] {
    &binary.0
}

pub(super) fn binary(bytes: Vec<u8>) -> Value {
    Value::Binary(Binary(bytes.into()))
}

pub(super) fn accepts(of: &Type, value: &Value) -> Result<bool, Fault> {
    Ok(matches!(
        (of, value),
        (Type::Integer(_), Value::Integer(_)) | (Type::String(_), Value::String(_)) | (Type::Any, _)
    ))
}

pub(super) fn assignable(to: &Type, from: &Type) -> bool {
    to == from || matches!((to, from), (Type::Numeric, Type::Integer(_)))
}

/// The type that a wrong key is said to be of.
pub(super) fn type_name(value: &Value) -> String {
    crate::pcore::label::label(value).into_owned()
}
