//! From tokens to the tree of values.
//!
//! The library reads the whole text before it makes values of it, so an error of the form comes before one of
//! a value: that waits in `first_wrong` for the end.

use pantin_base::limits;
use pantin_base::stack::with_room;

use super::node::{Entries, Node, Object, Reference, concatenate};
use super::path::Path;
use super::problem;
use super::scalar::{Scalar, quoted};
use super::tokens::{Placed, Token, Tokens};
use crate::data::Error;

type Result<T> = std::result::Result<T, Error>;

/// Returns the object that a text holds, with or without its braces.
pub(super) fn parse(text: &str) -> Result<Object> {
    let mut parser = Parser {
        tokens: Tokens::new(text),
        returned: Vec::new(),
        line: 1,
        path: Vec::new(),
        arrays: 0,
        depth: 0,
        first_wrong: None,
    };
    let root = parser.document()?;
    match parser.first_wrong {
        Some(error) => Err(error),
        None => Ok(root),
    }
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    /// Tokens that were looked at, the next one last.
    returned: Vec<Placed>,
    line: u32,
    /// The keys around what is being read.
    path: Vec<String>,
    /// How many arrays are around it.
    arrays: u32,
    depth: u32,
    /// The first error of a value, as opposed to one of the form.
    first_wrong: Option<Error>,
}

