//! Quoted strings: where they end, what their escapes mean, what they interpolate.

use std::borrow::Cow;

use pantin_base::{Diagnostic, Place, Related, limits, stack};

use super::words::variable_end;
use super::{LexResult, Lexed, Lexer};
use crate::ast::{AstBuilder, Text};
use crate::issue::Issue;
use crate::token::TokenKind;

/// Which characters mean something behind a backslash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Escapes(u16);

impl Escapes {
    pub(super) const NONE: Escapes = Escapes(0);
    pub(super) const BACKSLASH: Escapes = Escapes(1);
    pub(super) const DOLLAR: Escapes = Escapes(1 << 1);
    pub(super) const QUOTES: Escapes = Escapes(1 << 2);
    pub(super) const RETURN: Escapes = Escapes(1 << 3);
    pub(super) const NEWLINE: Escapes = Escapes(1 << 4);
    pub(super) const TAB: Escapes = Escapes(1 << 5);
    pub(super) const SPACE: Escapes = Escapes(1 << 6);
    pub(super) const UNICODE: Escapes = Escapes(1 << 7);
    /// A line's end behind a backslash joins the lines.
    pub(super) const JOIN: Escapes = Escapes(1 << 8);
    const ALL: Escapes = Escapes((1 << 9) - 1);

    pub(super) fn with(self, other: Escapes) -> Escapes {
        Escapes(self.0 | other.0)
    }

    pub(super) fn has(self, other: Escapes) -> bool {
        self.0 & other.0 != 0
    }
}

/// How the text of a heredoc is read.
#[derive(Clone, Copy)]
pub(super) struct HeredocStyle {
    pub(super) escapes: Escapes,
    pub(super) interpolates: bool,
}

/// What a stretch of an interpolated text ended with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The closing quote, or a heredoc's end.
    Closed,
    /// `${`
    Brace,
    /// `$`, which may or may not start a variable.
    Dollar,
}

/// Where an interpolated text ends: at a quote, or with its heredoc.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Quoted,
    Heredoc,
}

/// What came after a stretch of text.
enum Continuation {
    Closed,
    Brace,
    /// Behind a `$`, which stands just before `name_start`.
    Variable {
        name_start: usize,
        name_end: usize,
    },
}

