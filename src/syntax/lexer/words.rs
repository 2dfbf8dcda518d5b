//! Names, type names, variables and numbers.

use super::{LexResult, Lexed, Lexer};
use crate::ast::Text;
use crate::issue::Issue;
use crate::token::{TokenKind, keyword};

impl Lexer<'_> {
    /// Returns a keyword, a name, or a bare word such as `a-b` or `_x`, which is a string.
    pub(super) fn word(&mut self) -> LexResult<Lexed> {
        let start = self.pos;
        let (end, is_name) = bare_word(self.text.as_bytes(), start);
        self.scanned(end);
        let kind = match is_name {
            true => keyword(&self.text[start..end], self.tasks).unwrap_or(TokenKind::Name),
            false => TokenKind::Word,
        };
        Ok(Lexed::Token(self.word_token(kind, start, end, start)))
    }

    /// What begins with `::`.
    pub(super) fn qualified(&mut self) -> LexResult<Lexed> {
        let start = self.pos;
        match self.byte(2) {
            b'A'..=b'Z' => self.type_name(start),
            b'a'..=b'z' | b'_' => {
                let (end, is_name) = bare_word(self.text.as_bytes(), start);
                self.scanned(end);
                let kind = if is_name { TokenKind::Name } else { TokenKind::Word };
                Ok(Lexed::Token(self.word_token(kind, start, end, start)))
            }
            _ => Err(self.error(Issue::IllegalFullyQualifiedName, start + 2)),
        }
    }

    /// `Foo::Bar`, at `start`, perhaps with `::` before it.
    pub(super) fn type_name(&mut self, start: usize) -> LexResult<Lexed> {
        let bytes = self.text.as_bytes();
        let rooted = bytes[start] == b':';
        let mut end = start + if rooted { 2 } else { 0 };
        loop {
            end = word_end(bytes, end);
            let more = bytes[end..].starts_with(b"::") && bytes.get(end + 2).is_some_and(u8::is_ascii_uppercase);
            if !more {
                break;
            }
            end += 2;
        }
        if bytes[end..].starts_with(b"::") {
            // The real lexer reports a position counted from the end of what it could read.
            return Err(match rooted {
                true => self.error(Issue::IllegalFullyQualifiedClassReference, (end + 3).min(self.text.len())),
                false => self.error(Issue::IllegalClassReference, end + 1),
            });
        }
        self.scanned(end);
        Ok(Lexed::Token(self.word_token(TokenKind::TypeName, start, end, start)))
    }

    /// `$name`; a lone `$` is a variable without a name, which validation refuses.
    pub(super) fn variable(&mut self) -> LexResult<Lexed> {
        let start = self.pos;
        match variable_end(self.text.as_bytes(), start + 1) {
            Some(end) => {
                self.scanned(end);
                Ok(Lexed::Token(self.word_token(TokenKind::Variable, start, end, start + 1)))
            }
            None => {
                self.matched = None;
                self.pos = start + 1;
                Ok(Lexed::Token(self.token(TokenKind::Variable, start, start + 1, Text::default())))
            }
        }
    }

    pub(super) fn number(&mut self) -> LexResult<Lexed> {
        let start = self.pos;
        match number_end(self.text, start) {
            Some(end) => {
                let value = &self.text[start..end];
                if let Some(issue) = malformed(value) {
                    // The scanner stands behind the number here, but the message names its start.
                    return Err(self.error(issue, start));
                }
                self.scanned(end);
                Ok(Lexed::Token(self.word_token(TokenKind::Number, start, end, start)))
            }
            None => Err(self.bad_number(start)),
        }
    }

    /// Names the malformed number at `start`, and the digits before its point if it has one.
    fn bad_number(&self, start: usize) -> Box<pantin_base::Diagnostic> {
        let bytes = self.text.as_bytes();
        let end = word_end(bytes, start);
        let mut begin = start;
        if start > 1 && bytes[start - 1] == b'.' {
            let mut at = start - 2;
            while bytes[at].is_ascii_digit() {
                begin = at;
                if at == 0 {
                    break;
                }
                at -= 1;
            }
        }
        let value = &self.text[begin..end];
        match malformed(value) {
            Some(issue) => self.error(issue, begin),
            None => self.error(Issue::IllegalNumber { value: value.to_owned() }, begin + 1),
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the end of the letters, digits and underscores from `at`.
fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_word_byte) {
        at += 1;
    }
    at
}

