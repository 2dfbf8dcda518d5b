//! The tree of a pattern, with options, folding and classes worked out.
//!
//! Nodes refer to each other by index, so that a tree of any depth is dropped without recursion.

use regex_syntax::hir::ClassUnicode;

pub(super) type NodeId = u32;

#[derive(Debug, Clone)]
pub(super) enum Node {
    Empty,
    /// One character, exactly.
    Char(char),
    /// One character of a set, by its index.
    Set(u32),
    /// Any character; a line feed only if that is said.
    Any {
        newline: bool,
    },
    Assert(Assertion),
    /// `\K`.
    Keep,
    /// A group that captures.
    Group {
        number: u32,
        body: NodeId,
    },
    List(Vec<NodeId>),
    Alternatives(Vec<NodeId>),
    Repeat {
        low: u32,
        high: Option<u32>,
        greedy: bool,
        body: NodeId,
    },
    Look {
        behind: bool,
        negative: bool,
        body: NodeId,
    },
    Atomic(NodeId),
    Absent(NodeId),
    BackReference {
        groups: Vec<u32>,
        ignore_case: bool,
        level: Option<i32>,
    },
    Condition {
        groups: Vec<u32>,
        yes: NodeId,
        no: NodeId,
    },
    /// A call of a group; nought is the whole pattern.
    Call(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assertion {
    TextStart,
    TextEnd,
    /// The end, or before a line feed that ends the text.
    LastLineEnd,
    LineStart,
    LineEnd,
    /// Where the search began.
    SearchStart,
    Word {
        boundary: bool,
        unicode: bool,
    },
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) sets: Vec<ClassUnicode>,
    pub(super) root: NodeId,
    /// How many groups capture.
    pub(super) groups: u32,
    pub(super) names: Vec<(String, Vec<usize>)>,
}

impl Tree {
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn add_set(&mut self, set: ClassUnicode) -> NodeId {
        self.sets.push(set);
        let index = (self.sets.len() - 1) as u32;
        self.add(Node::Set(index))
    }

    /// The parts of a list, or what is there instead.
    pub(super) fn list(&mut self, parts: Vec<NodeId>) -> NodeId {
        match parts[..] {
            [] => self.add(Node::Empty),
            [only] => only,
            _ => self.add(Node::List(parts)),
        }
    }
}
