//! From characters to tokens.
//!
//! White space between two simple values belongs to a text, other white space does not count: which it is
//! shows at the token behind it. What is wrong becomes a token too, for the parser's words are part of the error.

use std::collections::VecDeque;
use std::fmt;

use pantin_base::limits;
use pantin_base::stack::with_room;

use super::scalar::Scalar;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    End,
    NewLine,
    /// White space that does not count.
    Blanks(String),
    Comment,
    Comma,
    Equals,
    PlusEquals,
    Colon,
    OpenCurly,
    CloseCurly,
    OpenSquare,
    CloseSquare,
    Value(Scalar),
    /// Text without quotes, the white space between values included.
    Text(String),
    Substitution {
        tokens: Vec<Token>,
        is_optional: bool,
    },
    Problem {
        what: String,
        message: String,
    },
}

impl Token {
    pub(super) fn is_simple_value(&self) -> bool {
        matches!(self, Token::Value(_) | Token::Text(_) | Token::Substitution { .. })
    }

    pub(super) fn is_blank_text(&self) -> bool {
        matches!(self, Token::Text(text) if text.chars().all(is_blank))
    }
}

/// As the library's messages show a token.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self {
            Token::End => "end of file",
            Token::NewLine => "NEWLINE",
            Token::Comment => "COMMENT",
            Token::Comma => "','",
            Token::Equals => "'='",
            Token::PlusEquals => "'+='",
            Token::Colon => "':'",
            Token::OpenCurly => "'{'",
            Token::CloseCurly => "'}'",
            Token::OpenSquare => "'['",
            Token::CloseSquare => "']'",
            Token::Blanks(text) => return write!(f, "'{text}' (WHITESPACE)"),
            Token::Value(value) => return write!(f, "'{}' ({})", value.plain(), value.kind()),
            Token::Text(text) => return write!(f, "'{text}'"),
            Token::Substitution { tokens, .. } => {
                f.write_str("'${")?;
                tokens.iter().try_for_each(|token| write!(f, "{token}"))?;
                "}'"
            }
            Token::Problem { what, message } => return write!(f, "'{what}' ({message})"),
        };
        f.write_str(mark)
    }
}

/// A token with the line that it ends on; tokens of one mark have none.
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) line: Option<u32>,
}

const NOT_IN_TEXT: &str = "$\"{}[]:=,+#`^?!@*&\\";

pub(super) fn is_blank(ch: char) -> bool {
    ch.is_whitespace() || ch == '\u{FEFF}'
}

/// White space since the last token.
#[derive(Default)]
struct Saved {
    blanks: String,
    follows_simple_value: bool,
}

impl Saved {
    /// Returns the white space before a token, as the token that it is.
    fn before(&mut self, token: &Token) -> Option<Token> {
        let is_simple = token.is_simple_value();
        let is_text = is_simple && self.follows_simple_value;
        self.follows_simple_value = is_simple;
        let blanks = std::mem::take(&mut self.blanks);
        (!blanks.is_empty()).then(|| if is_text { Token::Text(blanks) } else { Token::Blanks(blanks) })
    }
}

pub(super) struct Tokens<'a> {
    rest: &'a str,
    line: u32,
    queue: VecDeque<Placed>,
    saved: Saved,
    depth: u32,
}

type Scanned<T> = Result<T, Token>;

fn problem<T>(what: impl Into<String>, message: impl Into<String>) -> Scanned<T> {
    Err(Token::Problem { what: what.into(), message: message.into() })
}

