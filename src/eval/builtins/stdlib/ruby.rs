//! What the module's Ruby code makes of values: how they come to a function of the older kind, numbers in texts,
//! patterns made of texts.
//!
//! Knows no single function.

use std::sync::Arc;

use pantin_base::stack;
use pantin_values::ops::to_s;
use pantin_values::regex::Options;
use pantin_values::{Fault, Regexp, Str, Value};

use crate::builtins::matching;

pub(super) type Result<T = Value> = std::result::Result<T, Fault>;

/// A function of the older kind that asks nothing of anybody.
macro_rules! older {
    ($name:literal, $run:expr, $doc:expr) => {
        crate::Builtin::untyped(
            $name,
            &[crate::overload(&[crate::repeated("Any", "args")], None, |call| {
                let args = call.older_args()?;
                Ok($run(args)?)
            })],
            $doc,
        )
    };
}

/// One of the older kind that asks or does something: it gets the call too.
macro_rules! older_with_call {
    ($name:literal, $run:expr, $doc:expr) => {
        crate::Builtin::untyped(
            $name,
            &[crate::overload(&[crate::repeated("Any", "args")], None, |call| {
                let args = call.older_args()?;
                $run(call, args)
            })],
            $doc,
        )
    };
}

pub(super) use {older, older_with_call};

pub(super) fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(Fault::new(message.into()))
}

// ---- arguments ----

/// As many arguments as Ruby's own count wants, in the words of the interface: `arity`, negative for at least as many.
pub(super) fn check_arity(name: &str, args: &[Value], arity: i32) -> Result<()> {
    let given = args.len();
    match usize::try_from(arity) {
        Ok(wanted) if given != wanted => {
            fail(format!("{name}(): Wrong number of arguments given ({given} for {wanted})"))
        }
        Err(_) if given < (-1 - arity) as usize => {
            fail(format!("{name}(): Wrong number of arguments given ({given} for minimum {})", -1 - arity))
        }
        _ => Ok(()),
    }
}

pub(super) fn class_name(value: &Value) -> String {
    match value {
        Value::Undef => "NilClass".to_owned(),
        Value::Boolean(true) => "TrueClass".to_owned(),
        Value::Boolean(false) => "FalseClass".to_owned(),
        other => crate::builtins::older::class_name(other),
    }
}

/// `nil` and the empty text that stands for it.
pub(super) fn is_blank(value: &Value) -> bool {
    matches!(value, Value::Undef) || value.as_str() == Some("")
}

// ---- numbers ----

/// Ruby's `to_i`.
pub(super) fn to_i(value: &Value) -> Result<i64> {
    crate::builtins::digests::leading_integer(value)
}

/// Ruby's `to_f` of a text: the number that it begins with.
pub(super) fn leading_float(text: &str) -> f64 {
    let bytes = text.trim_start_matches(|space| matches!(space, ' ' | '\t'..='\r')).as_bytes();
    let mut number = String::new();
    let mut at = 0;
    if let Some(sign @ (b'+' | b'-')) = bytes.first() {
        number.push(char::from(*sign));
        at = 1;
    }
    let whole = digits(bytes, &mut at, &mut number);
    let mut behind = at + 1;
    if bytes.get(at) == Some(&b'.') && bytes.get(behind).is_some_and(u8::is_ascii_digit) {
        if whole == 0 {
            number.push('0');
        }
        number.push('.');
        digits(bytes, &mut behind, &mut number);
        at = behind;
    } else if whole == 0 {
        return 0.0;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let mut exponent = String::from("e");
        let mut behind = at + 1;
        if let Some(sign @ (b'+' | b'-')) = bytes.get(behind) {
            exponent.push(char::from(*sign));
            behind += 1;
        }
        if digits(bytes, &mut behind, &mut exponent) > 0 {
            number.push_str(&exponent);
        }
    }
    number.parse().unwrap_or(0.0)
}

/// Digits with single underscores between them.
fn digits(bytes: &[u8], at: &mut usize, to: &mut String) -> usize {
    let mut count = 0;
    while let Some(&byte) = bytes.get(*at) {
        match byte {
            b'0'..=b'9' => {
                to.push(char::from(byte));
                count += 1;
            }
            b'_' if count > 0 && bytes.get(*at + 1).is_some_and(u8::is_ascii_digit) => {}
            _ => break,
        }
        *at += 1;
    }
    count
}

/// Returns a float as a whole number, towards nought; where Ruby counts beyond 64 bits, that is said.
pub(super) fn truncated(number: f64) -> Result<i64> {
    if !number.is_finite() {
        return fail(pantin_base::number::float_text(number));
    }
    if number.abs() >= 9.223_372_036_854_775e18 {
        return Err(Fault::limit(format!("The number {number:.0} is outside of Puppet Integer range")));
    }
    Ok(number as i64)
}

// ---- patterns ----

pub(super) fn pattern(source: &Value) -> Result<Arc<Regexp>> {
    match source {
        Value::String(source) => {
            let regexp = Regexp::from_string(source, Options::default());
            regexp.checked_regex()?;
            Ok(regexp)
        }
        other => fail(format!("no implicit conversion of {} into String", pantin_values::unconvertible(other))),
    }
}

pub(super) fn matches(regexp: &Regexp, text: &str) -> Result<bool> {
    Ok(matching::find(regexp.checked_regex()?, text, 0)?.is_some())
}

/// Returns true if a text matches a pattern that the module has written down.
pub(super) fn fits(text: &str, source: &str) -> Result<bool> {
    matches(&Regexp::from_string(&source.into(), Options::default()), text)
}

pub(super) fn fits_any_case(text: &str, source: &str) -> Result<bool> {
    matches(&Regexp::from_string(&source.into(), Options { ignore_case: true, ..Options::default() }), text)
}

// ---- comparing ----

/// Returns a text as Ruby joins or prints it.
pub(super) fn text_of(value: &Value) -> Str {
    to_s(value).into()
}

/// As keys of a hash are compared: `1` is not `1.0`.
pub(super) fn eql(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(_), Value::Float(_)) | (Value::Float(_), Value::Integer(_)) => false,
        _ => a == b,
    }
}

/// Ruby's `==`: numbers by what they are worth, all else as keys.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(integer), Value::Float(float)) | (Value::Float(float), Value::Integer(integer)) => {
            *integer as f64 == *float
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && stack::with_room(|| a.iter().zip(b.iter()).all(|(a, b)| equal(a, b)))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            let same = |key: &Value, value: &Value| b.get(key).is_some_and(|other| equal(value, other));
            a.len() == b.len() && stack::with_room(|| a.iter().all(|(key, value)| same(key, value)))
        }
        _ => a == b,
    }
}

/// As Ruby shows a text to a developer.
pub(super) fn inspect(text: &str) -> String {
    pantin_values::sprintf::inspect(&text.into())
}
