//! The tokens of a pattern outside of character classes.
//!
//! Knows nothing of how tokens nest.

use super::Fault;
use super::name::{Name, UNDEFINED_NAME, quoting};
use super::parser::Parser;
use super::tree::Groups;

pub(super) enum Token<'a> {
    End,
    Bar,
    Open,
    Close,
    /// A character that stands for itself.
    Character,
    /// Any of several characters, whatever the input.
    One,
    /// More than one character at times, but never given back.
    Cluster,
    Anchor {
        in_look_behind: bool,
    },
    Repeat {
        low: u32,
        high: Option<u32>,
        possessive: bool,
    },
    Class,
    /// The name of a property follows.
    Property,
    BackReference(Groups),
    Call {
        name: &'a [char],
        number: Option<u32>,
    },
}

/// The largest group a bare `\123` may refer to, and the largest count of a repeat.
const LARGEST_REFERENCE: u32 = 1000;
const LARGEST_REPEAT: u32 = 100_000;

impl<'a> Parser<'a> {
    /// Reads the next token into `self.token`.
    pub(super) fn advance(&mut self) -> Result<(), Fault> {
        self.token = loop {
            self.token_start = self.reader.pos;
            let Some(character) = self.reader.next() else { break Token::End };
            break match character {
                '\\' => self.escaped()?,
                '.' => Token::One,
                '*' => self.operator(0, None),
                '+' => self.operator(1, None),
                '?' => self.operator(0, Some(1)),
                '{' => self.interval()?,
                '|' => Token::Bar,
                '(' if self.skip_comment()? => continue,
                '(' => Token::Open,
                ')' => Token::Close,
                '^' | '$' => Token::Anchor { in_look_behind: true },
                '[' => Token::Class,
                '#' if self.options.extended => {
                    while self.reader.next().is_some_and(|character| character != '\n') {}
                    continue;
                }
                ' ' | '\t' | '\n' | '\r' | '\x0C' if self.options.extended => continue,
                _ => Token::Character,
            };
        };
        Ok(())
    }

    /// Skips `?#...)` behind a parenthesis.
    fn skip_comment(&mut self) -> Result<bool, Fault> {
        let start = self.reader.pos;
        if !(self.reader.skip('?') && self.reader.skip('#')) {
            self.reader.pos = start;
            return Ok(false);
        }
        loop {
            match self.reader.next() {
                None => return Fault::at(self.token_start, "end pattern in group"),
                Some('\\') => {
                    self.reader.next();
                }
                Some(')') => return Ok(true),
                Some(_) => {}
            }
        }
    }

