//! Where in a text a pattern may match at all.
//!
//! Passes over positions that cannot start a match: the machine need not be asked there.

use memchr::memmem::Finder;
use regex_syntax::hir::ClassUnicode;

use super::tree::{Assertion, Node, NodeId, Tree};

/// How deep a pattern is looked into.
const DEEPEST: u32 = 50;

#[derive(Debug)]
pub(super) enum Starts {
    Anywhere,
    /// Only at the start of the text.
    Text,
    /// Only at the start of the search.
    Search,
    /// Only at the start of a line.
    Line,
    /// Only where a string stands.
    Literal(Box<Finder<'static>>),
    /// Only where one of several bytes stands.
    Byte(Box<[bool; 256]>),
}

/// A pattern without groups that matches wherever it may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// So many bytes: a plain string, or one ASCII character of several.
    Width(u32),
    /// One character of several and as many more as there are.
    Stretch,
}

/// Returns true if the first byte of a character, or any other of it, says whether the set has it.
fn has_all_or_none_beyond_ascii(set: &ClassUnicode) -> bool {
    let mut beyond = set.ranges().iter().filter(|range| !range.end().is_ascii());
    match (beyond.next(), beyond.next()) {
        (None, _) => true,
        (Some(range), None) => u32::from(range.start()) <= 0x80 && range.end() == char::MAX,
        _ => false,
    }
}

impl Starts {
    pub(super) fn from_tree(tree: &Tree) -> Self {
        if let Some(assertion) = leading_assertion(tree, tree.root, 0) {
            match assertion {
                Assertion::TextStart => return Starts::Text,
                Assertion::SearchStart => return Starts::Search,
                Assertion::LineStart => return Starts::Line,
                _ => {}
            }
        }
        let mut literal = String::new();
        leading_literal(tree, tree.root, 0, &mut literal);
        if !literal.is_empty() {
            return Starts::Literal(Box::new(Finder::new(literal.as_bytes()).into_owned()));
        }
        let mut bytes = Box::new([false; 256]);
        match first_bytes(tree, tree.root, 0, &mut bytes) {
            Some(false) => Starts::Byte(bytes),
            _ => Starts::Anywhere,
        }
    }

    /// Returns how far every match goes, if wherever one may start there is one.
    pub(super) fn plain(&self, tree: &Tree) -> Option<Plain> {
        if tree.groups > 0 {
            return None;
        }
        match (self, tree.node(tree.root)) {
            (Starts::Literal(_), _) => {
                let mut literal = String::new();
                leading_literal(tree, tree.root, 0, &mut literal).then_some(Plain::Width(literal.len() as u32))
            }
            (Starts::Byte(bytes), Node::Set(_)) => {
                bytes[0x80..].iter().all(|starts| !starts).then_some(Plain::Width(1))
            }
            (Starts::Byte(_), Node::Repeat { low: 1, high: None, greedy: true, body }) => match tree.node(*body) {
                Node::Set(set) => has_all_or_none_beyond_ascii(&tree.sets[*set as usize]).then_some(Plain::Stretch),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns where a stretch of characters ends of which each may start a match.
    pub(super) fn end_of_stretch(&self, text: &[u8], start: usize) -> usize {
        let Starts::Byte(bytes) = self else { return start };
        let length = text[start..].iter().position(|byte| !bytes[usize::from(*byte)]);
        length.map_or(text.len(), |length| start + length)
    }

    /// Returns the first position at or behind `pos` where a match may start.
    pub(super) fn next(&self, text: &[u8], pos: usize, search_start: usize) -> Option<usize> {
        let rest = text.get(pos..)?;
        match self {
            Starts::Anywhere => Some(pos),
            Starts::Text => (pos == 0).then_some(0),
            Starts::Search => (pos == search_start).then_some(pos),
            Starts::Line if pos == 0 || text[pos - 1] == b'\n' => Some(pos),
            Starts::Line => Some(pos + memchr::memchr(b'\n', rest)? + 1),
            Starts::Literal(finder) => Some(pos + finder.find(rest)?),
            Starts::Byte(bytes) => Some(pos + rest.iter().position(|byte| bytes[usize::from(*byte)])?),
        }
    }
}

/// The assertion every match begins with.
fn leading_assertion(tree: &Tree, id: NodeId, depth: u32) -> Option<Assertion> {
    if depth > DEEPEST {
        return None;
    }
    match tree.node(id) {
        Node::Assert(assertion) => Some(*assertion),
        Node::Group { body, .. } | Node::Atomic(body) => leading_assertion(tree, *body, depth + 1),
        Node::List(parts) => leading_assertion(tree, *parts.first()?, depth + 1),
        Node::Alternatives(branches) => {
            let mut all = branches.iter().map(|branch| leading_assertion(tree, *branch, depth + 1));
            let first = all.next()??;
            all.all(|other| other == Some(first)).then_some(first)
        }
        _ => None,
    }
}

/// The string every match begins with. Whether it goes on behind the node.
fn leading_literal(tree: &Tree, id: NodeId, depth: u32, literal: &mut String) -> bool {
    if depth > DEEPEST {
        return false;
    }
    match tree.node(id) {
        Node::Char(character) => {
            literal.push(*character);
            true
        }
        Node::Group { body, .. } => leading_literal(tree, *body, depth + 1, literal),
        Node::List(parts) => parts.iter().all(|part| leading_literal(tree, *part, depth + 1, literal)),
        _ => false,
    }
}

/// Marks the bytes a match may begin with. Whether it may also be empty; nothing if that is unknown.
fn first_bytes(tree: &Tree, id: NodeId, depth: u32, bytes: &mut [bool; 256]) -> Option<bool> {
    if depth > DEEPEST {
        return None;
    }
    match tree.node(id) {
        Node::Empty | Node::Assert(_) | Node::Keep | Node::Look { .. } => Some(true),
        Node::Char(character) => {
            bytes[usize::from(character.encode_utf8(&mut [0; 4]).as_bytes()[0])] = true;
            Some(false)
        }
        Node::Set(set) => {
            let set = &tree.sets[*set as usize];
            for range in set.ranges() {
                for code in u32::from(range.start())..=u32::from(range.end()).min(0x7F) {
                    bytes[code as usize] = true;
                }
                if !range.end().is_ascii() {
                    bytes[0x80..].fill(true);
                }
            }
            Some(false)
        }
        Node::Any { newline } => {
            let line_feed = bytes[usize::from(b'\n')] || *newline;
            bytes.fill(true);
            bytes[usize::from(b'\n')] = line_feed;
            Some(false)
        }
        Node::Group { body, .. } | Node::Atomic(body) => first_bytes(tree, *body, depth + 1, bytes),
        Node::List(parts) => {
            for part in parts {
                if !first_bytes(tree, *part, depth + 1, bytes)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        Node::Alternatives(branches) => {
            let mut empty = false;
            for branch in branches {
                empty |= first_bytes(tree, *branch, depth + 1, bytes)?;
            }
            Some(empty)
        }
        Node::Repeat { low, body, .. } => Some(first_bytes(tree, *body, depth + 1, bytes)? || *low == 0),
        _ => None,
    }
}
