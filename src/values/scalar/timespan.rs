//! A length of time, to the nanosecond.

use std::cmp::Ordering;
use std::fmt;

#[cfg(test)]
use super::Timestamp;
use super::nanoseconds::{self, Nanoseconds, PER_SECOND};
use super::{ArithmeticOperator, Quantity, ScalarError};

mod end;
mod format;
mod matcher;
#[cfg(test)]
mod tests;

pub use end::SpanEnd;
pub use format::TimespanFormat;

/// The formats a text is read in when none is given, in the order they are tried.
pub const TIMESPAN_FORMATS: [&str; 8] =
    ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timespan(Nanoseconds);

/// The parts a timespan is made of. Each may be negative or larger than what fits in the next one.
#[derive(Clone, Copy, Default, Debug)]
pub struct TimespanFields {
    /// Turns the sum of the others around.
    pub negative: bool,
    pub days: i64,
    pub hours: i64,
    pub minutes: i64,
    pub seconds: i64,
    pub milliseconds: i64,
    pub microseconds: i64,
    pub nanoseconds: i64,
}

impl Timespan {
    pub fn from_nanoseconds(total: i128) -> Result<Timespan, ScalarError> {
        Nanoseconds::new(total).map(Timespan)
    }

    pub fn from_seconds(seconds: i64) -> Timespan {
        Timespan(Nanoseconds::from_seconds(seconds))
    }

    pub fn from_float_seconds(seconds: f64) -> Result<Timespan, ScalarError> {
        Nanoseconds::from_float_seconds(seconds).map(Timespan)
    }

    pub fn from_fields(fields: &TimespanFields) -> Result<Timespan, ScalarError> {
        let hours = i128::from(fields.days) * 24 + i128::from(fields.hours);
        let seconds = (hours * 60 + i128::from(fields.minutes)) * 60 + i128::from(fields.seconds);
        let microseconds = i128::from(fields.milliseconds) * 1000 + i128::from(fields.microseconds);
        let total = seconds * PER_SECOND + microseconds * 1000 + i128::from(fields.nanoseconds);
        Timespan::from_nanoseconds(if fields.negative { -total } else { total })
    }

    /// Reads a text in one of the default formats.
    pub fn parse(text: &str) -> Result<Timespan, ScalarError> {
        Timespan::parse_any(text, &TIMESPAN_FORMATS)
    }

    pub fn parse_with(text: &str, format: &str) -> Result<Timespan, ScalarError> {
        TimespanFormat::new(format)?.parse(text)
    }

    /// Reads a text in the first of the formats that fits it.
    pub fn parse_any(text: &str, formats: &[&str]) -> Result<Timespan, ScalarError> {
        for format in formats {
            match TimespanFormat::new(format)?.parse(text) {
                Err(ScalarError::Argument(_)) => {}
                decided => return decided,
            }
        }
        let formats = formats.join(", ");
        Err(ScalarError::argument(format!("Unable to parse '{text}' using any of the formats {formats}")))
    }

    pub fn nanoseconds(self) -> i128 {
        self.0.total()
    }

    pub fn is_negative(self) -> bool {
        self.0.seconds() < 0
    }

    /// Whole seconds, rounded down.
    pub fn whole_seconds(self) -> i64 {
        self.0.seconds()
    }

    pub fn to_seconds(self) -> f64 {
        self.0.to_seconds()
    }

    /// The parts the timespan is written in; all of them small but the days, and none of them negative.
    pub fn fields(self) -> TimespanFields {
        let total = self.nanoseconds().unsigned_abs();
        let part = |unit: u128, count: u128| ((total / unit) % count) as i64;
        TimespanFields {
            negative: self.is_negative(),
            days: (total / (86_400 * 1_000_000_000)) as i64,
            hours: part(3600 * 1_000_000_000, 24),
            minutes: part(60 * 1_000_000_000, 60),
            seconds: part(1_000_000_000, 60),
            milliseconds: part(1_000_000, 1000),
            microseconds: part(1000, 1000),
            nanoseconds: part(1, 1000),
        }
    }

    /// Written in a format with `%D`, `%H`, `%M`, `%S`, `%L` and `%N`.
    pub fn format(self, format: &str) -> Result<String, ScalarError> {
        TimespanFormat::new(format)?.write(self)
    }

