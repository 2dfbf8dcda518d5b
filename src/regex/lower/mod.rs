//! From the syntax tree of a pattern to the tree that is compiled: with options, case folding and
//! classes worked out, and groups numbered as they capture.
//!
//! Sees only patterns that Ruby takes: complaints are the syntax's alone.

mod class;
mod grapheme;

use pantin_base::stack::with_room;
use regex_syntax::hir::ClassUnicode;

use super::Options;
use super::charset;
use super::fold;
use super::syntax::{
    Alphabet, Anchor, Around, CharacterSet, Flags, Groups, Property, SyntaxId, SyntaxNode, SyntaxTree, Text,
};
use super::tree::{Assertion, Node, NodeId, Tree};

/// Lowers a checked pattern, whose options from its start are given.
pub(super) fn lower(syntax: &SyntaxTree<'_>, options: Options) -> Tree {
    let mut lowering =
        Lowering { syntax, tree: Tree::default(), flags: options.into(), numbers: capturing_numbers(syntax) };
    lowering.tree.root = lowering.node(syntax.root);
    let Lowering { mut tree, numbers, .. } = lowering;
    tree.groups = if numbers.is_some() { syntax.named } else { syntax.groups };
    let number = |group: &u32| numbers.as_ref().map_or(*group, |numbers| numbers[*group as usize]) as usize;
    tree.names = syntax
        .namesakes
        .iter()
        .map(|namesakes| (namesakes.name.iter().collect(), namesakes.groups.iter().map(number).collect()))
        .collect();
    tree
}

/// Where some groups have names, those without capture nothing. The new number of each group by its
/// old one, nought for those; nothing if all groups keep theirs.
fn capturing_numbers(syntax: &SyntaxTree<'_>) -> Option<Vec<u32>> {
    if !syntax.only_named() || syntax.named == syntax.groups {
        return None;
    }
    let mut numbers = vec![0u32; syntax.groups as usize + 1];
    for group in syntax.namesakes.iter().flat_map(|namesakes| &namesakes.groups) {
        numbers[*group as usize] = 1;
    }
    let mut last = 0;
    for number in numbers.iter_mut().filter(|number| **number > 0) {
        last += 1;
        *number = last;
    }
    Some(numbers)
}

struct Lowering<'a> {
    syntax: &'a SyntaxTree<'a>,
    tree: Tree,
    /// The options in force.
    flags: Flags,
    numbers: Option<Vec<u32>>,
}

