//! Single values: what is written like a number, and how values are shown.

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use pantin_base::number::float_text;

use crate::Value;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Scalar {
    Null,
    Boolean(bool),
    /// With what was written: that counts when it is joined.
    Number {
        value: Value,
        written: String,
    },
    Text {
        text: String,
        is_quoted: bool,
    },
}

impl Scalar {
    /// Returns what is written like a number, if it is one. Whole numbers are integers, however they are written.
    pub(super) fn number(written: &str) -> Result<Option<Scalar>, String> {
        let too_big = || "an integer of so many digits is not supported".to_owned();
        let value = if written.contains(['.', 'e', 'E']) {
            let is_float = written.starts_with(|ch: char| ch.is_ascii_digit() || ch == '-')
                && !written.contains(".e")
                && !written.contains(".E")
                && written.ends_with(|ch: char| ch.is_ascii_digit());
            let Some(number) = written.parse::<f64>().ok().filter(|_| is_float) else { return Ok(None) };
            if number.fract() != 0.0 {
                Value::Float(number)
            } else {
                Value::from(BigInt::from_f64(number).ok_or_else(too_big)?)
            }
        } else {
            let digits = written.strip_prefix('-').unwrap_or(written);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Ok(None);
            }
            // A zero in front makes it octal.
            let radix = if digits.len() > 1 && digits.starts_with('0') { 8 } else { 10 };
            if radix == 8 && digits.contains(['8', '9']) {
                return Ok(None);
            }
            Value::parse_integer(written, radix).ok_or_else(too_big)?
        };
        Ok(Some(Scalar::Number { value, written: written.to_owned() }))
    }

    pub(super) fn is_quoted(&self) -> bool {
        matches!(self, Scalar::Text { is_quoted: true, .. })
    }

    /// As it is joined with others.
    pub(super) fn text(&self) -> String {
        match self {
            Scalar::Null => "null".to_owned(),
            Scalar::Boolean(truth) => truth.to_string(),
            Scalar::Number { written, .. } => written.clone(),
            Scalar::Text { text, .. } => text.clone(),
        }
    }

    /// As Ruby interpolates it.
    pub(super) fn plain(&self) -> String {
        match self {
            Scalar::Null => String::new(),
            Scalar::Number { value: Value::Integer(number), .. } => number.to_string(),
            Scalar::Number { value: Value::Float(number), .. } => float_text(*number),
            other => other.text(),
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            Scalar::Null => "NULL",
            Scalar::Boolean(_) => "BOOLEAN",
            Scalar::Number { .. } => "NUMBER",
            Scalar::Text { .. } => "STRING",
        }
    }

    pub(super) fn class(&self) -> &'static str {
        match self {
            Scalar::Null => "ConfigNull",
            Scalar::Boolean(_) => "ConfigBoolean",
            Scalar::Number { value: Value::Integer(_), .. } => "ConfigInt",
            Scalar::Number { .. } => "ConfigDouble",
            Scalar::Text { is_quoted: true, .. } => "Quoted",
            Scalar::Text { .. } => "Unquoted",
        }
    }
}

/// As JSON writes a text.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\x08' => quoted.push_str("\\b"),
            '\x0C' => quoted.push_str("\\f"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            ch if ch.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(ch))),
            ch => quoted.push(ch),
        }
    }
    quoted.push('"');
    quoted
}
