//! The syntax tree of a pattern: what it says, with classes, case and alphabets still as written.
//!
//! Nodes refer to each other by index, so that a tree of any depth is dropped without recursion.
//! Knows nothing of which characters a set holds, or of how a pattern is matched.

use std::collections::HashMap;

use super::flags::Flags;
use super::property;

pub(crate) type SyntaxId = u32;

#[derive(Debug)]
pub(crate) enum SyntaxNode {
    /// Characters, each to be matched in turn.
    Text(Text),
    /// One character of several: a class, a type, any.
    One(CharacterSet),
    /// `\R` and `\X`: more than one character at times, but never given back.
    LineBreak,
    GraphemeCluster,
    Anchor(Anchor),
    Look {
        around: Around,
        body: SyntaxId,
    },
    /// `open` where one of the groups is not closed yet.
    BackReference {
        groups: Groups,
        level: Option<i32>,
        open: bool,
        at: usize,
    },
    /// `recursive` where the group called leads back here.
    Call {
        target: u32,
        recursive: bool,
    },
    Repeat {
        low: u32,
        high: Option<u32>,
        greedy: bool,
        body: SyntaxId,
    },
    /// A capturing group.
    Group {
        number: u32,
        named: bool,
        body: SyntaxId,
    },
    /// A group with options of its own, or the rest of one.
    Options {
        flags: Flags,
        body: SyntaxId,
    },
    /// What gives nothing back: `(?>...)` and possessive repeats.
    Atomic {
        body: SyntaxId,
    },
    Absent {
        body: SyntaxId,
    },
    Condition {
        groups: Groups,
        named: bool,
        body: SyntaxId,
        at: usize,
    },
    List(Vec<SyntaxId>),
    Alternatives(Vec<SyntaxId>),
}

/// A run of characters, which stand in [`SyntaxTree::characters`] from `start` to `end`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    pub(super) start: u32,
    pub(super) end: u32,
    /// How many characters Ruby takes them for in a look-behind. A sharp s may count as two.
    pub(super) length: u32,
    pub(super) folding: Folding,
    /// Whether it is all of a group `(?:...)`: then it is no string with the text beside it.
    pub(crate) is_grouped: bool,
}

impl Text {
    pub(super) const EMPTY: Text = Text { start: 0, end: 0, length: 0, folding: Folding::Nowhere, is_grouped: false };
}

/// Whether a text has letters that, but for case, are as one character: `ss` and `ß`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folding {
    Nowhere,
    AtStart,
    Inside,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum CharacterSet {
    /// The dot.
    Any,
    /// `\w` and the like, by its letter.
    Escape(char),
    Property(Property),
    /// A class, by the index of the item that opens it in [`SyntaxTree::class_items`].
    Class(u32),
}

/// `\p{...}`, by where its name stands in [`SyntaxTree::text`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Property {
    pub(super) name_start: u32,
    pub(super) name_end: u32,
    pub(crate) is_negative: bool,
}

/// A part of a class. What stands between `Open` and `Close` is a class of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClassItem {
    Open {
        is_negative: bool,
    },
    Close,
    /// `&&`.
    And,
    Range(char, char),
    /// `\w` and the like, by its letter.
    Escape(char),
    Property(Property),
    /// `[:alpha:]` and the like.
    Bracket {
        name: &'static str,
        is_negative: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    LineStart,
    LineEnd,
    TextStart,
    TextEnd,
    /// The end, or before a line feed that ends the text.
    LastLineEnd,
    /// Where the search began.
    SearchStart,
    WordBoundary,
    NoWordBoundary,
    /// `\K`.
    Keep,
}

/// The groups a reference means: one by number, or those that had a name when it was read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Groups {
    Number(u32),
    Named { name: u32, count: u32 },
}

/// The groups of one name.
#[derive(Debug)]
pub(crate) struct Namesakes<'a> {
    pub(crate) name: &'a [char],
    pub(crate) groups: Vec<u32>,
    /// How many of them are not closed yet.
    pub(super) open: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    Ahead,
    NotAhead,
    Behind,
    NotBehind,
}

/// What a call names: resolved once all groups are known.
#[derive(Debug)]
pub(super) struct CallSite<'a> {
    pub(super) node: SyntaxId,
    pub(super) name: &'a [char],
    pub(super) number: Option<u32>,
    pub(super) at: usize,
}

