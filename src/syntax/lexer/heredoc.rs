//! `@(END)`: finding a heredoc's text on the lines below, and lexing it there.

use pantin_base::Place;

use super::origin::Origin;
use super::strings::{Escapes, HeredocStyle};
use super::{LexResult, Lexed, Lexer, is_blank};
use crate::ast::AstBuilder;
use crate::issue::Issue;
use crate::token::TokenKind;

/// What stands between the parentheses.
struct Tag<'t> {
    end_tag: &'t str,
    style: HeredocStyle,
    /// Where the name of the syntax stands; empty if there is none.
    syntax: std::ops::Range<usize>,
}

/// The line that ends a heredoc.
struct EndLine<'t> {
    /// The white space before its marks.
    leading: &'t str,
    has_margin: bool,
    drops_last_newline: bool,
}

impl<'t> Lexer<'t> {
    /// Reads the tag here and the text below into the queue, and goes on behind the tag.
    pub(super) fn read_heredoc(&mut self, ast: &mut AstBuilder) -> LexResult<Lexed> {
        let start = self.pos;
        if self.origin.is_some() {
            return Err(self.error(Issue::HeredocInHeredoc, start));
        }
        let Some(close) = memchr::memchr(b')', self.rest()) else {
            let issue = Issue::HeredocUnclosedParenthesis { followed_by: self.followed_by() };
            return Err(self.error(issue, start));
        };
        let behind = start + close + 1;
        self.pos = behind;
        let tag = self.heredoc_tag(start, behind)?;
        let head = self.word_token(TokenKind::Heredoc, start, behind, tag.syntax.start);
        let syntax = self.text_between(ast, tag.syntax.start, tag.syntax.end);
        self.queue.push_back(super::Token { text: syntax, ..head });

        let text_start = match self.heredoc_end {
            Some(at) => at,
            None => match memchr::memchr(b'\n', self.rest()) {
                Some(at) => behind + at + 1,
                None => return Err(self.error(Issue::HeredocWithoutText, behind)),
            },
        };
        let Some((text_end, after, end_line)) = find_end(self.text, text_start, tag.end_tag) else {
            return Err(self.error(Issue::HeredocWithoutEndTaggedLine, text_start));
        };
        self.heredoc_end = Some(after);
        let (text, margins) = without_margin(&self.text[text_start..text_end], &end_line);
        let origin = Origin::new(text_start as u32, &text, margins);
        self.lex_heredoc_text(ast, &text, origin, tag.style)?;
        self.pos = behind;
        self.matched = None;
        Ok(Lexed::Nothing)
    }

    /// Lexes a heredoc's text by a lexer of its own, and takes over its tokens.
    fn lex_heredoc_text(
        &mut self,
        ast: &mut AstBuilder,
        text: &str,
        origin: Origin,
        style: HeredocStyle,
    ) -> LexResult<()> {
        if text.starts_with('\u{FEFF}') {
            // The real lexer takes a heredoc's text for a source of its own, and names no place.
            let issue = Issue::IllegalBom { format: "UTF-8".to_owned(), bytes: "[EF BB BF]".to_owned() };
            let mut error = self.error(issue, self.pos);
            error.place = Place::Nowhere;
            return Err(error);
        }
        let mut inner = Lexer::new(text, self.tasks);
        inner.origin = Some(origin);
        inner.heredoc = style;
        inner.depth = self.depth;
        let result = inner.heredoc_text(ast);
        self.warnings.append(&mut inner.warnings);
        self.queue.append(&mut inner.queue);
        result
    }

