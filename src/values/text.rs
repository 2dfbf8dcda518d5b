//! Values as text where a text is wanted: interpolation, `notice`, the titles of resources.
//!
//! [`quoted`] is a text as a source would write it; how a whole value is written so is in `format`.

use std::fmt::Write;

use pantin_base::{inspect, number, stack};

use super::format::program;
use super::{Items, Regexp, Str, Value};

/// Returns what `"${value}"` gives.
pub fn display(value: &Value) -> Str {
    match value {
        Value::String(text) | Value::Unencoded(text) => text.clone(),
        _ => {
            let mut out = String::new();
            push_text(&mut out, value);
            out.into()
        }
    }
}

/// Appends what `"${value}"` gives.
#[inline]
pub fn push_text(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => out.push_str(text),
        Value::Integer(value) => push_integer(out, *value),
        other => push_other(out, other),
    }
}

/// The same of what stands in texts less often.
fn push_other(out: &mut String, value: &Value) {
    // Writing to a string does not fail.
    let _ = match value {
        Value::String(text) | Value::Unencoded(text) => out.write_str(text),
        Value::Undef => Ok(()),
        Value::Default => out.write_str("default"),
        Value::Symbol(name) => out.write_str(name),
        Value::Boolean(value) => out.write_str(if *value { "true" } else { "false" }),
        Value::Integer(value) => {
            push_integer(out, *value);
            Ok(())
        }
        Value::Large(value) => write!(out, "{value}"),
        Value::Float(value) => out.write_str(&number::float_text(*value)),
        Value::Regexp(regexp) => {
            push_regexp(out, regexp);
            Ok(())
        }
        Value::Array(items) => {
            stack::with_room(|| push_array(out, items));
            Ok(())
        }
        Value::Hash(entries) => {
            stack::with_room(|| push_hash(out, entries.iter()));
            Ok(())
        }
        Value::Type(kind) => write!(out, "{kind}"),
        Value::Resource(resource) => write!(out, "{resource}"),
        Value::Sensitive(_) => out.write_str("Sensitive [value redacted]"),
        Value::Timespan(span) => write!(out, "{span}"),
        Value::Timestamp(time) => write!(out, "{time}"),
        Value::SemVer(version) => write!(out, "{version}"),
        Value::SemVerRange(range) => write!(out, "{range}"),
        Value::Uri(uri) => write!(out, "{uri}"),
        Value::Binary(binary) => write!(out, "{binary}"),
        Value::Object(object) => {
            program::push_object(out, object, None);
            Ok(())
        }
        Value::Iterator(sequence) => match sequence.items {
            Items::Tree { .. } => write!(out, "#<{}>", sequence.ruby_class()),
            _ => write!(out, "Iterator[{}]-Value", sequence.element.generalize()),
        },
    };
}

fn push_array(out: &mut String, items: &[Value]) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        push_text(out, item);
    }
    out.push(']');
}

fn push_hash<'a>(out: &mut String, entries: impl Iterator<Item = (&'a Value, &'a Value)>) {
    out.push('{');
    for (index, (key, value)) in entries.enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        push_text(out, key);
        out.push_str(" => ");
        push_text(out, value);
    }
    out.push('}');
}

/// Without the machinery of `fmt`: numbers in texts are common.
pub(super) fn push_integer(out: &mut String, value: i64) {
    if let 0..10 = value {
        out.push(char::from(b'0' + value as u8));
        return;
    }
    let mut digits = [0_u8; 21];
    let mut start = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        start -= 1;
        digits[start] = b'-';
    }
    // Digits are ASCII.
    out.push_str(std::str::from_utf8(&digits[start..]).unwrap_or_default());
}

/// Between slashes; with options, the group that says them.
pub fn push_regexp(out: &mut String, regexp: &Regexp) {
    if regexp.has_options() {
        out.push('/');
        out.push_str(&regexp.to_string());
        out.push('/');
    } else {
        push_pattern(out, regexp);
    }
}

/// Between slashes, whatever its options.
pub fn push_pattern(out: &mut String, regexp: &Regexp) {
    out.push('/');
    inspect::push_pattern(out, regexp.source());
    out.push('/');
}

/// A text in quotes, as a source would write it: single ones if they do.
pub fn push_quoted(out: &mut String, text: &str) {
    if text.bytes().any(|byte| byte < 0x20) {
        return push_double_quoted(out, text);
    }
    out.push('\'');
    let mut escaped = false;
    for character in text.chars() {
        // A backslash alone stands for itself, unless a quote follows: then both are escaped, after the first.
        if escaped {
            out.push('\\');
            out.push(character);
            escaped = false;
        } else if character == '\'' {
            out.push_str("\\'");
        } else if character == '\\' {
            escaped = true;
        } else {
            out.push(character);
        }
    }
    out.push_str(if escaped { "\\'" } else { "'" });
}

pub fn push_double_quoted(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '$' => out.push_str("\\$"),
            '\\' => out.push_str("\\\\"),
            '\0'..'\x20' => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{{{:X}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{display, quoted};
    use crate::regex;
    use crate::{Regexp, Value};

    #[test]
    fn values_in_a_text_are_as_puppet_interpolates_them() {
        let list = Value::array([Value::Undef, "a'b".into(), 1.into(), 1e20.into(), Value::array([Value::Default])]);
        assert_eq!(display(&list), "[, a'b, 1, 1.0e+20, [default]]");
        let hash = Value::hash([("k".into(), true.into()), (2.into(), Value::sensitive("x".into()))]);
        assert_eq!(display(&hash), "{k => true, 2 => Sensitive [value redacted]}");
        let regexp = |source| Value::Regexp(Arc::new(Regexp::new(source, regex::Options::default())));
        assert_eq!(display(&regexp("a/b\\/c\\\\/")), "/a\\/b\\/c\\\\\\//");
        assert_eq!(display(&i64::MIN.into()), "-9223372036854775808");
    }

    #[test]
    fn a_text_is_quoted_as_puppet_quotes_it() {
        for (text, expected) in [
            ("a", "'a'"),
            ("a'b", "'a\\'b'"),
            ("a\\b", "'a\\b'"),
            ("a\\", "'a\\'"),
            ("é$x", "'é$x'"),
            ("a\n\"$x\\", "\"a\\n\\\"\\$x\\\\\""),
            ("\u{1}", "\"\\u{1}\""),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}
