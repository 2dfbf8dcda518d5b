//! From characters to tokens, as libyaml makes them, so that errors are its errors.
//!
//! Block structure becomes tokens of its own: an indent that grows starts a collection, one that shrinks ends
//! it. That something was a key shows only at the colon behind it, so its place is remembered until then.
//! Knows nothing of which token may follow which.

mod properties;
mod scalars;

use std::collections::VecDeque;

use super::text::{Mark, Text};

/// A key that is not marked by `?` has its colon on the same line, within so many characters.
const SIMPLE_KEY: usize = 1024;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    StreamEnd,
    Version { major: u32, minor: u32 },
    TagDirective { handle: String, prefix: String },
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    BlockEntry,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    Tag { handle: String, suffix: String },
    Scalar { text: String, is_plain: bool },
}

#[derive(Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) start: Mark,
}

/// What is wrong, in libyaml's words, and the place that Psych tells: of the context, where there is one.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) text: &'static str,
    pub(super) context: Option<&'static str>,
    pub(super) mark: Mark,
}

type Result<T> = std::result::Result<T, Problem>;

/// Something that is a key if a colon follows it.
#[derive(Clone, Copy)]
struct SimpleKey {
    /// Nothing else can stand here.
    is_required: bool,
    /// How many tokens stand before it.
    token: usize,
    mark: Mark,
}

pub(super) struct Scanner<'a> {
    text: Text<'a>,
    tokens: VecDeque<Placed>,
    /// How many tokens were taken from the queue.
    taken: usize,
    /// The column of the innermost block collection; -1 outside of all.
    indent: i64,
    outer_indents: Vec<i64>,
    may_start_key: bool,
    /// What may be a key, for each open flow collection and for the block around them.
    keys: Vec<Option<SimpleKey>>,
}

