//! `Integer`, `Float`, `Numeric` and `Boolean` made of other values.

use std::sync::LazyLock;

use super::constructor::{Constructor, form};
use super::shapes::*;
use super::{Call, digits};
use crate::types::{IntegerRange, Type};
use crate::{Fault, Value};

const INTEGER_TEXT: &str = r"\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z";
const FLOAT_TEXT: &str =
    r"\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z";

fn convertible(numbers: &[Type], text: &str) -> Type {
    let others = [Type::Boolean(None), pattern(text), Type::Timespan(None), Type::Timestamp(None)];
    named("Convertible", Type::Variant(numbers.iter().cloned().chain(others).collect()))
}

pub(super) static INTEGER: LazyLock<Constructor> = LazyLock::new(|| {
    let convertible = convertible(&[Type::Numeric], INTEGER_TEXT);
    let radix =
        named("Radix", variant([Type::Default, integer(2, 2), integer(8, 8), integer(10, 10), integer(16, 16)]));
    let args =
        named("NamedArgs", structure([("from", convertible.clone()), ("radix?", radix.clone()), ("abs?", boolean())]));
    Constructor::new(
        "new",
        [form([("from", convertible), ("radix?", radix), ("abs?", boolean())]), form([("hash_args", args)])],
    )
    .refusing([
        form([("hash_args", any_hash())]),
        form([("from", Type::Any), ("radix?", any_integer()), ("abs?", boolean())]),
    ])
});

pub(super) static FLOAT: LazyLock<Constructor> = LazyLock::new(|| real("new_float", &[Type::Numeric]));

pub(super) static NUMERIC: LazyLock<Constructor> =
    LazyLock::new(|| real("new_numeric", &[any_integer(), Type::Float(crate::types::FloatRange::ALL)]));

pub(super) static BOOLEAN: LazyLock<Constructor> = LazyLock::new(|| {
    let words = enumeration(&["false", "n", "no", "true", "y", "yes"], true);
    let float = Type::Float(crate::types::FloatRange::ALL);
    Constructor::new("new_boolean", [form([("from", variant([any_integer(), float, boolean(), words]))])])
        .refusing([form([("from", Type::Any)])])
});

fn real(name: &str, numbers: &[Type]) -> Constructor {
    let convertible = convertible(numbers, FLOAT_TEXT);
    let args = named("NamedArgs", structure([("from", convertible.clone()), ("abs?", boolean())]));
    Constructor::new(name, [form([("from", convertible), ("abs?", boolean())]), form([("hash_args", args)])])
        .refusing([form([("from", Type::Any), ("abs?", boolean())])])
}

pub(super) fn make_integer(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.form {
        0 => to_integer(call.arg(0), call.arg(1), call.arg(2)),
        1 => to_integer(call.named_argument("from"), call.named_argument("radix"), call.named_argument("abs")),
        2 => Err(refused_hash(call)),
        _ => Err(refused_integer(call.arg(0), call.args.get(1))),
    }
}

fn to_integer(from: &Value, radix: &Value, abs: &Value) -> Result<Value, Fault> {
    let integer = match from {
        Value::Integer(value) => *value,
        Value::Float(value) => truncated(*value)?,
        Value::Boolean(value) => i64::from(*value),
        Value::Timespan(span) => span.whole_seconds(),
        Value::Timestamp(time) => time.whole_seconds(),
        Value::String(text) => {
            let radix = match radix {
                Value::Integer(radix) => u32::try_from(*radix).ok(),
                _ => None,
            };
            digits::integer(text, radix)?
        }
        _ => return Err(Fault::new(super::constructor::not_convertible(from, "Integer"))),
    };
    magnitude(Value::Integer(integer), abs)
}

/// Without its sign, where that was asked for.
fn magnitude(number: Value, abs: &Value) -> Result<Value, Fault> {
    if !abs.is_truthy() {
        return Ok(number);
    }
    match number {
        Value::Integer(value) => value.checked_abs().map(Value::Integer).ok_or_else(|| digits::too_large(value)),
        Value::Float(value) => Ok(Value::Float(value.abs())),
        _ => Err(Fault::new("undefined method `abs' for nil:NilClass")),
    }
}

fn truncated(value: f64) -> Result<i64, Fault> {
    if !value.is_finite() {
        return Err(Fault::new(pantin_base::number::float_text(value)));
    }
    let whole = value.trunc();
    // 2^63 itself is a float, and the first that does not fit.
    if whole >= -(2_f64.powi(63)) && whole < 2_f64.powi(63) { Ok(whole as i64) } else { Err(digits::too_large(whole)) }
}

