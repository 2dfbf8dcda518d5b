//! The check for parameter types that are wrong in themselves, whatever types and values exist elsewhere.

use pantin_base::stack;
use pantin_syntax::ast::{Ast, List, Node, NodeId};
use pantin_values::{BuiltInOnly, types};

/// Returns true if one of these parameters may have such a type. It is a first look, which a look in earnest follows.
pub(super) fn any(ast: &Ast, params: List) -> bool {
    ast.list(params).iter().any(|&param| match ast.node(param) {
        Node::Param { type_expr: Some(of), .. } => is_doubtful(ast, of),
        _ => false,
    })
}

fn is_doubtful(ast: &Ast, of: NodeId) -> bool {
    match content(ast, of) {
        Content::BuiltIn => types::interpret(ast, of, &mut BuiltInOnly).is_err(),
        Content::References => true,
        Content::Named | Content::Open => false,
    }
}

/// What a type is written with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    /// Types that are built in, and constants.
    BuiltIn,
    /// Names that somebody has to know.
    Named,
    /// Several resources of a type, or none, where one is a type.
    References,
    /// Variables and calls: there is no telling.
    Open,
}

fn content(ast: &Ast, id: NodeId) -> Content {
    let own = match ast.node(id) {
        Node::TypeName(name) if types::built_in_type(ast.text(name)).is_none() => Content::Named,
        Node::Access { left, keys } if is_of_resources(ast, left) && !is_single(ast, keys) => Content::References,
        Node::TypeName(_) | Node::Access { .. } | Node::Unary { .. } => Content::BuiltIn,
        Node::Array(_) | Node::Hash(_) | Node::Entry { .. } => Content::BuiltIn,
        node if node.is_constant() => Content::BuiltIn,
        _ => Content::Open,
    };
    let mut worst = own;
    ast.each_child(id, |child| worst = worst.max(stack::with_room(|| content(ast, child))));
    worst
}

fn is_of_resources(ast: &Ast, of: NodeId) -> bool {
    matches!(ast.node(of), Node::TypeName(name) if ast.text(name) == "Class" || types::built_in_type(ast.text(name)).is_none())
}

fn is_single(ast: &Ast, keys: List) -> bool {
    matches!(ast.list(keys), [only] if !matches!(ast.node(*only), Node::Array(_)))
}
