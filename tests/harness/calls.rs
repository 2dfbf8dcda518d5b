//! The calls in the code of an example: of which function, where they stand, and which edges of values they are given.

use std::collections::BTreeMap;
use std::sync::Arc;

use pantin::base::{Language, Place, Source};
use pantin::syntax;
use pantin::syntax::SourceKind;
use pantin::syntax::ast::{AssignOp, Ast, Node, NodeId, UnaryOp};

use super::document::Section;
use super::example::Example;

/// What a function is likely to forget of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Edge {
    EmptyText,
    EmptyArray,
    EmptyHash,
    Undef,
    Negative,
    /// A text that is not ASCII alone.
    Unicode,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) function: String,
    /// The file's path; `None`: a string of code.
    pub(super) file: Option<String>,
    pub(super) line: u32,
    pub(super) column: u32,
    /// Of the arguments, and of that whose method it is.
    pub(super) edges: Vec<Edge>,
}

/// All calls by a name in what an example consists of, as one version parses it. What it refuses has none.
pub(super) fn calls(section: &Section) -> Vec<Call> {
    let Ok(example) = Example::read(section) else { return Vec::new() };
    let Some(version) = example.usual_version() else { return Vec::new() };
    let mut calls = calls_of(example.path.as_deref(), &example.source, example.kind, &example, version);
    for (path, text) in &example.surroundings.files {
        let kind = match path.rsplit_once('.') {
            Some((_, "pp")) => SourceKind::Manifest,
            Some((_, "epp")) => SourceKind::Template,
            _ => continue,
        };
        calls.extend(calls_of(Some(path), text, kind, &example, version));
    }
    calls
}

fn calls_of(path: Option<&str>, text: &[u8], kind: SourceKind, example: &Example, version: Language) -> Vec<Call> {
    let Ok(source) = Source::from_bytes(path, text.to_vec()) else { return Vec::new() };
    let parsed = syntax::parse(Arc::new(source), kind, example.settings.for_version(version));
    let Ok(ast) = parsed.result else { return Vec::new() };
    let assigned = assigned(&ast);
    let call = |id: NodeId| {
        let (name, receiver, args) = called(&ast, id)?;
        let Place::At { line, column } = ast.place(id) else { return None };
        let mut edges = Vec::new();
        for id in receiver.into_iter().chain(args.iter().copied()) {
            add_edges(&ast, id, &assigned, 0, &mut edges);
        }
        let function = name.trim_start_matches("::").to_owned();
        Some(Call { function, file: path.map(str::to_owned), line, column, edges })
    };
    ast.ids().filter_map(call).collect()
}

/// The name, that whose method it is, and the arguments of a call.
fn called(ast: &Ast, id: NodeId) -> Option<(&str, Option<NodeId>, &[NodeId])> {
    let (functor, args) = match ast.node(id) {
        Node::Call { functor, args, .. } | Node::MethodCall { functor, args, .. } => (functor, args),
        _ => return None,
    };
    let (name, receiver) = match ast.node(functor) {
        Node::NamedAccess { left, name } => (name, Some(left)),
        _ => (functor, None),
    };
    let Node::Name(name) = ast.node(name) else { return None };
    Some((ast.text(name), receiver, ast.list(args)))
}

/// What the variables are assigned, whatever the scope.
fn assigned(ast: &Ast) -> BTreeMap<&str, NodeId> {
    let assignment = |id: NodeId| match ast.node(id) {
        Node::Assign { op: AssignOp::Set, left, right } => match ast.node(left) {
            Node::Variable(name) => Some((ast.text(name), right)),
            _ => None,
        },
        _ => None,
    };
    ast.ids().filter_map(assignment).collect()
}

/// Those of a literal, of what one holds, and of a variable that is assigned one.
fn add_edges(ast: &Ast, id: NodeId, assigned: &BTreeMap<&str, NodeId>, depth: u32, edges: &mut Vec<Edge>) {
    let mut within = |ids: &[NodeId], depth| {
        // A literal within a literal within one is not what a call is about.
        if depth < 2 {
            ids.iter().for_each(|&id| add_edges(ast, id, assigned, depth, edges));
        }
    };
    match ast.node(id) {
        Node::Undef => edges.push(Edge::Undef),
        Node::Integer { value, .. } if value < 0 => edges.push(Edge::Negative),
        Node::String(text) => edges.extend(edge_of_text(ast.text(text))),
        Node::Unary { op: UnaryOp::Minus, operand } if is_positive(ast.node(operand)) => edges.push(Edge::Negative),
        Node::Array(list) if list.is_empty() => edges.push(Edge::EmptyArray),
        Node::Hash(list) if list.is_empty() => edges.push(Edge::EmptyHash),
        Node::Array(list) | Node::Hash(list) => within(ast.list(list), depth + 1),
        Node::Entry { key, value } => within(&[key, value], depth),
        // Its pieces are no texts of their own, so that they may be empty.
        Node::Concat(list) => {
            let mut pieces = ast.list(list).iter().map(|&id| ast.node(id));
            let is_unicode = |node| matches!(node, Node::String(text) if !ast.text(text).is_ascii());
            edges.extend(pieces.any(is_unicode).then_some(Edge::Unicode));
        }
        Node::Heredoc { text, .. } => within(&[text], depth),
        Node::Unary { op: UnaryOp::Paren | UnaryOp::Splat, operand } => within(&[operand], depth),
        Node::Variable(name) => {
            let is_literal = |id: &&NodeId| !matches!(ast.node(**id), Node::Variable(_));
            within(
                assigned.get(ast.text(name)).filter(is_literal).map(std::slice::from_ref).unwrap_or_default(),
                depth,
            );
        }
        _ => {}
    }
}

fn edge_of_text(text: &str) -> Option<Edge> {
    if text.is_empty() {
        return Some(Edge::EmptyText);
    }
    (!text.is_ascii()).then_some(Edge::Unicode)
}

fn is_positive(node: Node) -> bool {
    matches!(node, Node::Integer { value, .. } if value > 0) || matches!(node, Node::Float(value) if value > 0.0)
}
