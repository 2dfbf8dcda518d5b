//! Texts that are said to be UTF-8 and are not, gone through by their letters: to Ruby a byte that is of no letter is one by
//! itself. While a method goes through such a text, a letter that nobody uses stands in for each of these bytes.

use std::rc::Rc;

use super::encode::{Piece, is_broken, pieces};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::Run;
use crate::stop::{Flow, Stop};
use crate::text::{Content, Encoding, Text};
use crate::value::{Data, Value};

/// The first of the letters for the bytes of the text that a method is called on, and of those for its arguments: they are
/// others, for Ruby finds in no text what is broken.
const OWN: u32 = 0x10_FF00;
const OF_ARGUMENTS: u32 = 0x10_FE00;

pub(crate) fn is_among(given: &CallArguments<'_>) -> bool {
    is_broken_text(given.receiver) || given.args.iter().any(is_broken_text)
}

fn is_broken_text(value: &Value) -> bool {
    matches!(value, Value::String(text) if is_broken(text))
}

/// Runs a method with letters in the place of bytes, and puts the bytes back into what it has made and changed.
pub(crate) fn by_letters(run: Run, interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let is_own = is_broken_text(given.receiver);
    // No pattern is looked for in such a text: what says so is the error of the method itself.
    if is_own && given.args.iter().any(|arg| matches!(arg, Value::Regex(_))) {
        return run(interp, given);
    }
    let receiver = with_letters(interp, given.receiver, OWN)?;
    let mut args = Vec::with_capacity(given.args.len());
    for arg in given.args {
        args.push(with_letters(interp, arg, OF_ARGUMENTS)?);
    }
    let result = run(interp, &CallArguments { receiver: &receiver, args: &args, ..*given });
    if let (Value::String(text), Value::String(changed)) = (given.receiver, &receiver) {
        let content = whole(changed.content());
        if content != text.content() {
            text.set_content(content);
        }
    }
    let value = match result {
        // It shows the text.
        Err(stop) if is_own && is_of_frozen(&stop) => return interp.frozen(given.receiver),
        other => other?,
    };
    if is_enumerator(&value) {
        return interp.enumerator(given);
    }
    let before = std::iter::once(given.receiver).chain(given.args);
    let copies = std::iter::once(&receiver).chain(&args);
    match copies.zip(before).find(|(copy, _)| is_same_text(copy, &value)) {
        Some((_, original)) => Ok(original.clone()),
        None => Ok(with_bytes(value)),
    }
}

pub(super) fn is_enumerator(value: &Value) -> bool {
    matches!(value, Value::Object(made) if matches!(&*made.data.borrow(), Data::Enumerator { .. }))
}

fn is_same_text(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::String(a), Value::String(b)) if Rc::ptr_eq(a, b))
}

pub(super) fn is_of_frozen(stop: &Stop) -> bool {
    matches!(stop, Stop::Raise(Value::Object(raised)) if raised.class == Core::FrozenError.class())
}

/// A text with such letters, where it needs some.
fn with_letters(interp: &mut Interp<'_>, value: &Value, first: u32) -> Flow {
    let Value::String(text) = value else { return Ok(value.clone()) };
    if text.as_str().is_some_and(|text| has_any(&text)) {
        return interp.unsupported("a letter beyond those that Unicode will ever have, beside a text that is no UTF-8");
    }
    if !is_broken(text) {
        return Ok(value.clone());
    }
    interp.check_lent_value(value)?;
    let copy = Text::new(letters(text, first));
    copy.frozen.set(text.frozen.get());
    copy.lent.set(text.lent.get());
    Ok(Value::String(Rc::new(copy)))
}

fn letters(text: &Text, first: u32) -> String {
    let mut letters = String::new();
    for piece in pieces(Encoding::Utf8, &text.bytes()) {
        match piece {
            Piece::Letter(letter) => letters.push(letter),
            Piece::Wrong { bytes, .. } => {
                letters.extend(bytes.iter().filter_map(|byte| char::from_u32(first + u32::from(*byte))));
            }
        }
    }
    letters
}

/// Returns true if it is the letter of a byte.
pub(super) fn stands_in(letter: char) -> bool {
    matches!(u32::from(letter) & 0x1F_FF80, 0x10_FE80 | 0x10_FF80)
}

/// All of them begin with the same byte, which hardly any text has.
fn has_any(text: &str) -> bool {
    text.as_bytes().contains(&0xF4) && text.chars().any(stands_in)
}

fn byte_of(letter: char) -> Option<u8> {
    stands_in(letter).then(|| u32::from(letter) as u8)
}

/// With the bytes again.
fn whole(content: Content) -> Content {
    match content {
        Content::Utf8(text) if has_any(&text) => {
            let mut bytes = Vec::with_capacity(text.len());
            for letter in text.chars() {
                match byte_of(letter) {
                    Some(byte) => bytes.push(byte),
                    None => bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes()),
                }
            }
            Content::from_bytes(Encoding::Utf8, bytes)
        }
        other => other,
    }
}

/// What a method has made: texts, and arrays of them.
fn with_bytes(value: Value) -> Value {
    match &value {
        Value::String(text) => text.set_content(whole(text.content())),
        Value::Array(list) => list.items.borrow_mut().iter_mut().for_each(|item| *item = with_bytes(item.clone())),
        _ => {}
    }
    value
}

/// A text that has come of letters, some of which may stand for bytes.
pub(crate) fn text(letters: &str) -> Value {
    with_bytes(Value::text(letters))
}

/// The same, of something that is put into a text where letters stand for bytes.
pub(super) fn push_to_s(interp: &mut Interp<'_>, out: &mut String, value: &Value) -> Flow<()> {
    match value {
        Value::String(text) if is_broken(text) => {
            out.push_str(&letters(text, OF_ARGUMENTS));
            Ok(())
        }
        other => interp.push_to_s(out, other),
    }
}

/// What is broken is no pattern; the error shows its bytes.
pub(super) fn check_pattern(interp: &mut Interp<'_>, source: &Text) -> Flow<()> {
    let source = match source.as_str() {
        Some(text) if has_any(&text) => text.to_owned(),
        None if is_broken(source) => letters(source, OWN),
        _ => return Ok(()),
    };
    let mut shown = String::new();
    for letter in source.chars() {
        match (byte_of(letter), letter) {
            (Some(byte), _) => shown.push_str(&format!("\\x{byte:02X}")),
            (_, '/') => shown.push_str("\\/"),
            (_, '\u{80}'..='\u{ffff}') => shown.push_str(&format!("\\u{:04X}", u32::from(letter))),
            (_, '\u{10000}'..) => shown.push_str(&format!("\\u{{{:X}}}", u32::from(letter))),
            _ => shown.push(letter),
        }
    }
    interp.raise(Core::RegexpError, format!("invalid multibyte character: /{shown}/"))
}
