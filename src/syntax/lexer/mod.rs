//! The lexer: text to tokens, one at a time, with the context that Puppet's grammar needs.
//!
//! An interpolated string, a heredoc and a template's text give several tokens at once; they
//! wait in a queue. That is how the real lexer works, and it decides which error comes first.

mod heredoc;
mod origin;
mod strings;
mod template;
mod words;

use pantin_regex as regex;
use std::collections::VecDeque;

use pantin_base::{Diagnostic, Place, Span};

use super::ast::{AstBuilder, Text};
use super::issue::Issue;
use super::token::{Token, TokenKind};
use origin::Origin;
use strings::{Escapes, HeredocStyle};

/// An error ends lexing. It is boxed, for it is rare.
pub(super) type LexResult<T> = Result<T, Box<Diagnostic>>;

/// What lexing at one position came to.
enum Lexed {
    Token(Token),
    /// White space, a comment, or a heredoc, whose tokens wait in the queue.
    Nothing,
    /// An interpolated string, all of whose tokens wait in the queue.
    Queued,
}

/// Which part of a template is being lexed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TemplateMode {
    /// Not a template.
    Off,
    Text,
    Code,
    Expression,
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    pos: usize,
    /// Where `text` stands in the file, if it is a heredoc's.
    origin: Option<Origin>,
    queue: VecDeque<Token>,
    tasks: bool,
    /// The token before, which decides what `/` and `{` are.
    after: Option<TokenKind>,
    /// Braces opened less braces closed; code may close more than it opened.
    braces: i64,
    /// Where the lexical line began, which decides what `(` is.
    line_start: usize,
    /// Where the line after pending heredocs begins.
    heredoc_end: Option<usize>,
    template: TemplateMode,
    /// Whether a template's tag is open.
    tag_open: bool,
    /// What the last scan matched; the message for an unclosed quote names it.
    matched: Option<(usize, usize)>,
    /// How this text is read, if it is a heredoc's.
    heredoc: HeredocStyle,
    /// How deep interpolations nest.
    depth: u32,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, tasks: bool) -> Lexer<'t> {
        Lexer {
            text,
            pos: 0,
            origin: None,
            queue: VecDeque::new(),
            tasks,
            after: None,
            braces: 0,
            line_start: 0,
            heredoc_end: None,
            template: TemplateMode::Off,
            tag_open: false,
            matched: None,
            heredoc: HeredocStyle { escapes: Escapes::NONE, interpolates: false },
            depth: 0,
            warnings: Vec::new(),
        }
    }

    /// Returns the next token; [`TokenKind::End`] for ever once there is none.
    pub(super) fn next(&mut self, ast: &mut AstBuilder) -> LexResult<Token> {
        loop {
            if let Some(token) = self.queue.pop_front() {
                self.after = Some(token.kind);
                return Ok(token);
            }
            if self.pos >= self.text.len() {
                return self.end();
            }
            match self.lex(ast)? {
                Lexed::Token(token) => {
                    self.after = Some(token.kind);
                    return Ok(token);
                }
                Lexed::Nothing | Lexed::Queued => {}
            }
        }
    }

    fn end(&mut self) -> LexResult<Token> {
        if self.tag_open {
            return Err(self.error(Issue::EppUnbalancedTag, self.pos));
        }
        Ok(Token { kind: TokenKind::End, span: self.span(self.pos, self.pos), text: Text::default() })
    }

    /// Lexes at the current position, which is not the end.
    fn lex(&mut self, ast: &mut AstBuilder) -> LexResult<Lexed> {
        use TokenKind::*;
        let one = |kind| LexResult::Ok((kind, 1));
        let (kind, len) = match self.byte(0) {
            b' ' | b'\t' | b'\r' => {
                self.skip_blanks();
                return Ok(Lexed::Nothing);
            }
            b'\n' => {
                self.newline();
                return Ok(Lexed::Nothing);
            }
            b'a'..=b'z' | b'_' => return self.word(),
            b'A'..=b'Z' => return self.type_name(self.pos),
            b'0'..=b'9' => return self.number(),
            b'$' => return self.variable(),
            b'\'' => return self.single_quoted(ast),
            b'"' => return self.double_quoted(ast),
            b'#' => {
                let end = memchr::memchr(b'\n', self.rest()).map_or(self.text.len(), |at| self.pos + at);
                self.scanned(end);
                return Ok(Lexed::Nothing);
            }
            b'/' => return self.slash(ast),
            b':' => match self.byte(1) {
                b':' => return self.qualified(),
                _ => one(Colon),
            },
            b'@' => match self.byte(1) {
                b'@' => Ok((AtAt, 2)),
                b'(' => return self.read_heredoc(ast),
                _ => one(At),
            },
            b'[' => one(if self.follows_blank() { ListStart } else { LeftBracket }),
            b']' => one(RightBracket),
            b'(' => one(if self.first_on_line() { LineParen } else { LeftParen }),
            b')' => one(RightParen),
            b'{' => {
                self.braces += 1;
                one(if self.after == Some(Question) { SelectorBrace } else { LeftBrace })
            }
            b'}' => {
                self.braces -= 1;
                one(RightBrace)
            }
            b'%' if self.byte(1) == b'>' && self.template != TemplateMode::Off => return self.close_tag(ast, 2),
            b'-' if self.byte(1) == b'%' && self.byte(2) == b'>' && self.template != TemplateMode::Off => {
                return self.close_tag(ast, 3);
            }
            0x80.. if self.skip_blanks() => return Ok(Lexed::Nothing),
            _ => {
                let (kind, len) = self.operator();
                if kind == Other {
                    // The real lexer has tried white space in vain.
                    self.matched = None;
                }
                Ok((kind, len))
            }
        }?;
        let token = self.token(kind, self.pos, self.pos + len, Text::default());
        self.pos += len;
        Ok(Lexed::Token(token))
    }

    /// Returns an operator of one to three characters, with its length.
    fn operator(&self) -> (TokenKind, usize) {
        use TokenKind::*;
        match (self.byte(0), self.byte(1), self.byte(2)) {
            (b'=', b'=', _) => (IsEqual, 2),
            (b'=', b'>', _) => (FatArrow, 2),
            (b'=', b'~', _) => (Match, 2),
            (b'=', ..) => (Equals, 1),
            (b'+', b'=', _) => (Appends, 2),
            (b'+', b'>', _) => (PlusArrow, 2),
            (b'+', ..) => (Plus, 1),
            (b'-', b'>', _) => (Before, 2),
            (b'-', b'=', _) => (Deletes, 2),
            (b'-', ..) => (Minus, 1),
            (b'!', b'=', _) => (NotEqual, 2),
            (b'!', b'~', _) => (NoMatch, 2),
            (b'!', ..) => (Not, 1),
            (b'~', b'>', _) => (Notify, 2),
            (b'~', ..) => (Tilde, 1),
            (b'<', b'<', b'|') => (ExportedStart, 3),
            (b'<', b'<', _) => (ShiftLeft, 2),
            (b'<', b'=', _) => (LessEqual, 2),
            (b'<', b'|', _) => (CollectStart, 2),
            (b'<', b'-', _) => (Require, 2),
            (b'<', b'~', _) => (Subscribe, 2),
            (b'<', ..) => (Less, 1),
            (b'>', b'>', _) => (ShiftRight, 2),
            (b'>', b'=', _) => (GreaterEqual, 2),
            (b'>', ..) => (Greater, 1),
            (b'|', b'>', b'>') => (ExportedEnd, 3),
            (b'|', b'>', _) => (CollectEnd, 2),
            (b'|', ..) => (Pipe, 1),
            (b'*', ..) => (Star, 1),
            (b'%', ..) => (Percent, 1),
            (b'.', ..) => (Dot, 1),
            (b',', ..) => (Comma, 1),
            (b';', ..) => (Semicolon, 1),
            (b'?', ..) => (Question, 1),
            _ => (Other, self.rest_text().chars().next().map_or(1, char::len_utf8)),
        }
    }

    /// `/`: a comment, a regular expression, or a division.
    fn slash(&mut self, ast: &mut AstBuilder) -> LexResult<Lexed> {
        let start = self.pos;
        if self.byte(1) == b'*' {
            // The real pattern is `/\*(.*?)\*/`, so `/*/` does not close itself.
            let Some(at) = memchr::memmem::find(&self.text.as_bytes()[start + 2..], b"*/") else {
                return Err(self.error(Issue::UnclosedMlComment, start));
            };
            self.scanned(start + 2 + at + 2);
            return Ok(Lexed::Nothing);
        }
        if !self.after.is_some_and(TokenKind::ends_operand)
            && let Some(end) = self.regex_end(start)
        {
            self.pos = end;
            let pattern = &self.text[start + 1..end - 1];
            let text = if pattern.contains("\\/") {
                let pattern = pattern.replace("\\/", "/");
                self.check_regex(&pattern, start)?;
                ast.push_text(&pattern)
            } else {
                self.check_regex(pattern, start)?;
                self.text_between(ast, start + 1, end - 1)
            };
            return Ok(Lexed::Token(self.token(TokenKind::Regex, start, end, text)));
        }
        self.pos = start + 1;
        Ok(Lexed::Token(self.token(TokenKind::Slash, start, start + 1, Text::default())))
    }

    /// Refuses a pattern that Ruby cannot compile, in Ruby's words, which name no place.
    fn check_regex(&self, pattern: &str, start: usize) -> LexResult<()> {
        let Err(error) = regex::check(pattern) else { return Ok(()) };
        let mut refused =
            self.error(Issue::InvalidRegex { detail: error.message, pattern: regex::display_pattern(pattern) }, start);
        refused.place = Place::Nowhere;
        Err(refused)
    }

    /// Returns the end of the regular expression that starts with the slash at `start`.
    fn regex_end(&mut self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let (mut escaped, mut at) = (false, start + 1);
        self.matched = None;
        loop {
            match bytes.get(at)? {
                b'/' if !escaped => break,
                b'\\' => escaped = !escaped,
                _ => escaped = false,
            }
            at += 1;
        }
        self.matched = Some((start, at + 1));
        Some(at + 1)
    }

    fn newline(&mut self) {
        // Lines of pending heredocs have been read already.
        self.pos = self.heredoc_end.take().unwrap_or(self.pos + 1);
        self.line_start = self.pos;
    }

    /// Skips white space other than line feeds; whether there was any.
    fn skip_blanks(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let mut at = start;
        loop {
            match bytes.get(at) {
                Some(b' ' | b'\t' | b'\r') => at += 1,
                Some(0xC2..) => match self.text[at..].chars().next() {
                    Some(character) if is_blank(character) => at += character.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        self.pos = at;
        self.matched = (at > start).then_some((start, at));
        at > start
    }

    /// Returns true if what stands before the current position is white space, or nothing.
    fn follows_blank(&self) -> bool {
        match self.text.as_bytes()[..self.pos].last() {
            None | Some(b' ' | b'\t' | b'\r' | b'\n') => true,
            Some(0x80..) => self.text[..self.pos].chars().next_back().is_some_and(is_blank),
            Some(_) => false,
        }
    }

    /// Returns true if nothing but white space stands before the current position on its lexical line.
    fn first_on_line(&self) -> bool {
        let before = &self.text[self.line_start..self.pos];
        before.is_empty() || before.chars().all(|character| character == '\r' || is_blank(character))
    }

    // ---- small helpers

    fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.pos..]
    }

    fn rest_text(&self) -> &'t str {
        &self.text[self.pos..]
    }

    /// Returns the byte at `ahead` after the current position; zero after the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    /// Moves to `end`, having matched everything up to it.
    fn scanned(&mut self, end: usize) {
        self.matched = Some((self.pos, end));
        self.pos = end;
    }

    fn span(&self, start: usize, end: usize) -> Span {
        match &self.origin {
            None => Span::between(start as u32, end as u32),
            Some(origin) => Span::between(origin.reported(start as u32), origin.reported(end as u32)),
        }
    }

    fn token(&self, kind: TokenKind, start: usize, end: usize, text: Text) -> Token {
        Token { kind, span: self.span(start, end), text }
    }

    /// Returns a token whose text is itself, such as a name: it never spans lines.
    fn word_token(&self, kind: TokenKind, start: usize, end: usize, text_start: usize) -> Token {
        let place = match &self.origin {
            None => text_start as u32,
            Some(origin) => origin.in_source(text_start as u32),
        };
        self.token(kind, start, end, Text::in_source(place, (end - text_start) as u32))
    }

    /// A stretch of the text as it stands, copied where a margin was taken out of it.
    fn text_between(&self, ast: &mut AstBuilder, start: usize, end: usize) -> Text {
        match &self.origin {
            None => Text::in_source(start as u32, (end - start) as u32),
            Some(origin) if origin.is_scattered() => ast.push_text(&self.text[start..end]),
            Some(origin) => Text::in_source(origin.in_source(start as u32), (end - start) as u32),
        }
    }

    /// Returns an error at a position of this text.
    fn error(&self, issue: Issue, at: usize) -> Box<Diagnostic> {
        Box::new(self.diagnostic(issue, at))
    }

    fn diagnostic(&self, issue: Issue, at: usize) -> Diagnostic {
        let offset = match &self.origin {
            None => at as u32,
            Some(origin) => origin.in_source(at as u32),
        };
        // The parser, which has the source, fills in the place.
        issue.at(Place::WholeFile, Some(Span::new(offset, 1)))
    }

    fn warn(&mut self, issue: Issue) {
        let warning = self.diagnostic(issue, self.pos);
        self.warnings.push(warning);
    }

    /// Returns what follows the current position, as the messages show it.
    fn followed_by(&self) -> String {
        if self.pos >= self.text.len() {
            return "<eof>".to_owned();
        }
        let shown: String = self.rest_text().chars().take(5).collect();
        format!("{shown}...").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
    }
}

/// Returns what Ruby's `[[:blank:]]` matches.
fn is_blank(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}