    /// Reads the tag between `start` and `end`, parentheses included.
    fn heredoc_tag(&self, start: usize, end: usize) -> LexResult<Tag<'t>> {
        let whole = &self.text[start..end];
        let parts = whole.match_indices("@(").find_map(|(at, _)| tag_parts(whole, at + 2));
        let Some((name, syntax, escapes)) = parts else {
            return Err(self.error(Issue::HeredocInvalidSyntax, end));
        };
        let strip = |text: &'t str| {
            text.trim_matches(|character: char| {
                character.is_ascii_whitespace() || character == '\u{B}' || character == '\0'
            })
        };
        let mut end_tag = strip(name);
        let mut interpolates = false;
        if let Some(inner) = end_tag.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            end_tag = strip(inner);
            interpolates = true;
        }
        if end_tag.is_empty() {
            return Err(self.error(Issue::HeredocEmptyEndtag, end));
        }
        let escapes = match escapes {
            None => Escapes::NONE,
            Some(letters) => self.heredoc_escapes(letters, end)?,
        };
        let syntax = syntax.map_or(0..0, |range| start + range.start..start + range.end);
        Ok(Tag { end_tag, style: HeredocStyle { escapes, interpolates }, syntax })
    }

    fn heredoc_escapes(&self, letters: &str, end: usize) -> LexResult<Escapes> {
        let letters = if letters.is_empty() { "trnsuL$" } else { letters };
        let mut escapes = Escapes::BACKSLASH;
        let repeats = letters.char_indices().any(|(at, letter)| letters[..at].contains(letter));
        if repeats {
            let all: Vec<String> = letters.chars().map(String::from).collect();
            return Err(self.error(Issue::HeredocMultipleAtEscapes { escapes: all.join(", ") }, end));
        }
        for letter in letters.chars() {
            escapes = escapes.with(match letter {
                't' => Escapes::TAB,
                'r' => Escapes::RETURN,
                'n' => Escapes::NEWLINE,
                's' => Escapes::SPACE,
                'u' => Escapes::UNICODE,
                '$' => Escapes::DOLLAR,
                'L' => Escapes::JOIN,
                other => return Err(self.error(Issue::HeredocInvalidEscape { actual: other.to_string() }, end)),
            });
        }
        Ok(escapes)
    }
}

type TagParts<'t> = (&'t str, Option<std::ops::Range<usize>>, Option<&'t str>);

/// `name [: syntax] [/ escapes] )`, from `at` to the end of `whole`.
fn tag_parts(whole: &str, at: usize) -> Option<TagParts<'_>> {
    let name_end = at + whole[at..].find([':', '/', '\r', '\n', ')'])?;
    let name = &whole[at..name_end];
    if name.is_empty() {
        return None;
    }
    let skip_blanks = |from: usize| whole.len() - whole[from..].trim_start_matches(is_blank).len();
    let mut at = name_end;
    let mut syntax = None;
    if whole[at..].starts_with(':') {
        let from = skip_blanks(at + 1);
        let length = whole[from..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '+'))?;
        if length < 2 || !whole[from..].starts_with(|c: char| c.is_ascii_lowercase()) {
            return None;
        }
        syntax = Some(from..from + length);
        at = skip_blanks(from + length);
    }
    let mut escapes = None;
    if whole[at..].starts_with('/') {
        let from = at + 1;
        let length = whole[from..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'))?;
        escapes = Some(&whole[from..from + length]);
        at = skip_blanks(from + length);
    }
    whole[at..].starts_with(')').then_some((name, syntax, escapes))
}

/// Returns the end of the heredoc's text, the line after its end line, and that end line.
fn find_end<'t>(text: &'t str, start: usize, end_tag: &str) -> Option<(usize, usize, EndLine<'t>)> {
    let mut line_start = start;
    while line_start < text.len() {
        let line_end =
            memchr::memchr(b'\n', &text.as_bytes()[line_start..]).map_or(text.len(), |at| line_start + at + 1);
        if let Some(end_line) = end_line(&text[line_start..line_end], end_tag) {
            return Some((line_start, line_end, end_line));
        }
        line_start = line_end;
    }
    None
}

/// Reads a line as the end line it may be. What stands before its marks does not matter: the
/// real pattern looks at the line's end alone.
fn end_line<'t>(line: &'t str, end_tag: &str) -> Option<EndLine<'t>> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut before = line.trim_end_matches(is_blank).strip_suffix(end_tag)?;
    let mut marked = |mark: char| match before.trim_end_matches(is_blank).strip_suffix(mark) {
        Some(rest) => {
            before = rest;
            true
        }
        None => false,
    };
    let drops_last_newline = marked('-');
    let has_margin = marked('|');
    let leading = &before[before.trim_end_matches(is_blank).len()..];
    Some(EndLine { leading, has_margin, drops_last_newline })
}

/// The text without its margin, and how much was taken from each line.
fn without_margin(raw: &str, end_line: &EndLine<'_>) -> (String, Option<Vec<u32>>) {
    let mut text;
    let mut margins = None;
    if end_line.has_margin && !end_line.leading.is_empty() {
        text = String::with_capacity(raw.len());
        let taken = margins.insert(Vec::new());
        for line in raw.split_inclusive('\n') {
            let kept = line.strip_prefix(end_line.leading).unwrap_or(line);
            taken.push((line.len() - kept.len()) as u32);
            text.push_str(kept);
        }
    } else {
        text = raw.to_owned();
    }
    if end_line.drops_last_newline && text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    (text, margins)
}
