//! Numbers as operands, and strings that are taken as numbers.

use std::fmt;

use pantin_base::Strict;
use pantin_base::number::float_text;
use pantin_syntax::Settings;

use super::{Blame, Coercion, OperandFault, large, ruby};
use crate::{Fault, Timespan, Timestamp, Value};

/// What a text says. An integer of a text may be larger than a value holds, as long as the result is not.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Integer(i128),
    Float(f64),
    /// An integer beyond what is calculated with here, though Ruby would.
    Beyond,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(value) => write!(f, "{value}"),
            Number::Float(value) => f.write_str(&float_text(*value)),
            Number::Beyond => f.write_str("a very large integer"),
        }
    }
}

/// Returns the number that is all of a text: decimal, octal, hexadecimal or floating, with a sign, among blanks.
pub fn parse_number(text: &str) -> Option<Number> {
    let text = text.strip_prefix("::").unwrap_or(text).trim_matches(is_blank);
    let unsigned = text.strip_prefix(['-', '+']);
    let negative = text.starts_with('-');
    let digits = unsigned.unwrap_or(text).trim_start_matches(is_blank);
    let number = parse_unsigned(digits)?;
    Some(match number {
        Number::Integer(value) if negative => Number::Integer(-value),
        Number::Float(value) if negative => Number::Float(-value),
        _ => number,
    })
}

fn parse_unsigned(text: &str) -> Option<Number> {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return integer(hex, 16);
    }
    let end = text.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(text.len());
    let (whole, rest) = text.split_at(end);
    let radix = if whole.len() > 1 && whole.starts_with('0') { 8 } else { 10 };
    // Also what a fraction follows has to be a proper integer: `08.5` is no number.
    let integer = integer(whole, radix)?;
    if rest.is_empty() {
        return Some(integer);
    }
    if !is_fraction(rest) || (integer == Number::Integer(0) && is_zero_with_exponent(rest)) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    value.is_finite().then_some(Number::Float(value))
}

fn integer(digits: &str, radix: u32) -> Option<Number> {
    if digits.is_empty() || !digits.chars().all(|ch| ch.is_digit(radix)) {
        return None;
    }
    Some(i128::from_str_radix(digits, radix).map_or(Number::Beyond, Number::Integer))
}

/// `.5`, `e5`, `.5e-5`; a plus in the exponent is not taken.
fn is_fraction(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (fraction, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    (fraction.is_empty() || fraction.strip_prefix('.').is_some_and(is_digits))
        && exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix('-').unwrap_or(exponent)))
}

/// Zero to any power is not taken for a number.
fn is_zero_with_exponent(fraction: &str) -> bool {
    let rest = fraction.strip_prefix('.').unwrap_or(fraction).trim_start_matches('0');
    rest.starts_with(['e', 'E'])
}

/// Returns a tab or any space, but no line break: `[[:blank:]]`.
fn is_blank(ch: char) -> bool {
    ch == '\t' || (ch.is_whitespace() && !ch.is_control() && !matches!(ch, '\u{2028}' | '\u{2029}'))
}

/// What Ruby knows as a `Numeric`.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Integer(i128),
    Float(f64),
    Timespan(Timespan),
    Timestamp(Timestamp),
    SemVer,
}

impl Operand {
    /// Returns its label with an article.
    pub(super) fn a_an(&self) -> &'static str {
        match self {
            Operand::Integer(_) => "an Integer",
            Operand::Float(_) => "a Float",
            Operand::Timespan(_) => "a Timespan",
            Operand::Timestamp(_) => "a Timestamp",
            Operand::SemVer => "a Semver",
        }
    }

    pub(super) fn is_time(&self) -> bool {
        matches!(self, Operand::Timespan(_) | Operand::Timestamp(_))
    }

    pub(super) fn is_float(&self) -> bool {
        matches!(self, Operand::Float(_))
    }

    fn from_value(value: &Value) -> Option<Operand> {
        Some(match value {
            Value::Integer(value) => Operand::Integer(i128::from(*value)),
            Value::Float(value) => Operand::Float(*value),
            Value::Timespan(span) => Operand::Timespan(*span),
            Value::Timestamp(time) => Operand::Timestamp(*time),
            Value::SemVer(_) => Operand::SemVer,
            _ => return None,
        })
    }
}

/// Returns the value as a number, if need be of a string; how much that is minded, the settings say.
pub(super) fn coerce(
    value: &Value,
    blame: Blame,
    settings: &Settings,
    coerced: &mut Vec<Coercion>,
) -> Result<Operand, OperandFault> {
    if let Some(operand) = Operand::from_value(value) {
        return Ok(operand);
    }
    if let Value::Large(number) = value {
        return large::operand(number).ok_or_else(|| too_large(value, blame));
    }
    let Some(number) = value.as_str().and_then(parse_number) else {
        let message = format!("The value '{}' cannot be converted to Numeric.", ruby::to_s(value));
        return Err(OperandFault::issue(blame, "NOT_NUMERIC", message));
    };
    let operand = match number {
        Number::Integer(value) => Operand::Integer(value),
        Number::Float(value) => Operand::Float(value),
        Number::Beyond => return Err(too_large(value, blame)),
    };
    if settings.strict != Strict::Off {
        let text = ruby::to_s(value);
        let message = format!("The string '{text}' was automatically coerced to the numerical value {number}");
        if settings.strict == Strict::Error {
            return Err(OperandFault::issue(blame, "NUMERIC_COERCION", message));
        }
        coerced.push(Coercion { blame, message });
    }
    Ok(operand)
}

fn too_large(value: &Value, blame: Blame) -> OperandFault {
    OperandFault::new(blame, Fault::limit(format!("The number '{}' is too large to calculate with", ruby::to_s(value))))
}