impl Lexer<'_> {
    pub(super) fn single_quoted(&mut self, ast: &mut AstBuilder) -> LexResult<Lexed> {
        let start = self.pos;
        self.pos += 1;
        let Some((end, _)) = self.quoted_end(b'\'') else {
            let issue = Issue::UnclosedQuote { after: "\"'\"".to_owned(), followed_by: self.followed_by() };
            return Err(self.with_opening(self.error(issue, self.pos), start));
        };
        let raw = &self.text[start + 1..end - 1];
        let text = match memchr::memchr(b'\\', raw.as_bytes()) {
            None => self.text_between(ast, start + 1, end - 1),
            Some(_) => ast.push_text(&unescape_single(raw)),
        };
        self.matched = Some((self.match_start(start + 1, end - 1), end));
        self.pos = end;
        Ok(Lexed::Token(self.token(TokenKind::String, start, end, text)))
    }

    pub(super) fn double_quoted(&mut self, ast: &mut AstBuilder) -> LexResult<Lexed> {
        let start = self.pos;
        self.scanned(start + 1);
        self.interpolated(ast, start, Style::Quoted)
    }

    /// Lexes the text of a heredoc, all of it, into the queue.
    pub(super) fn heredoc_text(&mut self, ast: &mut AstBuilder) -> LexResult<()> {
        if let Lexed::Token(token) = self.interpolated(ast, 0, Style::Heredoc)? {
            self.queue.push_back(token);
        }
        Ok(())
    }

    /// Returns a text from `start`, of which the opening quote has been read: one string token, or its pieces in the
    /// queue.
    fn interpolated(&mut self, ast: &mut AstBuilder, start: usize, style: Style) -> LexResult<Lexed> {
        let mut piece_start = start;
        let mut kind = TokenKind::DoubleStart;
        loop {
            let (text, continuation) = self.stretch(ast, style).map_err(|error| self.with_opening(error, start))?;
            match continuation {
                Continuation::Closed if kind == TokenKind::DoubleStart => {
                    return Ok(Lexed::Token(self.token(TokenKind::String, start, self.pos, text)));
                }
                Continuation::Closed => {
                    let token = self.token(TokenKind::DoubleEnd, piece_start, self.pos, text);
                    self.queue.push_back(token);
                    return Ok(Lexed::Queued);
                }
                Continuation::Brace => {
                    let token = self.token(kind, piece_start, self.pos, text);
                    self.queue.push_back(token);
                    self.interpolation(ast)?;
                }
                Continuation::Variable { name_start, name_end } => {
                    let token = self.token(kind, piece_start, name_start - 1, text);
                    self.queue.push_back(token);
                    let variable = self.word_token(TokenKind::Variable, name_start - 1, name_end, name_start);
                    self.queue.push_back(variable);
                }
            }
            piece_start = self.pos;
            kind = TokenKind::DoubleMiddle;
        }
    }

    /// Says of an unclosed string where it was opened.
    fn with_opening(&self, mut error: Box<Diagnostic>, start: usize) -> Box<Diagnostic> {
        if error.code == "UNCLOSED_QUOTE" && error.related.is_empty() {
            let span = self.span(start, start + 1);
            error.related.push(Related { span, note: "the string starts here".to_owned() });
        }
        error
    }

    /// Reads text up to the end or to something interpolated. A `$` that starts neither a
    /// variable nor an expression is text.
    fn stretch(&mut self, ast: &mut AstBuilder, style: Style) -> LexResult<(Text, Continuation)> {
        let begin = self.pos;
        // Only text with escapes, or from several lines of a margin, needs a copy of its own.
        let mut decoded: Option<String> = None;
        loop {
            let from = self.pos;
            let (end, stop) = self.slurp(style)?;
            let raw = &self.text[from..end];
            if let Cow::Owned(text) = self.decode(raw, style)? {
                decoded.get_or_insert_with(|| self.text[begin..from].to_owned()).push_str(&text);
            } else if let Some(decoded) = &mut decoded {
                decoded.push_str(raw);
            }
            let continuation = match stop {
                Stop::Closed => Continuation::Closed,
                Stop::Brace => Continuation::Brace,
                Stop::Dollar => match variable_end(self.text.as_bytes(), self.pos) {
                    Some(name_end) => {
                        let name_start = self.pos;
                        self.scanned(name_end);
                        Continuation::Variable { name_start, name_end }
                    }
                    None => {
                        self.matched = None;
                        if let Some(decoded) = &mut decoded {
                            decoded.push('$');
                        }
                        continue;
                    }
                },
            };
            let text = match decoded {
                Some(text) => ast.push_text(&text),
                None => self.text_between(ast, begin, end),
            };
            return Ok((text, continuation));
        }
    }

    /// Moves behind the next `"`, `$` or `${` that is not escaped, or to a heredoc's end; where the
    /// text before that ends.
    fn slurp(&mut self, style: Style) -> LexResult<(usize, Stop)> {
        let from = self.pos;
        let found = match style {
            Style::Quoted => self.quoted_end(b'"'),
            Style::Heredoc if !self.heredoc.interpolates => None,
            Style::Heredoc if self.heredoc.escapes.has(Escapes::DOLLAR) => self.quoted_end(0),
            Style::Heredoc => memchr::memchr(b'$', self.rest()).map(|at| self.dollar(from + at)),
        };
        let (end, stop) = match (found, style) {
            (Some(found), _) => found,
            (None, Style::Heredoc) => (self.text.len(), Stop::Closed),
            (None, Style::Quoted) => {
                let after = self.matched.map_or("", |(start, end)| &self.text[start..end]);
                let after = if after == "'" { "\"'\"".to_owned() } else { format!("'{after}'") };
                let issue = Issue::UnclosedQuote { after, followed_by: self.followed_by() };
                return Err(self.error(issue, from));
            }
        };
        let terminator = match (stop, style) {
            (Stop::Brace, _) => 2,
            (Stop::Closed, Style::Heredoc) => 0,
            _ => 1,
        };
        let text_end = end - terminator;
        self.matched = Some((self.match_start(from, text_end), end));
        self.pos = end;
        Ok((text_end, stop))
    }

    /// Returns the end of a text with escapes, from the current position: behind an unescaped quote, or (for all but
    /// single quotes) behind `$` or `${`. A `quote` of zero stands for none.
    fn quoted_end(&self, quote: u8) -> Option<(usize, Stop)> {
        let bytes = self.text.as_bytes();
        let from = self.pos;
        let terminator = |at: usize| match bytes.get(at) {
            Some(&byte) if byte == quote && quote != 0 => Some((at + 1, Stop::Closed)),
            Some(b'$') if quote != b'\'' => Some(self.dollar(at)),
            _ => None,
        };
        // The real pattern takes any character before the terminator, and tries that before it
        // tries the beginning: a terminator in the first place is text if another one follows.
        if terminator(from).is_some() {
            let mut at = from + 1;
            while bytes[at..].starts_with(b"\\\\") {
                at += 2;
            }
            if let Some(found) = terminator(at) {
                return Some(found);
            }
        }
        let mut at = from;
        loop {
            let rest = &bytes[at..];
            let next = match quote {
                b'\'' => memchr::memchr2(b'\\', b'\'', rest),
                0 => memchr::memchr2(b'\\', b'$', rest),
                _ => memchr::memchr3(b'\\', quote, b'$', rest),
            };
            at += next?;
            if bytes[at] != b'\\' {
                return terminator(at);
            }
            at += 2;
            if at > bytes.len() {
                return None;
            }
        }
    }

    /// Returns what the `$` at a position is, and the position behind it.
    fn dollar(&self, at: usize) -> (usize, Stop) {
        match self.text.as_bytes().get(at + 1) {
            Some(b'{') => (at + 2, Stop::Brace),
            _ => (at + 1, Stop::Dollar),
        }
    }

    /// Where the match of the real pattern begins that ends with the terminator at `at`: it
    /// takes the backslashes before it, and one character before those.
    fn match_start(&self, from: usize, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut start = at;
        while start > from && bytes[start - 1] == b'\\' {
            start -= 1;
        }
        match self.text[from..start].chars().next_back() {
            Some(character) => start - character.len_utf8(),
            None => start,
        }
    }

    /// Reads the tokens of `${ … }`, of which the opening has been read, into the queue.
    fn interpolation(&mut self, ast: &mut AstBuilder) -> LexResult<()> {
        self.depth += 1;
        if self.depth > limits::NESTING {
            return Err(self.error(Issue::NestedTooDeep { limit: limits::NESTING.to_string() }, self.pos));
        }
        let result = stack::with_room(|| self.interpolation_tokens(ast));
        self.depth -= 1;
        result
    }

    fn interpolation_tokens(&mut self, ast: &mut AstBuilder) -> LexResult<()> {
        let level = self.braces;
        self.braces += 1;
        let first = self.queue.len();
        self.skip_blanks();
        while self.pos < self.text.len() {
            match self.lex(ast)? {
                Lexed::Token(token) => {
                    self.after = Some(token.kind);
                    if token.kind == TokenKind::RightBrace && self.braces == level {
                        return self.name_to_variable(first);
                    }
                    self.queue.push_back(token);
                }
                Lexed::Nothing => {
                    self.skip_blanks();
                }
                Lexed::Queued => {}
            }
        }
        Ok(())
    }

    /// `${name}`, `${name[…]}` and `${name.…}` mean the variable.
    fn name_to_variable(&mut self, first: usize) -> LexResult<()> {
        let rewritten = match self.queue.get(first + 1) {
            None => true,
            Some(second) => matches!(second.kind, TokenKind::Dot | TokenKind::LeftBracket),
        };
        let Some(token) = self.queue.get_mut(first).filter(|_| rewritten) else { return Ok(()) };
        match token.kind {
            // The real lexer makes a variable of the value itself, and the real checks stop at it.
            TokenKind::True | TokenKind::False => {
                let word = token.kind.symbol().to_owned();
                let mut error = Box::new(Issue::InterpolatedBoolean { word }.at(Place::WholeFile, Some(token.span)));
                error.label = Some("this is a value, not a variable's name".to_owned());
                return Err(error);
            }
            // They are keywords with tasks alone, and the real lexer forgets them here.
            TokenKind::Plan | TokenKind::Apply => {}
            TokenKind::Number | TokenKind::Name | TokenKind::Word => token.kind = TokenKind::Variable,
            kind if kind.is_keyword() => token.kind = TokenKind::Variable,
            _ => {}
        }
        Ok(())
    }

    /// Replaces the escapes of a stretch of text.
    fn decode<'r>(&mut self, raw: &'r str, style: Style) -> LexResult<Cow<'r, str>> {
        if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
            return Ok(Cow::Borrowed(raw));
        }
        let (escapes, warns) = match style {
            Style::Quoted => (Escapes::ALL, true),
            Style::Heredoc => (self.heredoc.escapes, false),
        };
        let text = if escapes.has(Escapes::UNICODE) && raw.contains("\\u") {
            self.decode_unicode(raw)?
        } else {
            Cow::Borrowed(raw)
        };
        Ok(Cow::Owned(self.decode_escapes(&text, escapes, warns)))
    }

    /// Unicode escapes come first, and are looked for again in their own result.
    fn decode_unicode<'r>(&mut self, raw: &'r str) -> LexResult<Cow<'r, str>> {
        let mut text = Cow::Borrowed(raw);
        loop {
            match unicode_pass(&text) {
                UnicodePass::Unchanged => return Ok(text),
                UnicodePass::Changed(next) => text = Cow::Owned(next),
                UnicodePass::NoCharacter => {
                    let mut error = self.error(Issue::IllegalUnicodeEscape, self.pos);
                    error.severity = pantin_base::Severity::Error;
                    return Err(error);
                }
            }
        }
    }

    fn decode_escapes(&mut self, text: &str, escapes: Escapes, warns: bool) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
            out.push_str(&rest[..at]);
            let behind = &rest[at + 1..];
            if let Some(line_end) = line_end(behind) {
                if !escapes.has(Escapes::JOIN) {
                    out.push('\\');
                    out.push_str(line_end);
                }
                rest = &behind[line_end.len()..];
                continue;
            }
            let Some(character) = behind.chars().next().filter(|&character| character != '\r') else {
                out.push('\\');
                rest = behind;
                continue;
            };
            rest = &behind[character.len_utf8()..];
            match meaning(character, escapes) {
                Some(meant) => out.push(meant),
                None => {
                    out.push('\\');
                    out.push(character);
                    if character == 'u' && escapes.has(Escapes::UNICODE) {
                        self.warn(Issue::IllegalUnicodeEscape);
                    } else if warns {
                        self.warn(Issue::UnrecognizedEscape { ch: character.to_string() });
                    }
                }
            }
        }
        out.push_str(rest);
        out
    }
}