fn fail<T>(context: &'static str, mark: Mark, text: &'static str) -> Result<T> {
    Err(Problem { text, context: Some(context), mark })
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Scanner<'a> {
        Scanner {
            text: Text::new(bytes),
            tokens: VecDeque::new(),
            taken: 0,
            indent: -1,
            outer_indents: Vec::new(),
            may_start_key: true,
            keys: vec![None],
        }
    }

    /// Returns the next token, which stays.
    pub(super) fn peek(&mut self) -> Result<&Placed> {
        while self.needs_more()? {
            let fetched = self.fetch();
            // Bytes that are not allowed come first: whoever met them took them for the end.
            if let Some(text) = self.text.damage() {
                return Err(Problem { text, context: None, mark: Mark::default() });
            }
            fetched?;
        }
        match self.tokens.front() {
            Some(token) => Ok(token),
            None => unreachable!("a token was just fetched"),
        }
    }

    /// Returns the next token, which is taken.
    pub(super) fn take(&mut self) -> Result<Placed> {
        self.peek()?;
        match self.tokens.pop_front() {
            Some(token) => {
                self.taken += 1;
                Ok(token)
            }
            None => unreachable!("a token was just seen"),
        }
    }

    /// A token that may be a key cannot be given before that is known.
    fn needs_more(&mut self) -> Result<bool> {
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.forget_stale_keys()?;
        Ok(self.keys.iter().flatten().any(|key| key.token == self.taken))
    }

    fn fetch(&mut self) -> Result<()> {
        self.skip_to_token();
        self.forget_stale_keys()?;
        self.close_blocks(i64::from(self.text.mark.column));
        let Some(ch) = self.text.peek(0) else { return self.fetch_end() };
        let in_flow = self.in_flow();
        if self.text.mark.column == 0 && ch == '%' {
            return self.fetch_directive();
        }
        if self.text.is_at_document_mark('-') {
            return self.fetch_document_mark(Token::DocumentStart);
        }
        if self.text.is_at_document_mark('.') {
            return self.fetch_document_mark(Token::DocumentEnd);
        }
        match ch {
            '[' => self.fetch_flow_start(Token::FlowSequenceStart),
            '{' => self.fetch_flow_start(Token::FlowMappingStart),
            ']' => self.fetch_flow_end(Token::FlowSequenceEnd),
            '}' => self.fetch_flow_end(Token::FlowMappingEnd),
            ',' => self.fetch_flow_entry(),
            '-' if self.text.is_space(1) => self.fetch_block_entry(),
            '?' if in_flow || self.text.is_space(1) => self.fetch_key(),
            ':' if in_flow || self.text.is_space(1) => self.fetch_value(),
            '*' | '&' | '!' | '\'' | '"' => self.fetch_node(ch),
            '|' | '>' if !in_flow => self.fetch_block_scalar(ch == '|'),
            '-' => self.fetch_node(ch),
            '?' | ':' if !in_flow => self.fetch_node(ch),
            '\t' | '?' | ':' | '#' | '|' | '>' | '%' | '@' | '`' => {
                fail("while scanning for the next token", self.text.mark, "found character that cannot start any token")
            }
            _ => self.fetch_node(ch),
        }
    }

    fn in_flow(&self) -> bool {
        self.keys.len() > 1
    }

    fn push(&mut self, token: Token, start: Mark) {
        self.tokens.push_back(Placed { token, start });
    }

    /// A token of that many characters.
    fn push_mark(&mut self, token: Token, characters: usize) {
        self.push(token, self.text.mark);
        self.text.skip(characters);
    }

    fn forget_stale_keys(&mut self) -> Result<()> {
        let now = self.text.mark;
        for slot in &mut self.keys {
            let Some(key) = slot else { continue };
            if key.mark.line < now.line || key.mark.index + SIMPLE_KEY < now.index {
                forget(slot)?;
            }
        }
        Ok(())
    }

    fn forget_key(&mut self) -> Result<()> {
        self.keys.last_mut().map_or(Ok(()), forget)
    }

    /// What begins here may turn out to be a key.
    fn remember_key(&mut self) -> Result<()> {
        if !self.may_start_key {
            return Ok(());
        }
        self.forget_key()?;
        let mark = self.text.mark;
        let is_required = !self.in_flow() && self.indent == i64::from(mark.column);
        let token = self.taken + self.tokens.len();
        if let Some(slot) = self.keys.last_mut() {
            *slot = Some(SimpleKey { is_required, token, mark });
        }
        Ok(())
    }

    /// Starts a block collection where the column is further right than the one around it.
    fn open_block(&mut self, start: Token, mark: Mark, before: Option<usize>) {
        let column = i64::from(mark.column);
        if self.in_flow() || self.indent >= column {
            return;
        }
        self.outer_indents.push(self.indent);
        self.indent = column;
        let at = before.map_or(self.tokens.len(), |token| token - self.taken);
        self.tokens.insert(at, Placed { token: start, start: mark });
    }

    fn close_blocks(&mut self, column: i64) {
        while !self.in_flow() && self.indent > column {
            self.push(Token::BlockEnd, self.text.mark);
            self.indent = self.outer_indents.pop().unwrap_or(-1);
        }
    }

    fn close_all(&mut self) -> Result<()> {
        self.close_blocks(-1);
        self.forget_key()?;
        self.may_start_key = false;
        Ok(())
    }

    fn fetch_end(&mut self) -> Result<()> {
        self.text.end_line();
        self.close_all()?;
        self.push(Token::StreamEnd, self.text.mark);
        Ok(())
    }

    fn fetch_directive(&mut self) -> Result<()> {
        self.close_all()?;
        let start = self.text.mark;
        let token = self.scan_directive()?;
        self.push(token, start);
        Ok(())
    }

    fn fetch_document_mark(&mut self, token: Token) -> Result<()> {
        self.close_all()?;
        self.push_mark(token, 3);
        Ok(())
    }

    fn fetch_flow_start(&mut self, token: Token) -> Result<()> {
        self.remember_key()?;
        self.keys.push(None);
        self.may_start_key = true;
        self.push_mark(token, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, token: Token) -> Result<()> {
        self.forget_key()?;
        if self.in_flow() {
            self.keys.pop();
        }
        self.may_start_key = false;
        self.push_mark(token, 1);
        Ok(())
    }

    fn fetch_flow_entry(&mut self) -> Result<()> {
        self.forget_key()?;
        self.may_start_key = true;
        self.push_mark(Token::FlowEntry, 1);
        Ok(())
    }

    fn refuse_in_block(&self, text: &'static str) -> Result<()> {
        if !self.in_flow() && !self.may_start_key {
            return Err(Problem { text, context: None, mark: self.text.mark });
        }
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<()> {
        self.refuse_in_block("block sequence entries are not allowed in this context")?;
        self.open_block(Token::BlockSequenceStart, self.text.mark, None);
        self.forget_key()?;
        self.may_start_key = true;
        self.push_mark(Token::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<()> {
        self.refuse_in_block("mapping keys are not allowed in this context")?;
        self.open_block(Token::BlockMappingStart, self.text.mark, None);
        self.forget_key()?;
        self.may_start_key = !self.in_flow();
        self.push_mark(Token::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<()> {
        match self.keys.last_mut().and_then(Option::take) {
            Some(key) => {
                self.tokens.insert(key.token - self.taken, Placed { token: Token::Key, start: key.mark });
                self.open_block(Token::BlockMappingStart, key.mark, Some(key.token));
                self.may_start_key = false;
            }
            None => {
                self.refuse_in_block("mapping values are not allowed in this context")?;
                self.open_block(Token::BlockMappingStart, self.text.mark, None);
                self.may_start_key = !self.in_flow();
            }
        }
        self.push_mark(Token::Value, 1);
        Ok(())
    }

    /// What can be a key: a scalar in one line, an alias, or the anchor or tag before one.
    fn fetch_node(&mut self, first: char) -> Result<()> {
        self.remember_key()?;
        self.may_start_key = false;
        let start = self.text.mark;
        let token = match first {
            '*' | '&' => self.scan_anchor()?,
            '!' => self.scan_tag()?,
            '\'' | '"' => self.scan_quoted(first)?,
            _ => self.scan_plain()?,
        };
        self.push(token, start);
        Ok(())
    }

    fn fetch_block_scalar(&mut self, is_literal: bool) -> Result<()> {
        self.forget_key()?;
        self.may_start_key = true;
        let start = self.text.mark;
        let token = self.scan_block_scalar(is_literal)?;
        self.push(token, start);
        Ok(())
    }

    /// Past blanks, comments and breaks. A tab may not indent what could be a key of a block.
    fn skip_to_token(&mut self) {
        loop {
            if self.text.mark.column == 0 && self.text.is_at('\u{FEFF}') {
                self.text.next();
            }
            let passes_tabs = self.in_flow() || !self.may_start_key;
            self.text.skip_while(|text| text.is_at(' ') || passes_tabs && text.is_at('\t'));
            if self.text.is_at('#') {
                self.text.skip_while(|text| !text.is_at_line_end());
            }
            if !self.text.is_at_break() {
                return;
            }
            self.text.skip_break();
            if !self.in_flow() {
                self.may_start_key = true;
            }
        }
    }
}

fn forget(slot: &mut Option<SimpleKey>) -> Result<()> {
    match slot.take() {
        Some(key) if key.is_required => fail("while scanning a simple key", key.mark, "could not find expected ':'"),
        _ => Ok(()),
    }
}
