//! From the unescaped text of a pattern to its tree.
//!
//! Knows nothing of what may only be said of a whole tree.

use pantin_base::stack::with_room;

use super::Fault;
use super::name::{Words, quoting};
use super::property;
use super::reader::Reader;
use super::token::Token;
use super::tree::{CallSite, Folding, Groups, Node, NodeId, Tree};
use super::unescape::Text;

/// How deep groups and classes may nest, the pattern itself included: Ruby's own limit.
const DEEPEST: u32 = 4096;

/// The options that change what a pattern may say.
#[derive(Clone, Copy)]
pub(super) struct Options {
    pub(super) extended: bool,
    pub(super) ignore_case: bool,
}

pub(super) struct Parser<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) tree: Tree<'a>,
    pub(super) token: Token<'a>,
    pub(super) token_start: usize,
    pub(super) options: Options,
    /// Which groups were closed, by number.
    pub(super) closed: Vec<bool>,
    pub(super) depth: u32,
    /// Whether the pattern is more than ASCII, which makes case folding more than that as well.
    wide: bool,
    /// The last search for the end of a POSIX bracket: from where, until where, and with what luck.
    pub(super) bracket: (usize, usize, bool),
}

/// What ends a run of alternatives.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Until {
    End,
    /// The parenthesis that closes the one at that place.
    Close(usize),
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a Text, options: Options) -> Self {
        Parser {
            reader: Reader { text: &text.characters, pos: 0 },
            tree: Tree::default(),
            token: Token::End,
            token_start: 0,
            options,
            closed: vec![false],
            depth: 0,
            wide: text.is_wide(),
            bracket: (0, 0, false),
        }
    }

    pub(super) fn parse(mut self) -> Result<Tree<'a>, Fault> {
        self.advance()?;
        self.tree.root = self.alternatives(Until::End)?;
        Ok(self.tree)
    }

    /// One level deeper, with room on the stack.
    pub(super) fn deeper<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Fault::at(self.token_start, "parse depth limit over");
        }
        let result = with_room(|| body(self));
        self.depth -= 1;
        result
    }

    /// Alternatives, from the current token to the one that ends them.
    pub(super) fn alternatives(&mut self, until: Until) -> Result<NodeId, Fault> {
        self.deeper(|parser| {
            let first = parser.branch(until)?;
            let mut branches = vec![first];
            while matches!(parser.token, Token::Bar) {
                parser.advance()?;
                branches.push(parser.branch(until)?);
            }
            match (&parser.token, until) {
                (Token::End, Until::Close(start)) => Fault::at(start, "end pattern with unmatched parenthesis"),
                _ if branches.len() == 1 => Ok(first),
                _ => Ok(parser.tree.add(Node::Alternatives(branches))),
            }
        })
    }

    fn branch(&mut self, until: Until) -> Result<NodeId, Fault> {
        let mut parts = Vec::new();
        while !matches!(self.token, Token::End | Token::Bar) {
            if matches!(self.token, Token::Close) {
                if until == Until::End {
                    return Fault::at(self.token_start, "unmatched close parenthesis");
                }
                break;
            }
            if matches!(self.token, Token::Character) {
                self.text(&mut parts)?;
            } else if let Some(atom) = self.atom(until)? {
                parts.push(self.repeated(atom)?);
            }
        }
        Ok(match parts[..] {
            [] => self.tree.add(Node::Text { length: 0, folding: Folding::Nowhere }),
            [only] => only,
            _ => self.tree.add(Node::List(parts)),
        })
    }

    /// A run of characters. A repeat behind it is one of its last character.
    fn text(&mut self, parts: &mut Vec<NodeId>) -> Result<(), Fault> {
        let folds = self.wide && self.options.ignore_case;
        let (mut length, mut pair, mut before) = (0, None, None);
        while matches!(self.token, Token::Character) {
            let letter = if folds { self.letter() } else { None };
            if pair.is_none() && before.zip(letter).is_some_and(folds_together) {
                pair = Some(length - 1);
            }
            // In a pattern that folds, a sharp s counts as the two letters it is folded to.
            length += if matches!(letter, Some('\u{DF}' | '\u{1E9E}')) { 2 } else { 1 };
            before = letter;
            self.advance()?;
        }
        let repeats = matches!(self.token, Token::Repeat { .. });
        let length = length - u32::from(repeats);
        if length > 0 {
            let folding = match pair {
                Some(0) if length > 1 => Folding::AtStart,
                Some(at) if at + 1 < length => Folding::Inside,
                _ => Folding::Nowhere,
            };
            parts.push(self.tree.add(Node::Text { length, folding }));
        }
        if repeats {
            let last = self.tree.add(Node::Text { length: 1, folding: Folding::Nowhere });
            parts.push(self.repeated(last)?);
        }
        Ok(())
    }

    /// The letter the current token is, unless it is escaped by number.
    fn letter(&self) -> Option<char> {
        match self.reader.text[self.token_start..self.reader.pos] {
            [letter] => Some(letter.to_ascii_lowercase()),
            // These stand for control characters.
            ['\\', 'a' | 'e' | 'f' | 'n' | 'r' | 't' | 'v'] => None,
            ['\\', letter] => Some(letter.to_ascii_lowercase()),
            _ => None,
        }
    }

    /// What the repeats at the current token make of `target`.
    fn repeated(&mut self, mut target: NodeId) -> Result<NodeId, Fault> {
        while let Token::Repeat { low, high, possessive } = self.token {
            self.advance()?;
            if (low, high) != (1, Some(1)) {
                target = self.tree.add(Node::Repeat { low, high, body: target });
            }
            if possessive {
                target = self.tree.add(Node::Atomic { body: target });
            }
        }
        Ok(target)
    }

    /// What repeats may follow. Options for the rest of a group are none: they are all the rest.
    fn atom(&mut self, until: Until) -> Result<Option<NodeId>, Fault> {
        let start = self.token_start;
        let node = match std::mem::replace(&mut self.token, Token::End) {
            Token::Open => {
                let group = self.group(start)?;
                if group.is_rest {
                    return self.rest(group.options, until).map(Some);
                }
                self.advance()?;
                return Ok(Some(group.node));
            }
            Token::Repeat { .. } => return Fault::at(start, "target of repeat operator is not specified"),
            Token::Class => {
                self.class()?;
                Node::One
            }
            Token::Property => {
                self.property()?;
                Node::One
            }
            Token::Cluster => Node::Atomic { body: self.tree.add(Node::One) },
            Token::Anchor { in_look_behind } => Node::Anchor { in_look_behind },
            Token::BackReference(groups) => self.back_reference(groups, start),
            Token::Call { name, number } => {
                let node = self.tree.add(Node::Call { target: 0, recursive: false });
                self.tree.calls.push(CallSite { node, name, number, at: start });
                self.advance()?;
                return Ok(Some(node));
            }
            Token::One | Token::Character | Token::End | Token::Bar | Token::Close => Node::One,
        };
        self.advance()?;
        Ok(Some(self.tree.add(node)))
    }

    /// The rest of a group, alternatives and all, under options of its own.
    fn rest(&mut self, options: Options, until: Until) -> Result<NodeId, Fault> {
        let outer = std::mem::replace(&mut self.options, options);
        self.advance()?;
        let body = self.alternatives(until)?;
        self.options = outer;
        Ok(self.tree.add(Node::Options { body }))
    }

    fn back_reference(&mut self, groups: Groups, at: usize) -> Node {
        let open = match groups {
            Groups::Named { name, .. } => self.tree.namesakes[name].open > 0,
            Groups::Number(number) => {
                self.tree.numbered.get_or_insert(at);
                self.closed.get(number as usize) == Some(&false)
            }
        };
        Node::BackReference { groups, open, at }
    }

    /// The name of a property, to its closing brace.
    pub(super) fn property(&mut self) -> Result<(), Fault> {
        const UNKNOWN: Words = ("invalid character property name {", "}");
        let start = self.reader.pos;
        let mut end = start;
        while let Some(character) = self.reader.peek() {
            end = self.reader.pos;
            self.reader.pos += 1;
            match character {
                '}' if property::exists(&self.reader.text[start..end]) => return Ok(()),
                '}' | '(' | ')' | '{' | '|' => break,
                _ => {}
            }
        }
        quoting(start, UNKNOWN, &self.reader.text[start..end])
    }
}

/// Whether two letters, but for case, are as one character that joins them.
fn folds_together(letters: (char, char)) -> bool {
    matches!(letters, ('s', 's' | 't') | ('f', 'f' | 'i' | 'l'))
}
