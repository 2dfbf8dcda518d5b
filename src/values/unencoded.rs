//! Texts in no encoding: what Ruby makes of bytes (`base64('decode', …)`, `pw_hash`). To the language they are texts, to a
//! catalog bytes.
//!
//! A byte of ASCII is its letter. Of any other byte the letter is one that nobody uses: so it is like no letter of another
//! text and of no class of letters, a regular expression goes past it, and the letters of a text are as many as its bytes, all
//! as in Ruby.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use pantin_base::stack;

use super::{Fault, Hash, Str, Value};

/// The letter of the byte 0.
const FIRST: u32 = 0x10_FD00;

/// Whether there is any in this process: most never have one, and nobody has to look for it.
static ANY: AtomicBool = AtomicBool::new(false);

pub fn are_any() -> bool {
    ANY.load(Ordering::Relaxed)
}

impl Value {
    /// Returns the text of bytes in no encoding.
    pub fn unencoded(bytes: &[u8]) -> Value {
        from_letters(bytes.iter().map(|&byte| letter(byte)).collect())
    }

    pub fn is_unencoded(&self) -> bool {
        matches!(self, Value::Unencoded(_))
    }

    /// The same with every text in it, at any depth, in UTF-8. `None`: one has bytes that are no letters of that.
    pub fn in_utf8(&self) -> Option<Cow<'_, Value>> {
        self.mapped(&|letters| in_utf8(letters).map(|text| Value::String(text.into())))
    }

    /// The same with the letters of every text in it in the place of the text.
    pub fn in_letters(&self) -> Cow<'_, Value> {
        self.mapped(&|letters| Some(Value::String(letters.clone()))).unwrap_or(Cow::Borrowed(self))
    }

    /// The same with something else in the place of every such text.
    fn mapped(&self, map: &dyn Fn(&Str) -> Option<Value>) -> Option<Cow<'_, Value>> {
        if !are_any() || !self.holds_unencoded() {
            return Some(Cow::Borrowed(self));
        }
        let inner = |value: &Value| stack::with_room(|| value.mapped(map).map(Cow::into_owned));
        Some(Cow::Owned(match self {
            Value::Unencoded(letters) => map(letters)?,
            Value::Array(items) => Value::Array(items.iter().map(inner).collect::<Option<Vec<_>>>()?.into()),
            Value::Hash(entries) => {
                let entry = |(key, value): (&Value, &Value)| Some((inner(key)?, inner(value)?));
                Value::Hash(entries.iter().map(entry).collect::<Option<Hash>>()?)
            }
            Value::Sensitive(secret) => Value::sensitive(inner(secret)?),
            other => other.clone(),
        }))
    }

    /// Returns true if it is one, or something in its arrays, hashes and secrets is.
    pub fn holds_unencoded(&self) -> bool {
        match self {
            Value::Unencoded(_) => true,
            Value::Array(items) => items.iter().any(Value::holds_unencoded),
            Value::Hash(entries) => entries.iter().any(|(key, value)| key.holds_unencoded() || value.holds_unencoded()),
            Value::Sensitive(secret) => secret.holds_unencoded(),
            _ => false,
        }
    }
}

/// The text of these letters.
pub fn from_letters(letters: Str) -> Value {
    ANY.store(true, Ordering::Relaxed);
    Value::Unencoded(letters)
}

fn letter(byte: u8) -> char {
    match byte {
        0..0x80 => char::from(byte),
        // It is a character: far below the last one.
        _ => char::from_u32(FIRST + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// Returns the byte beyond ASCII that a letter stands for.
fn byte(letter: char) -> Option<u8> {
    u32::from(letter).checked_sub(FIRST).and_then(|byte| u8::try_from(byte).ok()).filter(|byte| *byte >= 0x80)
}

pub fn bytes_to_letters(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| letter(byte)).collect()
}

/// The same as [`bytes`], where it has no other letters beyond ASCII.
pub fn bytes_alone(letters: &str) -> Option<Cow<'_, [u8]>> {
    letters.chars().all(|letter| letter.is_ascii() || byte(letter).is_some()).then(|| bytes(letters))
}

pub fn has_bytes(letters: &str) -> bool {
    letters.chars().any(|letter| byte(letter).is_some())
}

/// Returns the bytes of a text by its letters.
pub fn bytes(letters: &str) -> Cow<'_, [u8]> {
    if letters.is_ascii() {
        return Cow::Borrowed(letters.as_bytes());
    }
    let mut bytes = Vec::with_capacity(letters.len());
    for letter in letters.chars() {
        match byte(letter) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(bytes)
}

impl Value {
    /// Returns the bytes of a text, in whatever encoding.
    pub fn text_bytes(&self) -> Option<Cow<'_, [u8]>> {
        match self {
            Value::String(text) => Some(Cow::Borrowed(text.as_bytes())),
            Value::Unencoded(letters) => Some(bytes(letters)),
            _ => None,
        }
    }
}