/// The end of the word at `start`, and whether it is a name: segments that start with a
/// lower-case letter and hold no hyphen.
fn bare_word(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut at = start;
    let mut is_name = true;
    if bytes[at] == b':' {
        at += 2;
    }
    loop {
        is_name &= bytes[at].is_ascii_lowercase();
        let mut end = word_end(bytes, at);
        // Hyphens belong to the word while a word character follows somewhere behind them.
        while bytes.get(end) == Some(&b'-') {
            let mut behind = end;
            while bytes.get(behind) == Some(&b'-') {
                behind += 1;
            }
            if !bytes.get(behind).copied().is_some_and(is_word_byte) {
                break;
            }
            is_name = false;
            end = word_end(bytes, behind);
        }
        at = end;
        let more = bytes[at..].starts_with(b"::")
            && bytes.get(at + 2).is_some_and(|&byte| byte.is_ascii_lowercase() || byte == b'_');
        if !more {
            return (at, is_name);
        }
        at += 2;
    }
}

/// Returns the end of the variable's name at `start`, behind the `$`.
pub(super) fn variable_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    if bytes[at..].starts_with(b"::") {
        at += 2;
    }
    let mut end = word_end(bytes, at);
    if end == at {
        return None;
    }
    while bytes[end..].starts_with(b"::") {
        let next = word_end(bytes, end + 2);
        if next == end + 2 {
            break;
        }
        end = next;
    }
    Some(end)
}

/// Returns the end of the well-delimited number at `start`: a hexadecimal one, or digits with perhaps a fraction and an
/// exponent. Whether its digits are right is for [`malformed`].
fn number_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let ends = |at: usize| !text[at..].chars().next().is_some_and(|next| next.is_alphanumeric() || next == '_');
    if bytes[start] == b'0' && matches!(bytes.get(start + 1), Some(b'x' | b'X')) {
        let mut end = start + 2;
        while bytes.get(end).is_some_and(u8::is_ascii_hexdigit) {
            end += 1;
        }
        if end > start + 2 && ends(end) {
            return Some(end);
        }
    }
    let whole = digits(start);
    let fraction = match bytes.get(whole) {
        Some(b'.') if digits(whole + 1) > whole + 1 => digits(whole + 1),
        _ => whole,
    };
    let exponent = |at: usize| {
        if !matches!(bytes.get(at), Some(b'e' | b'E')) {
            return None;
        }
        let from = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'-'));
        Some(digits(from)).filter(|&end| end > from)
    };
    // The longest reading that ends at a word's end; a fraction's digits may also be given back
    // one by one, but then the next digit follows and it is no end.
    [exponent(fraction), Some(fraction), exponent(whole), Some(whole)].into_iter().flatten().find(|&end| ends(end))
}

/// Returns what is wrong with a number as written.
fn malformed(value: &str) -> Option<Issue> {
    let bytes = value.as_bytes();
    let owned = || value.to_owned();
    if value.starts_with("0x") || value.starts_with("0X") {
        let right = bytes.len() > 2 && bytes[2..].iter().all(u8::is_ascii_hexdigit);
        return (!right).then(|| Issue::InvalidHexNumber { value: owned() });
    }
    if bytes.len() > 1 && bytes[0] == b'0' && bytes[1] != b'.' {
        let right = bytes[1..].iter().all(|byte| matches!(byte, b'0'..=b'7'));
        return (!right).then(|| Issue::InvalidOctalNumber { value: owned() });
    }
    let whole = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match bytes.get(whole) {
        None => None,
        Some(b'.' | b'e' | b'E') => {
            (number_end(value, 0) != Some(value.len())).then(|| Issue::InvalidDecimalNumber { value: owned() })
        }
        Some(_) => Some(Issue::IllegalNumber { value: owned() }),
    }
}