/// Returns what is wrong with a hash of arguments.
fn refused_hash(call: &Call<'_>) -> Fault {
    let (convertible, args) = (&INTEGER.forms[0].params[0].param_type, &INTEGER.forms[1].params[0].param_type);
    let Value::Hash(given) = call.arg(0) else { return INTEGER.mismatch(call.args) };
    if let Some(from) = given.get_str("from") {
        match convertible.accepts(from) {
            Ok(true) => {}
            // In Ruby this handler answers with what the other one says.
            Ok(false) => return refused_integer(from, None),
            Err(fault) => return fault,
        }
    }
    match given.get_str("radix") {
        None | Some(Value::Undef | Value::Default) => {}
        Some(radix) if is_radix(radix) => {}
        Some(radix) => return illegal_radix(radix),
    }
    // It is no instance: the form before would have accepted it.
    let checked = crate::mismatch::assert_instance("Integer.new", args, call.arg(0));
    checked.err().unwrap_or_else(|| INTEGER.mismatch(call.args))
}

fn refused_integer(from: &Value, radix: Option<&Value>) -> Fault {
    match radix {
        Some(radix) if !is_radix(radix) => illegal_radix(radix),
        _ => INTEGER.not_convertible(from, "Integer"),
    }
}

fn is_radix(value: &Value) -> bool {
    matches!(value, Value::Integer(2 | 8 | 10 | 16))
}

fn illegal_radix(radix: &Value) -> Fault {
    Fault::new(format!("Illegal radix: {}, expected 2, 8, 10, 16, or default", crate::text::display(radix)))
}

pub(super) fn make_float(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (from, abs) = match call.form {
        0 => (call.arg(0), call.arg(1)),
        1 => (call.named_argument("from"), call.named_argument("abs")),
        _ => return Err(FLOAT.not_convertible(call.arg(0), "Float")),
    };
    let float = match from {
        Value::Float(value) => *value,
        Value::Integer(value) => *value as f64,
        Value::Boolean(value) => f64::from(u8::from(*value)),
        Value::Timespan(span) => span.to_seconds(),
        Value::Timestamp(time) => time.to_seconds(),
        Value::String(text) => digits::float(text)?,
        _ => return Err(FLOAT.not_convertible(from, "Float")),
    };
    magnitude(Value::Float(float), abs)
}

pub(super) fn make_numeric(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (from, abs) = match call.form {
        0 => (call.arg(0), call.arg(1)),
        1 => (call.named_argument("from"), call.named_argument("abs")),
        _ => return Err(NUMERIC.not_convertible(call.arg(0), "Numeric")),
    };
    let number = match from {
        Value::Float(_) | Value::Integer(_) => from.clone(),
        Value::Boolean(value) => Value::Integer(i64::from(*value)),
        Value::Timespan(span) => Value::Float(span.to_seconds()),
        Value::Timestamp(time) => Value::Float(time.to_seconds()),
        Value::String(text) => digits::number(text)?,
        _ => return Err(NUMERIC.not_convertible(from, "Numeric")),
    };
    magnitude(number, abs)
}

pub(super) fn make_boolean(call: &mut Call<'_>) -> Result<Value, Fault> {
    let from = call.arg(0);
    if call.form > 0 {
        return Err(BOOLEAN.not_convertible(from, "Boolean"));
    }
    Ok(Value::Boolean(match from {
        Value::Float(value) => *value != 0.0,
        Value::Integer(value) => *value != 0,
        Value::String(text) => !["false", "no", "n"].iter().any(|word| text.eq_ignore_ascii_case(word)),
        _ => from.is_truthy(),
    }))
}

/// The integer of the commonest calls of all, of a few decimal digits, without a look at any form.
pub(super) fn plain_decimal(of: &Type, args: &[Value]) -> Option<Value> {
    let (text, range) = match (of, args) {
        (Type::Integer(range), [Value::String(text)] | [Value::String(text), Value::Integer(10)]) => (text, *range),
        (Type::Numeric, [Value::String(text)]) => (text, IntegerRange::ALL),
        _ => return None,
    };
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let is_plain = matches!(digits, [b'0'] | [b'1'..=b'9', ..]) && digits.len() <= 18;
    if !is_plain || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = text.parse().ok()?;
    range.contains(value).then_some(Value::Integer(value))
}
