//! Arithmetic between times and numbers.
//!
//! Knows nothing of numbers among themselves: one of the two is a time.

use std::cmp::Ordering;

use super::nanoseconds::{self, Nanoseconds, PER_SECOND};
use super::{ScalarError, Timespan, Timestamp};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithmeticOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// What stands on one side of an operator, or comes out of it. A number is one of seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Quantity<'a> {
    Integer(i64),
    Float(f64),
    Timespan(Timespan),
    Timestamp(Timestamp),
    /// Anything else, by the last word of the name of its Ruby class: `String`, `NilClass`.
    Other(&'a str),
}

impl Quantity<'_> {
    /// `left operator right`, where one of them is a time.
    pub fn calculate(
        left: Quantity<'_>,
        operator: ArithmeticOperator,
        right: Quantity<'_>,
    ) -> Result<Quantity<'static>, ScalarError> {
        use ArithmeticOperator::{Add, Multiply, Subtract};
        match (left, operator, right) {
            (Quantity::Timespan(span), ..) => span.calculate(operator, right),
            (Quantity::Timestamp(time), ..) => time.calculate(operator, right),
            (Quantity::Other(_), ..) => Err(ScalarError::NoSuchOperator),
            (_, Add | Multiply, Quantity::Timespan(span)) => span.calculate(operator, left),
            (_, Add, Quantity::Timestamp(time)) => time.calculate(operator, left),
            (_, Subtract, Quantity::Timespan(_)) => {
                Timespan::from_nanoseconds(left.in_nanoseconds()?)?.calculate(operator, right)
            }
            _ => Err(ScalarError::NoSuchOperatorBetween),
        }
    }

    /// Returns how many nanoseconds a number of seconds is.
    pub(super) fn in_nanoseconds(self) -> Result<i128, ScalarError> {
        match self {
            Quantity::Integer(seconds) => Ok(i128::from(seconds) * PER_SECOND),
            Quantity::Float(seconds) => nanoseconds::whole(seconds * PER_SECOND as f64),
            Quantity::Timespan(span) => Ok(span.nanoseconds()),
            Quantity::Timestamp(time) => Ok(time.nanoseconds()),
            Quantity::Other(_) => Err(ScalarError::NoSuchOperatorBetween),
        }
    }

    fn class(&self) -> &str {
        match self {
            Quantity::Integer(_) => "Integer",
            Quantity::Float(_) => "Float",
            Quantity::Timespan(_) => "Timespan",
            Quantity::Timestamp(_) => "Timestamp",
            Quantity::Other(class) => class,
        }
    }

    /// `a String`, `an Array`.
    pub(super) fn with_article(&self) -> String {
        let class = self.class();
        let article = if class.starts_with(['A', 'E', 'I', 'O', 'U', 'Y']) { "an" } else { "a" };
        format!("{article} {class}")
    }

    /// `A String`, `An Array`.
    pub(super) fn with_capital_article(&self) -> String {
        self.with_article().replacen('a', "A", 1)
    }
}

impl Nanoseconds {
    pub(super) fn compare_number(self, number: Quantity<'_>) -> Option<Ordering> {
        match number {
            Quantity::Integer(seconds) => Some(self.seconds().cmp(&seconds)),
            Quantity::Float(seconds) => self.to_seconds().partial_cmp(&seconds),
            _ => None,
        }
    }
}
