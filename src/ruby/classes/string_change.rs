//! Strings that are changed in place.

use super::string::{capitalized, chomped, chopped, strip, swapped};
use super::successor::successor;
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{ANY, NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::text::Text;
use crate::ruby::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::String, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("<<", 1, 1, push),
    method("concat", 0, ANY, push),
    method("replace", 1, 1, |interp, given| {
        own(interp, given)?;
        let text = interp.text_arg(given.arg(0))?;
        changed(interp, given, text)?;
        Ok(given.receiver.clone())
    }),
    method("clear", 0, 0, |interp, given| {
        changed(interp, given, String::new())?;
        Ok(given.receiver.clone())
    }),
    method("prepend", 0, ANY, |interp, given| {
        own(interp, given)?;
        let mut text = String::new();
        for piece in given.args {
            text.push_str(&interp.text_arg(piece)?);
        }
        text.push_str(&interp.own_text(given)?);
        changed(interp, given, text)?;
        Ok(given.receiver.clone())
    }),
    method("insert", 2, 2, insert),
    method("upcase!", 0, 1, |interp, given| mapped(interp, given, |text| text.to_uppercase())),
    method("downcase!", 0, 1, |interp, given| mapped(interp, given, |text| text.to_lowercase())),
    method("capitalize!", 0, 1, |interp, given| mapped(interp, given, |text| capitalized(&text))),
    method("swapcase!", 0, 1, |interp, given| mapped(interp, given, |text| swapped(&text))),
    method("strip!", 0, 0, |interp, given| mapped(interp, given, |text| strip(&text, true, true).to_owned())),
    method("lstrip!", 0, 0, |interp, given| mapped(interp, given, |text| strip(&text, true, false).to_owned())),
    method("rstrip!", 0, 0, |interp, given| mapped(interp, given, |text| strip(&text, false, true).to_owned())),
    method("chop!", 0, 0, |interp, given| mapped(interp, given, |text| chopped(&text).to_owned())),
    method("reverse!", 0, 0, |interp, given| mapped(interp, given, |text| text.chars().rev().collect())),
    method("succ!", 0, 0, |interp, given| mapped(interp, given, |text| successor(&text))),
    method("next!", 0, 0, |interp, given| mapped(interp, given, |text| successor(&text))),
    method("chomp!", 0, 1, |interp, given| {
        let text = interp.own_text(given)?;
        let new = chomped(interp, &text, given)?;
        or_nil(interp, given, new)
    }),
    method("squeeze!", 0, ANY, |interp, given| by_name(interp, given, "squeeze")),
    method("delete!", 1, ANY, |interp, given| by_name(interp, given, "delete")),
    method("tr!", 2, 2, |interp, given| by_name(interp, given, "tr")),
    method("sub!", 1, 2, |interp, given| by_name(interp, given, "sub")),
    method("gsub!", 1, 2, |interp, given| by_name(interp, given, "gsub")),
    method("delete_prefix!", 1, 1, |interp, given| by_name(interp, given, "delete_prefix")),
    method("delete_suffix!", 1, 1, |interp, given| by_name(interp, given, "delete_suffix")),
    method("slice!", 1, 2, slice),
    method("[]=", 2, 3, set_part),
];

pub(super) fn own<'a>(interp: &mut Interp<'_>, given: &'a Given<'_>) -> Flow<&'a Text> {
    match given.receiver {
        Value::String(text) if text.frozen.get() => interp.frozen(given.receiver),
        Value::String(text) => {
            interp.touched |= text.lent.get();
            Ok(text)
        }
        _ => interp.raise(Core::TypeError, "this is no text"),
    }
}

fn changed(interp: &mut Interp<'_>, given: &Given<'_>, new: String) -> Flow<()> {
    interp.check_bytes(new.len())?;
    own(interp, given)?.set(new);
    Ok(())
}

fn push(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    // Of `<<`, what is no text is told before that this one may not change.
    for piece in if given.name == "<<" { given.args } else { &[] } {
        if !matches!(piece, Value::Int(_)) {
            interp.text_like(piece)?;
        }
    }
    let text = own(interp, given)?;
    for piece in given.args {
        match piece {
            Value::String(piece) => super::encode::join(interp, text, piece)?,
            Value::Int(code) => match u32::try_from(*code).ok().and_then(char::from_u32) {
                Some(letter) => super::encode::join(interp, text, &Text::new(letter.to_string()))?,
                None => return interp.raise(Core::RangeError, format!("{code} out of char range")),
            },
            other => {
                let piece = interp.text_arg(other)?;
                super::encode::join(interp, text, &Text::new(piece))?;
            }
        }
    }
    let size = text.bytes().len();
    interp.check_bytes(size)?;
    Ok(given.receiver.clone())
}

/// The receiver, or nil where nothing has changed.
fn or_nil(interp: &mut Interp<'_>, given: &Given<'_>, new: String) -> Flow {
    let old = interp.own_text(given)?;
    own(interp, given)?;
    if old == new {
        return Ok(Value::Nil);
    }
    changed(interp, given, new)?;
    Ok(given.receiver.clone())
}

fn mapped(interp: &mut Interp<'_>, given: &Given<'_>, map: fn(String) -> String) -> Flow {
    let new = map(interp.own_text(given)?);
    or_nil(interp, given, new)
}

fn by_name(interp: &mut Interp<'_>, given: &Given<'_>, name: &str) -> Flow {
    let new = interp.call_named(given, name)?;
    let new = interp.text_arg(&new)?;
    or_nil(interp, given, new)
}

fn insert(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let text = interp.own_text(given)?;
    let (at, piece) = (interp.int_arg(given.arg(0))?, interp.text_arg(given.arg(1))?);
    let count = text.chars().count() as i64;
    let place = if at < 0 { count + at + 1 } else { at };
    if place < 0 || place > count {
        return interp.raise(Core::IndexError, format!("index {at} out of string"));
    }
    let byte = text.char_indices().nth(place as usize).map_or(text.len(), |(byte, _)| byte);
    changed(interp, given, format!("{}{piece}{}", &text[..byte], &text[byte..]))?;
    Ok(given.receiver.clone())
}

fn slice(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let text = interp.own_text(given)?;
    let Some((from, to)) = super::string_parts::part(interp, &text, given)? else { return Ok(Value::Nil) };
    changed(interp, given, format!("{}{}", &text[..from], &text[to..]))?;
    Ok(Value::text(&text[from..to]))
}

fn set_part(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let text = interp.own_text(given)?;
    let (value, key) = given.args.split_last().unwrap_or((&Value::Nil, &[]));
    let new = interp.text_arg(value)?;
    let keyed = Given { args: key, ..*given };
    match super::string_parts::part(interp, &text, &keyed)? {
        Some((from, to)) => {
            changed(interp, given, format!("{}{new}{}", &text[..from], &text[to..]))?;
            Ok(value.clone())
        }
        None => interp.raise(Core::IndexError, "string not matched"),
    }
}
