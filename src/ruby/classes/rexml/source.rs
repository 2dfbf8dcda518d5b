//! The text of a document as the parser reads it: piece by piece, each up to the next `>`.
//!
//! What an error shows of the text, and which texts are checked, depends on how far has been read.

use crate::text::Text;

pub(super) struct Source {
    text: String,
    /// What has been read and not been used: from here to there.
    start: usize,
    end: usize,
    /// How far the text has been taken from where it comes from.
    taken: usize,
    is_over: bool,
}

/// So many bytes are read first, to see what the encoding is.
const FIRST: usize = 3;

impl Source {
    pub(super) fn new(text: String) -> Source {
        let start = if text.starts_with('\u{feff}') { FIRST } else { 0 };
        let taken = FIRST.min(text.len());
        Source { text, start, end: start, taken, is_over: false }
    }

    pub(super) fn buffer(&self) -> &str {
        &self.text[self.start..self.end]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end && (self.is_over || self.taken >= self.text.len())
    }

    /// Reads one more piece; whether there was one.
    pub(super) fn read(&mut self) -> bool {
        if self.is_over || self.taken >= self.text.len() {
            self.is_over = true;
            return false;
        }
        let rest = &self.text.as_bytes()[self.taken..];
        self.taken += memchr::memchr(b'>', rest).map_or(rest.len(), |at| at + 1);
        self.end = self.taken;
        true
    }

    /// Returns what a pattern finds in what has been read; more is read as long as it finds nothing.
    pub(super) fn find<T>(&mut self, pattern: impl Fn(&str) -> Option<T>) -> Option<T> {
        loop {
            if let Some(found) = pattern(self.buffer()) {
                return Some(found);
            }
            if !self.read() {
                return None;
            }
        }
    }

    /// The same for a pattern that says how many bytes are used then.
    pub(super) fn take<T>(&mut self, pattern: impl Fn(&str) -> Option<(T, usize)>) -> Option<T> {
        let (found, used) = self.find(pattern)?;
        self.start += used;
        Some(found)
    }

    /// What has been read is looked at anew with the next piece: the encoding was named.
    pub(super) fn begin_again(&mut self) {
        self.end = self.start;
    }

    /// Returns the end of an error's message: where it is, and what follows.
    pub(super) fn place(&self) -> String {
        let mut line = 0;
        let mut at = 0;
        while at < self.taken {
            let rest = &self.text.as_bytes()[at..];
            at += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            line += 1;
        }
        let rest: String =
            self.buffer().chars().take(81).map(|letter| if letter == '\n' { ' ' } else { letter }).collect();
        format!("\nLine: {line}\nPosition: {}\nLast 80 unconsumed characters:\n{rest}", self.taken)
    }
}

/// Returns true if bytes begin as a text in UTF-16 does.
pub(super) fn is_utf16(text: &Text) -> bool {
    text.bytes().starts_with(b"\xfe\xff") || text.bytes().starts_with(b"\xff\xfe")
}

/// Returns how many bytes of white space a text begins with.
pub(super) fn white_space(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_space).len()
}

pub(super) fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}
