//! Functions that hash: for a checksum, or for a number that a node always gets.

use std::borrow::Cow;
use std::sync::Arc;

use md5::Md5;
use pantin_base::hex::hex;
use pantin_base::random::MersenneTwister;
use pantin_base::stack::with_room;
use pantin_model::trace::{Answer, Question};
use pantin_values::ops::to_s;
use pantin_values::{Fault, Str, Type, Value};
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use super::case::downcase;
use super::older::{at_least, exactly, no_method, text};
use crate::{Builtin, Flow, Invocation, overload, repeated};

macro_rules! digest_function {
    ($name:literal, $algorithm:ty) => {
        Builtin::untyped(
            $name,
            &[overload(&[repeated("Any", "args")], None, |call| {
                Ok(hex::<Str>(<$algorithm>::digest(digested(call)?)).into())
            })],
            concat!("The ", $name, " checksum of a text, in hexadecimal digits."),
        )
    };
}

pub(super) static FUNCTIONS: &[Builtin] = &[
    digest_function!("md5", Md5),
    digest_function!("sha1", Sha1),
    digest_function!("sha256", Sha256),
    Builtin::untyped(
        "digest",
        &[overload(&[repeated("Any", "args")], None, digest)],
        "The checksum of a text with the algorithm that the setting digest_algorithm names.",
    ),
    Builtin::untyped(
        "fqdn_rand",
        &[overload(&[repeated("Any", "args")], None, fqdn_rand)],
        "A number below a limit that is the same for a node every time, and another for other nodes.",
    ),
];

/// Returns the bytes of the text whose checksum is wanted. A reference is a resource here, which is no text.
fn digested(call: &mut Invocation<'_, '_>) -> Flow<Vec<u8>> {
    let args = exactly(call, 1)?;
    let of = match call.arg(0) {
        of @ (Value::Resource(_) | Value::Type(Type::Resource(_) | Type::Class(_))) => of,
        _ => &args[0],
    };
    let letters = text(of)?;
    Ok(of.text_bytes().map_or_else(|| letters.as_bytes().to_vec(), Cow::into_owned))
}

/// The algorithms that look at the start of a text alone.
const LITE_BYTES: usize = 512;

fn digest(call: &mut Invocation<'_, '_>) -> Flow {
    let bytes = digested(call)?;
    let setting = match call.ask(&Question::Setting("digest_algorithm".into())) {
        Answer::Value(Value::String(name)) => name,
        Answer::Fault(fault) => return Err(fault.into()),
        _ => "sha256".into(),
    };
    match (checksum(&setting, &bytes), setting.as_str()) {
        (Some(digits), _) => Ok(digits.into()),
        (None, "mtime" | "ctime" | "none") => Ok("".into()),
        (None, other) => Err(call.fault(format!("There is no digest algorithm '{other}'"))),
    }
}

/// In hexadecimal digits; `None` if there is no algorithm of this name.
pub fn checksum(algorithm: &str, bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(LITE_BYTES)];
    let digits: String = match algorithm {
        "md5" => hex(Md5::digest(bytes)),
        "md5lite" => hex(Md5::digest(start)),
        "sha1" => hex(Sha1::digest(bytes)),
        "sha1lite" => hex(Sha1::digest(start)),
        "sha224" => hex(Sha224::digest(bytes)),
        "sha256" => hex(Sha256::digest(bytes)),
        "sha256lite" => hex(Sha256::digest(start)),
        "sha384" => hex(Sha384::digest(bytes)),
        "sha512" => hex(Sha512::digest(bytes)),
        _ => return None,
    };
    Some(digits)
}

fn fqdn_rand(call: &mut Invocation<'_, '_>) -> Flow {
    let args = at_least(call, 1)?;
    let max = leading_integer(&args[0])?;
    let mut name = match fqdn(call)? {
        Value::Undef if args.len() > 2 && args[2].is_truthy() => {
            return Err(no_method("downcase", &Value::Undef).into());
        }
        value => joined(&value),
    };
    if args.get(2).is_some_and(Value::is_truthy) {
        name = downcase(&name).into();
    }
    let seed = format!("{name}:{max}:{}", args.get(1).map(joined).unwrap_or_default());
    let mut generator = MersenneTwister::from_bytes(&Md5::digest(seed.as_bytes()));
    match u64::try_from(max).ok().and_then(|limit| generator.below(limit)) {
        Some(number) => Ok(Value::Integer(number as i64)),
        None => Err(call.fault(format!("invalid argument - {max}"))),
    }
}

fn fqdn(call: &mut Invocation<'_, '_>) -> Flow {
    let path: Arc<[Value]> = ["networking".into(), "fqdn".into()].into();
    match call.ask(&Question::Part { variable: "facts".into(), path }) {
        Answer::Value(value) => Ok(value),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Ok(Value::Undef),
    }
}

/// As Ruby joins it to a text, parts of arrays with colons between them; an empty array in one is an empty text.
fn joined(value: &Value) -> String {
    match value {
        Value::Array(items) => with_room(|| items.iter().map(joined).collect::<Vec<_>>().join(":")),
        other => to_s(other),
    }
}

/// Ruby's `to_i`: the digits that a text starts with.
pub(super) fn leading_integer(value: &Value) -> Result<i64, Fault> {
    match value {
        Value::Undef => Ok(0),
        Value::Integer(number) => Ok(*number),
        Value::Float(number) if number.abs() < 9.2e18 => Ok(*number as i64),
        Value::Float(number) if number.is_finite() => Err(beyond_64_bits(&to_s(value))),
        Value::Float(number) => Err(Fault::new(to_s(&Value::Float(*number)))),
        Value::String(text) => i64::try_from(digits_at_start(text)).map_err(|_| beyond_64_bits(text)),
        other => Err(no_method("to_i", other)),
    }
}

/// Ruby counts on; a number that is silently another one would be worse than none.
fn beyond_64_bits(number: &str) -> Fault {
    Fault::limit(format!("The number {number} is outside of Puppet Integer range"))
}

fn digits_at_start(text: &str) -> i128 {
    let text = text.trim_start_matches(|character| matches!(character, ' ' | '\t'..='\r'));
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut number = 0_i128;
    let mut after_digit = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                number = number.saturating_mul(10).saturating_add(i128::from(byte - b'0'));
                after_digit = true;
            }
            // One underscore may stand between two digits.
            b'_' if after_digit => after_digit = false,
            _ => break,
        }
    }
    if negative { -number } else { number }
}
