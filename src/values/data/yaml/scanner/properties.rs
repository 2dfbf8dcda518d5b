//! Directives, anchors, aliases and tags.

use super::{Problem, Result, Scanner, Token, fail};
use crate::data::yaml::text::{Mark, Text};

const DIRECTIVE: &str = "while scanning a directive";
const VERSION: &str = "while scanning a %YAML directive";
const VERSION_DIGITS: usize = 9;

/// Whose address or handle is scanned: the words of an error tell.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Tag,
    Directive,
}

fn is_word(text: &Text<'_>) -> bool {
    text.peek(0).is_some_and(|ch| ch.is_ascii_alphanumeric() || ch == '_' || ch == '-')
}

impl Scanner<'_> {
    /// `%YAML 1.1` or `%TAG !x! prefix`.
    pub(super) fn scan_directive(&mut self) -> Result<Token> {
        let start = self.text.mark;
        self.text.next();
        let name = self.scan_word();
        if name.is_empty() {
            return fail(DIRECTIVE, start, "could not find expected directive name");
        }
        if !self.text.is_space(0) {
            return fail(DIRECTIVE, start, "found unexpected non-alphabetical character");
        }
        let token = match name.as_str() {
            "YAML" => self.scan_version(start)?,
            "TAG" => self.scan_tag_directive(start)?,
            _ => return fail(DIRECTIVE, start, "found unknown directive name"),
        };
        self.skip_blanks();
        if self.text.is_at('#') {
            self.text.skip_while(|text| !text.is_at_line_end());
        }
        if !self.text.is_at_line_end() {
            return fail(DIRECTIVE, start, "did not find expected comment or line break");
        }
        self.text.skip_break();
        Ok(token)
    }

    fn skip_blanks(&mut self) {
        self.text.skip_while(|text| text.is_at_blank());
    }

    fn scan_word(&mut self) -> String {
        let mut word = String::new();
        while is_word(&self.text) {
            self.text.read(&mut word);
        }
        word
    }

    fn scan_version(&mut self, start: Mark) -> Result<Token> {
        self.skip_blanks();
        let major = self.scan_version_number(start)?;
        if !self.text.is_at('.') {
            return fail(VERSION, start, "did not find expected digit or '.' character");
        }
        self.text.next();
        let minor = self.scan_version_number(start)?;
        Ok(Token::Version { major, minor })
    }

    fn scan_version_number(&mut self, start: Mark) -> Result<u32> {
        let (mut number, mut length) = (0, 0);
        while let Some(digit) = self.text.peek(0).and_then(|ch| ch.to_digit(10)) {
            length += 1;
            if length > VERSION_DIGITS {
                return fail(VERSION, start, "found extremely long version number");
            }
            number = number * 10 + digit;
            self.text.next();
        }
        if length == 0 {
            return fail(VERSION, start, "did not find expected version number");
        }
        Ok(number)
    }

    fn scan_tag_directive(&mut self, start: Mark) -> Result<Token> {
        const CONTEXT: &str = "while scanning a %TAG directive";
        self.skip_blanks();
        let handle = self.scan_tag_handle(Of::Directive, start)?;
        if !self.text.is_at_blank() {
            return fail(CONTEXT, start, "did not find expected whitespace");
        }
        self.skip_blanks();
        let prefix = self.scan_tag_uri("", true, Of::Directive, start)?;
        if !self.text.is_space(0) {
            return fail(CONTEXT, start, "did not find expected whitespace or line break");
        }
        Ok(Token::TagDirective { handle, prefix })
    }

    /// `&name` or `*name`.
    pub(super) fn scan_anchor(&mut self) -> Result<Token> {
        let start = self.text.mark;
        let is_alias = self.text.next() == Some('*');
        let name = self.scan_word();
        if name.is_empty() || !(self.text.is_space(0) || self.text.is_at_one_of("?:,]}%@`")) {
            let context = if is_alias { "while scanning an alias" } else { "while scanning an anchor" };
            return fail(context, start, "did not find expected alphabetic or numeric character");
        }
        Ok(if is_alias { Token::Alias(name) } else { Token::Anchor(name) })
    }

    /// `!suffix`, `!handle!suffix`, `!<address>`, or `!` alone.
    pub(super) fn scan_tag(&mut self) -> Result<Token> {
        const CONTEXT: &str = "while scanning a tag";
        let start = self.text.mark;
        let (handle, suffix) = if self.text.peek(1) == Some('<') {
            self.text.skip(2);
            let suffix = self.scan_tag_uri("", true, Of::Tag, start)?;
            if !self.text.is_at('>') {
                return fail(CONTEXT, start, "did not find the expected '>'");
            }
            self.text.next();
            (String::new(), suffix)
        } else {
            let handle = self.scan_tag_handle(Of::Tag, start)?;
            if handle.len() > 1 && handle.ends_with('!') {
                (handle, self.scan_tag_uri("", false, Of::Tag, start)?)
            } else {
                let suffix = self.scan_tag_uri(&handle, false, Of::Tag, start)?;
                // The tag `!` has no handle.
                if suffix.is_empty() { (String::new(), "!".to_owned()) } else { ("!".to_owned(), suffix) }
            }
        };
        if !(self.text.is_space(0) || self.in_flow() && self.text.is_at(',')) {
            return fail(CONTEXT, start, "did not find expected whitespace or line break");
        }
        Ok(Token::Tag { handle, suffix })
    }

    fn scan_tag_handle(&mut self, of: Of, start: Mark) -> Result<String> {
        const PROBLEM: &str = "did not find expected '!'";
        if !self.text.is_at('!') {
            let context = if of == Of::Directive { "while scanning a tag directive" } else { "while scanning a tag" };
            return fail(context, start, PROBLEM);
        }
        let mut handle = String::new();
        self.text.read(&mut handle);
        handle.push_str(&self.scan_word());
        if self.text.is_at('!') {
            self.text.read(&mut handle);
        } else if of == Of::Directive && handle != "!" {
            return fail("while parsing a tag directive", start, PROBLEM);
        }
        Ok(handle)
    }

    /// Returns what follows the handle; what was taken for a handle and is none comes first.
    fn scan_tag_uri(&mut self, head: &str, takes_brackets: bool, of: Of, start: Mark) -> Result<String> {
        const MARKS: &str = ";/?:@&=+$.%!~*'()";
        let mut bytes = head.as_bytes().get(1..).unwrap_or_default().to_vec();
        let mut is_empty = head.is_empty();
        while is_word(&self.text) || self.text.is_at_one_of(MARKS) || takes_brackets && self.text.is_at_one_of(",[]") {
            if self.text.is_at('%') {
                self.scan_uri_escape(&mut bytes).map_err(|text| Problem {
                    text,
                    context: Some(of.context()),
                    mark: start,
                })?;
            } else if let Some(ch) = self.text.next() {
                bytes.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
            }
            is_empty = false;
        }
        if is_empty {
            return fail(of.context(), start, "did not find expected tag URI");
        }
        // A C string ends at its first NUL.
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// One character, each of its bytes as `%` and two digits.
    fn scan_uri_escape(&mut self, bytes: &mut Vec<u8>) -> std::result::Result<(), &'static str> {
        let mut missing = None;
        while missing != Some(0) {
            let digit = |ahead| self.text.peek(ahead).and_then(|ch| ch.to_digit(16));
            let (true, Some(high), Some(low)) = (self.text.is_at('%'), digit(1), digit(2)) else {
                return Err("did not find URI escaped octet");
            };
            let byte = (high * 16 + low) as u8;
            missing = Some(match missing {
                None => match byte {
                    0..=0x7F => 0,
                    0xC0..=0xDF => 1,
                    0xE0..=0xEF => 2,
                    0xF0..=0xF7 => 3,
                    _ => return Err("found an incorrect leading UTF-8 octet"),
                },
                Some(_) if byte & 0xC0 != 0x80 => return Err("found an incorrect trailing UTF-8 octet"),
                Some(count) => count - 1,
            });
            bytes.push(byte);
            self.text.skip(3);
        }
        Ok(())
    }
}

impl Of {
    fn context(self) -> &'static str {
        match self {
            Of::Tag => "while parsing a tag",
            Of::Directive => "while parsing a %TAG directive",
        }
    }
}
