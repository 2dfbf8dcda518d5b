//! From the unescaped text of a pattern to its tree.
//!
//! Knows nothing of what may only be said of a whole tree.

use pantin_base::stack::with_room;
use smallvec::SmallVec;

use super::Fault;
use super::flags::Flags;
use super::reader::Reader;
use super::token::{Greediness, Token};
use super::tree::{CallSite, CharacterSet, Folding, Groups, SyntaxId, SyntaxNode, SyntaxTree, Text};
use super::unescape::Unescaped;

/// How deep groups and classes may nest, the pattern itself included: Ruby's own limit.
const DEEPEST: u32 = 4096;

pub(super) struct Parser<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) tree: SyntaxTree<'a>,
    pub(super) token: Token<'a>,
    pub(super) token_start: usize,
    pub(super) flags: Flags,
    /// Which groups were closed, by number less one.
    pub(super) closed: Vec<bool>,
    pub(super) depth: u32,
    /// Whether the pattern is more than ASCII, which makes case folding more than that as well.
    wide: bool,
    /// The last search for the end of a POSIX bracket: from where, until where, and with what luck.
    pub(super) bracket: (usize, usize, bool),
}

/// The parts of a branch, of which there are mostly few.
type Parts = SmallVec<[SyntaxId; 8]>;

