//! SecureRandom. Its numbers come from the request; an answer that depends on one is volatile and never stored.

use pantin_base::hex::{hex, uuid};

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::Value;

use super::libraries::{STANDARD, URL_SAFE, encoded};
use super::random::unseeded_random_number;

pub(super) const TABLES: &[Table] = &[(Core::SecureRandom, Side::Class, METHODS)];

/// So many bytes where code does not say.
pub(super) const SIZE: usize = 16;

const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const METHODS: &[NativeMethod] = &[
    method("hex", 0, 1, |interp, given| {
        let bytes = wanted(interp, given)?;
        Ok(Value::text(hex::<String>(bytes)))
    }),
    method("uuid", 0, 0, |interp, _| {
        let bytes = chance(interp, SIZE)?;
        Ok(Value::text(uuid(std::array::from_fn(|place| bytes[place]), 4)))
    }),
    method("base64", 0, 1, |interp, given| Ok(Value::text(encoded(&wanted(interp, given)?, STANDARD)))),
    method("urlsafe_base64", 0, 1, |interp, given| {
        let text = encoded(&wanted(interp, given)?, URL_SAFE);
        Ok(Value::text(text.trim_end_matches('=')))
    }),
    method("alphanumeric", 0, 1, |interp, given| {
        let count = count(interp, given)?;
        let mut text = String::with_capacity(count);
        for _ in 0..count {
            text.push(char::from(LETTERS[count_below(interp, LETTERS.len() as u64)? as usize]));
        }
        Ok(Value::text(text))
    }),
    method("random_bytes", 0, 1, random_bytes),
    method("bytes", 1, 1, random_bytes),
    method("random_number", 0, 1, unseeded_random_number),
    method("rand", 0, 1, unseeded_random_number),
];

fn random_bytes(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(Value::String(std::rc::Rc::new(Text::binary(wanted(interp, given)?))))
}

fn wanted(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<u8>> {
    let count = count(interp, given)?;
    chance(interp, count)
}

fn count(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<usize> {
    let count = match given.args.first() {
        None | Some(Value::Nil) => return Ok(SIZE),
        Some(count) => interp.int_arg(count)?,
    };
    let Ok(count) = usize::try_from(count) else {
        return interp.raise(Core::ArgumentError, "negative string size (or size too big)");
    };
    interp.check_bytes(count)?;
    Ok(count)
}

pub(super) fn chance(interp: &mut Interp<'_>, count: usize) -> Flow<Vec<u8>> {
    let mut bytes = Vec::with_capacity(count + 8);
    while bytes.len() < count {
        interp.step()?;
        let number = interp.outside.random();
        bytes.extend(interp.outside(number)?.to_le_bytes());
    }
    bytes.truncate(count);
    Ok(bytes)
}

/// One of so many numbers, each as likely: what would favour the first ones is drawn again.
pub(super) fn count_below(interp: &mut Interp<'_>, count: u64) -> Flow<u64> {
    let fair = u64::MAX - u64::MAX % count;
    loop {
        let bytes = chance(interp, 8)?;
        let number = bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        if number < fair {
            return Ok(number % count);
        }
    }
}
