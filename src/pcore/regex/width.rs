//! How many characters the parts of a pattern take.

use super::tree::{Node, NodeId, Tree};
use crate::base::stack::with_room;

/// How many instructions the copies of a repeated part may take; beyond that rounds are counted.
const COPIES: u32 = 60;

/// What was worked out already, by node.
#[derive(Debug)]
pub(super) struct Widths {
    least: Vec<Option<u32>>,
    exact: Vec<Option<Option<u32>>>,
    weight: Vec<Option<u32>>,
    /// The bodies of groups, by number.
    bodies: Vec<NodeId>,
}

impl Widths {
    pub(super) fn new(tree: &Tree) -> Self {
        let mut bodies = vec![tree.root; tree.groups as usize + 1];
        for node in &tree.nodes {
            if let Node::Group { number, body } = node {
                bodies[*number as usize] = *body;
            }
        }
        let count = tree.nodes.len();
        Widths { least: vec![None; count], exact: vec![None; count], weight: vec![None; count], bodies }
    }

    /// The fewest characters, of which there may yet be more.
    pub(super) fn least(&mut self, tree: &Tree, id: NodeId) -> u32 {
        if let Some(width) = self.least[id as usize] {
            return width;
        }
        // What calls itself is believed to be empty until it is known.
        self.least[id as usize] = Some(0);
        let width = with_room(|| self.find_least(tree, id));
        self.least[id as usize] = Some(width);
        width
    }

    fn find_least(&mut self, tree: &Tree, id: NodeId) -> u32 {
        match tree.node(id) {
            Node::Char(_) | Node::Set(_) | Node::Any { .. } => 1,
            Node::Empty
            | Node::Assert(_)
            | Node::Keep
            | Node::Look { .. }
            | Node::Absent(_)
            | Node::BackReference { .. } => 0,
            Node::Group { body, .. } | Node::Atomic(body) => self.least(tree, *body),
            Node::List(parts) => parts.iter().fold(0u32, |sum, part| sum.saturating_add(self.least(tree, *part))),
            Node::Alternatives(branches) => {
                branches.iter().map(|branch| self.least(tree, *branch)).min().unwrap_or_default()
            }
            Node::Repeat { low, body, .. } => self.least(tree, *body).saturating_mul(*low),
            Node::Condition { yes, no, .. } => self.least(tree, *yes).min(self.least(tree, *no)),
            Node::Call(group) => self.least(tree, self.bodies[*group as usize]),
        }
    }

    /// The number of characters, where it is always the same.
    pub(super) fn exact(&mut self, tree: &Tree, id: NodeId) -> Option<u32> {
        if let Some(width) = self.exact[id as usize] {
            return width;
        }
        self.exact[id as usize] = Some(None);
        let width = with_room(|| self.find_exact(tree, id));
        self.exact[id as usize] = Some(width);
        width
    }

    fn find_exact(&mut self, tree: &Tree, id: NodeId) -> Option<u32> {
        match tree.node(id) {
            Node::Char(_) | Node::Set(_) | Node::Any { .. } => Some(1),
            Node::Empty | Node::Assert(_) | Node::Keep | Node::Look { .. } => Some(0),
            Node::Absent(_) | Node::BackReference { .. } | Node::Condition { .. } => None,
            Node::Group { body, .. } | Node::Atomic(body) => self.exact(tree, *body),
            Node::List(parts) => parts.iter().try_fold(0u32, |sum, part| sum.checked_add(self.exact(tree, *part)?)),
            Node::Alternatives(branches) => {
                let mut widths = branches.iter().map(|branch| self.exact(tree, *branch));
                let first = widths.next()??;
                widths.all(|width| width == Some(first)).then_some(first)
            }
            Node::Repeat { low, high, body, .. } => {
                let width = self.exact(tree, *body)?;
                if *high == Some(*low) { width.checked_mul(*low) } else { None }
            }
            Node::Call(group) => self.exact(tree, self.bodies[*group as usize]),
        }
    }

    /// Whether a repeat is compiled to copies of its body.
    pub(super) fn is_copied(&mut self, tree: &Tree, low: u32, high: Option<u32>, body: NodeId) -> bool {
        let copies = high.unwrap_or(low.saturating_add(1));
        self.weight(tree, body).saturating_mul(copies) <= COPIES
    }

    /// About how many instructions a part takes, copies and all. At least one for each node, so
    /// that the work of copying is bounded too.
    fn weight(&mut self, tree: &Tree, id: NodeId) -> u32 {
        if let Some(weight) = self.weight[id as usize] {
            return weight;
        }
        let weight = with_room(|| self.find_weight(tree, id)).saturating_add(1);
        self.weight[id as usize] = Some(weight);
        weight
    }

    fn find_weight(&mut self, tree: &Tree, id: NodeId) -> u32 {
        match tree.node(id) {
            Node::List(parts) | Node::Alternatives(parts) => {
                parts.iter().fold(0u32, |sum, part| sum.saturating_add(self.weight(tree, *part)))
            }
            Node::Group { body, .. } | Node::Look { body, .. } | Node::Atomic(body) | Node::Absent(body) => {
                self.weight(tree, *body)
            }
            Node::Condition { yes, no, .. } => self.weight(tree, *yes).saturating_add(self.weight(tree, *no)),
            Node::Repeat { low, high, body, .. } => {
                let copies = high.unwrap_or(low.saturating_add(1));
                let copied = self.is_copied(tree, *low, *high, *body);
                self.weight(tree, *body).saturating_mul(if copied { copies } else { 1 })
            }
            _ => 1,
        }
    }
}