impl Parser<'_> {
    fn next(&mut self) -> Placed {
        self.returned.pop().unwrap_or_else(|| self.tokens.next())
    }

    /// Returns the next token that is no white space, break or comment.
    fn next_mark(&mut self) -> Placed {
        loop {
            let found = self.next();
            match &found.token {
                Token::NewLine => self.line = found.line.unwrap_or(self.line) + 1,
                Token::Blanks(_) | Token::Comment => {}
                token if token.is_blank_text() => {}
                _ => {
                    self.line = found.line.unwrap_or(self.line);
                    return found;
                }
            }
        }
    }

    fn give_back(&mut self, token: Placed) {
        self.returned.push(token);
    }

    fn fail<T>(&self, message: impl std::fmt::Display) -> Result<T> {
        Err(problem(self.line, message))
    }

    /// With the library's advice, which lacks its closing parenthesis.
    fn fail_at<T>(&self, token: &Token, message: impl std::fmt::Display) -> Result<T> {
        if *token == Token::End {
            return self.fail(message);
        }
        self.fail(format!(
            "{message} (if you intended {token} to be part of a key or string value, \
             try enclosing the key or value in double quotes"
        ))
    }

    fn is_wrong(&mut self, error: Error) {
        self.first_wrong.get_or_insert(error);
    }

    fn document(&mut self) -> Result<Object> {
        let first = self.next_mark();
        let root = match first.token {
            Token::OpenCurly | Token::OpenSquare => self.value(first.token, None)?,
            _ => {
                self.give_back(first);
                Node::Object(self.object(false)?)
            }
        };
        let rest = self.next_mark().token;
        if rest != Token::End {
            return self.fail(format!("Document has trailing tokens after first object or array: {rest}"));
        }
        match root {
            Node::Object(object) => Ok(object),
            // The path of the root is empty, but for its blank.
            _ => Err(problem(1, " has type LIST rather than object at file root")),
        }
    }

    /// Returns true if there was a comma or a break.
    fn separator(&mut self) -> bool {
        let mut has_break = false;
        loop {
            let found = self.next();
            match &found.token {
                Token::NewLine => {
                    has_break = true;
                    self.line += 1;
                }
                Token::Comma => return true,
                Token::Blanks(_) | Token::Comment => {}
                token if token.is_blank_text() => {}
                _ => {
                    self.give_back(found);
                    return has_break;
                }
            }
        }
    }

    /// Values up to the end of their line, as one; nothing if what stands here is no value.
    fn values(&mut self) -> Result<Option<Node>> {
        let mut pieces = Vec::new();
        let mut found = self.next_mark();
        let line = self.line;
        loop {
            match found.token {
                Token::Blanks(_) => {}
                token if token.is_simple_value() || matches!(token, Token::OpenCurly | Token::OpenSquare) => {
                    pieces.push(self.value(token, found.line)?);
                }
                token => {
                    self.give_back(Placed { token, line: found.line });
                    break;
                }
            }
            found = self.next();
        }
        match pieces.len() {
            0 | 1 => Ok(pieces.pop()),
            _ => Ok(Some(self.joined(pieces, line))),
        }
    }

    fn joined(&mut self, pieces: Vec<Node>, line: u32) -> Node {
        match concatenate(pieces) {
            Ok(mut pieces) if pieces.len() == 1 => pieces.remove(0),
            Ok(pieces) => Node::Concatenation { pieces, line },
            Err(message) => {
                self.is_wrong(problem(line, message));
                Node::Scalar(Scalar::Null)
            }
        }
    }

    fn value(&mut self, token: Token, line: Option<u32>) -> Result<Node> {
        match token {
            Token::Value(value) => Ok(Node::Scalar(value)),
            Token::Text(text) => Ok(Node::Scalar(Scalar::Text { text, is_quoted: false })),
            Token::Substitution { tokens, is_optional } => {
                let line = line.unwrap_or(self.line);
                let path = Path::spelled(&tokens).unwrap_or_else(|message| {
                    self.is_wrong(problem(line, message));
                    Path(Vec::new())
                });
                Ok(Node::Reference(Reference { path, is_optional, line }))
            }
            Token::OpenCurly => self.nested(|parser| parser.object(true).map(Node::Object)),
            Token::OpenSquare => self.nested(|parser| {
                parser.arrays += 1;
                let items = parser.array();
                parser.arrays -= 1;
                items.map(Node::List)
            }),
            other => self.fail_at(&other, format!("Expecting a value but got wrong token: {other}")),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Node>) -> Result<Node> {
        if self.depth >= limits::NESTING {
            return self.fail(format!("nesting is deeper than {} levels", limits::NESTING));
        }
        self.depth += 1;
        let node = with_room(|| read(self));
        self.depth -= 1;
        node
    }

    /// Returns the entries up to the closing brace, or to the end where none was opened.
    fn object(&mut self, has_brace: bool) -> Result<Object> {
        const UNBALANCED: &str = "unbalanced close brace '}' with no open brace";
        let mut entries = Entries::default();
        loop {
            let found = self.next_mark();
            match found.token {
                Token::CloseCurly if has_brace => break,
                Token::CloseCurly => return self.fail_at(&found.token, UNBALANCED),
                Token::End if !has_brace => break,
                Token::Text(word) if word == "include" => return self.include(),
                _ => {
                    self.give_back(found);
                    self.entry(&mut entries)?;
                }
            }
            if self.separator() {
                continue;
            }
            let end = self.next_mark().token;
            match end {
                Token::CloseCurly if has_brace => break,
                Token::CloseCurly => return self.fail_at(&end, UNBALANCED),
                Token::End if !has_brace => break,
                _ => return self.fail_at(&end, format!("Expecting close brace }} or a comma, got {end}")),
            }
        }
        Ok(Object { entries, is_closed: false })
    }

    fn include(&mut self) -> Result<Object> {
        let what = self.next_mark().token;
        match &what {
            Token::Value(value) if value.is_quoted() => self.fail("include is not supported"),
            Token::Text(kind) if ["url(", "file(", "classpath("].contains(&kind.as_str()) => {
                self.fail("include is not supported")
            }
            Token::Text(_) => self.fail(format!(
                "expecting include parameter to be quoted filename, file(), classpath(), or url(). \
                 No spaces are allowed before the open paren. Not expecting: {what}"
            )),
            _ => self.fail(format!("include keyword is not followed by a quoted string, but by: {what}")),
        }
    }

    fn entry(&mut self, entries: &mut Entries) -> Result<()> {
        let (path, written) = self.key()?;
        let line = self.line;
        let after = self.next_mark().token;
        let depth = self.path.len();
        self.path.extend(path.0.iter().cloned());
        let mut value = match after {
            Token::OpenCurly => self.value(after, None)?,
            Token::Colon | Token::Equals => self.entry_value()?,
            Token::PlusEquals => self.addition(line)?,
            _ => return self.fail_at(&after, format!("Key '{written}' may not be followed by token: {after}")),
        };
        self.path.truncate(depth);
        let mut keys = path.0.into_iter();
        let Some(first) = keys.next() else { return Ok(()) };
        for key in keys.rev() {
            value = Node::Object(Object { entries: Entries::from_iter([(key, value)]), is_closed: false });
        }
        match entries.get_mut(&first) {
            Some(earlier) => {
                let before = std::mem::replace(earlier, Node::Scalar(Scalar::Null));
                *earlier = value.merge_over(before);
            }
            None => drop(entries.insert(first, value)),
        }
        Ok(())
    }

    fn entry_value(&mut self) -> Result<Node> {
        match self.values()? {
            Some(value) => Ok(value),
            None => {
                let found = self.next_mark();
                self.value(found.token, found.line)
            }
        }
    }

    /// `a += b` is `a = ${?a} [b]`.
    fn addition(&mut self, line: u32) -> Result<Node> {
        if self.arrays > 0 {
            self.is_wrong(problem(
                line,
                "Due to current limitations of the config parser, += does not work nested inside a list. += expands to a \
                 ${} substitution and the path in ${} cannot currently refer to list elements. You might be able to move \
                 the += outside of the list and then refer to it from inside the list with ${}.",
            ));
        }
        self.arrays += 1;
        let value = self.entry_value();
        self.arrays -= 1;
        let before = Reference { path: Path(self.path.clone()), is_optional: true, line };
        Ok(Node::Concatenation { pieces: vec![Node::Reference(before), Node::List(vec![value?])], line })
    }

    /// A path, and how it is written.
    fn key(&mut self) -> Result<(Path, String)> {
        let mut tokens = Vec::new();
        loop {
            let found = self.next();
            if !matches!(found.token, Token::Value(_) | Token::Text(_)) {
                if tokens.is_empty() {
                    return self.fail(format!("expecting a close brace or a field name here, got {}", found.token));
                }
                self.give_back(found);
                break;
            }
            tokens.push(found.token);
        }
        // The library tells no place of a wrong key.
        let path = Path::spelled(&tokens).map_err(|message| Error { message, line: Some(self.line), column: None })?;
        let written = tokens.iter().map(|token| match token {
            Token::Value(value) if value.is_quoted() => quoted(&value.text()),
            Token::Value(value) => value.text(),
            Token::Text(text) => text.clone(),
            _ => String::new(),
        });
        Ok((path, written.collect()))
    }

    fn array(&mut self) -> Result<Vec<Node>> {
        let mut items = Vec::new();
        if let Some(first) = self.values()? {
            items.push(first);
        } else {
            let token = self.next_mark().token;
            if token == Token::CloseSquare {
                return Ok(items);
            }
            return self.fail(format!(
                "List should have ] or a first element after the open [, instead had token: {token} \
                 (if you want {token} to be part of a string value, then double-quote it)"
            ));
        }
        loop {
            if !self.separator() {
                let token = self.next_mark().token;
                if token == Token::CloseSquare {
                    return Ok(items);
                }
                return self.fail(format!(
                    "List should have ended with ] or had a comma, instead had token: {token} \
                     (if you want {token} to be part of a string value, then double-quote it)"
                ));
            }
            if let Some(item) = self.values()? {
                items.push(item);
                continue;
            }
            let found = self.next_mark();
            if found.token != Token::CloseSquare {
                let token = found.token;
                return self.fail(format!(
                    "List should have had new element after a comma, instead had token: {token} \
                     (if you want the comma or {token} to be part of a string value, then double-quote it)"
                ));
            }
            // One comma may stand behind the last.
            self.give_back(found);
        }
    }
}
