//! Functions that choose at random: by a seed the same every time, or not.

use std::sync::Arc;

use md5::{Digest, Md5};
use pantin_base::random::MersenneTwister;
use pantin_model::trace::{Answer, Question};
use pantin_values::{Str, Value};
use sha2::Sha256;

use super::predicates::is_whole;
use super::ruby::{Result, check_arity, fail, older_with_call, text_of, to_i};
use crate::builtins::older::flattened;
use crate::{Builtin, Flow, Invocation, Overload, optional, overload, repeated, required};

pub(super) static FUNCTIONS: &[Builtin] =
    &[older_with_call!("shuffle", shuffle, "A list, or the letters of a text, in an order by chance.")];

pub(super) static OLD: &[Builtin] = &[
    older_with_call!("fqdn_rand_string", fqdn_rand_string, FQDN_STRING),
    older_with_call!("fqdn_rotate", fqdn_rotate, FQDN_ROTATE),
    older_with_call!("seeded_rand", seeded_rand_of_8, SEEDED),
    Builtin::typed("seeded_rand_string", STRING, STRING_DOC),
];

pub(super) static NEW: &[Builtin] = &[
    Builtin::typed(
        "stdlib::fqdn_rand_string",
        &[overload(
            &[required("Integer[1]", "length"), optional("Optional[String]", "charset"), repeated("Any", "seed")],
            None,
            fqdn_rand_string_of_9,
        )],
        FQDN_STRING,
    ),
    Builtin::typed(
        "stdlib::fqdn_rotate",
        &[
            overload(
                &[required("String", "input"), repeated("Variant[Integer,String]", "seeds")],
                None,
                rotate_by_fact,
            ),
            overload(&[required("Array", "input"), repeated("Variant[Integer,String]", "seeds")], None, rotate_by_fact),
        ],
        FQDN_ROTATE,
    ),
    Builtin::typed(
        "stdlib::seeded_rand",
        &[overload(&[required("Integer[1]", "max"), required("String", "seed")], None, |call| {
            let (max, seed) = (call.take(0), call.take(1));
            Ok(Value::Integer(below(to_i(&max)?, seed.as_str().unwrap_or_default())))
        })],
        SEEDED,
    ),
    Builtin::typed("stdlib::seeded_rand_string", STRING, STRING_DOC),
];

const FQDN_STRING: &str = "Letters by chance, for a node the same every time.";
const FQDN_ROTATE: &str = "A list, or a text, begun at another place, for a node the same every time.";
const SEEDED: &str = "A number below a limit, the same for a seed every time.";
const STRING_DOC: &str = "Letters by chance, the same for a seed every time.";
const STRING: &[Overload] = &[overload(
    &[required("Integer[1]", "length"), required("String", "seed"), optional("String[2]", "charset")],
    None,
    seeded_rand_string,
)];

/// Returns a number below the limit, by the checksum of a seed.
fn below(limit: i64, seed: &str) -> i64 {
    let mut generator = MersenneTwister::from_bytes(&Md5::digest(seed.as_bytes()));
    generator.below(limit.unsigned_abs()).unwrap_or_default() as i64
}

fn seeded_rand_of_8(_: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    check_arity("seeded_rand", &args, 2)?;
    let max = positive("seeded_rand", &args[0])?;
    let Value::String(seed) = &args[1] else {
        return Ok(fail("seeded_rand(): second argument must be a string")?);
    };
    Ok(Value::Integer(below(max, seed)))
}

fn positive(name: &str, value: &Value) -> Result<i64> {
    if is_whole(value)? {
        let number = to_i(value)?;
        if number > 0 {
            return Ok(number);
        }
    }
    fail(format!("{name}(): first argument must be a positive integer"))
}

