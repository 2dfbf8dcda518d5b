//! `String`, `Regexp`, `Sensitive` and `Type` made of other values, and the value that is left as it is.

use std::sync::{Arc, LazyLock};

use pantin_regex::Options;

use super::Call;
use super::constructor::{Constructor, form};
use super::shapes::*;
use crate::types::Type;
use crate::{Fault, FaultKind, Regexp, Value};

const FORMAT_TEXT: &str = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$";

pub(super) static STRING: LazyLock<Constructor> = LazyLock::new(|| {
    let format = named("Format", pattern(FORMAT_TEXT));
    let container = named(
        "ContainerFormat",
        structure([
            ("format?", format.clone()),
            ("separator?", string()),
            ("separator2?", string()),
            ("string_formats?", hash(any_type(), format.clone(), 0)),
        ]),
    );
    let type_map = named("TypeMap", hash(any_type(), variant([format, container]), 0));
    let formats = named("Formats", variant([Type::Default, text_of(1), type_map]));
    Constructor::new("new_string", [form([("from", named("Convertible", Type::Any)), ("string_formats?", formats)])])
});

pub(super) static REGEXP: LazyLock<Constructor> = LazyLock::new(|| {
    // Puppet's own slip of the pen.
    Constructor::new("new_float", [form([("pattern", string()), ("escape?", boolean())])])
});

pub(super) static SENSITIVE: LazyLock<Constructor> = LazyLock::new(|| {
    Constructor::new("new_Sensitive", [form([("value", Type::Sensitive(None))]), form([("value", Type::Any)])])
});

pub(super) static TYPE: LazyLock<Constructor> =
    LazyLock::new(|| Constructor::new("new_type", [form([("type_string", text_of(1))])]));

pub(super) static UNIT: LazyLock<Constructor> =
    LazyLock::new(|| Constructor::new("new_unit", [form([("from", Type::Any)])]));

pub(super) fn make_string(call: &mut Call<'_>) -> Result<Value, Fault> {
    crate::format::string_new(call.arg(0), &call.args[1..])
}

pub(super) fn make_regexp(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::String(pattern) = call.arg(0) else { return Err(REGEXP.mismatch(call.args)) };
    let source = if call.arg(1).is_truthy() { escaped(pattern).into() } else { pattern.clone() };
    let regexp = Regexp::new(source, Options::default());
    regexp.checked_regex()?;
    Ok(Value::Regexp(Arc::new(regexp)))
}

/// Ruby's `Regexp.escape`.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        let letter = match ch {
            '\n' => 'n',
            '\t' => 't',
            '\r' => 'r',
            '\u{c}' => 'f',
            '\u{b}' => 'v',
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$' | ' ' | '#' => ch,
            _ => {
                escaped.push(ch);
                continue;
            }
        };
        escaped.push('\\');
        escaped.push(letter);
    }
    escaped
}

pub(super) fn make_sensitive(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::sensitive(call.arg(0).clone()))
}

pub(super) fn make_type(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.arg(0) {
        Value::String(text) => crate::types::parse(text, call.names)
            .map(Value::Type)
            // What is wrong with the text is an error of the call, unless it has a place in the text.
            .map_err(|fault| match fault.kind {
                FaultKind::Located => fault,
                _ => Fault::new(fault.message),
            }),
        _ => Err(TYPE.mismatch(call.args)),
    }
}

pub(super) fn make_unit(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(call.arg(0).clone())
}
