//! The template of `pack` and `unpack`: letters, each with the order of its bytes and a count.

use crate::class::Core;
use crate::interp::Interp;
use crate::stop::Flow;

/// How often a letter counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Once,
    Times(usize),
    /// `*`
    All,
}

impl Count {
    pub(super) fn times(self, all: usize) -> usize {
        match self {
            Count::Once => 1,
            Count::Times(count) => count,
            Count::All => all,
        }
    }
}

/// One letter of a template.
pub(super) struct Directive {
    pub(super) letter: char,
    /// `!` or `_`: as wide as the machine has it.
    is_native: bool,
    /// `<` is false, `>` is true.
    is_big_endian: Option<bool>,
    pub(super) count: Count,
}

/// An integer or a float in so many bytes.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) bytes: usize,
    pub(super) is_big_endian: bool,
    pub(super) is_signed: bool,
    pub(super) is_float: bool,
}

/// The letters that `<`, `>`, `!` and `_` may stand behind.
const SIZED: &str = "sSiIlLqQjJ";

impl Directive {
    /// `None`: it stands for no number.
    pub(super) fn number(&self) -> Option<Number> {
        let (bytes, is_big_endian, is_float) = match self.letter {
            'C' | 'c' => (1, false, false),
            'S' | 's' => (2, false, false),
            'L' | 'l' if self.is_native => (8, false, false),
            'I' | 'i' | 'L' | 'l' => (4, false, false),
            'Q' | 'q' | 'J' | 'j' => (8, false, false),
            'n' => (2, true, false),
            'N' => (4, true, false),
            'v' => (2, false, false),
            'V' => (4, false, false),
            'f' | 'F' | 'e' => (4, false, true),
            'g' => (4, true, true),
            'd' | 'D' | 'E' => (8, false, true),
            'G' => (8, true, true),
            _ => return None,
        };
        Some(Number {
            bytes,
            is_big_endian: self.is_big_endian.unwrap_or(is_big_endian),
            is_signed: matches!(self.letter, 'c' | 's' | 'i' | 'l' | 'q' | 'j'),
            is_float,
        })
    }
}

/// The letters of a template one by one, so that an error of one comes after what those before it do.
pub(super) struct Template<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
}

impl<'t> Template<'t> {
    pub(super) fn new(template: &'t str) -> Template<'t> {
        Template { rest: template.chars().peekable() }
    }

    pub(super) fn next(&mut self, interp: &mut Interp<'_>) -> Flow<Option<Directive>> {
        let letter = loop {
            match self.rest.next() {
                None => return Ok(None),
                Some('#') => while self.rest.next().is_some_and(|letter| letter != '\n') {},
                Some(blank) if blank.is_ascii_whitespace() || blank == '\u{b}' => {}
                Some(letter) => break letter,
            }
        };
        let mut directive = Directive { letter, is_native: false, is_big_endian: None, count: Count::Once };
        while let Some(modifier) = self.rest.next_if(|next| matches!(next, '!' | '_' | '<' | '>')) {
            if !SIZED.contains(letter) {
                let message = format!("'{modifier}' allowed only after types {SIZED}");
                return interp.raise(Core::ArgumentError, message);
            }
            match modifier {
                '<' | '>' if directive.is_big_endian.is_some() => {
                    return interp.raise(Core::RangeError, "Can't use both '<' and '>'");
                }
                '<' | '>' => directive.is_big_endian = Some(modifier == '>'),
                _ => directive.is_native = true,
            }
        }
        if self.rest.next_if_eq(&'*').is_some() {
            directive.count = Count::All;
            return Ok(Some(directive));
        }
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        if !digits.is_empty() {
            directive.count = match digits.parse::<i64>() {
                Ok(count) => Count::Times(usize::try_from(count).unwrap_or_default()),
                Err(_) => return interp.raise(Core::RangeError, "pack length too big"),
            };
        }
        Ok(Some(directive))
    }
}
