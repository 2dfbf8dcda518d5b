//! Numbers made of arguments: what Ruby's `Integer()`, `Float()` and its conversion to a C `int` make of them.

use pantin_base::number;
use pantin_base::number::split_sign;

use super::inspect::{inspect, inspect_bytes};
use super::integer::Whole;
use crate::{Fault, Value, unconvertible};

/// Returns a width, a precision, a character's number.
pub(super) fn int(value: &Value) -> Result<i64, Fault> {
    let number = match value {
        Value::Integer(number) => *number,
        Value::Float(float) if float.abs() < 9.2e18 => *float as i64,
        Value::Float(float) => {
            let shown = super::float::general(*float);
            return Err(Fault::new(format!("float {shown} out of range of integer")));
        }
        Value::Undef => return Err(Fault::new("no implicit conversion from nil to integer")),
        _ => return Err(Fault::new(format!("no implicit conversion of {} into Integer", unconvertible(value)))),
    };
    if let Ok(number) = i32::try_from(number) {
        return Ok(number.into());
    }
    let side = if number < 0 { "small" } else { "big" };
    Err(Fault::new(format!("integer {number} too {side} to convert to `int'")))
}

pub(super) fn whole(value: &Value) -> Result<Whole, Fault> {
    match value {
        Value::Integer(number) => Ok(Whole::from(*number)),
        Value::Float(float) if float.abs() < 9.2e18 => Ok(Whole::from(*float as i64)),
        Value::Float(float) if float.is_finite() => {
            Ok(Whole { negative: *float < 0.0, digits: format!("{:.0}", float.abs()) })
        }
        Value::Float(float) => Err(Fault::new(number::float_text(*float))),
        Value::String(text) => {
            whole_of_text(text).ok_or_else(|| Fault::new(format!("invalid value for Integer(): {}", inspect(value))))
        }
        _ => Err(Fault::new(format!("can't convert {} into Integer", unconvertible(value)))),
    }
}

/// Ruby's `Integer()`. It counts on beyond 64 bits; here that is an error.
pub fn integer(value: &Value) -> Result<i64, Fault> {
    let Whole { negative, digits } = whole(value)?;
    let written = if negative { format!("-{digits}") } else { digits };
    written.parse().map_err(|_| Fault::limit(format!("The number {written} is outside of Puppet Integer range")))
}

/// Ruby's `Float()`.
pub fn float(value: &Value) -> Result<f64, Fault> {
    match value {
        Value::Integer(number) => Ok(*number as f64),
        Value::Float(float) => Ok(*float),
        Value::String(text) if text.contains('\0') => Err(Fault::new("string for Float contains null byte")),
        Value::String(text) => {
            float_of_text(text).ok_or_else(|| Fault::new(format!("invalid value for Float(): {}", inspect_bytes(text))))
        }
        _ => Err(Fault::new(format!("can't convert {} into Float", unconvertible(value)))),
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r'])
}

/// The digits without the single underscores that may stand between them.
fn digits_of(text: &str, radix: u32) -> Option<String> {
    let mut digits = String::with_capacity(text.len());
    let mut after_digit = false;
    for character in text.chars() {
        if character.is_digit(radix) {
            digits.push(character);
        } else if character != '_' || !after_digit {
            return None;
        }
        after_digit = character != '_';
    }
    after_digit.then_some(digits)
}

/// With the prefix of its radix, as in a source of Ruby.
fn whole_of_text(text: &str) -> Option<Whole> {
    let (negative, rest) = split_sign(trimmed(text));
    let (radix, rest) = match rest.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &rest[2..]),
        [b'0', b'b' | b'B', ..] => (2, &rest[2..]),
        [b'0', b'o' | b'O', ..] => (8, &rest[2..]),
        [b'0', b'd' | b'D', ..] => (10, &rest[2..]),
        [b'0', ..] => (8, rest),
        _ => (10, rest),
    };
    let digits = digits_of(rest, radix)?;
    if let Ok(number) = i64::from_str_radix(&digits, radix) {
        return Some(Whole::from(if negative { -number } else { number }));
    }
    let digits = match radix {
        2 => number::decimal_text(&hexadecimal(&digits), 16),
        radix => number::decimal_text(&digits, radix as u8),
    };
    Some(Whole { negative, digits })
}

/// Binary digits, four to one.
fn hexadecimal(bits: &str) -> String {
    let padding = "0".repeat((4 - bits.len() % 4) % 4);
    let bits = padding + bits;
    let nibbles = bits.as_bytes().chunks(4);
    nibbles
        .filter_map(|four| char::from_digit(four.iter().fold(0, |n, bit| n * 2 + u32::from(bit - b'0')), 16))
        .collect()
}

fn float_of_text(text: &str) -> Option<f64> {
    let (negative, rest) = split_sign(trimmed(text));
    let value = match rest.as_bytes() {
        [b'0', b'x' | b'X', ..] => hexadecimal_float(&rest[2..])?,
        _ => decimal_float(rest)?,
    };
    Some(if negative { -value } else { value })
}

fn decimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let mut plain = match mantissa.split_once('.') {
        Some(("", fraction)) => format!("0.{}", digits_of(fraction, 10)?),
        Some((whole, fraction)) => format!("{}.{}", digits_of(whole, 10)?, digits_of(fraction, 10)?),
        None => digits_of(mantissa, 10)?,
    };
    if let Some(exponent) = exponent {
        let (negative, digits) = split_sign(exponent);
        plain.push_str(if negative { "e-" } else { "e" });
        plain.push_str(&digits_of(digits, 10)?);
    }
    plain.parse().ok()
}

/// Returns what follows the `0x`.
fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        // Without an exponent there is no fraction.
        None if text.contains('.') => return None,
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let mut value = 0.0_f64;
    for digit in digits_of(whole, 16)?.chars() {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let mut scale = 1.0 / 16.0;
    for digit in digits_of(fraction, 16)?.chars() {
        value += scale * f64::from(digit.to_digit(16)?);
        scale /= 16.0;
    }
    Some(value * 2.0_f64.powi(exponent))
}
