//! What comes of going through a value from its start to its end.

use pantin_base::limits;

use crate::types::Type;
use crate::{Array, Fault, Str, Value};

/// Returns all the elements: characters of a string, pairs of a hash, numbers below an integer or of a range, values of
/// an `Enum`. `None`: nothing to go through.
pub fn elements(value: &Value, most: u64) -> Result<Option<Array>, Fault> {
    Ok(Some(match value {
        Value::Array(items) => items.clone(),
        Value::Hash(entries) => entries.iter().map(|(key, item)| Value::array([key.clone(), item.clone()])).collect(),
        Value::String(text) => {
            let mut bytes = [0; 4];
            text.chars().map(|ch| Value::string(&*ch.encode_utf8(&mut bytes))).collect()
        }
        Value::Unencoded(letters) => letters.chars().map(|letter| Value::Unencoded(Str::from_iter([letter]))).collect(),
        Value::Integer(count) if *count >= 0 => numbers(0, count - 1, most)?,
        Value::Iterator(sequence) => {
            check_count(sequence.len(), most)?;
            sequence.iter().collect()
        }
        Value::Type(kind) => return of_type(kind, most),
        _ => return Ok(None),
    }))
}

fn of_type(kind: &Type, most: u64) -> Result<Option<Array>, Fault> {
    match kind {
        Type::Integer(range) if range.from != i64::MIN && range.to != i64::MAX => {
            numbers(range.from, range.to, most).map(Some)
        }
        Type::Enum(of) => Ok(Some(of.values.iter().cloned().map(Value::String).collect())),
        Type::Alias(alias) => alias.resolved().map_or(Ok(None), |of| of_type(of, most)),
        _ => Ok(None),
    }
}

fn numbers(from: i64, to: i64, most: u64) -> Result<Array, Fault> {
    if to >= from {
        check_count(to.abs_diff(from).saturating_add(1), most)?;
    }
    Ok((from..=to).map(Value::Integer).collect())
}

/// A number that is quickly written may stand for more elements than fit anywhere.
pub fn check_count(count: u64, most: u64) -> Result<(), Fault> {
    if count > most {
        let message = format_args!("{count} elements are more than the {most} that one array may have");
        return Err(Fault::beyond(message, limits::MAX_ELEMENTS));
    }
    Ok(())
}
