//! Character classes.
//!
//! Notes what stands in a class. Which characters these are is for the lowering to tell.

use super::Fault;
use super::parser::Parser;
use super::tree::ClassItem;

enum ClassToken {
    End,
    Close,
    Open,
    Dash,
    And,
    Character(char),
    /// `[:`, with `:]` later on.
    Bracket,
    /// The name of a property follows.
    Property {
        is_negative: bool,
    },
    /// `\w` and the like.
    Escape(char),
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
        let is_negative = matches!(token, ClassToken::Character('^')) && self.reader.pos == start + 2;
        if is_negative {
            token = self.class_token();
        }
        self.tree.class_items.push(ClassItem::Open { is_negative });
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
                ClassToken::Close => {
                    last.finish(&mut self.tree.class_items);
                    self.tree.class_items.push(ClassItem::Close);
                    return Ok(());
                }
                ClassToken::Open => self.class()?,
                ClassToken::And => {
                    last.finish(&mut self.tree.class_items);
                    self.tree.class_items.push(ClassItem::And);
                    last = Last::Nothing;
                }
                ClassToken::Character(character) => last = self.character(last, character, at)?,
                ClassToken::Bracket => match self.bracket(at)? {
                    Some(bracket) => last = self.several(last, bracket, at)?,
                    None => last = self.character(last, '[', at)?,
                },
                ClassToken::Escape(letter) => last = self.several(last, ClassItem::Escape(letter), at)?,
                ClassToken::Property { is_negative } => {
                    let property = self.property(is_negative)?;
                    last = self.several(last, ClassItem::Property(property), at)?;
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
                self.character(*last, '-', at)?
            }
            Last::Character(character) => Last::HalfRange(character),
            Last::Several => return Fault::at(at, "unmatched range specifier in char-class"),
            Last::Nothing | Last::Range | Last::HalfRange(_) => self.character(*last, '-', at)?,
        };
        Ok(next)
    }

    /// Returns what a character makes of the item before it: the end of a range, or one behind it.
    fn character(&mut self, last: Last, character: char, at: usize) -> Result<Last, Fault> {
        match last {
            Last::HalfRange(low) if low > character => Fault::at(at, "empty range in char class"),
            Last::HalfRange(low) => {
                self.tree.class_items.push(ClassItem::Range(low, character));
                Ok(Last::Range)
            }
            _ => {
                last.finish(&mut self.tree.class_items);
                Ok(Last::Character(character))
            }
        }
    }

    /// Adds an item that stands for several characters.
    fn several(&mut self, last: Last, item: ClassItem, at: usize) -> Result<Last, Fault> {
        if matches!(last, Last::HalfRange(_)) {
            return Fault::at(at, "char-class value at end of range");
        }
        last.finish(&mut self.tree.class_items);
        self.tree.class_items.push(item);
        Ok(Last::Several)
    }

    /// Returns the next token, whose start is left in `token_start`.
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
        match character {
            'w' | 'W' | 'd' | 'D' | 's' | 'S' | 'h' | 'H' => ClassToken::Escape(character),
            'p' | 'P' if self.reader.skip('{') => {
                ClassToken::Property { is_negative: self.reader.skip('^') != (character == 'P') }
            }
            'b' => ClassToken::Character('\x08'),
            _ => ClassToken::Character(self.escaped_character(character)),
        }
    }

    /// Returns true if a bracket that would close an empty class is an item of it: another one follows, though it be
    /// escaped.
    fn closes_later(&self) -> bool {
        self.reader.text[self.reader.pos..].contains(&']')
    }

    /// Returns true if `:]` follows, and no other closing bracket before that.
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

    /// Returns the name in a POSIX bracket, from behind `[:`. Not one at all if `:]` is far away: then the bracket was
    /// a character.
    fn bracket(&mut self, at: usize) -> Result<Option<ClassItem>, Fault> {
        const UNKNOWN: &str = "invalid POSIX bracket type";
        let start = self.reader.pos;
        let is_negative = self.reader.skip('^');
        let rest = &self.reader.text[self.reader.pos..];
        // Ruby does not look for a name where the shortest would end the pattern.
        for name in BRACKETS.iter().filter(|_| rest.len() >= SHORTEST_BRACKET) {
            let length = name.len();
            if rest.len() >= length && rest[..length].iter().copied().eq(name.chars()) {
                if !rest[length..].starts_with(&[':', ']']) {
                    return Fault::at(at, UNKNOWN);
                }
                self.reader.pos += length + 2;
                return Ok(Some(ClassItem::Bracket { name, is_negative }));
            }
        }
        let stop = rest.iter().take(LONGEST_BRACKET + 1).position(|character| matches!(character, ':' | ']'));
        if let Some(stop) = stop
            && rest[stop..].starts_with(&[':', ']'])
        {
            return Fault::at(at, UNKNOWN);
        }
        self.reader.pos = start - 1;
        Ok(None)
    }
}

impl Last {
    /// Adds the character that turned out to start no range. A range cut short is lost.
    fn finish(self, items: &mut Vec<ClassItem>) {
        if let Last::Character(character) = self {
            items.push(ClassItem::Range(character, character));
        }
    }
}
