//! What the expressions of a `site` statement may not do: declare, look up, inject.
//! It must not know what they come to.

use std::sync::Arc;

use pantin_base::Span;
use pantin_bindings::{Problem, rule};
use pantin_syntax::ast::{Ast, Node, NodeId};
use pantin_syntax::bindings::{DECLARING_FUNCTIONS, SiteItem, declares};

use super::files::BindingsFolders;
use super::site::place;
use crate::code::CodeFile;

/// Functions that ask the data.
const LOOKUPS: [&str; 5] = ["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"];

/// Returns what the `site` statements of these files may not do, each with its place.
pub(super) fn forbidden_code<'f>(
    files: impl Iterator<Item = &'f Arc<CodeFile>>,
    folders: &BindingsFolders,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files {
        for item in file.ast.sites().iter().flat_map(|site| &site.items) {
            let what = if matches!(item, SiteItem::Layers { .. }) { "layers" } else { "categories" };
            let mut pending = Vec::new();
            item.each_expression(|id| pending.push(id));
            while let Some(id) = pending.pop() {
                if let Some((rule, message, span)) = forbidden_node(&file.ast, id, what) {
                    problems.push(Problem::new(rule, message, place(file, span, folders)));
                    continue;
                }
                file.ast.each_child(id, |child| pending.push(child));
            }
        }
    }
    problems
}

fn forbidden_node(ast: &Ast, id: NodeId, what: &str) -> Option<(rule::Rule, String, Span)> {
    let declared = |span| Some((rule::STATEMENT, "Nothing can be declared here".to_owned(), span));
    if declares(ast, id) {
        return declared(ast.span(id));
    }
    let functor = match ast.node(id) {
        Node::Call { functor, .. } => functor,
        Node::MethodCall { functor, .. } => match ast.node(functor) {
            Node::NamedAccess { name, .. } => name,
            _ => return None,
        },
        _ => return None,
    };
    let Node::Name(name) = ast.node(functor) else { return None };
    let (name, span) = (ast.text(name), ast.span(functor));
    if pantin_eval::builtins::injection_function(name).is_some() {
        return Some((rule::INJECT_NOT_HERE, format!("Injection is not allowed in {what}"), span));
    }
    if DECLARING_FUNCTIONS.contains(&name) {
        return declared(span);
    }
    let message = format!("The function '{name}' cannot be called in {what}");
    LOOKUPS.contains(&name).then_some((rule::NOT_IN_ENVIRONMENTS, message, span))
}