/// A whole pattern.
#[derive(Debug, Default)]
pub(crate) struct SyntaxTree<'a> {
    /// The unescaped pattern.
    pub(super) text: &'a [char],
    pub(crate) nodes: Vec<SyntaxNode>,
    pub(crate) root: SyntaxId,
    /// The characters of all runs, with escapes resolved.
    pub(super) characters: Vec<char>,
    /// The parts of all classes.
    pub(crate) class_items: Vec<ClassItem>,
    /// How many groups were opened, of either kind, and how many of them have names.
    pub(crate) groups: u32,
    pub(crate) named: u32,
    /// Where the groups of a name are in `namesakes`.
    pub(super) names: HashMap<&'a [char], u32>,
    /// The names, in order of first appearance.
    pub(crate) namesakes: Vec<Namesakes<'a>>,
    pub(super) calls: Vec<CallSite<'a>>,
    /// Where a back-reference is first by number.
    pub(super) numbered: Option<usize>,
    /// Where a condition first has more than two branches.
    pub(super) overfull_condition: Option<usize>,
}

impl<'a> SyntaxTree<'a> {
    /// Gives a group that is being opened a name, and returns where that name's groups are.
    pub(super) fn define(&mut self, name: &'a [char], number: u32) -> u32 {
        self.named += 1;
        let at = *self.names.entry(name).or_insert(self.namesakes.len() as u32);
        if at as usize == self.namesakes.len() {
            self.namesakes.push(Namesakes { name, groups: Vec::new(), open: 0 });
        }
        let namesakes = &mut self.namesakes[at as usize];
        namesakes.groups.push(number);
        namesakes.open += 1;
        at
    }
}

impl SyntaxTree<'_> {
    pub(super) fn add(&mut self, node: SyntaxNode) -> SyntaxId {
        self.nodes.push(node);
        // A node costs the pattern at least a character, and a source is far smaller than that.
        (self.nodes.len() - 1) as SyntaxId
    }

    /// Returns true if groups without a name capture nothing: where others have names, they do not.
    pub(crate) fn only_named(&self) -> bool {
        self.named > 0
    }

    /// The node itself, or what is in it if it is a group that captures nothing after all.
    pub(super) fn resolve(&self, mut id: SyntaxId) -> (SyntaxId, &SyntaxNode) {
        loop {
            match &self.nodes[id as usize] {
                SyntaxNode::Group { named: false, body, number: 1.. } if self.only_named() => id = *body,
                node => return (id, node),
            }
        }
    }

    pub(super) fn node(&self, id: SyntaxId) -> &SyntaxNode {
        self.resolve(id).1
    }

    /// Returns the characters of a run.
    pub(crate) fn characters_of(&self, text: Text) -> &[char] {
        &self.characters[text.start as usize..text.end as usize]
    }

    /// Returns the name of a property, in lower case and without blanks, hyphens and underscores.
    pub(crate) fn property_name(&self, property: Property) -> String {
        let name = &self.text[property.name_start as usize..property.name_end as usize];
        property::normalized(name).unwrap_or_default()
    }

    pub(crate) fn groups<'g>(&'g self, groups: &'g Groups) -> &'g [u32] {
        match groups {
            Groups::Number(number) => std::slice::from_ref(number),
            Groups::Named { name, count } => &self.namesakes[*name as usize].groups[..*count as usize],
        }
    }

    /// Returns true if a reference is to a group that there is not.
    pub(super) fn is_unknown(&self, groups: &Groups) -> bool {
        matches!(groups, Groups::Number(number) if *number > self.groups)
    }

    /// Returns the parts of a node, in order.
    pub(super) fn children(node: &SyntaxNode) -> &[SyntaxId] {
        match node {
            SyntaxNode::Text(_)
            | SyntaxNode::One(_)
            | SyntaxNode::LineBreak
            | SyntaxNode::GraphemeCluster
            | SyntaxNode::Anchor(_)
            | SyntaxNode::BackReference { .. }
            | SyntaxNode::Call { .. } => &[],
            SyntaxNode::Look { body, .. }
            | SyntaxNode::Repeat { body, .. }
            | SyntaxNode::Group { body, .. }
            | SyntaxNode::Options { body, .. }
            | SyntaxNode::Atomic { body }
            | SyntaxNode::Absent { body }
            | SyntaxNode::Condition { body, .. } => std::slice::from_ref(body),
            SyntaxNode::List(parts) | SyntaxNode::Alternatives(parts) => parts,
        }
    }
}
