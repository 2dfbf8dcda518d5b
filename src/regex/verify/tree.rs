//! The tree of a pattern: only as much of it as later checks ask for.
//!
//! Nodes refer to each other by index, so that a tree of any depth is dropped without recursion.

use std::collections::HashMap;

pub(super) type NodeId = u32;

#[derive(Debug)]
pub(super) enum Node {
    /// Characters, each to be matched in turn.
    Text {
        length: u32,
        folding: Folding,
    },
    /// One character of several: a class, a type, any.
    One,
    Anchor {
        in_look_behind: bool,
    },
    Look {
        around: Around,
        body: NodeId,
    },
    /// `open` where one of the groups is not closed yet.
    BackReference {
        groups: Groups,
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
        body: NodeId,
    },
    /// A capturing group.
    Group {
        number: u32,
        named: bool,
        body: NodeId,
    },
    /// A group with options of its own, or the rest of one.
    Options {
        body: NodeId,
    },
    /// What gives nothing back: `(?>...)`, possessive repeats, line breaks, grapheme clusters.
    Atomic {
        body: NodeId,
    },
    Absent {
        body: NodeId,
    },
    Condition {
        groups: Groups,
        named: bool,
        body: NodeId,
        at: usize,
    },
    List(Vec<NodeId>),
    Alternatives(Vec<NodeId>),
}

/// Whether a text has letters that, but for case, are as one character: `ss` and `ß`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folding {
    Nowhere,
    AtStart,
    Inside,
}

/// The groups a reference means: one by number, or those that had a name when it was read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Groups {
    Number(u32),
    Named { name: usize, count: usize },
}

/// The groups of one name.
#[derive(Debug, Default)]
pub(super) struct Namesakes {
    pub(super) groups: Vec<u32>,
    /// How many of them are not closed yet.
    pub(super) open: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Ahead,
    Behind,
    NotBehind,
}

/// What a call names: resolved once all groups are known.
#[derive(Debug)]
pub(super) struct CallSite<'a> {
    pub(super) node: NodeId,
    pub(super) name: &'a [char],
    pub(super) number: Option<u32>,
    pub(super) at: usize,
}

/// A whole pattern.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) nodes: Vec<Node>,
    pub(super) root: NodeId,
    /// How many groups were opened, of either kind, and how many of them have names.
    pub(super) groups: u32,
    pub(super) named: u32,
    /// Where the groups of a name are in `namesakes`.
    pub(super) names: HashMap<&'a [char], usize>,
    pub(super) namesakes: Vec<Namesakes>,
    pub(super) calls: Vec<CallSite<'a>>,
    /// Where a back-reference is first by number.
    pub(super) numbered: Option<usize>,
    /// Where a condition first has more than two branches.
    pub(super) overfull_condition: Option<usize>,
}

impl<'a> Tree<'a> {
    /// Gives a group that is being opened a name, and returns where that name's groups are.
    pub(super) fn define(&mut self, name: &'a [char], number: u32) -> usize {
        self.named += 1;
        let at = *self.names.entry(name).or_insert(self.namesakes.len());
        if at == self.namesakes.len() {
            self.namesakes.push(Namesakes::default());
        }
        self.namesakes[at].groups.push(number);
        self.namesakes[at].open += 1;
        at
    }
}

impl Tree<'_> {
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        // A node costs the pattern at least a character, and a source is far smaller than that.
        (self.nodes.len() - 1) as NodeId
    }

    /// Whether groups without a name capture nothing: where others have names, they do not.
    pub(super) fn only_named(&self) -> bool {
        self.named > 0
    }

    /// The node itself, or what is in it if it is a group that captures nothing after all.
    pub(super) fn resolve(&self, mut id: NodeId) -> (NodeId, &Node) {
        loop {
            match &self.nodes[id as usize] {
                Node::Group { named: false, body, number: 1.. } if self.only_named() => id = *body,
                node => return (id, node),
            }
        }
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        self.resolve(id).1
    }

    pub(super) fn groups<'g>(&'g self, groups: &'g Groups) -> &'g [u32] {
        match groups {
            Groups::Number(number) => std::slice::from_ref(number),
            Groups::Named { name, count } => &self.namesakes[*name].groups[..*count],
        }
    }

    /// Whether a reference is to a group that there is not.
    pub(super) fn is_unknown(&self, groups: &Groups) -> bool {
        matches!(groups, Groups::Number(number) if *number > self.groups)
    }

    /// The parts of a node, in order.
    pub(super) fn children(node: &Node) -> &[NodeId] {
        match node {
            Node::Text { .. } | Node::One | Node::Anchor { .. } | Node::BackReference { .. } | Node::Call { .. } => &[],
            Node::Look { body, .. }
            | Node::Repeat { body, .. }
            | Node::Group { body, .. }
            | Node::Options { body }
            | Node::Atomic { body }
            | Node::Absent { body }
            | Node::Condition { body, .. } => std::slice::from_ref(body),
            Node::List(parts) | Node::Alternatives(parts) => parts,
        }
    }
}