fn seeded_rand_string(call: &mut Invocation<'_, '_>) -> Flow {
    let (length, seed, charset) = (to_i(call.arg(0))?, call.take(1), call.take(2));
    let charset = charset.as_str().unwrap_or("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    let letters: Vec<char> = charset.chars().collect();
    let seed = seed.as_str().unwrap_or_default();
    let mut generator = MersenneTwister::from_bytes(&Sha256::digest(seed.as_bytes()));
    call.check_text(usize::try_from(length).unwrap_or(usize::MAX))?;
    let letter = |_| letters[generator.below(letters.len() as u64).unwrap_or_default() as usize];
    Ok((0..length).map(letter).collect::<Str>().into())
}

// ---- by the node's name ----

const LETTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn letters_for_node(call: &mut Invocation<'_, '_>, length: i64, charset: &str, seeds: &[Value]) -> Flow {
    let letters: Vec<char> = if charset.is_empty() { LETTERS } else { charset }.chars().collect();
    call.check_text(usize::try_from(length).unwrap_or(usize::MAX))?;
    let mut text = Str::new();
    for place in 1..=length {
        let mut seed: Vec<String> = flattened(seeds).iter().map(|seed| text_of(seed).to_string()).collect();
        seed.push(place.to_string());
        let args = [Value::Integer(letters.len() as i64), seed.join(":").into()];
        let index = call.call_without_block("fqdn_rand", args.into_iter().collect())?;
        text.extend(letters.get(to_i(&index)? as usize).copied());
    }
    Ok(text.into())
}

fn fqdn_rand_string(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    check_arity("fqdn_rand_string", &args, -2)?;
    let length = positive("fqdn_rand_string", &args[0])?;
    let charset = match args.get(1) {
        None | Some(Value::Undef) => Str::default(),
        Some(Value::String(charset)) => charset.clone(),
        Some(_) => return Ok(fail("fqdn_rand_string(): second argument must be undef or a string")?),
    };
    letters_for_node(call, length, &charset, args.get(2..).unwrap_or_default())
}

fn fqdn_rand_string_of_9(call: &mut Invocation<'_, '_>) -> Flow {
    let (length, charset) = (to_i(call.arg(0))?, call.take(1));
    let seeds = call.args().get(2..).unwrap_or_default().to_vec();
    letters_for_node(call, length, charset.as_str().unwrap_or_default(), &seeds)
}

fn fqdn_rotate(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let Some((value, seeds)) = args.split_first() else {
        return Ok(fail("fqdn_rotate(): Wrong number of arguments given (0 for 1)")?);
    };
    let length = match value {
        Value::Array(items) => items.len(),
        Value::String(text) => text.chars().count(),
        _ => return Ok(fail("fqdn_rotate(): Requires either array or string to work with")?),
    };
    if length <= 1 {
        return Ok(value.clone());
    }
    let name = call.required_variable("::fqdn")?;
    Ok(rotated(value, length, &name, seeds))
}

fn rotate_by_fact(call: &mut Invocation<'_, '_>) -> Flow {
    let value = call.take(0);
    let length = match &value {
        Value::Array(items) => items.len(),
        other => other.as_str().unwrap_or_default().chars().count(),
    };
    if length <= 1 {
        return Ok(value);
    }
    let path: Arc<[Value]> = ["networking".into(), "fqdn".into()].into();
    let name = match call.ask(&Question::Part { variable: "facts".into(), path }) {
        Answer::Value(name) => name,
        Answer::Fault(fault) => return Err(fault.into()),
        _ => {
            let networking = Question::Part { variable: "facts".into(), path: ["networking".into()].into() };
            if matches!(call.ask(&networking), Answer::Absent) {
                return Ok(fail("undefined method `[]' for nil:NilClass")?);
            }
            Value::Undef
        }
    };
    let seeds = call.args().get(1..).unwrap_or_default().to_vec();
    // Those of a text come as a list, which is put together with the name alike.
    Ok(rotated(&value, length, &name, &seeds))
}

fn rotated(value: &Value, length: usize, name: &Value, seeds: &[Value]) -> Value {
    // No seed is an empty list, which leaves the colon before it.
    let mut parts = vec![text_of(name).to_string()];
    let seeds = flattened(seeds);
    match seeds.is_empty() {
        true => parts.push(String::new()),
        false => parts.extend(seeds.iter().map(|seed| text_of(seed).to_string())),
    }
    let offset = below(length as i64, &parts.join(":")) as usize;
    match value {
        Value::Array(items) => Value::array(items[offset..].iter().chain(&items[..offset]).cloned()),
        other => {
            let letters: Vec<char> = other.as_str().unwrap_or_default().chars().collect();
            letters[offset..].iter().chain(&letters[..offset]).collect::<String>().into()
        }
    }
}

// ---- by chance ----

fn shuffle(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    match args.first() {
        None => Ok(fail("shuffle(): Wrong number of arguments given (0 for 1)")?),
        Some(Value::Array(items)) => {
            let mut items = items.to_vec();
            mix(call, &mut items)?;
            Ok(Value::array(items))
        }
        Some(Value::String(text)) => {
            let mut letters: Vec<char> = text.chars().collect();
            mix(call, &mut letters)?;
            Ok(letters.into_iter().collect::<Str>().into())
        }
        Some(_) => Ok(fail("shuffle(): Requires either array or string to work with")?),
    }
}

fn mix<T>(call: &mut Invocation<'_, '_>, items: &mut [T]) -> Flow<()> {
    // What cannot be mixed needs no chance.
    if items.len() > 1 {
        let mut generator = MersenneTwister::from_integer(call.chance()? as u64);
        for place in 0..items.len() {
            let other = place + generator.below((items.len() - place) as u64).unwrap_or_default() as usize;
            items.swap(place, other);
        }
    }
    Ok(())
}
