//! Scalars: plain, in quotes, and in blocks, with their lines folded.

use super::{Result, Scanner, Token, fail};
use crate::data::yaml::text::Mark;

const BLOCK: &str = "while scanning a block scalar";
const PLAIN: &str = "while scanning a plain scalar";
const QUOTED: &str = "while parsing a quoted scalar";

/// The white space behind a word of a plain or quoted scalar, until what follows shows what it means.
#[derive(Default)]
struct Gap {
    blanks: String,
    /// Whether there was a break; what follows it is indentation.
    is_broken: bool,
    first_break: String,
    more_breaks: String,
}

impl Gap {
    /// One break is a space; of more than one, the first does not count.
    fn fold_into(&mut self, text: &mut String) {
        if !self.is_broken && self.blanks.is_empty() {
            return;
        }
        if !self.is_broken {
            text.push_str(&self.blanks);
        } else if !self.first_break.starts_with('\n') {
            text.push_str(&self.first_break);
            text.push_str(&self.more_breaks);
        } else if self.more_breaks.is_empty() {
            text.push(' ');
        } else {
            text.push_str(&self.more_breaks);
        }
        *self = Gap::default();
    }
}

/// What stands behind `|` or `>`.
#[derive(Default)]
struct BlockHeader {
    chomping: Chomping,
    /// How much deeper than the block around it; zero if the first line decides.
    indent: u32,
}

/// What becomes of the breaks at the end.
#[derive(Clone, Copy, Default, PartialEq)]
enum Chomping {
    #[default]
    One,
    All,
    None,
}

