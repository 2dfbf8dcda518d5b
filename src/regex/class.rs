//! Character classes.

use pantin_base::stack::with_room;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::charset;
use super::fold;
use super::parse::{Alphabet, Parser};
use super::tree::NodeId;

enum ClassToken {
    Close,
    Open,
    Dash,
    And,
    Character(char),
    Several(ClassUnicode),
    /// `\w` and `\W`, which do not count where ASCII meets the rest.
    Word(ClassUnicode),
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

/// A class while it is read: what it holds, and what it holds but for `\w`.
struct Class {
    set: ClassUnicode,
    exact: ClassUnicode,
}

impl Class {
    fn empty() -> Self {
        Class { set: ClassUnicode::empty(), exact: ClassUnicode::empty() }
    }

    fn union(&mut self, other: &ClassUnicode) {
        self.set.union(other);
        self.exact.union(other);
    }

    fn range(&mut self, low: char, high: char) {
        let range = ClassUnicodeRange::new(low, high);
        self.set.push(range);
        self.exact.push(range);
    }

    fn intersect(&mut self, other: &Class) {
        self.set.intersect(&other.set);
        self.exact.intersect(&other.exact);
    }
}

impl Parser<'_> {
    /// A class, from behind its opening bracket to the closing one.
    pub(super) fn class(&mut self) -> NodeId {
        let (mut class, negative) = with_room(|| self.class_body());
        if let ([only], false) = (class.set.ranges(), negative)
            && only.start() == only.end()
        {
            return self.character(only.start());
        }
        if self.flags.ignore_case {
            fold::fold_class(&mut class.set, &class.exact);
            if !negative {
                return fold::with_strings(&mut self.tree, class.set);
            }
        }
        if negative {
            class.set.negate();
        }
        self.tree.add_set(class.set)
    }

    /// What stands in a class, and whether it is to be all but that.
    fn class_body(&mut self) -> (Class, bool) {
        let negative = self.skip('^');
        let mut class = Class::empty();
        let mut whole: Option<Class> = None;
        let mut last = Last::Nothing;
        let mut token = self.class_token();
        if matches!(token, ClassToken::Close) {
            token = ClassToken::Character(']');
        }
        loop {
            match token {
                ClassToken::Close => break,
                ClassToken::Open => {
                    let (mut inner, negative) = with_room(|| self.class_body());
                    if negative {
                        inner.set.negate();
                        inner.exact.negate();
                    }
                    class.set.union(&inner.set);
                    class.exact.union(&inner.exact);
                }
                ClassToken::And => {
                    last.finish(&mut class);
                    last = Last::Nothing;
                    let part = std::mem::replace(&mut class, Class::empty());
                    match &mut whole {
                        Some(whole) => whole.intersect(&part),
                        None => whole = Some(part),
                    }
                }
                ClassToken::Character(character) => last = last.then(character, &mut class),
                ClassToken::Several(set) => {
                    last.finish(&mut class);
                    class.union(&set);
                    last = Last::Several;
                }
                ClassToken::Word(set) => {
                    last.finish(&mut class);
                    class.set.union(&set);
                    last = Last::Several;
                }
                ClassToken::Dash => {
                    let next = self.class_token();
                    last = last.then_dash(&next, &mut class);
                    token = next;
                    continue;
                }
            }
            token = self.class_token();
        }
        last.finish(&mut class);
        if let Some(mut whole) = whole {
            whole.intersect(&class);
            class = whole;
        }
        (class, negative)
    }

    fn class_token(&mut self) -> ClassToken {
        match self.next() {
            None | Some(']') => ClassToken::Close,
            Some('-') => ClassToken::Dash,
            Some('&') if self.skip('&') => ClassToken::And,
            Some('[') if self.peek() == Some(':') => match self.posix_bracket() {
                Some(set) => ClassToken::Several(set),
                None => ClassToken::Open,
            },
            Some('[') => ClassToken::Open,
            Some('\\') => self.class_escape(),
            Some(character) => ClassToken::Character(character),
        }
    }

    fn class_escape(&mut self) -> ClassToken {
        let Some(character) = self.next() else { return ClassToken::Close };
        match character {
            'w' | 'W' => {
                let set = charset::escape(character, self.flags.alphabet);
                if self.flags.alphabet == Alphabet::Unicode { ClassToken::Several(set) } else { ClassToken::Word(set) }
            }
            'd' | 'D' | 's' | 'S' | 'h' | 'H' => ClassToken::Several(charset::escape(character, self.flags.alphabet)),
            'p' | 'P' if self.skip('{') => ClassToken::Several(self.property(character == 'P')),
            'b' => ClassToken::Character('\x08'),
            _ => ClassToken::Character(self.escaped_character(character)),
        }
    }

    /// A POSIX bracket, from the colon on, if it is one.
    fn posix_bracket(&mut self) -> Option<ClassUnicode> {
        let start = self.pos;
        self.pos += 1;
        let negative = self.skip('^');
        let mut name = String::new();
        while let Some(character) = self.peek().filter(char::is_ascii_lowercase) {
            self.pos += 1;
            name.push(character);
        }
        let set = charset::bracket(&name, self.flags.alphabet).filter(|_| self.skip(':') && self.skip(']'));
        if set.is_none() {
            self.pos = start;
        }
        set.map(|mut set| {
            if negative {
                set.negate();
            }
            set
        })
    }
}

impl Last {
    /// Adds the character that was not known to be no range's start. A range cut short is lost.
    fn finish(self, class: &mut Class) {
        if let Last::Character(character) = self {
            class.range(character, character);
        }
    }

    fn then(self, character: char, class: &mut Class) -> Last {
        match self {
            Last::HalfRange(low) => {
                class.range(low, character);
                Last::Range
            }
            _ => {
                self.finish(class);
                Last::Character(character)
            }
        }
    }

    /// A dash makes a range only between characters: the token behind it tells.
    fn then_dash(self, next: &ClassToken, class: &mut Class) -> Last {
        match self {
            Last::Character(_) | Last::Several if matches!(next, ClassToken::Close | ClassToken::And) => {
                self.then('-', class)
            }
            Last::Character(character) => Last::HalfRange(character),
            _ => self.then('-', class),
        }
    }
}
