//! The characters of a YAML text, one after another, with where they stand.
//!
//! Reads as libyaml does: in pieces of 16 KiB, each checked as a whole, so that a byte that is not allowed
//! is told of when the piece it stands in is reached, and not before. Knows nothing of YAML but its line breaks.

use std::cell::Cell;

/// How many bytes libyaml checks at a time.
const PIECE: usize = 16 * 1024;

/// A place, counted from zero.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Mark {
    /// In characters.
    pub(super) index: usize,
    pub(super) line: u32,
    pub(super) column: u32,
}

pub(super) struct Text<'a> {
    rest: &'a str,
    pub(super) mark: Mark,
    /// What is wrong with the bytes behind `rest`.
    damage: Option<&'static str>,
    /// Whether somebody has looked at them.
    reached: Cell<bool>,
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Text<'a> {
        let (rest, damage) = sound_part(bytes);
        Text { rest, mark: Mark::default(), damage, reached: Cell::new(false) }
    }

    /// Returns what is wrong with the bytes, once they are reached.
    pub(super) fn damage(&self) -> Option<&'static str> {
        self.damage.filter(|_| self.reached.get())
    }

    /// Returns the character that many behind the present one.
    pub(super) fn peek(&self, ahead: usize) -> Option<char> {
        let found = match self.rest.as_bytes().get(..=ahead) {
            Some(bytes) if bytes.is_ascii() => Some(char::from(bytes[ahead])),
            _ => self.rest.chars().nth(ahead),
        };
        if found.is_none() {
            self.reached.set(true);
        }
        found
    }

    pub(super) fn is_at(&self, ch: char) -> bool {
        self.peek(0) == Some(ch)
    }

    pub(super) fn is_at_one_of(&self, set: &str) -> bool {
        self.peek(0).is_some_and(|ch| set.contains(ch))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.peek(0).is_none()
    }

    pub(super) fn is_at_break(&self) -> bool {
        is_break(self.peek(0))
    }

    pub(super) fn is_at_blank(&self) -> bool {
        is_blank(self.peek(0))
    }

    /// At a break or the end.
    pub(super) fn is_at_line_end(&self) -> bool {
        self.peek(0).is_none_or(|ch| is_break(Some(ch)))
    }

    /// At a blank, a break or the end: after that many characters.
    pub(super) fn is_space(&self, ahead: usize) -> bool {
        self.peek(ahead).is_none_or(|ch| is_blank(Some(ch)) || is_break(Some(ch)))
    }

    /// `---` or `...` at the start of a line, alone as a word.
    pub(super) fn is_at_document_mark(&self, ch: char) -> bool {
        self.mark.column == 0 && (0..3).all(|ahead| self.peek(ahead) == Some(ch)) && self.is_space(3)
    }

    /// Passes one character, and gives it.
    pub(super) fn next(&mut self) -> Option<char> {
        let ch = self.peek(0)?;
        self.rest = &self.rest[ch.len_utf8()..];
        self.mark.index += 1;
        self.mark.column += 1;
        Some(ch)
    }

    pub(super) fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.next();
        }
    }

    pub(super) fn skip_while(&mut self, holds: impl Fn(&Text<'a>) -> bool) {
        while !self.is_at_end() && holds(self) {
            self.next();
        }
    }

    pub(super) fn read(&mut self, into: &mut String) {
        into.extend(self.next());
    }

    /// Passes a break, if there is one here; all but the two of Unicode become a line feed.
    pub(super) fn read_break(&mut self, into: &mut String) {
        let Some(first) = self.peek(0).filter(|&ch| is_break(Some(ch))) else { return };
        if first == '\r' && self.peek(1) == Some('\n') {
            self.next();
        }
        self.next();
        into.push(if matches!(first, '\u{2028}' | '\u{2029}') { first } else { '\n' });
        self.mark.column = 0;
        self.mark.line += 1;
    }

    pub(super) fn skip_break(&mut self) {
        self.read_break(&mut String::new());
    }

    /// The end counts as the start of a line.
    pub(super) fn end_line(&mut self) {
        if self.mark.column != 0 {
            self.mark.column = 0;
            self.mark.line += 1;
        }
    }
}

fn is_break(ch: Option<char>) -> bool {
    matches!(ch, Some('\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}'))
}

fn is_blank(ch: Option<char>) -> bool {
    matches!(ch, Some(' ' | '\t'))
}

/// Returns the text up to the piece with the first damage, and what that is.
fn sound_part(bytes: &[u8]) -> (&str, Option<&'static str>) {
    let mut start = 0;
    while start < bytes.len() {
        let piece = &bytes[start..bytes.len().min(start + PIECE)];
        let is_last = start + piece.len() == bytes.len();
        match check(piece, is_last) {
            Ok(len) => start += len,
            Err(problem) => return (std::str::from_utf8(&bytes[..start]).unwrap_or_default(), Some(problem)),
        }
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(_) => ("", Some("invalid Unicode character")),
    }
}

/// Returns how much of the piece is whole characters, all of them allowed.
fn check(piece: &[u8], is_last: bool) -> Result<usize, &'static str> {
    let (text, broken) = match std::str::from_utf8(piece) {
        Ok(text) => (text, None),
        Err(error) => {
            let (sound, broken) = piece.split_at(error.valid_up_to());
            (std::str::from_utf8(sound).unwrap_or_default(), Some(broken))
        }
    };
    if !text.chars().all(is_allowed) {
        return Err("control characters are not allowed");
    }
    let Some(broken) = broken else { return Ok(text.len()) };
    let width = match broken[0] {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return Err("invalid leading UTF-8 octet"),
    };
    let trailing = broken[1..].iter().take(width - 1).take_while(|&&byte| byte & 0xC0 == 0x80).count();
    if broken.len() < width {
        // A piece may end within a character. The whole may not, but that shows when all before it is read.
        return if is_last && text.is_empty() { Err("incomplete UTF-8 octet sequence") } else { Ok(text.len()) };
    }
    if trailing < width - 1 {
        return Err("invalid trailing UTF-8 octet");
    }
    let first = u32::from(broken[0]) & (0x7F >> width);
    let value = broken[1..width].iter().fold(first, |value, &byte| value << 6 | u32::from(byte & 0x3F));
    let shortest = [0x80, 0x800, 0x1_0000][width - 2];
    Err(if value < shortest { "invalid length of a UTF-8 sequence" } else { "invalid Unicode character" })
}

fn is_allowed(ch: char) -> bool {
    matches!(ch, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}
