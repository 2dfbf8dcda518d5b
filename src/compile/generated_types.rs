//! `.resource_types/NAME.pp`: the table of a type of resources as `puppet generate types` writes it.
//!
//! It is one expression with nothing to be worked out in it, and read as such. The types of values that it tells are
//! those that the agent checks.

use pantin_model::catalog::kinds::{NewTable, TitleGroup, TitlePattern, Titles, TypeTable};
use pantin_syntax::ast::{Ast, Node, NodeId};
use pantin_values::{Regexp, Str};

use super::code::CodeFile;

const TYPE: &str = "Puppet::Resource::ResourceType3";
const PARAM: &str = "Puppet::Resource::Param";

/// Returns the table of the type of this name; `None` where the file has something else in it.
pub(super) fn table_in(file: &CodeFile, name: &Str) -> Option<TypeTable> {
    let ast = &*file.ast;
    let Node::MethodCall { functor, args, .. } = ast.node(ast.root()) else { return None };
    let Node::NamedAccess { left, name: called } = ast.node(functor) else { return None };
    let is_new = matches!(ast.node(left), Node::TypeName(of) if ast.text(of) == TYPE)
        && matches!(ast.node(called), Node::Name(of) if ast.text(of) == "new");
    let [own, properties, parameters, rest @ ..] = ast.list(args) else { return None };
    if !is_new || text(ast, *own)? != name.as_str() {
        return None;
    }
    let (properties, parameters) = (params(ast, *properties)?, params(ast, *parameters)?);
    let names = |all: &[Param]| all.iter().map(|param| param.name.clone()).collect();
    let namevars: Vec<Str> =
        properties.iter().chain(&parameters).filter(|param| param.is_namevar).map(|param| param.name.clone()).collect();
    let is_isomorphic = match rest.get(1).map(|&id| ast.node(id)) {
        None => true,
        Some(Node::Boolean(value)) => value,
        Some(_) => return None,
    };
    Some(TypeTable::new(NewTable {
        name: name.clone(),
        properties: names(&properties),
        parameters: names(&parameters),
        titles: titles(ast, rest.first().copied(), namevars.len())?,
        namevars,
        is_isomorphic,
    }))
}

struct Param {
    name: Str,
    is_namevar: bool,
}

fn text(ast: &Ast, id: NodeId) -> Option<&str> {
    match ast.node(id) {
        Node::String(text) => Some(ast.text(text)),
        _ => None,
    }
}

fn params(ast: &Ast, list: NodeId) -> Option<Vec<Param>> {
    let Node::Array(items) = ast.node(list) else { return None };
    ast.list(items).iter().map(|&id| param(ast, id)).collect()
}

/// `Puppet::Resource::Param(Type, 'name', is_namevar)`
fn param(ast: &Ast, id: NodeId) -> Option<Param> {
    let Node::Call { functor, args, .. } = ast.node(id) else { return None };
    if !matches!(ast.node(functor), Node::TypeName(of) if ast.text(of) == PARAM) {
        return None;
    }
    let [_, name, rest @ ..] = ast.list(args) else { return None };
    let is_namevar = matches!(rest.first().map(|&id| ast.node(id)), Some(Node::Boolean(true)));
    Some(Param { name: text(ast, *name)?.into(), is_namevar })
}

/// `{ /pattern/ => ['name', …], … }`. A type with one namevar need not say any.
fn titles(ast: &Ast, patterns: Option<NodeId>, namevars: usize) -> Option<Titles> {
    let patterns = match patterns.map(|id| ast.node(id)) {
        None | Some(Node::Undef) if namevars < 2 => return Some(Titles::Namevar),
        // Without a namevar they are not asked for.
        Some(Node::Hash(_)) if namevars == 0 => return Some(Titles::Namevar),
        Some(Node::Hash(entries)) => entries,
        _ => return None,
    };
    let entries = ast.list(patterns).iter().map(|&entry| {
        let Node::Entry { key, value } = ast.node(entry) else { return None };
        let (Node::Regex(pattern), Node::Array(names)) = (ast.node(key), ast.node(value)) else { return None };
        let names = ast.list(names).iter().map(|&name| Some(TitleGroup::plain(text(ast, name)?.into())));
        let names = names.collect::<Option<_>>()?;
        Some(TitlePattern::new(Regexp::new(ast.text(pattern), Default::default()).into(), names))
    });
    Some(Titles::Patterns(entries.collect::<Option<_>>()?))
}
