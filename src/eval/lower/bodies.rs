//! Whole units: a manifest's own code, a definition, a template.

use std::sync::Arc;

use pantin_base::Span;
use pantin_model::trace::Unit;
use pantin_syntax::ast::{Ast, DefinitionKind, Node, NodeId};
use pantin_syntax::definition_hash;
use pantin_values::{Digester, Str};

use super::super::code::{Body, Lambda};
use super::super::function::Builtins;
use super::Lower;

/// Returns a manifest's own code; definitions in it are left out. `key` names it among the manifests of an environment.
pub fn main_body(ast: &Ast, key: &str, builtins: &'static Builtins) -> Body {
    let root = ast.root();
    lower_whole(ast, builtins, key, root, true, |lower| lower.lower_in_own_frame("main", &[], None, Some(root), root))
}

/// Returns an expression of a source, by itself: a producer, a category, the values of a layer.
pub fn expression_body(ast: &Ast, id: NodeId, name: &str, builtins: &'static Builtins) -> Body {
    lower_whole(ast, builtins, name, id, false, |lower| match ast.node(id) {
        Node::Lambda { params, returns, body } => {
            lower.lower_in_own_frame("lambda", ast.list(params), returns, body, id)
        }
        _ => lower.lower_in_own_frame(name, &[], None, Some(id), id),
    })
}

/// Returns the block of a node definition, which is called `name`.
pub fn node_body(ast: &Ast, id: NodeId, name: &str, builtins: &'static Builtins) -> Option<Body> {
    let Node::NodeDefinition { body, .. } = ast.node(id) else { return None };
    Some(lower_whole(ast, builtins, name, id, false, |lower| lower.lower_in_own_frame(name, &[], None, body, id)))
}

/// Returns a function, class or define. `None` where the node is no definition.
pub fn definition_body(ast: &Ast, id: NodeId, builtins: &'static Builtins) -> Option<Body> {
    let Node::Definition(definition) = ast.node(id) else { return None };
    let definition = *ast.definition(definition);
    let name = ast.text(definition.name);
    Some(lower_whole(ast, builtins, name, id, false, |lower| {
        lower.lower_in_own_frame(name, ast.list(definition.params), definition.returns, definition.body, id)
    }))
}

/// Returns a template. Its parameters are those of the lambda that it is.
pub fn template_body(ast: &Ast, name: &str, builtins: &'static Builtins) -> Body {
    let root = ast.root();
    let mut template = lower_whole(ast, builtins, name, root, false, |lower| match ast.node(root) {
        Node::Lambda { params, returns, body } => {
            lower.lower_in_own_frame("lambda", ast.list(params), returns, body, root)
        }
        _ => lower.lower_in_own_frame("lambda", &[], None, Some(root), root),
    });
    let body = match ast.node(root) {
        Node::Lambda { body, .. } => body.unwrap_or(root),
        _ => root,
    };
    template.is_open = !matches!(ast.node(body), Node::Epp { params_specified: true, .. });
    template
}

fn lower_whole<'a>(
    ast: &'a Ast,
    builtins: &'static Builtins,
    name: &'a str,
    root: NodeId,
    is_main: bool,
    lower: impl FnOnce(&mut Lower<'a>) -> Lambda,
) -> Body {
    let first = if is_main { 0 } else { first_node(ast, root) };
    let own_functions = own_functions(ast);
    let kind = match ast.node(root) {
        Node::Definition(definition) => Some(ast.definition(definition).kind),
        _ => None,
    };
    let is_template =
        matches!(ast.node(root), Node::Lambda { body: Some(body), .. } if matches!(ast.node(body), Node::Epp { .. }));
    let mut lowering = Lower {
        ast,
        builtins,
        own_functions,
        first,
        frames: Vec::new(),
        shows_parameters: kind != Some(DefinitionKind::Function),
        by_name: is_template || matches!(kind, Some(DefinitionKind::Class | DefinitionKind::Define)),
        is_template,
        of_class: (kind == Some(DefinitionKind::Class)).then_some(name),
        breaking_calls: 0,
        seeks_functions: false,
        is_main,
        locals: Vec::new(),
    };
    let lambda = lower(&mut lowering);
    let spans: Vec<Span> = ast.ids().skip(first).take(root.index() + 1 - first).map(|id| ast.span(id)).collect();
    let name: Str = name.into();
    let is_node = matches!(ast.node(root), Node::NodeDefinition { .. });
    let key = match kind {
        Some(DefinitionKind::Class) => format!("class {name}").into(),
        Some(DefinitionKind::Define) => format!("define {name}").into(),
        None if is_node => format!("node {name}").into(),
        _ => name.clone(),
    };
    let mut digester = Digester::new(b"body");
    digester.text(&key).bytes(&definition_hash(ast, root));
    let locals = std::mem::take(&mut lowering.locals);
    let unit = Arc::new(Unit { key, module: Str::default(), source: ast.source().clone(), spans, locals });
    let exports = is_main || is_node || kind == Some(DefinitionKind::Class);
    let seeks_functions = lowering.seeks_functions;
    let (digest, warnings) = (digester.finish(), Box::default());
    Body { name, unit, lambda, digest, exports, is_open: false, seeks_functions, warnings }
}

/// Returns the first node of a definition: children stand before their parents.
fn first_node(ast: &Ast, root: NodeId) -> usize {
    let mut first = root;
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        first = first.min(id);
        ast.each_child(id, |child| pending.push(child));
    }
    first.index()
}

fn own_functions(ast: &Ast) -> Vec<&str> {
    let name = |id| match ast.node(id) {
        Node::Definition(definition) => {
            let definition = ast.definition(definition);
            (definition.kind == DefinitionKind::Function).then(|| ast.text(definition.name))
        }
        _ => None,
    };
    ast.ids().filter_map(name).collect()
}