/// Returns what the bytes say as UTF-8.
pub fn in_utf8(letters: &str) -> Option<Cow<'_, str>> {
    match bytes(letters) {
        Cow::Borrowed(_) => Some(Cow::Borrowed(letters)),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// Values with every text in them in UTF-8, for somebody who works with letters.
pub fn all_in_utf8(values: &[Value], who: impl Fn() -> String) -> Result<Vec<Value>, Fault> {
    let in_utf8 = |value: &Value| value.in_utf8().map(Cow::into_owned).ok_or_else(|| no_letters(&who()));
    values.iter().map(in_utf8).collect()
}

/// Returns what is said where bytes would have to be letters.
pub fn no_letters(who: &str) -> Fault {
    Fault::limit(format!("{who} is given bytes that are no text in UTF-8, which Pantin does not support here"))
}

/// For somebody who reads: what the bytes say as UTF-8, as far as they do.
pub fn display_text(letters: &str) -> Cow<'_, str> {
    match bytes(letters) {
        Cow::Borrowed(_) => Cow::Borrowed(letters),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Returns what is put together out of texts, by its letters: in no encoding where it has bytes, or where nothing but
/// ASCII is in it and the first of its parts was in none. The error is Ruby's.
pub fn join_letters(letters: Str, is_first: bool) -> Result<Value, Fault> {
    if letters.is_ascii() {
        return Ok(if is_first { from_letters(letters) } else { Value::String(letters) });
    }
    let mut beyond = letters.chars().filter(|letter| !letter.is_ascii()).map(|letter| byte(letter).is_some());
    let has_bytes = beyond.next() == Some(true);
    if beyond.any(|is_byte| is_byte != has_bytes) {
        let (one, other) = if has_bytes { ("ASCII-8BIT", "UTF-8") } else { ("UTF-8", "ASCII-8BIT") };
        return Err(Fault::new(format!("incompatible character encodings: {one} and {other}")));
    }
    Ok(if has_bytes { from_letters(letters) } else { Value::String(letters) })
}

/// The same of every text in a value that was made of such texts by their letters; keys of hashes are plain texts.
pub fn join_all_letters(value: Value) -> Result<Value, Fault> {
    stack::with_room(|| {
        Ok(match value {
            Value::String(letters) => join_letters(letters, true)?,
            Value::Array(items) => {
                Value::Array(items.iter().cloned().map(join_all_letters).collect::<Result<Vec<_>, _>>()?.into())
            }
            Value::Hash(entries) => {
                let entry = |(key, value): (&Value, &Value)| Ok((key.clone(), join_all_letters(value.clone())?));
                Value::Hash(entries.iter().map(entry).collect::<Result<Hash, Fault>>()?)
            }
            other => other,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_letters_and_bytes_again() {
        let all: Vec<u8> = (0..=255).collect();
        let Value::Unencoded(letters) = Value::unencoded(&all) else { panic!("it is a text in no encoding") };
        assert_eq!(letters.chars().count(), 256);
        assert_eq!(*bytes(&letters), *all);
        assert_eq!(in_utf8(&letters), None);
        assert_eq!(Value::unencoded("é".as_bytes()).in_utf8().map(Cow::into_owned), Some("é".into()));
    }

    #[test]
    fn what_is_beyond_ascii_decides_what_two_texts_are_together() {
        let together = |one: &Value, other: &str| {
            let letters = format!("{}{other}", one.as_str().unwrap());
            join_letters(letters.into(), one.is_unencoded()).map_err(|fault| fault.message.into_owned())
        };
        assert_eq!(together(&Value::unencoded(b"a"), "b").map(|value| value.is_unencoded()), Ok(true));
        assert_eq!(together(&"a".into(), "b").map(|value| value.is_unencoded()), Ok(false));
        assert_eq!(together(&Value::unencoded(b"a"), "é").map(|value| value.is_unencoded()), Ok(false));
        let said = "incompatible character encodings: ASCII-8BIT and UTF-8";
        assert_eq!(together(&Value::unencoded(b"\xff"), "é").err().as_deref(), Some(said));
    }
}
