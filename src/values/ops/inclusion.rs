//! The operator `in`.

use memchr::memmem;

use super::equality::{equals, natively_equal};
use super::matching::{self, Match, MatchData};
use crate::{Binary, Fault, Regexp, Value, unencoded};

/// `item in container`.
pub fn includes(container: &Value, item: &Value) -> Result<Match, Fault> {
    match container {
        Value::String(text) | Value::Unencoded(text) => match item {
            Value::String(part) | Value::Unencoded(part) => Ok(contains_without_case(text, part).into()),
            Value::Regexp(regexp) => matching::apply(regexp, container),
            _ => Ok(false.into()),
        },
        Value::Array(items) => in_any(items.iter(), item),
        // A string among string keys is found at once; if it is not, its case may be another one.
        Value::Hash(entries) => match item {
            Value::String(_) | Value::Unencoded(_) if entries.contains_key(item) => Ok(true.into()),
            _ => in_any(entries.keys(), item),
        },
        Value::SemVerRange(range) => Ok(matching::range_matches(range, item).into()),
        Value::Binary(binary) => Ok(in_binary(binary, item)?.into()),
        _ => Ok(false.into()),
    }
}

fn in_any<'a>(mut items: impl Iterator<Item = &'a Value>, item: &Value) -> Result<Match, Fault> {
    match item {
        Value::Regexp(regexp) => in_texts(items, regexp),
        // Here the elements are patterns for what is looked for.
        Value::String(_) | Value::Unencoded(_) | Value::SemVer(_) => {
            let mut captured: Option<MatchData> = None;
            for element in items {
                if matching::matches(item, element, &mut captured)? {
                    return Ok(Match { matched: true, captured });
                }
            }
            Ok(Match { matched: false, captured })
        }
        Value::Type(of) => {
            for element in items {
                if of.accepts(element)? {
                    return Ok(true.into());
                }
            }
            Ok(false.into())
        }
        _ => Ok(items.any(|element| equals(element, item)).into()),
    }
}

fn in_texts<'a>(items: impl Iterator<Item = &'a Value>, regexp: &Regexp) -> Result<Match, Fault> {
    for element in items {
        let found = matching::apply(regexp, element)?;
        if found.matched {
            return Ok(found);
        }
    }
    Ok(false.into())
}

fn in_binary(binary: &Binary, item: &Value) -> Result<bool, Fault> {
    let bytes = binary.bytes();
    match item {
        Value::Binary(part) => Ok(memmem::find(bytes, part.bytes()).is_some()),
        Value::Unencoded(part) => Ok(memmem::find(bytes, &unencoded::bytes(part)).is_some()),
        Value::String(part) => {
            if !part.is_ascii() && !bytes.is_ascii() {
                return Err(Fault::new("incompatible character encodings: ASCII-8BIT and UTF-8"));
            }
            Ok(memmem::find(bytes, part.as_bytes()).is_some())
        }
        Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) => {
            Ok(bytes.iter().any(|&byte| natively_equal(&Value::Integer(byte.into()), item)))
        }
        _ => Ok(false),
    }
}

/// A part this short is looked for in place; a longer one in copies in lower case, in time that does not multiply.
const SHORT: usize = 32;

fn contains_without_case(text: &str, part: &str) -> bool {
    if part.is_empty() {
        return true;
    }
    if !text.is_ascii() || !part.is_ascii() {
        return lower(text).contains(&lower(part));
    }
    if part.len() <= SHORT {
        let part = part.as_bytes();
        return text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part));
    }
    text.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}

/// Letter by letter, as Ruby does it: a sigma at the end of a word is a sigma.
fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}