fn line_end(text: &str) -> Option<&str> {
    ["\n", "\r\n"].into_iter().find(|end| text.starts_with(end))
}

fn meaning(character: char, escapes: Escapes) -> Option<char> {
    let (escape, meant) = match character {
        '\\' => (Escapes::BACKSLASH, '\\'),
        '$' => (Escapes::DOLLAR, '$'),
        '\'' | '"' => (Escapes::QUOTES, character),
        'r' => (Escapes::RETURN, '\r'),
        'n' => (Escapes::NEWLINE, '\n'),
        't' => (Escapes::TAB, '\t'),
        's' => (Escapes::SPACE, ' '),
        _ => return None,
    };
    escapes.has(escape).then_some(meant)
}

/// In single quotes a backslash escapes itself and the quote alone.
fn unescape_single(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        match rest.as_bytes().get(at + 1) {
            Some(&escaped @ (b'\\' | b'\'')) => {
                out.push(char::from(escaped));
                rest = &rest[at + 2..];
            }
            _ => {
                out.push('\\');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

enum UnicodePass {
    Unchanged,
    Changed(String),
    /// The number is no character: a surrogate, or above 10FFFF.
    NoCharacter,
}

/// Replaces the `\uXXXX` and `\u{X…}` of a text, but of two that touch the first alone.
fn unicode_pass(text: &str) -> UnicodePass {
    let bytes = text.as_bytes();
    let mut out = String::new();
    // What has been copied or replaced, which a match may not reach back into.
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&bytes[at..], b"\\u") {
        let escape = at + found;
        at = escape + 2;
        let Some((code, end)) = unicode_code(text, escape + 2) else { continue };
        let run = bytes[done..escape].iter().rev().take_while(|&&byte| byte == b'\\').count();
        let run_start = escape - run;
        let delimited = run_start > done || run_start == 0 || bytes[run_start - 1] == b'\n';
        if run % 2 != 0 || !delimited {
            continue;
        }
        let Some(character) = char::from_u32(code) else { return UnicodePass::NoCharacter };
        out.push_str(&text[done..escape]);
        out.push(character);
        done = end;
        at = end;
    }
    if done == 0 {
        return UnicodePass::Unchanged;
    }
    out.push_str(&text[done..]);
    UnicodePass::Changed(out)
}

/// Returns the number behind `\u`, and where it ends.
fn unicode_code(text: &str, at: usize) -> Option<(u32, usize)> {
    let bytes = text.as_bytes();
    let hex = |from: usize, to: usize| {
        let digits = bytes.get(from..to)?;
        digits.iter().all(u8::is_ascii_hexdigit).then(|| u32::from_str_radix(&text[from..to], 16).ok())?
    };
    if let Some(code) = hex(at, at + 4) {
        return Some((code, at + 4));
    }
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let close = at + 1 + bytes[at + 1..].iter().take(7).position(|&byte| byte == b'}')?;
    let code = hex(at + 1, close).filter(|_| close > at + 1)?;
    Some((code, close + 1))
}