    pub(super) fn calculate(
        self,
        operator: ArithmeticOperator,
        other: Quantity<'_>,
    ) -> Result<Quantity<'static>, ScalarError> {
        use ArithmeticOperator as Op;
        match operator {
            Op::Add => self.add(other),
            Op::Subtract => match other {
                Quantity::Timespan(span) => span_of(self.nanoseconds() - span.nanoseconds()),
                Quantity::Integer(_) | Quantity::Float(_) => span_of(self.nanoseconds() - other.in_nanoseconds()?),
                _ => Err(refused(format!("{} cannot be subtracted from a Timespan", other.with_capital_article()))),
            },
            Op::Multiply => match other {
                Quantity::Integer(factor) => {
                    span_of(nanoseconds::checked(self.nanoseconds().checked_mul(i128::from(factor)))?)
                }
                Quantity::Float(factor) => span_of(nanoseconds::whole(self.nanoseconds() as f64 * factor)?),
                // It says Timestamp, and means a timespan.
                _ => Err(refused(format!("A Timestamp cannot be multiplied by {}", other.with_article()))),
            },
            Op::Divide => self.divide(other),
            Op::Modulo => self.modulo(other),
        }
    }

    fn add(self, other: Quantity<'_>) -> Result<Quantity<'static>, ScalarError> {
        match other {
            Quantity::Timestamp(time) => time.calculate(ArithmeticOperator::Add, Quantity::Timespan(self)),
            Quantity::Timespan(span) => span_of(self.nanoseconds() + span.nanoseconds()),
            Quantity::Integer(_) | Quantity::Float(_) => span_of(self.nanoseconds() + other.in_nanoseconds()?),
            Quantity::Other(_) => {
                Err(refused(format!("{} cannot be added to a Timespan", other.with_capital_article())))
            }
        }
    }

    fn divide(self, other: Quantity<'_>) -> Result<Quantity<'static>, ScalarError> {
        match other {
            Quantity::Timespan(span) => Ok(Quantity::Float(nanoseconds::ratio(self.nanoseconds(), span.nanoseconds()))),
            Quantity::Integer(0) => Err(ScalarError::DivisionByZero),
            Quantity::Float(0.0) => Err(ScalarError::DivisionByZero),
            Quantity::Integer(divisor) => span_of(floor_division(self.nanoseconds(), i128::from(divisor))),
            Quantity::Float(divisor) => span_of(nanoseconds::whole((self.nanoseconds() as f64 / divisor).floor())?),
            _ => Err(refused(format!("A Timespan cannot be divided by {}", other.with_article()))),
        }
    }

    fn modulo(self, other: Quantity<'_>) -> Result<Quantity<'static>, ScalarError> {
        match other {
            Quantity::Integer(0) => Err(ScalarError::DivisionByZero),
            Quantity::Float(0.0) => Err(ScalarError::DivisionByZero),
            Quantity::Integer(divisor) => {
                let seconds = i128::from(self.whole_seconds());
                let divisor = i128::from(divisor);
                Ok(Quantity::Integer((seconds - floor_division(seconds, divisor) * divisor) as i64))
            }
            Quantity::Float(divisor) => Ok(Quantity::Float(float_modulo(self.to_seconds(), divisor))),
            // Two articles, as Puppet says it.
            _ => Err(refused(format!("Can not do modulus on a Timespan using a {}", other.with_article()))),
        }
    }

    /// Against a number of seconds. Whole numbers compare with the whole seconds.
    pub fn compare_number(self, number: Quantity<'_>) -> Option<Ordering> {
        self.0.compare_number(number)
    }
}

impl std::ops::Neg for Timespan {
    type Output = Result<Timespan, ScalarError>;

    fn neg(self) -> Result<Timespan, ScalarError> {
        Timespan::from_nanoseconds(-self.nanoseconds())
    }
}

fn span_of(total: i128) -> Result<Quantity<'static>, ScalarError> {
    Timespan::from_nanoseconds(total).map(Quantity::Timespan)
}

fn refused(message: String) -> ScalarError {
    ScalarError::argument(message)
}

/// Rounds down, whatever the signs. The divisor is not zero.
fn floor_division(dividend: i128, divisor: i128) -> i128 {
    let quotient = dividend / divisor;
    if dividend % divisor != 0 && (dividend < 0) != (divisor < 0) { quotient - 1 } else { quotient }
}

/// What is left has the sign of the divisor.
fn float_modulo(dividend: f64, divisor: f64) -> f64 {
    let rest = if divisor.is_infinite() && dividend.is_finite() { dividend } else { dividend % divisor };
    if divisor * rest < 0.0 { rest + divisor } else { rest }
}

/// Written in the first of the default formats. A fraction loses its leading zeros there, so that 50 milliseconds
/// look like half a second: Puppet writes it so.
impl fmt::Display for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.fields();
        let sign = if fields.negative { "-" } else { "" };
        let mut fraction = (self.nanoseconds().unsigned_abs() % 1_000_000_000) as u32;
        while fraction != 0 && fraction.is_multiple_of(10) {
            fraction /= 10;
        }
        let TimespanFields { days, hours, minutes, seconds, .. } = fields;
        write!(f, "{sign}{days}-{hours:02}:{minutes:02}:{seconds:02}.{fraction}")
    }
}
