//! Strings that are changed in place.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, by_letters, method};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::String, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("<<", 1, 1, push),
    method("concat", 0, ANY, push),
    by_letters("replace", 1, 1, |interp, given| {
        own(interp, given)?;
        let text = interp.text_arg(given.arg(0))?;
        changed(interp, given, text)?;
        Ok(given.receiver.clone())
    }),
    method("clear", 0, 0, |interp, given| {
        changed(interp, given, String::new())?;
        Ok(given.receiver.clone())
    }),
    by_letters("prepend", 0, ANY, |interp, given| {
        own(interp, given)?;
        let mut text = String::new();
        for piece in given.args {
            text.push_str(&interp.text_arg(piece)?);
        }
        text.push_str(&interp.own_text(given)?);
        changed(interp, given, text)?;
        Ok(given.receiver.clone())
    }),
    by_letters("insert", 2, 2, insert),
    method("upcase!", 0, 1, |interp, given| by_name(interp, given, "upcase")),
    method("downcase!", 0, 1, |interp, given| by_name(interp, given, "downcase")),
    method("capitalize!", 0, 1, |interp, given| by_name(interp, given, "capitalize")),
    method("swapcase!", 0, 1, |interp, given| by_name(interp, given, "swapcase")),
    method("strip!", 0, 0, |interp, given| by_name(interp, given, "strip")),
    method("lstrip!", 0, 0, |interp, given| by_name(interp, given, "lstrip")),
    method("rstrip!", 0, 0, |interp, given| by_name(interp, given, "rstrip")),
    method("chop!", 0, 0, |interp, given| by_name(interp, given, "chop")),
    method("chomp!", 0, 1, |interp, given| by_name(interp, given, "chomp")),
    method("reverse!", 0, 0, |interp, given| always(interp, given, "reverse")),
    method("succ!", 0, 0, |interp, given| always(interp, given, "succ")),
    method("next!", 0, 0, |interp, given| always(interp, given, "succ")),
    method("squeeze!", 0, ANY, |interp, given| by_name(interp, given, "squeeze")),
    method("delete!", 1, ANY, |interp, given| by_name(interp, given, "delete")),
    method("tr!", 2, 2, |interp, given| by_name(interp, given, "tr")),
    method("sub!", 1, 2, |interp, given| by_name(interp, given, "sub")),
    method("gsub!", 1, 2, |interp, given| by_name(interp, given, "gsub")),
    method("delete_prefix!", 1, 1, |interp, given| by_name(interp, given, "delete_prefix")),
    method("delete_suffix!", 1, 1, |interp, given| by_name(interp, given, "delete_suffix")),
    by_letters("slice!", 1, 2, slice),
    by_letters("[]=", 2, 3, set_part),
];

pub(super) fn own<'a>(interp: &mut Interp<'_>, given: &'a CallArguments<'_>) -> Flow<&'a Text> {
    interp.check_lent_value(given.receiver)?;
    match given.receiver {
        Value::String(text) if text.frozen.get() => interp.frozen(given.receiver),
        Value::String(text) => {
            interp.touched |= text.lent.get();
            Ok(text)
        }
        _ => interp.raise(Core::TypeError, "this is no text"),
    }
}

fn changed(interp: &mut Interp<'_>, given: &CallArguments<'_>, new: String) -> Flow<()> {
    interp.check_bytes(new.len())?;
    own(interp, given)?.set(new);
    Ok(())
}

fn push(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    // Of `<<`, what is no text is told before that this one may not change.
    for piece in if given.name == "<<" { given.args } else { &[] } {
        match piece {
            Value::Int(_) => {}
            Value::Big(_) => return interp.raise(Core::RangeError, "bignum out of char range"),
            other => interp.text_like(other)?,
        }
    }
    let text = own(interp, given)?;
    for piece in given.args {
        match piece {
            Value::String(piece) => super::encode::join(interp, text, piece)?,
            Value::Int(code) => {
                let letter = super::encode::letter_of(interp, text.encoding(), *code)?;
                super::encode::join(interp, text, &letter)?;
            }
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

/// The text that the method of another name makes of this one in its place; nil where it is the same.
fn by_name(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow {
    let text = own(interp, given)?;
    let Value::String(new) = interp.call_named(given, name)? else { return Ok(Value::Nil) };
    if *new.bytes() == *text.bytes() {
        return Ok(Value::Nil);
    }
    text.set_content(new.content());
    Ok(given.receiver.clone())
}

/// The same, and never nil.
fn always(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow {
    by_name(interp, given, name)?;
    Ok(given.receiver.clone())
}

fn insert(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
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

fn slice(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    own(interp, given)?;
    let text = interp.own_text(given)?;
    let Some((from, to)) = super::string_parts::part(interp, &text, given)? else { return Ok(Value::Nil) };
    changed(interp, given, format!("{}{}", &text[..from], &text[to..]))?;
    Ok(Value::text(&text[from..to]))
}

fn set_part(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.own_text(given)?;
    let (value, key) = given.args.split_last().unwrap_or((&Value::Nil, &[]));
    let new = interp.text_arg(value)?;
    let keyed = CallArguments { args: key, ..*given };
    let found = match (keyed.arg(0), key.len()) {
        // Behind the last letter there is a place too.
        (Value::Int(at), 1) if usize::try_from(*at).is_ok_and(|at| at == text.chars().count()) => {
            Some((text.len(), text.len()))
        }
        _ => super::string_parts::part(interp, &text, &keyed)?,
    };
    match found {
        Some((from, to)) => {
            changed(interp, given, format!("{}{new}{}", &text[..from], &text[to..]))?;
            Ok(value.clone())
        }
        None => no_part(interp, &keyed),
    }
}

/// What is said of a place that a text has not.
fn no_part(interp: &mut Interp<'_>, key: &CallArguments<'_>) -> Flow {
    let (class, message) = match (key.arg(0), key.args.get(1)) {
        (Value::Regex(regex), Some(Value::Int(group))) => {
            let groups = regex.regex().map_or(0, |regex| regex.group_count()) as i64;
            match if *group < 0 { group + groups + 1 } else { *group } {
                number @ 0.. if number <= groups => (Core::IndexError, format!("regexp group {number} not matched")),
                _ => (Core::IndexError, format!("index {group} out of regexp")),
            }
        }
        (Value::Regex(_), _) => (Core::IndexError, "regexp not matched".to_owned()),
        (Value::String(_), _) => (Core::IndexError, "string not matched".to_owned()),
        (range @ Value::Range(_), _) => (Core::RangeError, format!("{} out of range", interp.inspect(range)?)),
        (at, length) => {
            let at = interp.int_arg(at)?;
            match length {
                Some(Value::Int(length)) if *length < 0 => (Core::IndexError, format!("negative length {length}")),
                _ => (Core::IndexError, format!("index {at} out of string")),
            }
        }
    };
    interp.raise(class, message)
}
