//! How many characters the parts of a pattern take.

use pantin_base::stack::with_room;
use regex_syntax::hir::ClassUnicode;

use super::charset;
use super::syntax::Alphabet;
use super::tree::{Node, NodeId, Tree};

/// How many bytes the copies of a repeated part may take in Ruby's own program; beyond that rounds
/// are counted.
const COPIES: u32 = 50;

/// The bytes of some instructions there: a choice or a jump, what notes a position, a class.
const PUSH: u32 = 5;
const MEMORY: u32 = 3;
const CLASS: u32 = 33;

/// What was worked out already, by node.
#[derive(Debug)]
pub(super) struct Widths {
    least: Vec<Option<u32>>,
    exact: Vec<Option<Option<u32>>>,
    length: Vec<Option<u32>>,
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
        Widths { least: vec![None; count], exact: vec![None; count], length: vec![None; count], bodies }
    }

    /// Returns the fewest characters, of which there may yet be more.
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

    /// Returns the number of characters, where it is always the same.
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

    /// Returns true if a repeat is compiled to copies of its body, as Ruby would: where rounds may be empty, it shows.
    pub(super) fn is_copied(
        &mut self,
        tree: &Tree,
        (low, high): (u32, Option<u32>),
        greedy: bool,
        body: NodeId,
    ) -> bool {
        let length = self.length(tree, body);
        match high {
            None => low <= 1 || length.saturating_mul(low) <= COPIES,
            Some(1) => greedy || low == 0,
            Some(high) => greedy && (length.saturating_add(PUSH)).saturating_mul(high) <= COPIES,
        }
    }

    /// About how many bytes a part takes in Ruby's own program. At least one for each node, so that
    /// the work of copying is bounded too.
    fn length(&mut self, tree: &Tree, id: NodeId) -> u32 {
        if let Some(length) = self.length[id as usize] {
            return length;
        }
        let length = with_room(|| self.find_length(tree, id)).max(1);
        self.length[id as usize] = Some(length);
        length
    }

    fn find_length(&mut self, tree: &Tree, id: NodeId) -> u32 {
        match tree.node(id) {
            Node::Empty | Node::Assert(_) | Node::Any { .. } | Node::Keep => 1,
            Node::Char(character) => string_length(character.len_utf8() as u32, 1),
            Node::Set(set) => set_length(&tree.sets[*set as usize]),
            Node::List(parts) => self.list_length(tree, parts),
            Node::Alternatives(parts) => {
                let jumps = 2 * PUSH * (parts.len() as u32 - 1);
                parts.iter().fold(jumps, |sum, part| sum.saturating_add(self.length(tree, *part)))
            }
            Node::Group { body, .. } => self.length(tree, *body).saturating_add(2 * MEMORY),
            Node::Look { body, .. } | Node::Atomic(body) | Node::Absent(body) => {
                self.length(tree, *body).saturating_add(2)
            }
            Node::Condition { yes, no, .. } => {
                self.length(tree, *yes).saturating_add(self.length(tree, *no)).saturating_add(2 * PUSH + 4)
            }
            Node::Repeat { low, high, greedy, body } => self.repeat_length(tree, (*low, *high), *greedy, *body),
            Node::BackReference { .. } => 3,
            Node::Call(_) => PUSH,
        }
    }

    /// Characters of one length in bytes that stand next to each other are one string.
    fn list_length(&mut self, tree: &Tree, parts: &[NodeId]) -> u32 {
        let (mut sum, mut run, mut bytes) = (0u32, 0, 0);
        for part in parts {
            let next = if let Node::Char(character) = tree.node(*part) { character.len_utf8() as u32 } else { 0 };
            if run > 0 && next != bytes {
                sum = sum.saturating_add(string_length(bytes, run));
                run = 0;
            }
            bytes = next;
            if next > 0 {
                run += 1;
            } else {
                sum = sum.saturating_add(self.length(tree, *part));
            }
        }
        if run > 0 { sum.saturating_add(string_length(bytes, run)) } else { sum }
    }

    fn repeat_length(&mut self, tree: &Tree, (low, high): (u32, Option<u32>), greedy: bool, body: NodeId) -> u32 {
        let one = self.length(tree, body);
        let checked = one.saturating_add(if self.least(tree, body) == 0 { 2 * MEMORY } else { 0 });
        if !self.is_copied(tree, (low, high), greedy, body) {
            return checked.saturating_add(10);
        }
        match high {
            None if greedy && matches!(tree.node(body), Node::Any { .. }) => one.saturating_mul(low).saturating_add(1),
            None if low == 1 && one > COPIES => checked.saturating_add(3 * PUSH),
            None => one.saturating_mul(low).saturating_add(checked).saturating_add(2 * PUSH),
            Some(1) if !greedy && low == 0 => one.saturating_add(2 * PUSH),
            Some(high) => one.saturating_mul(high).saturating_add(PUSH * high.saturating_sub(low)),
        }
    }
}

fn string_length(bytes: u32, count: u32) -> u32 {
    match (bytes, count) {
        (1, 1..=5) | (2, 1..=3) => 1 + bytes * count,
        _ => count.saturating_mul(bytes).saturating_add(5),
    }
}

fn set_length(set: &ClassUnicode) -> u32 {
    let word = charset::escape('w', Alphabet::Ruby);
    let other = charset::escape('W', Alphabet::Ruby);
    if *set == word || *set == other { 1 } else { CLASS }
}
