//! References to groups that there are not, and look-behinds that Ruby cannot step back over.
//!
//! Ruby steps back by a fixed number of characters. Only the outermost alternatives of a
//! look-behind may differ in length. Knows nothing of how a tree came to be.

use pantin_base::stack::with_room;

use super::Fault;
use super::calls::{NUMBERED, UNKNOWN_REFERENCE};
use super::tree::{Anchor, Around, Folding, SyntaxId, SyntaxNode, SyntaxTree};

/// Refuses the first part of a tree that Ruby refuses once it has it all.
pub(super) fn check(tree: &SyntaxTree<'_>) -> Result<(), Fault> {
    let mut behind = None;
    let mut pending = vec![tree.root];
    while let Some(id) = pending.pop() {
        let node = tree.node(id);
        match node {
            SyntaxNode::Condition { named: false, at, .. } if tree.only_named() => return Fault::at(*at, NUMBERED),
            SyntaxNode::BackReference { groups, at, .. } | SyntaxNode::Condition { groups, at, .. }
                if tree.is_unknown(groups) =>
            {
                return Fault::at(*at, UNKNOWN_REFERENCE);
            }
            SyntaxNode::Look { around: around @ (Around::Behind | Around::NotBehind), body } => {
                let lengths = behind.get_or_insert_with(|| Lengths::new(tree));
                if !lengths.steps_back(*around, *body) {
                    return Err(Fault { message: "invalid pattern in look-behind".to_owned(), at: None });
                }
            }
            _ => {}
        }
        pending.extend(SyntaxTree::children(node).iter().rev());
    }
    Ok(())
}

/// Where a part may stand.
#[derive(Clone, Copy)]
struct Allowed {
    behind: bool,
    not_behind: bool,
}

struct Lengths<'t> {
    tree: &'t SyntaxTree<'t>,
    allowed: Vec<Allowed>,
    /// The length in characters, if it is fixed, of each node it is known of.
    known: Vec<Option<Option<u64>>>,
    bodies: Vec<SyntaxId>,
}

impl<'t> Lengths<'t> {
    fn new(tree: &'t SyntaxTree<'t>) -> Self {
        let mut bodies = vec![tree.root; tree.groups as usize + 1];
        let mut allowed: Vec<Allowed> = Vec::with_capacity(tree.nodes.len());
        for node in &tree.nodes {
            // A node comes behind its parts, so that theirs is known.
            let mut here = own(tree, node);
            for child in SyntaxTree::children(node) {
                let part = allowed[*child as usize];
                here = Allowed { behind: here.behind && part.behind, not_behind: here.not_behind && part.not_behind };
            }
            allowed.push(here);
            if let SyntaxNode::Group { number, body, .. } = node {
                bodies[*number as usize] = *body;
            }
        }
        Lengths { tree, allowed, known: vec![None; tree.nodes.len()], bodies }
    }

    fn steps_back(&mut self, around: Around, body: SyntaxId) -> bool {
        let allowed = self.allowed[body as usize];
        let tree = self.tree;
        (if around == Around::Behind { allowed.behind } else { allowed.not_behind })
            && match tree.node(body) {
                SyntaxNode::Alternatives(branches) => branches.iter().all(|branch| self.length(*branch).is_some()),
                SyntaxNode::Text(text) => text.folding != Folding::Inside,
                _ => self.length(body).is_some(),
            }
    }

    /// Returns the one length in characters of all a part matches.
    fn length(&mut self, id: SyntaxId) -> Option<u64> {
        if let Some(length) = self.known[id as usize] {
            return length;
        }
        let length = with_room(|| self.find_length(id));
        self.known[id as usize] = Some(length);
        length
    }

    fn find_length(&mut self, id: SyntaxId) -> Option<u64> {
        let tree = self.tree;
        match tree.node(id) {
            SyntaxNode::Text(text) => (text.folding == Folding::Nowhere).then_some(u64::from(text.length)),
            SyntaxNode::One(_) | SyntaxNode::LineBreak | SyntaxNode::GraphemeCluster => Some(1),
            SyntaxNode::Anchor(_) | SyntaxNode::Look { .. } => Some(0),
            SyntaxNode::BackReference { .. } | SyntaxNode::Absent { .. } | SyntaxNode::Call { recursive: true, .. } => {
                None
            }
            SyntaxNode::Call { target, .. } => self.length(self.bodies[*target as usize]),
            SyntaxNode::Repeat { low, high, body, .. } => {
                let length = self.length(*body)?;
                (*high == Some(*low)).then(|| length.saturating_mul(u64::from(*low)))
            }
            SyntaxNode::Group { body, .. }
            | SyntaxNode::Options { body, .. }
            | SyntaxNode::Atomic { body }
            | SyntaxNode::Condition { body, .. } => self.length(*body),
            SyntaxNode::List(parts) => {
                let mut whole = 0u64;
                for part in parts {
                    whole = whole.saturating_add(self.length(*part)?);
                }
                Some(whole)
            }
            SyntaxNode::Alternatives(branches) => {
                let mut lengths = branches.iter().map(|branch| self.length(*branch));
                let first = lengths.next()??;
                lengths.all(|length| length == Some(first)).then_some(first)
            }
        }
    }
}

/// Returns where a node may stand as far as its parts do not forbid it.
fn own(tree: &SyntaxTree<'_>, node: &SyntaxNode) -> Allowed {
    let both = |allowed| Allowed { behind: allowed, not_behind: allowed };
    match node {
        SyntaxNode::Text(_)
        | SyntaxNode::One(_)
        | SyntaxNode::Call { .. }
        | SyntaxNode::Repeat { .. }
        | SyntaxNode::Options { .. }
        | SyntaxNode::List(_)
        | SyntaxNode::Alternatives(_) => both(true),
        SyntaxNode::Anchor(anchor) => both(!matches!(anchor, Anchor::TextEnd | Anchor::LastLineEnd)),
        SyntaxNode::Look { around, .. } => both(matches!(around, Around::Behind | Around::NotBehind)),
        SyntaxNode::Group { named, .. } => Allowed { behind: true, not_behind: !named && tree.only_named() },
        SyntaxNode::LineBreak
        | SyntaxNode::GraphemeCluster
        | SyntaxNode::BackReference { .. }
        | SyntaxNode::Atomic { .. }
        | SyntaxNode::Absent { .. }
        | SyntaxNode::Condition { .. } => both(false),
    }
}
