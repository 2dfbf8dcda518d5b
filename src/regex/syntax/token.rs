//! The tokens of a pattern outside of character classes, with the escapes that stand for more than a character (`unescape` has the
//! others).
//!
//! Knows nothing of how tokens nest.

use super::Fault;
use super::name::{Name, UNDEFINED_NAME, Words, quoting};
use super::parser::Parser;
use super::property;
use super::tree::{Anchor, CharacterSet, Groups, Property};

pub(super) enum Token<'a> {
    End,
    Bar,
    Open,
    Close,
    /// A character that stands for itself, or is escaped.
    Character(char),
    /// One of several characters.
    One(CharacterSet),
    LineBreak,
    GraphemeCluster,
    Anchor(Anchor),
    Repeat {
        low: u32,
        high: Option<u32>,
        kind: Greediness,
    },
    /// The inside of a class follows.
    Class,
    /// The name of a property follows.
    Property {
        is_negative: bool,
    },
    BackReference {
        groups: Groups,
        level: Option<i32>,
    },
    Call {
        name: &'a [char],
        number: Option<u32>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Greediness {
    Greedy,
    Lazy,
    Possessive,
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
                '.' => Token::One(CharacterSet::Any),
                '*' => self.operator(0, None),
                '+' => self.operator(1, None),
                '?' => self.operator(0, Some(1)),
                '{' => self.interval()?,
                '|' => Token::Bar,
                '(' if self.skip_comment()? => continue,
                '(' => Token::Open,
                ')' => Token::Close,
                '^' => Token::Anchor(Anchor::LineStart),
                '$' => Token::Anchor(Anchor::LineEnd),
                '[' => Token::Class,
                '#' if self.flags.extended => {
                    while self.reader.next().is_some_and(|character| character != '\n') {}
                    continue;
                }
                ' ' | '\t' | '\n' | '\r' | '\x0C' if self.flags.extended => continue,
                character => Token::Character(character),
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
        let kind = if self.reader.skip('?') {
            Greediness::Lazy
        } else if self.reader.skip('+') {
            Greediness::Possessive
        } else {
            Greediness::Greedy
        };
        Token::Repeat { low, high, kind }
    }

    /// `{1,2}`, or an ordinary brace: never possessive, and lazy only with a comma.
    fn interval(&mut self) -> Result<Token<'a>, Fault> {
        let start = self.reader.pos;
        if self.reader.is_done() {
            return Ok(Token::Character('{'));
        }
        let (low, any_low) = self.bound()?;
        let (mut high, mut fixed, mut valid) = (Some(low), true, any_low);
        if self.reader.skip(',') {
            let (most, any_most) = self.bound()?;
            (high, fixed, valid) = (any_most.then_some(most), false, any_low || any_most);
        }
        if !valid || !self.reader.skip('}') {
            self.reader.pos = start;
            return Ok(Token::Character('{'));
        }
        if high.is_some_and(|high| low > high) {
            return Fault::at(self.token_start, "upper is smaller than lower in repeat range");
        }
        let kind = if !fixed && self.reader.skip('?') { Greediness::Lazy } else { Greediness::Greedy };
        Ok(Token::Repeat { low, high, kind })
    }

    fn bound(&mut self) -> Result<(u32, bool), Fault> {
        let start = self.reader.pos;
        match self.reader.number() {
            Some(number @ ..=LARGEST_REPEAT) => Ok((number, self.reader.pos > start)),
            _ => Fault::at(self.token_start, "too big number for repeat range"),
        }
    }

    /// Returns what is behind a backslash.
    fn escaped(&mut self) -> Result<Token<'a>, Fault> {
        // The pass before has seen to it that something follows.
        let Some(character) = self.reader.next() else { return Ok(Token::Character('\\')) };
        Ok(match character {
            'w' | 'W' | 'd' | 'D' | 's' | 'S' | 'h' | 'H' => Token::One(CharacterSet::Escape(character)),
            'b' => Token::Anchor(Anchor::WordBoundary),
            'B' => Token::Anchor(Anchor::NoWordBoundary),
            'A' => Token::Anchor(Anchor::TextStart),
            'Z' => Token::Anchor(Anchor::LastLineEnd),
            'z' => Token::Anchor(Anchor::TextEnd),
            'G' => Token::Anchor(Anchor::SearchStart),
            'K' => Token::Anchor(Anchor::Keep),
            'R' => Token::LineBreak,
            'X' => Token::GraphemeCluster,
            '1'..='9' => self.digit_escape(character),
            'k' if matches!(self.reader.peek(), Some('<' | '\'')) => {
                let name = self.named_reference()?;
                Token::BackReference { groups: self.referred(&name)?, level: name.level }
            }
            'g' if matches!(self.reader.peek(), Some('<' | '\'')) => self.call()?,
            'p' | 'P' if self.reader.skip('{') => {
                Token::Property { is_negative: self.reader.skip('^') != (character == 'P') }
            }
            _ => Token::Character(self.escaped_character(character)),
        })
    }

    /// Returns a name with a level behind the opening character that is next.
    pub(super) fn named_reference(&mut self) -> Result<Name<'a>, Fault> {
        let opening = self.reader.next().unwrap_or('<');
        self.reader.name_with_level(opening)
    }

    /// Returns a back-reference if there are that many groups yet, or an octal escape.
    fn digit_escape(&mut self, first: char) -> Token<'a> {
        let start = self.reader.pos - 1;
        self.reader.pos = start;
        if let Some(number @ ..=LARGEST_REFERENCE) = self.reader.number()
            && (number <= self.tree.groups || number <= 9)
        {
            return Token::BackReference { groups: Groups::Number(number), level: None };
        }
        self.reader.pos = start + 1;
        Token::Character(self.escaped_character(first))
    }

    /// The character an escape stands for, in a class and out of it.
    pub(super) fn escaped_character(&mut self, character: char) -> char {
        let code = match character {
            'x' => self.reader.digits(2, 16),
            '0'..='7' => {
                self.reader.pos -= 1;
                self.reader.digits(3, 8)
            }
            'n' => 0x0A,
            't' => 0x09,
            'r' => 0x0D,
            'f' => 0x0C,
            'v' => 0x0B,
            'a' => 0x07,
            'e' => 0x1B,
            other => return other,
        };
        char::from_u32(code).unwrap_or(character)
    }

    /// Returns the name of a property, to its closing brace.
    pub(super) fn property(&mut self, is_negative: bool) -> Result<Property, Fault> {
        const UNKNOWN: Words = ("invalid character property name {", "}");
        let start = self.reader.pos;
        let mut end = start;
        while let Some(character) = self.reader.peek() {
            end = self.reader.pos;
            self.reader.pos += 1;
            match character {
                '}' if property::exists(&self.reader.text[start..end]) => {
                    return Ok(Property { name_start: start as u32, name_end: end as u32, is_negative });
                }
                '}' | '(' | ')' | '{' | '|' => break,
                _ => {}
            }
        }
        quoting(start, UNKNOWN, &self.reader.text[start..end])
    }

    /// The groups a reference means.
    pub(super) fn referred(&self, name: &Name<'a>) -> Result<Groups, Fault> {
        match name.number {
            Some(number) => match self.absolute(number) {
                Some(number) => Ok(Groups::Number(number)),
                None => Fault::at(self.token_start, "invalid backref number/name"),
            },
            None => match self.tree.names.get(name.text) {
                Some(name) => {
                    let count = self.tree.namesakes[*name as usize].groups.len() as u32;
                    Ok(Groups::Named { name: *name, count })
                }
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
