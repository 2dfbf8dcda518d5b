//! `Binary` made of text in one of its codings, or of numbers of bytes.

use std::sync::LazyLock;

use super::constructor::{Constructor, form};
use super::shapes::*;
use super::{Call, fault};
use crate::scalar::{Binary, BinaryFormat};
use crate::{Fault, Value};

pub(super) static BINARY: LazyLock<Constructor> = LazyLock::new(|| {
    let byte = named("ByteInteger", integer(0, 255));
    let format = named("Base64Format", enumeration(&["%B", "%b", "%r", "%s", "%u"], false));
    let text_hash = named("StringHash", structure([("value", string()), ("format?", optional(format.clone()))]));
    let array_hash = named("ArrayHash", structure([("value", array(byte.clone(), 0))]));
    Constructor::new(
        "new_Binary",
        [
            form([("str", string()), ("format?", format)]),
            form([("byte_array", array(byte, 0))]),
            form([("hash_args", named("BinaryArgsHash", variant([text_hash, array_hash])))]),
        ],
    )
});

pub(super) fn make_binary(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (from, format) = match call.form {
        2 => (call.named_argument("value"), call.named_argument("format")),
        _ => (call.arg(0), call.arg(1)),
    };
    let binary = match from {
        Value::Array(bytes) => Binary::new(bytes.iter().map(byte).collect::<Vec<u8>>()),
        _ => {
            let format = format.as_str().and_then(BinaryFormat::new).unwrap_or(BinaryFormat::Strict);
            Binary::parse(from.as_str().unwrap_or_default(), format).map_err(fault)?
        }
    };
    Ok(Value::Binary(binary))
}

fn byte(value: &Value) -> u8 {
    match value {
        Value::Integer(byte) => *byte as u8,
        _ => 0,
    }
}
