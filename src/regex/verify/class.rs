//! Character classes.
//!
//! Only ranges can be wrong in one, besides its end: which characters it holds is no matter.

use super::Fault;
use super::parser::Parser;

enum ClassToken {
    End,
    Close,
    Open,
    Dash,
    And,
    Character(char),
    /// `[:`, with `:]` later on.
    Bracket,
    Property,
    /// `\w` and the like.
    Several,
}

/// What the last item of a class was.
#[derive(Clone, Copy)]
enum Last {
    Nothing,
    Character(char),
    Several,
    /// A character and a dash behind it.
    HalfRange(char),
    Range,
}

/// The longest name of a POSIX bracket that is worth a complaint.
const LONGEST_BRACKET: usize = 20;

/// The shortest name of a POSIX bracket, `:]` and the bracket that closes the class.
const SHORTEST_BRACKET: usize = "word:]]".len();

const BRACKETS: [&str; 14] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit",
    "ascii", "word",
];

impl Parser<'_> {
    /// A class, from behind its opening bracket to the closing one.
    pub(super) fn class(&mut self) -> Result<(), Fault> {
        self.deeper(Self::class_body)
    }

    fn class_body(&mut self) -> Result<(), Fault> {
        let start = self.reader.pos - 1;
        let mut token = self.class_token();
        if matches!(token, ClassToken::Character('^')) && self.reader.pos == start + 2 {
            token = self.class_token();
        }
        if matches!(token, ClassToken::Close) {
            if !self.closes_later() {
                return Fault::at(start, "empty char-class");
            }
            token = ClassToken::Character(']');
        }
        let mut last = Last::Nothing;
        loop {
            let at = self.token_start;
            match token {
                ClassToken::End => return Fault::at(start, "premature end of char-class"),
                ClassToken::Close => return Ok(()),
                ClassToken::Open => self.class()?,
                ClassToken::And => last = Last::Nothing,
                ClassToken::Character(character) => last = last.then(character, at)?,
                ClassToken::Bracket if !self.bracket(at)? => last = last.then('[', at)?,
                ClassToken::Bracket | ClassToken::Several => last = last.then_several(at)?,
                ClassToken::Property => {
                    self.property()?;
                    last = last.then_several(at)?;
                }
                ClassToken::Dash => {
                    token = self.dash(&mut last)?;
                    continue;
                }
            }
            token = self.class_token();
        }
    }

    /// A dash makes a range only between characters. The token behind it tells, and is given back.
    fn dash(&mut self, last: &mut Last) -> Result<ClassToken, Fault> {
        let at = self.token_start;
        let next = self.class_token();
        *last = match *last {
            Last::Character(_) | Last::Several if matches!(next, ClassToken::Close | ClassToken::And) => {
                last.then('-', at)?
            }
            Last::Character(character) => Last::HalfRange(character),
            Last::Several => return Fault::at(at, "unmatched range specifier in char-class"),
            Last::Nothing | Last::Range | Last::HalfRange(_) => last.then('-', at)?,
        };
        Ok(next)
    }

    /// The next token, whose start is left in `token_start`.
    fn class_token(&mut self) -> ClassToken {
        self.token_start = self.reader.pos;
        let Some(character) = self.reader.next() else { return ClassToken::End };
        match character {
            ']' => ClassToken::Close,
            '-' => ClassToken::Dash,
            '&' if self.reader.skip('&') => ClassToken::And,
            '[' if self.reader.peek() == Some(':') && self.bracket_closes() => {
                self.reader.pos += 1;
                ClassToken::Bracket
            }
            '[' => ClassToken::Open,
            '\\' => self.class_escape(),
            _ => ClassToken::Character(character),
        }
    }

    fn class_escape(&mut self) -> ClassToken {
        // The pass before has seen to it that something follows.
        let Some(character) = self.reader.next() else { return ClassToken::End };
        let code = match character {
            'w' | 'W' | 'd' | 'D' | 's' | 'S' | 'h' | 'H' => return ClassToken::Several,
            'p' | 'P' if self.reader.skip('{') => {
                self.reader.skip('^');
                return ClassToken::Property;
            }
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
            'b' => 0x08,
            'e' => 0x1B,
            _ => return ClassToken::Character(character),
        };
        ClassToken::Character(char::from_u32(code).unwrap_or(character))
    }

    /// Whether a bracket that would close an empty class is an item of it: another one follows,
    /// though it be escaped.
    fn closes_later(&self) -> bool {
        self.reader.text[self.reader.pos..].contains(&']')
    }

    /// Whether `:]` follows, and no other closing bracket before that.
    ///
    /// The answer holds from anywhere up to the place that gave it, and is kept, or a run of `[:`
    /// would be searched over and over.
    fn bracket_closes(&mut self) -> bool {
        let start = self.reader.pos + 1;
        let (from, to, found) = self.bracket;
        if (from..=to).contains(&start) && to > 0 {
            return found;
        }
        let text = self.reader.text;
        let mut at = start;
        let found = loop {
            match text.get(at) {
                None | Some(']') => break false,
                Some(':') if text.get(at + 1) == Some(&']') => break true,
                Some('\\') => at += 2,
                Some(_) => at += 1,
            }
        };
        self.bracket = (start, at, found);
        found
    }

    /// The name in a POSIX bracket, from behind `[:`. Not one at all if `:]` is far away: then the
    /// bracket was a character.
    fn bracket(&mut self, at: usize) -> Result<bool, Fault> {
        const UNKNOWN: &str = "invalid POSIX bracket type";
        let start = self.reader.pos;
        self.reader.skip('^');
        let rest = &self.reader.text[self.reader.pos..];
        // Ruby does not look for a name where the shortest would end the pattern.
        for name in BRACKETS.iter().filter(|_| rest.len() >= SHORTEST_BRACKET) {
            let length = name.len();
            if rest.len() >= length && rest[..length].iter().copied().eq(name.chars()) {
                if !rest[length..].starts_with(&[':', ']']) {
                    return Fault::at(at, UNKNOWN);
                }
                self.reader.pos += length + 2;
                return Ok(true);
            }
        }
        let stop = rest.iter().take(LONGEST_BRACKET + 1).position(|character| matches!(character, ':' | ']'));
        if let Some(stop) = stop
            && rest[stop..].starts_with(&[':', ']'])
        {
            return Fault::at(at, UNKNOWN);
        }
        self.reader.pos = start - 1;
        Ok(false)
    }
}

impl Last {
    fn then(self, character: char, at: usize) -> Result<Last, Fault> {
        match self {
            Last::HalfRange(low) if low > character => Fault::at(at, "empty range in char class"),
            Last::HalfRange(_) => Ok(Last::Range),
            _ => Ok(Last::Character(character)),
        }
    }

    fn then_several(self, at: usize) -> Result<Last, Fault> {
        match self {
            Last::HalfRange(_) => Fault::at(at, "char-class value at end of range"),
            _ => Ok(Last::Several),
        }
    }
}