impl Lowering<'_> {
    fn node(&mut self, id: SyntaxId) -> NodeId {
        with_room(|| self.lower(id))
    }

    fn lower(&mut self, id: SyntaxId) -> NodeId {
        let syntax = self.syntax;
        let node = match &syntax.nodes[id as usize] {
            SyntaxNode::Text(text) => {
                let mut parts = Vec::new();
                self.text(*text, &mut parts);
                return self.tree.list(parts);
            }
            SyntaxNode::List(parts) => return self.list(parts),
            SyntaxNode::Alternatives(branches) => {
                Node::Alternatives(branches.iter().map(|branch| self.node(*branch)).collect())
            }
            SyntaxNode::One(set) => return self.set(*set),
            SyntaxNode::LineBreak => return grapheme::line_break(&mut self.tree),
            SyntaxNode::GraphemeCluster => return grapheme::cluster(&mut self.tree),
            SyntaxNode::Anchor(anchor) => self.anchor(*anchor),
            SyntaxNode::Look { around, body } => Node::Look {
                behind: matches!(around, Around::Behind | Around::NotBehind),
                negative: matches!(around, Around::NotAhead | Around::NotBehind),
                body: self.node(*body),
            },
            SyntaxNode::BackReference { groups, level, .. } => {
                Node::BackReference { groups: self.groups(groups), ignore_case: self.flags.ignore_case, level: *level }
            }
            SyntaxNode::Call { target, .. } => Node::Call(self.number(*target)),
            SyntaxNode::Repeat { low, high, greedy, body } => {
                let body = self.node(*body);
                return self.repeat(*low, *high, *greedy, body);
            }
            // The whole pattern, where it is called.
            SyntaxNode::Group { number: 0, body, .. } => return self.node(*body),
            SyntaxNode::Group { number, body, .. } => {
                let body = self.node(*body);
                match self.number(*number) {
                    0 => return body,
                    number => Node::Group { number, body },
                }
            }
            SyntaxNode::Options { flags, body } => {
                let outer = std::mem::replace(&mut self.flags, *flags);
                let node = self.node(*body);
                self.flags = outer;
                return node;
            }
            SyntaxNode::Atomic { body } => Node::Atomic(self.node(*body)),
            SyntaxNode::Absent { body } => Node::Absent(self.node(*body)),
            SyntaxNode::Condition { groups, body, .. } => self.condition(groups, *body),
        };
        self.tree.add(node)
    }

    /// Returns the parts of a branch. The characters of a text are parts of their own.
    fn list(&mut self, parts: &[SyntaxId]) -> NodeId {
        let mut lowered = Vec::with_capacity(parts.len());
        for part in parts {
            match self.syntax.nodes[*part as usize] {
                SyntaxNode::Text(text) if !text.is_grouped => self.text(text, &mut lowered),
                _ => lowered.push(self.node(*part)),
            }
        }
        self.tree.list(lowered)
    }

    fn text(&mut self, text: Text, parts: &mut Vec<NodeId>) {
        let characters = self.syntax.characters_of(text);
        if self.flags.ignore_case {
            fold::add_run(&mut self.tree, characters, parts);
        } else {
            parts.extend(characters.iter().map(|character| self.tree.add(Node::Char(*character))));
        }
    }

    /// A character that stands for itself, in any case if that is asked for.
    fn character(&mut self, character: char) -> NodeId {
        if !self.flags.ignore_case {
            return self.tree.add(Node::Char(character));
        }
        let mut parts = Vec::new();
        fold::add_run(&mut self.tree, &[character], &mut parts);
        self.tree.list(parts)
    }

    fn set(&mut self, set: CharacterSet) -> NodeId {
        match set {
            CharacterSet::Any => self.tree.add(Node::Any { newline: self.flags.multi_line }),
            CharacterSet::Escape(letter) => self.tree.add_set(charset::escape(letter, self.flags.alphabet)),
            CharacterSet::Property(property) => {
                let mut set = self.property(property);
                if self.flags.ignore_case {
                    let exact = set.clone();
                    fold::fold_class(&mut set, &exact);
                    return fold::with_strings(&mut self.tree, set);
                }
                self.tree.add_set(set)
            }
            CharacterSet::Class(first) => self.class(first as usize),
        }
    }

    fn property(&self, property: Property) -> ClassUnicode {
        let mut set = charset::property(&self.syntax.property_name(property));
        if property.is_negative {
            set.negate();
        }
        set
    }

    fn anchor(&self, anchor: Anchor) -> Node {
        let word = |boundary| Assertion::Word { boundary, unicode: self.flags.alphabet != Alphabet::Ascii };
        Node::Assert(match anchor {
            Anchor::LineStart => Assertion::LineStart,
            Anchor::LineEnd => Assertion::LineEnd,
            Anchor::TextStart => Assertion::TextStart,
            Anchor::TextEnd => Assertion::TextEnd,
            Anchor::LastLineEnd => Assertion::LastLineEnd,
            Anchor::SearchStart => Assertion::SearchStart,
            Anchor::WordBoundary => word(true),
            Anchor::NoWordBoundary => word(false),
            Anchor::Keep => return Node::Keep,
        })
    }

    /// Returns a repeat of a node that may be one itself: `(?:a*)+` is `a*`.
    fn repeat(&mut self, low: u32, high: Option<u32>, greedy: bool, body: NodeId) -> NodeId {
        if let Node::Repeat { low: inner_low @ 0..=1, high: None, greedy: inner, .. } = *self.tree.node(body)
            && inner == greedy
            && low <= 1
            && high.is_none()
        {
            let least = low.min(inner_low);
            if let Node::Repeat { low, .. } = &mut self.tree.nodes[body as usize] {
                *low = least;
            }
            return body;
        }
        self.tree.add(Node::Repeat { low, high, greedy, body })
    }

    fn condition(&mut self, groups: &Groups, body: SyntaxId) -> Node {
        let groups = self.groups(groups);
        let (yes, no) = match &self.syntax.nodes[body as usize] {
            SyntaxNode::Alternatives(branches) if branches.len() == 2 => {
                (self.node(branches[0]), self.node(branches[1]))
            }
            _ => (self.node(body), self.tree.add(Node::Empty)),
        };
        Node::Condition { groups, yes, no }
    }

    /// Returns the numbers, as they capture, of the groups a reference means.
    fn groups(&self, groups: &Groups) -> Vec<u32> {
        self.syntax.groups(groups).iter().map(|group| self.number(*group)).collect()
    }

    fn number(&self, group: u32) -> u32 {
        match &self.numbers {
            Some(numbers) => numbers.get(group as usize).copied().unwrap_or(0),
            None => group,
        }
    }
}
