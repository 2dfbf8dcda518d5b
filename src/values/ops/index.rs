//! The operator `[]` on everything that is no type.

use std::ops::Range;

use pantin_base::stack::with_room;
use pantin_syntax::{Settings, article};

use super::number::{Operand, coerce};
use super::{Blame, Coercion, Number, OperandFault, parse_number};
use crate::label::{a_an, a_an_uc, key_type};
use crate::{Array, Binary, Fault, Hash, Str, Value, unencoded};

/// `target[keys]`. A type as the target is for [`crate::types`].
pub fn index(
    target: &Value,
    keys: &[Value],
    settings: &Settings,
    coerced: &mut Vec<Coercion>,
) -> Result<Value, OperandFault> {
    match target {
        Value::Hash(hash) => in_hash(hash, keys),
        Value::Array(array) => with_flat(keys, |keys| in_array(array, keys, settings, coerced)),
        Value::String(text) => with_flat(keys, |keys| in_string(text, keys)),
        Value::Unencoded(text) => Ok(unencoded::join_all_letters(with_flat(keys, |keys| in_string(text, keys))?)?),
        Value::Binary(binary) => with_flat(keys, |keys| in_binary(binary, keys)),
        _ => {
            let message = format!("Operator '[]' is not applicable to {}.", a_an(target));
            Err(OperandFault::issue(Blame::Left, "OPERATOR_NOT_APPLICABLE", message))
        }
    }
}

/// Arrays among the keys stand for what is in them.
fn with_flat<R>(keys: &[Value], then: impl FnOnce(&[Value]) -> R) -> R {
    if !keys.iter().any(|key| matches!(key, Value::Array(_))) {
        return then(keys);
    }
    let mut flat = Vec::new();
    flatten(keys, &mut flat);
    then(&flat)
}

fn flatten(keys: &[Value], flat: &mut Vec<Value>) {
    for key in keys {
        match key {
            Value::Array(keys) => with_room(|| flatten(keys, flat)),
            _ => flat.push(key.clone()),
        }
    }
}

fn in_hash(hash: &Hash, keys: &[Value]) -> Result<Value, OperandFault> {
    match keys {
        [key] => Ok(hash.get(key).cloned().unwrap_or_default()),
        [] => Err(arity("BAD_HASH_SLICE_ARITY", "Hash supports [] with one or more arguments.", 0)),
        _ => Ok(Value::array(keys.iter().filter_map(|key| hash.get(key)).filter(|value| !value.is_undef()).cloned())),
    }
}

fn in_array(
    array: &Array,
    keys: &[Value],
    settings: &Settings,
    coerced: &mut Vec<Coercion>,
) -> Result<Value, OperandFault> {
    let mut number = |at: usize, key: &Value| coerce(key, Blame::Key(at), settings, coerced);
    match keys {
        [Value::Integer(at)] => Ok(element(array, (*at).into())),
        [key] => {
            let at = array_key(0, key, &number(0, key)?)?;
            long(at)?;
            Ok(element(array, at))
        }
        [from, count] => {
            let (first, second) = (number(0, from)?, number(1, count)?);
            let (from, count) = (array_key(0, from, &first)?, array_key(1, count, &second)?);
            let range = slice(array.len(), from, count)?;
            Ok(Value::array(range.into_iter().flat_map(|range| array[range].iter().cloned())))
        }
        _ => Err(arity("BAD_ARRAY_SLICE_ARITY", "Array supports [] with one or two arguments.", keys.len())),
    }
}

fn element(array: &[Value], at: i128) -> Value {
    let at = if at < 0 { at + array.len() as i128 } else { at };
    usize::try_from(at).ok().and_then(|at| array.get(at)).cloned().unwrap_or_default()
}

fn array_key(at: usize, key: &Value, number: &Operand) -> Result<i128, OperandFault> {
    let name = match number {
        Operand::Integer(value) => return Ok(*value),
        // Also what a string was taken for.
        Operand::Float(_) => "Float".to_owned(),
        _ => key_type(key),
    };
    let array = a_an_uc(&Value::Array(Array::default()));
    let message = format!("{array}[] cannot use {name} where Integer is expected");
    Err(OperandFault::issue(Blame::Key(at), "BAD_SLICE_KEY_TYPE", message))
}