/// What ends a run of alternatives.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Until {
    End,
    /// The parenthesis that closes the one at that place.
    Close(usize),
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a Unescaped, flags: Flags) -> Self {
        Parser {
            reader: Reader { text: &text.characters, pos: 0 },
            tree: SyntaxTree {
                text: &text.characters,
                nodes: Vec::with_capacity(8),
                characters: Vec::with_capacity(text.characters.len()),
                ..SyntaxTree::default()
            },
            token: Token::End,
            token_start: 0,
            flags,
            closed: Vec::new(),
            depth: 0,
            wide: text.is_wide(),
            bracket: (0, 0, false),
        }
    }

    pub(super) fn parse(mut self) -> Result<SyntaxTree<'a>, Fault> {
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
    pub(super) fn alternatives(&mut self, until: Until) -> Result<SyntaxId, Fault> {
        self.deeper(|parser| {
            let first = parser.branch(until)?;
            let mut branches = Vec::new();
            while matches!(parser.token, Token::Bar) {
                if branches.is_empty() {
                    branches.push(first);
                }
                parser.advance()?;
                branches.push(parser.branch(until)?);
            }
            match (&parser.token, until) {
                (Token::End, Until::Close(start)) => Fault::at(start, "end pattern with unmatched parenthesis"),
                _ if branches.is_empty() => Ok(first),
                _ => Ok(parser.tree.add(SyntaxNode::Alternatives(branches))),
            }
        })
    }

    fn branch(&mut self, until: Until) -> Result<SyntaxId, Fault> {
        let mut parts = Parts::new();
        while !matches!(self.token, Token::End | Token::Bar) {
            if matches!(self.token, Token::Close) {
                if until == Until::End {
                    return Fault::at(self.token_start, "unmatched close parenthesis");
                }
                break;
            }
            if matches!(self.token, Token::Character(_)) {
                self.text(&mut parts)?;
            } else if let Some(atom) = self.atom(until)? {
                parts.push(self.repeated(atom)?);
            }
        }
        Ok(match parts[..] {
            [] => self.tree.add(SyntaxNode::Text(Text::EMPTY)),
            [only] => only,
            _ => self.tree.add(SyntaxNode::List(parts.into_vec())),
        })
    }

    /// A run of characters. A repeat behind it is one of its last character.
    fn text(&mut self, parts: &mut Parts) -> Result<(), Fault> {
        let folds = self.wide && self.flags.ignore_case;
        let (mut length, mut pair, mut before) = (0, None, None);
        let start = self.tree.characters.len() as u32;
        while let Token::Character(character) = self.token {
            let letter = if folds { self.letter() } else { None };
            if pair.is_none() && before.zip(letter).is_some_and(folds_together) {
                pair = Some(length - 1);
            }
            // In a pattern that folds, a sharp s counts as the two letters it is folded to.
            length += if matches!(letter, Some('\u{DF}' | '\u{1E9E}')) { 2 } else { 1 };
            before = letter;
            self.tree.characters.push(character);
            self.advance()?;
        }
        let repeats = matches!(self.token, Token::Repeat { .. });
        let end = self.tree.characters.len() as u32;
        let (length, last) = (length - u32::from(repeats), end - u32::from(repeats));
        if length > 0 {
            let folding = match pair {
                Some(0) if length > 1 => Folding::AtStart,
                Some(at) if at + 1 < length => Folding::Inside,
                _ => Folding::Nowhere,
            };
            parts.push(self.tree.add(SyntaxNode::Text(Text { start, end: last, length, folding, is_grouped: false })));
        }
        if repeats {
            let last = self.tree.add(SyntaxNode::Text(Text { start: last, end, length: 1, ..Text::EMPTY }));
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

    /// Returns what the repeats at the current token make of `target`.
    fn repeated(&mut self, mut target: SyntaxId) -> Result<SyntaxId, Fault> {
        while let Token::Repeat { low, high, kind } = self.token {
            self.advance()?;
            if (low, high) != (1, Some(1)) {
                let greedy = kind != Greediness::Lazy;
                target = self.tree.add(SyntaxNode::Repeat { low, high, greedy, body: target });
            }
            if kind == Greediness::Possessive {
                target = self.tree.add(SyntaxNode::Atomic { body: target });
            }
        }
        Ok(target)
    }

    /// Returns what repeats may follow. Options for the rest of a group are none: they are all the rest.
    fn atom(&mut self, until: Until) -> Result<Option<SyntaxId>, Fault> {
        let start = self.token_start;
        let node = match std::mem::replace(&mut self.token, Token::End) {
            Token::Open => {
                let group = self.group(start)?;
                if group.is_rest {
                    return self.rest(group.flags, until).map(Some);
                }
                self.advance()?;
                return Ok(Some(group.node));
            }
            Token::Repeat { .. } => return Fault::at(start, "target of repeat operator is not specified"),
            Token::Class => {
                let first = self.tree.class_items.len() as u32;
                self.class()?;
                SyntaxNode::One(CharacterSet::Class(first))
            }
            Token::Property { is_negative } => SyntaxNode::One(CharacterSet::Property(self.property(is_negative)?)),
            Token::One(set) => SyntaxNode::One(set),
            Token::LineBreak => SyntaxNode::LineBreak,
            Token::GraphemeCluster => SyntaxNode::GraphemeCluster,
            Token::Anchor(anchor) => SyntaxNode::Anchor(anchor),
            Token::BackReference { groups, level } => self.back_reference(groups, level, start),
            Token::Call { name, number } => {
                let node = self.tree.add(SyntaxNode::Call { target: 0, recursive: false });
                self.tree.calls.push(CallSite { node, name, number, at: start });
                self.advance()?;
                return Ok(Some(node));
            }
            // A branch goes on only where there is an atom.
            Token::Character(_) | Token::End | Token::Bar | Token::Close => SyntaxNode::Text(Text::EMPTY),
        };
        self.advance()?;
        Ok(Some(self.tree.add(node)))
    }

    /// Returns the rest of a group, alternatives and all, under options of its own.
    fn rest(&mut self, flags: Flags, until: Until) -> Result<SyntaxId, Fault> {
        let outer = std::mem::replace(&mut self.flags, flags);
        self.advance()?;
        let body = self.alternatives(until)?;
        self.flags = outer;
        Ok(self.tree.add(SyntaxNode::Options { flags, body }))
    }

    fn back_reference(&mut self, groups: Groups, level: Option<i32>, at: usize) -> SyntaxNode {
        let open = match groups {
            Groups::Named { name, .. } => self.tree.namesakes[name as usize].open > 0,
            Groups::Number(number) => {
                self.tree.numbered.get_or_insert(at);
                self.closed.get((number as usize).wrapping_sub(1)) == Some(&false)
            }
        };
        SyntaxNode::BackReference { groups, level, open, at }
    }
}

/// Returns true if two letters, but for case, are as one character that joins them.
fn folds_together(letters: (char, char)) -> bool {
    matches!(letters, ('s', 's' | 't') | ('f', 'f' | 'i' | 'l'))
}
