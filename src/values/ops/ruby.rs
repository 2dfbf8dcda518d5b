//! Values as Ruby itself shows them, for the messages into which Puppet puts them as they are.

use std::fmt::Write;

use crate::sprintf::push_inspect;
use crate::{Value, unencoded};

/// Ruby's `to_s`: texts bare, but quoted inside an array or a hash.
pub fn to_s(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Undef => {}
        Value::Default => out.push_str("default"),
        Value::String(text) | Value::Symbol(text) => out.push_str(text),
        Value::Unencoded(letters) => out.push_str(&unencoded::display_text(letters)),
        Value::Regexp(regexp) => drop(write!(out, "{regexp}")),
        Value::SemVerRange(range) => drop(write!(out, "{range}")),
        Value::Uri(uri) => drop(write!(out, "{uri}")),
        Value::Sensitive(_) => out.push_str("Sensitive [value redacted]"),
        Value::Object(_) => crate::text::push_text(&mut out, value),
        _ => push_inspect(&mut out, value),
    }
    out
}
