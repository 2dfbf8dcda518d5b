//! What Ruby does with values that its code does not expect, and in which words it fails; what it reads as numbers and as lines.

use pantin_values::{Value, ruby_class, unconvertible};

use crate::failure::Failure;
use crate::value::inspect;

/// `undefined method `split' for 1:Integer`
pub(crate) fn no_method(name: &str, value: &Value) -> String {
    format!("undefined method `{name}' for {}:{}", inspect(value), ruby_class(value))
}

/// Returns the text of a value, or the failure of code that wants one and says nothing of whose value it is.
pub(crate) fn as_text(value: &Value) -> Result<&str, Failure> {
    match value {
        Value::String(text) | Value::Symbol(text) => Ok(text),
        other => Err(Failure::whole(format!("no implicit conversion of {} into String", unconvertible(other)))),
    }
}

/// Returns the text of a value; otherwise the failure of calling a method of texts in a `validate` block.
pub(crate) fn text_to_check<'v>(attribute: &str, method: &str, value: &'v Value) -> Result<&'v str, Failure> {
    match value {
        Value::String(text) => Ok(text),
        other => {
            let detail = no_method(method, other);
            Err(Failure::new(format!("Validate method failed for class {attribute}: {detail}")))
        }
    }
}

/// Returns true if one of the lines of a text is so: what Ruby's `^…$` matches.
pub(crate) fn any_line(text: &str, is_so: impl Fn(&str) -> bool) -> bool {
    text.split('\n').any(is_so)
}

/// Reads a number as Ruby's `Float()` does. `None`: it is none.
pub(crate) fn float(text: &str) -> Option<f64> {
    let text = text.trim();
    let unsigned = text.trim_start_matches(['+', '-']);
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let number = i64::from_str_radix(&digits.replace('_', ""), 16).ok()?;
        return Some(if text.starts_with('-') { -(number as f64) } else { number as f64 });
    }
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    let letters: Vec<char> = text.chars().collect();
    let is_well_placed = |(place, letter): (usize, &char)| match letter {
        '_' => {
            is_digit(place.checked_sub(1).and_then(|before| letters.get(before)).copied())
                && is_digit(letters.get(place + 1).copied())
        }
        '.' => is_digit(letters.get(place + 1).copied()),
        letter => letter.is_ascii_digit() || "+-eE".contains(*letter),
    };
    let is_plain = letters.iter().enumerate().all(is_well_placed);
    if is_plain { text.replace('_', "").parse().ok() } else { None }
}

/// Reads a number as Ruby's `Integer()` does. `None`: it is none.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', b'o', ..] => (8, &lower[2..]),
        [b'0', _, ..] => (8, lower[1..].strip_prefix('_').unwrap_or(&lower[1..])),
        _ => (10, lower.as_str()),
    };
    let is_broken = digits.is_empty() || digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
    if is_broken || digits.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(&digits.replace('_', ""), radix).ok().map(|number| sign * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rubys() {
        for (text, number) in
            [("1_000", 1000.0), ("0x10", 16.0), (" 3 ", 3.0), (".5", 0.5), ("1e2", 100.0), ("-1.5", -1.5)]
        {
            assert_eq!(float(text), Some(number), "{text}");
        }
        for text in ["5.", "x", "", "1__0", "_1", "3s", "nan", "inf"] {
            assert_eq!(float(text), None, "{text}");
        }
        for (text, number) in [("010", 8), ("0x1f", 31), ("1_0", 10), (" 7 ", 7), ("-3", -3), ("0", 0)] {
            assert_eq!(integer(text), Some(number), "{text}");
        }
        for text in ["08", "1.5", "", "1-2", "--1", "1__0"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }
}
