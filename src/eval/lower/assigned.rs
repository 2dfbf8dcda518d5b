//! Which names a body assigns: its slots.

use pantin_syntax::ast::{Ast, Node, NodeId};
use pantin_values::Str;

/// Returns the names that `body` assigns itself, in order of first appearance. What a lambda or a definition in it
/// assigns is theirs.
pub(super) fn names(ast: &Ast, body: NodeId) -> Vec<Str> {
    let mut names = Vec::new();
    let mut pending = vec![body];
    while let Some(id) = pending.pop() {
        match ast.node(id) {
            Node::Lambda { .. } | Node::Definition(_) | Node::NodeDefinition { .. } | Node::TypeAlias { .. } => {
                continue;
            }
            Node::Assign { left, .. } => targets(ast, left, &mut names),
            _ => {}
        }
        let first = pending.len();
        ast.each_child(id, |child| pending.push(child));
        pending[first..].reverse();
    }
    names
}

fn targets(ast: &Ast, target: NodeId, names: &mut Vec<Str>) {
    let mut pending = vec![target];
    while let Some(id) = pending.pop() {
        match ast.node(id) {
            Node::Variable(name) => {
                let name = ast.text(name);
                if !name.contains("::") && !names.iter().any(|known| known == name) {
                    names.push(name.into());
                }
            }
            Node::Array(items) => pending.extend(ast.list(items).iter().rev().copied()),
            _ => {}
        }
    }
}