    fn operator(&mut self, low: u32, high: Option<u32>) -> Token<'a> {
        let possessive = !self.reader.skip('?') && self.reader.skip('+');
        Token::Repeat { low, high, possessive }
    }

    /// `{1,2}`, or an ordinary brace.
    fn interval(&mut self) -> Result<Token<'a>, Fault> {
        let start = self.reader.pos;
        if self.reader.is_done() {
            return Ok(Token::Character);
        }
        let (low, any_low) = self.bound()?;
        let (mut high, mut fixed, mut valid) = (Some(low), true, any_low);
        if self.reader.skip(',') {
            let (most, any_most) = self.bound()?;
            (high, fixed, valid) = (any_most.then_some(most), false, any_low || any_most);
        }
        if !valid || !self.reader.skip('}') {
            self.reader.pos = start;
            return Ok(Token::Character);
        }
        if high.is_some_and(|high| low > high) {
            return Fault::at(self.token_start, "upper is smaller than lower in repeat range");
        }
        if !fixed {
            self.reader.skip('?');
        }
        Ok(Token::Repeat { low, high, possessive: false })
    }

    fn bound(&mut self) -> Result<(u32, bool), Fault> {
        let start = self.reader.pos;
        match self.reader.number() {
            Some(number @ ..=LARGEST_REPEAT) => Ok((number, self.reader.pos > start)),
            _ => Fault::at(self.token_start, "too big number for repeat range"),
        }
    }

    /// What is behind a backslash.
    fn escaped(&mut self) -> Result<Token<'a>, Fault> {
        // The pass before has seen to it that something follows.
        let Some(character) = self.reader.next() else { return Ok(Token::Character) };
        Ok(match character {
            'w' | 'W' | 'd' | 'D' | 's' | 'S' | 'h' | 'H' => Token::One,
            'b' | 'B' | 'A' | 'G' | 'K' => Token::Anchor { in_look_behind: true },
            'Z' | 'z' => Token::Anchor { in_look_behind: false },
            'R' | 'X' => Token::Cluster,
            'x' => {
                self.reader.digits(2, 16);
                Token::Character
            }
            '1'..='9' => self.digit_escape(character),
            'k' if matches!(self.reader.peek(), Some('<' | '\'')) => {
                let name = self.named_reference()?;
                Token::BackReference(self.referred(&name)?)
            }
            'g' if matches!(self.reader.peek(), Some('<' | '\'')) => self.call()?,
            'p' | 'P' if self.reader.skip('{') => {
                self.reader.skip('^');
                Token::Property
            }
            _ => Token::Character,
        })
    }

    /// A name with a level behind the opening character that is next.
    pub(super) fn named_reference(&mut self) -> Result<Name<'a>, Fault> {
        let opening = self.reader.next().unwrap_or('<');
        self.reader.name_with_level(opening)
    }

    /// A back-reference if there are that many groups yet, or an octal escape.
    fn digit_escape(&mut self, first: char) -> Token<'a> {
        let start = self.reader.pos - 1;
        self.reader.pos = start;
        if let Some(number @ ..=LARGEST_REFERENCE) = self.reader.number()
            && (number <= self.tree.groups || number <= 9)
        {
            return Token::BackReference(Groups::Number(number));
        }
        self.reader.pos = start + 1;
        if first < '8' {
            self.reader.digits(2, 8);
        }
        Token::Character
    }

    /// The groups a reference means.
    pub(super) fn referred(&self, name: &Name<'a>) -> Result<Groups, Fault> {
        match name.number {
            Some(number) => match self.absolute(number) {
                Some(number) => Ok(Groups::Number(number)),
                None => Fault::at(self.token_start, "invalid backref number/name"),
            },
            None => match self.tree.names.get(name.text) {
                Some(name) => Ok(Groups::Named { name: *name, count: self.tree.namesakes[*name].groups.len() }),
                None => quoting(self.token_start, UNDEFINED_NAME, name.text),
            },
        }
    }

    /// The group a number means: negative ones count back from the last that was opened.
    fn absolute(&self, number: i32) -> Option<u32> {
        if number > 0 {
            return u32::try_from(number).ok();
        }
        (self.tree.groups + 1).checked_add_signed(number).filter(|number| *number > 0)
    }

    /// `\g<...>`, from its opening character on.
    fn call(&mut self) -> Result<Token<'a>, Fault> {
        let opening = self.reader.next().unwrap_or('<');
        let mut ahead = false;
        let start = self.reader.pos;
        if self.reader.skip('0') {
            let closing = if opening == '<' { '>' } else { opening };
            if self.reader.skip(closing) {
                return Ok(Token::Call { name: &self.reader.text[start..start + 1], number: Some(0) });
            }
        } else {
            ahead = self.reader.skip('+');
        }
        let name = self.reader.name(opening, true)?;
        let number = match (name.number, ahead) {
            (None, false) => return Ok(Token::Call { name: name.text, number: None }),
            // A name behind a plus counts as nought.
            (None, true) => Some(self.tree.groups + 1),
            (Some(number @ 1..), true) => (self.tree.groups + 1).checked_add_signed(number - 1),
            (Some(number), _) => self.absolute(number),
        };
        match number {
            Some(_) => Ok(Token::Call { name: name.text, number }),
            None => Fault::at(self.token_start, "invalid backref number/name"),
        }
    }
}
