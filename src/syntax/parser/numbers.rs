//! What a number token is worth.

pub(super) enum Number {
    Integer {
        value: i64,
        radix: u8,
    },
    /// More than 64 bits hold.
    BigInteger {
        radix: u8,
    },
    Float(f64),
}

/// Reads a number that the lexer has found well-formed.
pub(super) fn read(text: &str) -> Number {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'0'..=b'9', ..] if text.bytes().all(|byte| byte.is_ascii_digit()) => (&text[1..], 8),
        _ => (text, 10),
    };
    if radix == 10 && !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Number::Float(text.parse().unwrap_or(f64::NAN));
    }
    match i64::from_str_radix(digits, radix) {
        Ok(value) => Number::Integer { value, radix: radix as u8 },
        Err(_) => Number::BigInteger { radix: radix as u8 },
    }
}
