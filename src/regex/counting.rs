//! Which groups count when a round of a loop took nothing.
//!
//! Ruby goes on with a loop whose round was empty if a group in it was set in another way than the
//! round before: but only groups that it keeps track of, for what may be given back.

use pantin_base::stack::with_room;

use super::tree::{Node, NodeId, Tree};

/// Returns for each group, by its number, whether it counts.
pub(super) fn groups(tree: &Tree) -> Vec<bool> {
    let mut counting = vec![false; tree.groups as usize + 1];
    for node in &tree.nodes {
        match node {
            Node::BackReference { groups, .. } | Node::Condition { groups, .. } => {
                for group in groups {
                    if let Some(group) = counting.get_mut(*group as usize) {
                        *group = true;
                    }
                }
            }
            // In a pattern that calls, any group may be within a call.
            Node::Call(_) => counting.fill(true),
            _ => {}
        }
    }
    mark(tree, tree.root, false, &mut counting);
    counting
}

/// Marks the groups in a part that may be `undone`: taken in another way, or not at all.
fn mark(tree: &Tree, id: NodeId, undone: bool, counting: &mut [bool]) {
    with_room(|| match tree.node(id) {
        Node::Group { number, body } => {
            counting[*number as usize] |= undone;
            mark(tree, *body, undone, counting);
        }
        Node::List(parts) => parts.iter().for_each(|part| mark(tree, *part, undone, counting)),
        Node::Alternatives(branches) => branches.iter().for_each(|branch| mark(tree, *branch, true, counting)),
        Node::Repeat { low, high, body, .. } => mark(tree, *body, undone || *high != Some(*low), counting),
        Node::Look { negative, body, .. } => mark(tree, *body, undone || *negative, counting),
        Node::Atomic(body) | Node::Absent(body) => mark(tree, *body, undone, counting),
        Node::Condition { yes, no, .. } => {
            mark(tree, *yes, true, counting);
            mark(tree, *no, true, counting);
        }
        _ => {}
    });
}
