//! Numbers read from text as Ruby's `Integer()` and `Float()` read them, and as Puppet's own conversion does.
//!
//! The text has passed the pattern of what is convertible: a sign, white space, digits of a radix.

use pantin_base::number;
use pantin_base::number::split_sign;

use crate::{Fault, Value};

/// Ruby's `Integer(text, radix)`; without a radix the prefix decides. White space after the sign is forgiven.
pub(super) fn integer(text: &str, radix: Option<u32>) -> Result<i64, Fault> {
    read_integer(text, radix)
        .or_else(|| read_integer(&without_blanks_after_sign(text)?, radix))
        .unwrap_or_else(|| Err(Fault::new(format!("invalid value for Integer(): {}", inspect(text)))))
}

/// `None`: not an integer; an error: an integer beyond 64 bits.
fn read_integer(text: &str, radix: Option<u32>) -> Option<Result<i64, Fault>> {
    let (negative, unsigned) = split_sign(text.trim_start_matches(is_space));
    let (prefix_radix, after_prefix) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &unsigned[2..]),
        [b'0', b'b' | b'B', ..] => (2, &unsigned[2..]),
        [b'0', _, ..] => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    let (radix, digits) = match radix {
        None => (prefix_radix, after_prefix),
        // A zero before the digits is a digit, whatever the radix.
        Some(radix) if radix == prefix_radix => (radix, after_prefix),
        Some(radix) => (radix, unsigned),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let mut value = 0_i64;
    for digit in digits.chars().filter_map(|digit| digit.to_digit(radix)) {
        // Negative numbers reach one further.
        let next = value.checked_mul(i64::from(radix)).and_then(|value| value.checked_sub(i64::from(digit)));
        match next {
            Some(next) => value = next,
            None => return Some(Err(too_large(text.trim()))),
        }
    }
    if negative {
        return Some(Ok(value));
    }
    Some(value.checked_neg().ok_or_else(|| too_large(text.trim())))
}

/// Ruby's `Float(text)`, and binary integers.
pub(super) fn float(text: &str) -> Result<f64, Fault> {
    match text.as_bytes() {
        // Puppet asks for the character after a leading zero, and falls over where there is none.
        b"0" => return Err(Fault::new("undefined method `casecmp' for nil:NilClass")),
        [b'0', b'b' | b'B', digits @ ..] => return Ok(radix_float(digits, 2)),
        _ => {}
    }
    read_float(text)
        .or_else(|| read_float(&without_blanks_after_sign(text)?))
        .ok_or_else(|| Fault::new(format!("invalid value for Float(): {}", inspect(text))))
}

fn read_float(text: &str) -> Option<f64> {
    let (negative, unsigned) = split_sign(text.trim_start_matches(is_space));
    let magnitude = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] if !digits.is_empty() => radix_float(digits, 16),
        [b'0'..=b'9', ..] if !unsigned[1..].starts_with(['b', 'B']) => unsigned.parse().ok()?,
        _ => return None,
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// Returns the float nearest to an integer of any length.
fn radix_float(digits: &[u8], radix: u32) -> f64 {
    let text = String::from_utf8_lossy(digits);
    let significant = text.trim_start_matches('0');
    match u128::from_str_radix(significant, radix) {
        Ok(value) => value as f64,
        Err(_) if significant.is_empty() => 0.0,
        // Beyond 128 bits: decimal digits are read with correct rounding.
        Err(_) if radix == 16 => number::decimal_text(significant, 16).parse().unwrap_or(f64::INFINITY),
        Err(_) => significant.bytes().fold(0.0, |sum, digit| sum * 2.0 + f64::from(digit - b'0')),
    }
}

/// Returns a number of either kind; `undef` for the few texts that are convertible and yet no number to Puppet.
pub(super) fn number(text: &str) -> Result<Value, Fault> {
    if let [b'0', b'b' | b'B' | b'x' | b'X', ..] = text.as_bytes() {
        return integer(text, None).map(Value::Integer);
    }
    let (negative, unsigned) = split_sign(text.trim_start_matches(is_blank));
    let unsigned = unsigned.trim_start_matches(is_blank);
    if !unsigned.starts_with(|ch: char| ch.is_ascii_digit()) || unsigned.starts_with("0b") || unsigned.starts_with("0B")
    {
        return Ok(Value::Undef);
    }
    let is_hex = unsigned.starts_with("0x") || unsigned.starts_with("0X");
    if is_hex || unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        let signed = if negative { format!("-{unsigned}") } else { unsigned.to_owned() };
        return integer(&signed, None).map(Value::Integer);
    }
    Ok(fraction(unsigned).map_or(Value::Undef, |value| Value::Float(if negative { -value } else { value })))
}

/// Zero raised to a power is not taken for a float, and neither is what floats cannot hold.
fn fraction(unsigned: &str) -> Option<f64> {
    let exponent = unsigned.find(['e', 'E']);
    if let Some(end) = exponent
        && unsigned[..end].bytes().all(|byte| matches!(byte, b'0' | b'.'))
    {
        return None;
    }
    unsigned.parse().ok().filter(|value: &f64| value.is_finite())
}

fn without_blanks_after_sign(text: &str) -> Option<String> {
    let sign = text.chars().next().filter(|&ch| ch == '-' || ch == '+')?;
    let rest = &text[1..];
    let digits = rest.trim_start_matches(is_blank);
    (digits.len() < rest.len()).then(|| format!("{sign}{digits}"))
}

fn is_space(ch: char) -> bool {
    matches!(ch, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

fn is_blank(ch: char) -> bool {
    matches!(ch, ' ' | '\t')
}

/// Ruby goes on with integers of any size; ours have 64 bits.
pub(super) fn too_large(value: impl std::fmt::Display) -> Fault {
    Fault::limit(format!("The integer {value} does not fit in 64 bits"))
}

/// Ruby's `inspect` of a text of digits, signs and white space.
fn inspect(text: &str) -> String {
    let mut shown = String::from("\"");
    for ch in text.chars() {
        match ch {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            '\u{b}' => shown.push_str("\\v"),
            '\u{c}' => shown.push_str("\\f"),
            other => shown.push(other),
        }
    }
    shown.push('"');
    shown
}