impl Scanner<'_> {
    /// Passes the white space here; tabs that indent less than `indent` are refused.
    fn scan_gap(&mut self, gap: &mut Gap, indent: Option<(i64, Mark)>) -> Result<()> {
        loop {
            if self.text.is_at_blank() {
                if !gap.is_broken {
                    self.text.read(&mut gap.blanks);
                    continue;
                }
                if let Some((indent, start)) = indent
                    && i64::from(self.text.mark.column) < indent
                    && self.text.is_at('\t')
                {
                    return fail(PLAIN, start, "found a tab character that violates indentation");
                }
                self.text.next();
            } else if self.text.is_at_break() {
                let into = if gap.is_broken { &mut gap.more_breaks } else { &mut gap.first_break };
                self.text.read_break(into);
                gap.is_broken = true;
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn scan_plain(&mut self) -> Result<Token> {
        let start = self.text.mark;
        let indent = self.indent + 1;
        let mut text = String::new();
        let mut gap = Gap::default();
        loop {
            if self.text.is_at_document_mark('-') || self.text.is_at_document_mark('.') || self.text.is_at('#') {
                break;
            }
            while !self.text.is_space(0) {
                if self.in_flow() && self.text.is_at(':') && self.text.peek(1).is_some_and(|ch| ",?[]{}".contains(ch)) {
                    return fail(PLAIN, start, "found unexpected ':'");
                }
                let ends_key = self.text.is_at(':') && self.text.is_space(1);
                if ends_key || self.in_flow() && self.text.is_at_one_of(",[]{}") {
                    break;
                }
                gap.fold_into(&mut text);
                self.text.read(&mut text);
            }
            if !(self.text.is_at_blank() || self.text.is_at_break()) {
                break;
            }
            self.scan_gap(&mut gap, Some((indent, start)))?;
            if !self.in_flow() && i64::from(self.text.mark.column) < indent {
                break;
            }
        }
        if gap.is_broken {
            self.may_start_key = true;
        }
        Ok(Token::Scalar { text, is_plain: true })
    }

    pub(super) fn scan_quoted(&mut self, quote: char) -> Result<Token> {
        const CONTEXT: &str = "while scanning a quoted scalar";
        let start = self.text.mark;
        let mut text = String::new();
        self.text.next();
        loop {
            if self.text.is_at_document_mark('-') || self.text.is_at_document_mark('.') {
                return fail(CONTEXT, start, "found unexpected document indicator");
            }
            if self.text.is_at_end() {
                return fail(CONTEXT, start, "found unexpected end of stream");
            }
            let mut gap = Gap { is_broken: self.scan_quoted_word(quote, start, &mut text)?, ..Gap::default() };
            if self.text.is_at(quote) {
                break;
            }
            // After an escaped break all further ones count: it stands for a first one that says nothing.
            self.scan_gap(&mut gap, None)?;
            gap.fold_into(&mut text);
        }
        self.text.next();
        Ok(Token::Scalar { text, is_plain: false })
    }

    /// Up to white space or the closing quote; whether an escaped break ended it.
    fn scan_quoted_word(&mut self, quote: char, start: Mark, text: &mut String) -> Result<bool> {
        let is_double = quote == '"';
        while !self.text.is_space(0) {
            if !is_double && self.text.is_at('\'') && self.text.peek(1) == Some('\'') {
                text.push('\'');
                self.text.skip(2);
            } else if self.text.is_at(quote) {
                return Ok(false);
            } else if is_double && self.text.is_at('\\') {
                self.text.next();
                if self.text.is_at_break() {
                    self.text.skip_break();
                    return Ok(true);
                }
                text.push(self.scan_escape(start)?);
            } else {
                self.text.read(text);
            }
        }
        Ok(false)
    }

    /// Returns the character that an escape stands for, behind its backslash.
    fn scan_escape(&mut self, start: Mark) -> Result<char> {
        let letter = self.text.peek(0);
        let ch = match letter {
            Some('0') => '\0',
            Some('a') => '\x07',
            Some('b') => '\x08',
            Some('t' | '\t') => '\t',
            Some('n') => '\n',
            Some('v') => '\x0B',
            Some('f') => '\x0C',
            Some('r') => '\r',
            Some('e') => '\x1B',
            Some(same @ (' ' | '"' | '/' | '\\')) => same,
            Some('N') => '\u{85}',
            Some('_') => '\u{A0}',
            Some('L') => '\u{2028}',
            Some('P') => '\u{2029}',
            Some(digits @ ('x' | 'u' | 'U')) => {
                self.text.next();
                let count = match digits {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                return self.scan_code(count, start);
            }
            _ => return fail(QUOTED, start, "found unknown escape character"),
        };
        self.text.next();
        Ok(ch)
    }

    fn scan_code(&mut self, count: usize, start: Mark) -> Result<char> {
        let mut code = 0;
        for ahead in 0..count {
            let Some(digit) = self.text.peek(ahead).and_then(|ch| ch.to_digit(16)) else {
                return fail(QUOTED, start, "did not find expected hexdecimal number");
            };
            code = code << 4 | digit;
        }
        let Some(ch) = char::from_u32(code) else {
            return fail(QUOTED, start, "found invalid Unicode character escape code");
        };
        self.text.skip(count);
        Ok(ch)
    }

    pub(super) fn scan_block_scalar(&mut self, is_literal: bool) -> Result<Token> {
        let start = self.text.mark;
        let header = self.scan_block_header(start)?;
        let mut indent = match header.indent {
            0 => None,
            deeper => Some(self.indent.max(0) + i64::from(deeper)),
        };
        let (mut text, mut last_break, mut breaks) = (String::new(), String::new(), String::new());
        let mut follows_blank = false;
        self.scan_block_breaks(&mut indent, &mut breaks, start)?;
        while Some(i64::from(self.text.mark.column)) == indent && !self.text.is_at_end() {
            let begins_blank = self.text.is_at_blank();
            // Lines that begin with a blank are not folded.
            if !is_literal && last_break.starts_with('\n') && !follows_blank && !begins_blank {
                if breaks.is_empty() {
                    text.push(' ');
                }
                last_break.clear();
            }
            text.push_str(&std::mem::take(&mut last_break));
            text.push_str(&std::mem::take(&mut breaks));
            follows_blank = begins_blank;
            while !self.text.is_at_line_end() {
                self.text.read(&mut text);
            }
            self.text.read_break(&mut last_break);
            self.scan_block_breaks(&mut indent, &mut breaks, start)?;
        }
        if header.chomping != Chomping::None {
            text.push_str(&last_break);
        }
        if header.chomping == Chomping::All {
            text.push_str(&breaks);
        }
        Ok(Token::Scalar { text, is_plain: false })
    }

    /// `|`, `>2-`, `|+1 # comment`: a letter and a digit in any order.
    fn scan_block_header(&mut self, start: Mark) -> Result<BlockHeader> {
        let mut header = BlockHeader::default();
        self.text.next();
        if self.text.is_at_one_of("+-") {
            self.scan_chomping(&mut header);
            self.scan_block_indent(&mut header, start)?;
        } else if self.scan_block_indent(&mut header, start)? && self.text.is_at_one_of("+-") {
            self.scan_chomping(&mut header);
        }
        self.text.skip_while(|text| text.is_at_blank());
        if self.text.is_at('#') {
            self.text.skip_while(|text| !text.is_at_line_end());
        }
        if !self.text.is_at_line_end() {
            return fail(BLOCK, start, "did not find expected comment or line break");
        }
        self.text.skip_break();
        Ok(header)
    }

    fn scan_chomping(&mut self, header: &mut BlockHeader) {
        header.chomping = if self.text.next() == Some('+') { Chomping::All } else { Chomping::None };
    }

    fn scan_block_indent(&mut self, header: &mut BlockHeader, start: Mark) -> Result<bool> {
        let Some(digit) = self.text.peek(0).and_then(|ch| ch.to_digit(10)) else { return Ok(false) };
        if digit == 0 {
            return fail(BLOCK, start, "found an indentation indicator equal to 0");
        }
        header.indent = digit;
        self.text.next();
        Ok(true)
    }

    /// Passes indentation and empty lines; the deepest of them decides an indent that is not known yet.
    fn scan_block_breaks(&mut self, indent: &mut Option<i64>, breaks: &mut String, start: Mark) -> Result<()> {
        let mut deepest = 0;
        loop {
            let limit = indent.unwrap_or(i64::MAX);
            self.text.skip_while(|text| i64::from(text.mark.column) < limit && text.is_at(' '));
            let column = i64::from(self.text.mark.column);
            deepest = deepest.max(column);
            if column < limit && self.text.is_at('\t') {
                return fail(BLOCK, start, "found a tab character where an indentation space is expected");
            }
            if !self.text.is_at_break() {
                break;
            }
            self.text.read_break(breaks);
        }
        indent.get_or_insert(deepest.max(self.indent + 1).max(1));
        Ok(())
    }
}
