//! Puppet's bytes (`Binary`), as Ruby code makes them and looks at them.

use std::rc::Rc;

use pantin_values::Binary;

use super::catalog::lacking;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::Value;

pub(super) const TABLES: [Table; 2] =
    [(Core::PuppetBinary, Side::Class, MAKE), (Core::PuppetBinary, Side::Instance, METHODS)];

const MAKE: &[NativeMethod] = &[
    method("new", 1, 1, |interp, given| of_bytes(interp, given.arg(0))),
    method("from_binary_string", 1, 1, |interp, given| of_bytes(interp, given.arg(0))),
    method("from_string", 1, 1, binary_from_text),
    method("from_base64", 1, 1, |interp, given| decoded(interp, given, "decode64")),
    method("from_base64_strict", 1, 1, |interp, given| decoded(interp, given, "strict_decode64")),
    method("from_base64_urlsafe", 1, 1, |interp, given| decoded(interp, given, "urlsafe_decode64")),
];

const METHODS: &[NativeMethod] = &[
    method("binary_buffer", 0, 0, |_, given| Ok(buffer(given))),
    method("length", 0, 0, |_, given| Ok(Value::Int(bytes(given.receiver).map_or(0, <[u8]>::len) as i64))),
    method("to_s", 0, 0, |interp, given| encoded(interp, given, "strict_encode64")),
    method("relaxed_to_s", 0, 0, |interp, given| encoded(interp, given, "encode64")),
    method("urlsafe_to_s", 0, 0, |interp, given| encoded(interp, given, "urlsafe_encode64")),
    method("==", 1, 1, is_same),
    method("eql?", 1, 1, is_same),
    method("method_missing", 1, ANY, lacking),
];

fn bytes(value: &Value) -> Option<&[u8]> {
    match value {
        Value::Foreign(value) => match &**value {
            pantin_values::Value::Binary(binary) => Some(binary.bytes()),
            _ => None,
        },
        _ => None,
    }
}

/// (In the real one it is frozen, which nobody sees who does not change it.)
fn buffer(given: &CallArguments<'_>) -> Value {
    let bytes = bytes(given.receiver).unwrap_or_default();
    Value::String(Rc::new(Text::binary(bytes.to_vec())))
}

fn made(bytes: &[u8]) -> Value {
    Value::Foreign(Rc::new(pantin_values::Value::Binary(Binary::new(bytes))))
}

/// The bytes of a text, whatever is said of its encoding.
fn of_bytes(interp: &mut Interp<'_>, text: &Value) -> Flow {
    match text {
        Value::String(text) => Ok(made(&text.bytes())),
        other => interp.send(other, "encoding", &[]),
    }
}

/// The bytes of a text in UTF-8.
fn binary_from_text(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.arg(0) {
        Value::String(text) if text.is_utf8() => Ok(made(&text.bytes())),
        _ => interp.unsupported("Binary.from_string of anything but a text in UTF-8"),
    }
}

fn decoded(interp: &mut Interp<'_>, given: &CallArguments<'_>, method: &str) -> Flow {
    let bytes = interp.send(&Value::Class(Core::Base64.class()), method, given.args)?;
    of_bytes(interp, &bytes)
}

fn encoded(interp: &mut Interp<'_>, given: &CallArguments<'_>, method: &str) -> Flow {
    interp.send(&Value::Class(Core::Base64.class()), method, &[buffer(given)])
}

fn is_same(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok((bytes(given.arg(0)).is_some_and(|other| bytes(given.receiver) == Some(other))).into())
}