fn in_string(text: &Str, keys: &[Value]) -> Result<Value, OperandFault> {
    if let [key] = keys
        && let Some(at) = small(key)
    {
        return Ok(text.chars().nth(at).map_or_else(|| Value::String(Str::new()), one_character));
    }
    let length = if text.is_ascii() { text.len() } else { text.chars().count() };
    let Some(range) = substring(length, keys)? else {
        return Ok(Value::String(Str::new()));
    };
    let bytes = if length == text.len() {
        range
    } else {
        let at = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
        at(range.start)..at(range.end)
    };
    Ok(Value::String(text.get(bytes).unwrap_or_default().into()))
}

/// Returns a place that is not counted from the end.
fn small(key: &Value) -> Option<usize> {
    match key {
        Value::Integer(at) => usize::try_from(*at).ok(),
        _ => None,
    }
}

fn one_character(character: char) -> Value {
    Value::String(Str::from(character.encode_utf8(&mut [0; 4]) as &str))
}

fn in_binary(binary: &Binary, keys: &[Value]) -> Result<Value, OperandFault> {
    let bytes = binary.bytes();
    let part = substring(bytes.len(), keys)?.and_then(|range| bytes.get(range)).unwrap_or_default();
    Ok(Value::Binary(Binary::new(part.to_vec())))
}

/// Returns what the keys cut out of a string of this length.
fn substring(length: usize, keys: &[Value]) -> Result<Option<Range<usize>>, OperandFault> {
    match keys {
        [key] => {
            let at = string_key(0, key)?;
            let at = if at < 0 { at + length as i128 } else { at };
            if at < 0 { Ok(None) } else { slice(length, at, 1) }
        }
        [from, count] => slice(length, string_key(0, from)?, string_key(1, count)?),
        _ => Err(arity("BAD_STRING_SLICE_ARITY", "String supports [] with one or two arguments.", keys.len())),
    }
}

/// A string that says a number will do here, and nobody is warned.
fn string_key(at: usize, key: &Value) -> Result<i128, OperandFault> {
    let name = match (key, key.as_str().and_then(parse_number)) {
        (Value::Integer(value), _) => return Ok(i128::from(*value)),
        (_, Some(Number::Integer(value))) => return Ok(value),
        (_, Some(Number::Beyond)) => return Err(too_big()),
        (_, Some(Number::Float(_))) => "Float".to_owned(),
        _ => key_type(key),
    };
    let article = article(&name);
    let message =
        format!("A substring operation does not accept {article} {name} as a character index. Expected an Integer");
    Err(OperandFault::issue(Blame::Key(at), "BAD_STRING_SLICE_KEY_TYPE", message))
}

/// Returns what `from` and `count` cut out of so many: a negative start counts from the end, and a negative count is
/// the place of the last one, counted from the end. `None` where the start is beyond the end.
fn slice(length: usize, from: i128, count: i128) -> Result<Option<Range<usize>>, OperandFault> {
    let length = length as i128;
    let mut start = if from < 0 { length.saturating_add(from) } else { from };
    let mut count = if count < 0 { length.saturating_sub(start).saturating_add(count + 1) } else { count };
    if start < 0 {
        count = count.saturating_add(start);
        start = 0;
    }
    long(start)?;
    long(count)?;
    if count < 0 || start > length {
        return Ok(None);
    }
    let end = start.saturating_add(count).min(length);
    Ok(Some(start as usize..end as usize))
}

/// Ruby counts places in 64 bits.
fn long(value: i128) -> Result<(), OperandFault> {
    if i64::try_from(value).is_ok() { Ok(()) } else { Err(too_big()) }
}

fn too_big() -> OperandFault {
    Fault::new("bignum too big to convert into `long'").into()
}

fn arity(code: &'static str, rule: &str, actual: usize) -> OperandFault {
    OperandFault::issue(Blame::Left, code, format!("{rule} Got {actual}"))
}
