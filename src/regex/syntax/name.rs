//! The names and numbers of groups, as definitions, references and calls spell them.
//!
//! Knows nothing of which groups there are.

use super::Fault;
use super::reader::Reader;

/// A name as it is spelled, and the number it is if it is one. Negative numbers count back.
pub(super) struct Name<'a> {
    pub(super) text: &'a [char],
    pub(super) number: Option<i32>,
    /// How many calls deep, of a reference that says so.
    pub(super) level: Option<i32>,
}

/// How far a name is believed to be a number.
#[derive(Clone, Copy, PartialEq)]
enum Digits {
    No,
    Yes,
    /// A sign was read, and no digit yet.
    Wanted,
}

impl Digits {
    /// Returns what a first character makes a name where numbers are allowed.
    fn new(first: char) -> Digits {
        match first {
            '-' => Digits::Wanted,
            first if first.is_ascii_digit() => Digits::Yes,
            _ => Digits::No,
        }
    }
}

/// The character that ends a name, for the one it starts behind.
fn closing(opening: char) -> char {
    match opening {
        '<' => '>',
        '(' => ')',
        _ => opening,
    }
}

impl<'a> Reader<'a> {
    /// Returns the name of a group behind `opening`, with its closing character. Only a `reference` may be a number.
    pub(super) fn name(&mut self, opening: char, reference: bool) -> Result<Name<'a>, Fault> {
        let (start, end) = (self.pos, closing(opening));
        let Some(first) = self.next().filter(|first| *first != end) else { return empty(start) };
        let mut digits = Digits::new(first);
        if digits != Digits::No && !reference {
            return self.misspelt(start, end, INVALID_NAME);
        }
        let mut last = first;
        let mut name_end = self.text.len();
        while let Some(character) = self.peek() {
            (last, name_end) = (character, self.pos);
            self.pos += 1;
            if character == end || character == ')' {
                if digits == Digits::Wanted {
                    return self.misspelt(start, end, INVALID_NAME);
                }
                break;
            }
            if digits != Digits::No {
                if !character.is_ascii_digit() {
                    let word = character.is_alphanumeric() || character == '_';
                    return self.misspelt(start, end, if word { INVALID_NAME } else { INVALID_CHARACTER });
                }
                digits = Digits::Yes;
            }
        }
        if last != end {
            return self.invalid(start, self.text.len(), INVALID_NAME);
        }
        let text = &self.text[start..name_end];
        if digits == Digits::No {
            return Ok(Name { text, number: None, level: None });
        }
        match number_of(text) {
            None => Fault::at(start, "too big number"),
            Some(0) => self.invalid(start, name_end, INVALID_NAME),
            number => Ok(Name { text, number, level: None }),
        }
    }

    /// As `name`, for a reference that may have a level: `<name+1>`.
    pub(super) fn name_with_level(&mut self, opening: char) -> Result<Name<'a>, Fault> {
        let (start, end, whole) = (self.pos, closing(opening), self.text.len());
        let Some(first) = self.next().filter(|first| *first != end) else { return empty(start) };
        let mut digits = Digits::new(first);
        let (mut last, mut name_end, mut valid) = (first, whole, true);
        while let Some(character) = self.peek() {
            (last, name_end) = (character, self.pos);
            self.pos += 1;
            if character == end || matches!(character, ')' | '+' | '-') {
                valid &= digits != Digits::Wanted;
                break;
            }
            if digits != Digits::No {
                let digit = character.is_ascii_digit();
                valid &= digit;
                digits = if digit { Digits::Yes } else { Digits::No };
            }
        }
        if !valid {
            return self.invalid(start, name_end, INVALID_NAME);
        }
        let mut level = None;
        if last != end {
            match last {
                '+' | '-' if self.is_done() => return self.invalid(start, name_end, INVALID_CHARACTER),
                '+' | '-' if self.peek().is_some_and(|next| next.is_ascii_digit()) => {
                    let Some(number) = self.number() else { return Fault::at(start, "too big number") };
                    level = Some(if last == '-' { -(number as i32) } else { number as i32 });
                    if !self.skip(end) {
                        return self.invalid(start, whole, INVALID_NAME);
                    }
                }
                _ => return self.invalid(start, whole, INVALID_NAME),
            }
        }
        let text = &self.text[start..name_end];
        if digits == Digits::No {
            return Ok(Name { text, number: None, level });
        }
        match number_of(text) {
            None => Fault::at(start, "too big number"),
            Some(0) => self.invalid(start, whole, INVALID_NAME),
            number => Ok(Name { text, number, level }),
        }
    }

    /// Gives up a name that is wrong before its end, which the message looks for.
    fn misspelt<T>(&mut self, start: usize, end: char, words: Words) -> Result<T, Fault> {
        let mut name_end = self.text.len();
        while let Some(character) = self.peek() {
            name_end = self.pos;
            self.pos += 1;
            if character == end || character == ')' {
                break;
            }
        }
        if self.is_done() {
            name_end = self.text.len();
        }
        self.invalid(start, name_end, words)
    }

    fn invalid<T>(&self, start: usize, end: usize, words: Words) -> Result<T, Fault> {
        quoting(start, words, &self.text[start..end])
    }
}

/// Returns a number with its sign, or nothing where it is too big.
fn number_of(text: &[char]) -> Option<i32> {
    let mut reader = Reader { text, pos: 0 };
    let negative = reader.skip('-');
    let number = i32::try_from(reader.number()?).ok()?;
    Some(if negative { -number } else { number })
}

/// What a message says before and behind the name it quotes.
pub(super) type Words = (&'static str, &'static str);

const INVALID_NAME: Words = ("invalid group name <", ">");
const INVALID_CHARACTER: Words = ("invalid char in group name <", ">");
pub(super) const UNDEFINED_NAME: Words = ("undefined name <", "> reference");

fn empty<T>(at: usize) -> Result<T, Fault> {
    Fault::at(at, "group name is empty")
}

/// Returns a fault whose message quotes a name.
pub(super) fn quoting<T>(at: usize, words: Words, name: &[char]) -> Result<T, Fault> {
    let (before, behind) = words;
    Fault::at(at, format!("{before}{}{behind}", quoted(name)))
}

/// The bytes of a name that a message has room for.
const ROOM: usize = 47;

/// Returns a name as a message quotes it. Ruby counts bytes, and may cut within a character.
fn quoted(name: &[char]) -> String {
    // More characters than there is room for bytes never show.
    let text: String = name.iter().take(ROOM + 1).collect();
    if text.len() <= ROOM {
        return text;
    }
    format!("{}...", String::from_utf8_lossy(&text.as_bytes()[..ROOM]))
}
