//! Chance, asked of the request: whatever it goes into is never the same twice, and is not kept.
//!
//! `rand`, `sample` and `shuffle` have it from there too: of a seed (`Random.new(7)`, `srand`) nothing is known here.

use crate::base::hex::{hex, uuid};
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{NativeMethod, Side, Table, method, private};
use crate::ruby::stop::Flow;
use crate::ruby::text::Text;
use crate::ruby::value::Value;

use super::array::own;
use super::libraries::{STANDARD, URL_SAFE, encoded};

pub(super) const TABLES: &[Table] = &[
    (Core::SecureRandom, Side::Class, METHODS),
    (Core::Kernel, Side::Instance, &[private("rand", 0, 1, rand)]),
    (Core::Kernel, Side::Class, &[method("rand", 0, 1, rand)]),
    (Core::Random, Side::Class, &[method("rand", 0, 1, random_rand), method("random_number", 0, 1, random_number)]),
    (Core::Array, Side::Instance, OF_LISTS),
];

const OF_LISTS: &[NativeMethod] = &[
    method("sample", 0, 2, sample),
    method("shuffle", 0, 1, |interp, given| {
        refuse_generator(interp, given)?;
        Ok(Value::array(shuffled(interp, given)?))
    }),
];

/// So many bytes where code does not say.
const BYTES: usize = 16;

const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const METHODS: &[NativeMethod] = &[
    method("hex", 0, 1, |interp, given| {
        let bytes = wanted(interp, given)?;
        Ok(Value::text(hex::<String>(bytes)))
    }),
    method("uuid", 0, 0, |interp, _| {
        let bytes = chance(interp, BYTES)?;
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
            text.push(char::from(LETTERS[below(interp, LETTERS.len() as u64)? as usize]));
        }
        Ok(Value::text(text))
    }),
    method("random_bytes", 0, 1, random_bytes),
    method("bytes", 1, 1, random_bytes),
    method("random_number", 0, 1, random_number),
    method("rand", 0, 1, random_number),
];

fn random_bytes(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    Ok(Value::String(std::rc::Rc::new(Text::binary(wanted(interp, given)?))))
}

/// `rand`: what is no range is a whole number, whose sign does not matter; below nought there is a float below one.
fn rand(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let most = match given.args.first() {
        None | Some(Value::Nil) => 0,
        Some(Value::Range(_)) => return random_number(interp, given),
        Some(most) => interp.int_arg(most)?.saturating_abs(),
    };
    random_number(interp, &Given { args: &[Value::Int(most)], ..*given })
}

/// `Random.rand`: as `rand`, but for what is below nothing, and for floats.
fn random_rand(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    match given.args.first() {
        None | Some(Value::Range(_)) => random_number(interp, given),
        Some(Value::Int(most)) if *most > 0 => random_number(interp, given),
        Some(Value::Float(_)) => interp.unsupported("a random number below a float"),
        Some(most) => {
            let shown = interp.text_of(most)?;
            interp.raise(Core::ArgumentError, format!("invalid argument - {shown}"))
        }
    }
}

/// One element, or several of which none is taken twice.
fn sample(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    refuse_generator(interp, given)?;
    let Some(count) = given.args.first() else {
        let items = own(given);
        return match items.len() {
            0 => Ok(Value::Nil),
            count => Ok(items[below(interp, count as u64)? as usize].clone()),
        };
    };
    let Ok(count) = usize::try_from(interp.int_arg(count)?) else {
        return interp.raise(Core::ArgumentError, "negative sample number");
    };
    let mut items = shuffled(interp, given)?;
    items.truncate(count);
    Ok(Value::array(items))
}

/// Each order is as likely.
fn shuffled(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow<Vec<Value>> {
    let mut items = own(given);
    for last in (1..items.len()).rev() {
        let other = below(interp, last as u64 + 1)? as usize;
        items.swap(last, other);
    }
    Ok(items)
}

/// `random: …`: a generator that code brings along may be one of which the numbers are known.
fn refuse_generator(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow<()> {
    match given.args.last() {
        Some(Value::Hash(_)) => interp.unsupported("a choice by a generator of its own"),
        _ => Ok(()),
    }
}

/// A float below one, an integer below another, or one of a range.
fn random_number(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    match given.args.first() {
        None | Some(Value::Nil) | Some(Value::Int(0)) => {
            Ok(Value::Float((below(interp, 1 << 53)? as f64) / (1_u64 << 53) as f64))
        }
        Some(Value::Int(most)) if *most > 0 => Ok(Value::Int(below(interp, *most as u64)? as i64)),
        Some(Value::Range(range)) => match (&range.from, &range.to) {
            (Value::Int(from), Value::Int(to)) => {
                let count = to.saturating_sub(*from).saturating_add(i64::from(!range.exclusive));
                match u64::try_from(count) {
                    Ok(count) if count > 0 => Ok(Value::Int(from + below(interp, count)? as i64)),
                    _ => Ok(Value::Nil),
                }
            }
            _ => interp.unsupported("a random number of a range of anything but integers"),
        },
        Some(_) => interp.unsupported("a random number below anything but a positive integer"),
    }
}

fn wanted(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow<Vec<u8>> {
    let count = count(interp, given)?;
    chance(interp, count)
}

fn count(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow<usize> {
    let count = match given.args.first() {
        None | Some(Value::Nil) => return Ok(BYTES),
        Some(count) => interp.int_arg(count)?,
    };
    let Ok(count) = usize::try_from(count) else {
        return interp.raise(Core::ArgumentError, "negative string size (or size too big)");
    };
    interp.check_bytes(count)?;
    Ok(count)
}

fn chance(interp: &mut Interp<'_>, count: usize) -> Flow<Vec<u8>> {
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
fn below(interp: &mut Interp<'_>, count: u64) -> Flow<u64> {
    let fair = u64::MAX - u64::MAX % count;
    loop {
        let bytes = chance(interp, 8)?;
        let number = bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        if number < fair {
            return Ok(number % count);
        }
    }
}