/// Returns how the library writes a character into a problem, where there may be none.
fn shown(ch: Option<char>) -> String {
    ch.map_or("-1".to_owned(), String::from)
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text, line: 1, queue: VecDeque::new(), saved: Saved::default(), depth: 0 }
    }

    /// Returns the next token; at the end, the end again and again.
    pub(super) fn next(&mut self) -> Placed {
        if let Some(token) = self.queue.pop_front() {
            return token;
        }
        let mut saved = std::mem::take(&mut self.saved);
        let line = self.line;
        let token = self.pull(&mut saved).unwrap_or_else(|problem| problem);
        let placed = self.placed(token, line);
        let before = saved.before(&placed.token).map(|blanks| Placed { token: blanks, line: Some(line) });
        self.saved = saved;
        match before {
            Some(blanks) => {
                self.queue.push_back(placed);
                blanks
            }
            None => placed,
        }
    }

    fn placed(&self, token: Token, line_before: u32) -> Placed {
        let line = match token {
            Token::NewLine => Some(line_before),
            Token::Blanks(_)
            | Token::Comment
            | Token::Value(_)
            | Token::Text(_)
            | Token::Substitution { .. }
            | Token::Problem { .. } => Some(self.line),
            _ => None,
        };
        Placed { token, line }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn char(&mut self) -> Option<char> {
        let ch = self.peek()?;
        self.rest = &self.rest[ch.len_utf8()..];
        Some(ch)
    }

    fn is_at_comment(&self) -> bool {
        self.rest.starts_with('#') || self.rest.starts_with("//")
    }

    fn pull(&mut self, saved: &mut Saved) -> Scanned<Token> {
        while let Some(ch) = self.peek().filter(|&ch| ch != '\n' && is_blank(ch)) {
            saved.blanks.push(ch);
            self.char();
        }
        if self.is_at_comment() {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
            return Ok(Token::Comment);
        }
        let Some(ch) = self.peek() else { return Ok(Token::End) };
        if !NOT_IN_TEXT.contains(ch) && ch != '\n' {
            return if ch.is_ascii_digit() || ch == '-' { self.number() } else { Ok(self.text()) };
        }
        self.char();
        Ok(match ch {
            '\n' => {
                self.line += 1;
                Token::NewLine
            }
            '"' => self.string()?,
            '$' => self.substitution()?,
            ':' => Token::Colon,
            ',' => Token::Comma,
            '=' => Token::Equals,
            '{' => Token::OpenCurly,
            '}' => Token::CloseCurly,
            '[' => Token::OpenSquare,
            ']' => Token::CloseSquare,
            '+' => match self.char() {
                Some('=') => Token::PlusEquals,
                other => {
                    let other = shown(other);
                    return problem(&other, format!("'+' not followed by =, '{other}' not allowed after '+'"));
                }
            },
            _ => return problem(ch, format!("Reserved character '{ch}' is not allowed outside quotes")),
        })
    }

    /// Words that are values count as such, whatever follows them.
    fn text(&mut self) -> Token {
        let mut text = String::new();
        while let Some(ch) = self.peek() {
            if NOT_IN_TEXT.contains(ch) || is_blank(ch) || self.is_at_comment() {
                break;
            }
            text.push(ch);
            self.char();
            match text.as_str() {
                "true" => return Token::Value(Scalar::Boolean(true)),
                "false" => return Token::Value(Scalar::Boolean(false)),
                "null" => return Token::Value(Scalar::Null),
                _ => {}
            }
        }
        Token::Text(text)
    }

    fn number(&mut self) -> Scanned<Token> {
        let is_part = |ch: char| ch.is_ascii_digit() || "eE+-.".contains(ch);
        let end = self.rest.find(|ch| !is_part(ch)).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        match Scalar::number(text) {
            Ok(Some(number)) => Ok(Token::Value(number)),
            Ok(None) if text.contains('+') => problem("+", "Reserved character '+'is not allowed outside quotes"),
            Ok(None) => Ok(Token::Text(text.to_owned())),
            Err(message) => problem(text, message),
        }
    }

    fn string(&mut self) -> Scanned<Token> {
        let mut text = String::new();
        loop {
            match self.char() {
                None => return problem("-1", "End of input but string quote was still open"),
                Some('"') => break,
                Some('\\') => text.push(self.escape()?),
                Some(ch) if ch.is_control() => {
                    let message =
                        format!("JSON does not allow unescaped {ch} in quoted strings, use a backslash escape");
                    return problem(ch, message);
                }
                Some(ch) => text.push(ch),
            }
        }
        if text.is_empty() && self.peek() == Some('"') {
            self.char();
            text = self.long_string()?;
        }
        Ok(Token::Value(Scalar::Text { text, is_quoted: true }))
    }

    /// Up to three quotes; more quotes than that belong to the text.
    fn long_string(&mut self) -> Scanned<String> {
        let Some(end) = self.rest.find("\"\"\"") else {
            self.line += self.rest.matches('\n').count() as u32;
            self.rest = "";
            return problem("-1", "End of input but triple-quoted string was still open");
        };
        let quotes = self.rest[end..].chars().take_while(|&ch| ch == '"').count();
        let (text, rest) = self.rest.split_at(end + quotes);
        self.rest = rest;
        let text = &text[..text.len() - 3];
        self.line += text.matches('\n').count() as u32;
        Ok(text.to_owned())
    }

    fn escape(&mut self) -> Scanned<char> {
        Ok(match self.char() {
            Some(same @ ('"' | '\\' | '/')) => same,
            Some('b') => '\x08',
            Some('f') => '\x0C',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let mut digits = String::new();
                for _ in 0..4 {
                    match self.char() {
                        Some(digit) => digits.push(digit),
                        None => return problem("-1", "End of input but expecting 4 hex digits for \\uXXXX escape"),
                    }
                }
                // As Ruby reads it: up to the first letter that is no digit.
                let end = digits.find(|ch: char| !ch.is_ascii_hexdigit()).unwrap_or(digits.len());
                match char::from_u32(u32::from_str_radix(&digits[..end], 16).unwrap_or(0)) {
                    Some('_') => {
                        let message = format!("Malformed hex digits after \\u escape in string: '{digits}'");
                        return problem(digits, message);
                    }
                    Some(ch) => ch,
                    None => return problem(digits, "half of a surrogate pair is not supported"),
                }
            }
            Some(other) => {
                let advice = "this is not a valid escape sequence (quoted strings use JSON escaping, \
                              so use double-backslash \\ for literal backslash)";
                return problem("", format!("backslash followed by '{other}', {advice}"));
            }
            None => return problem("", "End of input but backslash in string had nothing after it"),
        })
    }

    fn substitution(&mut self) -> Scanned<Token> {
        match self.char() {
            Some('{') => {}
            other => {
                let other = shown(other);
                return problem(&other, format!("'$' not followed by {{, '{other}' not allowed after '$'"));
            }
        }
        let is_optional = self.peek() == Some('?');
        if is_optional {
            self.char();
        }
        if self.depth >= limits::NESTING {
            return problem("$", format!("nesting is deeper than {} levels", limits::NESTING));
        }
        self.depth += 1;
        let tokens = with_room(|| self.substituted());
        self.depth -= 1;
        Ok(Token::Substitution { tokens: tokens?, is_optional })
    }

    fn substituted(&mut self) -> Scanned<Vec<Token>> {
        let mut saved = Saved::default();
        let mut tokens = Vec::new();
        loop {
            match self.pull(&mut saved)? {
                Token::CloseCurly => return Ok(tokens),
                Token::End => return problem("end of file", "Substitution ${ was not closed with a }"),
                token => {
                    tokens.extend(saved.before(&token));
                    tokens.push(token);
                }
            }
        }
    }
}
