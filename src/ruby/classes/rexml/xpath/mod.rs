//! Paths to nodes: `REXML::XPath`, and what elements find by it.
//!
//! `grammar` reads a path, `evaluate` follows it, `functions` are those that predicates call. As in REXML a node that two
//! steps lead to is found twice.

mod compare;
mod evaluate;
mod functions;
mod grammar;

use super::node::node_of;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;
use evaluate::{Evaluation, Found};

pub(super) const TABLES: &[Table] = &[(Core::RexmlXPath, Side::Class, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("first", 1, 5, |interp, given| Ok(found(interp, given)?.into_iter().next().unwrap_or_default())),
    method("match", 1, 5, |interp, given| Ok(Value::array(found(interp, given)?))),
    method("each", 1, 5, |interp, given| {
        let found = found(interp, given)?;
        let Some(block) = given.block else {
            let found = Value::array(found);
            return interp.send(&found, "each", &[]);
        };
        for node in &found {
            interp.yield_one(block, node.clone())?;
        }
        Ok(Value::array(found))
    }),
];

fn found(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Value>> {
    let path = if given.arg(1).is_nil() { None } else { Some(interp.text_arg(given.arg(1))?) };
    let namespaces = match given.arg(2) {
        Value::Nil => None,
        Value::Hash(table) => {
            let mut all = Vec::new();
            for (prefix, uri) in table.pairs() {
                all.push((interp.text_of(&prefix)?, interp.text_of(&uri)?));
            }
            Some(all)
        }
        _ => {
            let message = "The namespaces argument, if supplied, must be a hash object.";
            return interp.raise(Core::RuntimeError, message);
        }
    };
    let has_some =
        |value: &Value| !matches!(value, Value::Nil) && !matches!(value, Value::Hash(table) if table.len() == 0);
    if has_some(given.arg(3)) {
        return interp.unsupported(format!("REXML::XPath.{} with variables", given.name));
    }
    if has_some(given.arg(4)) {
        return interp.unsupported(format!("REXML::XPath.{} with options", given.name));
    }
    matches(interp, given.arg(0), path.as_deref(), namespaces.as_deref())
}

/// The first node that a path leads to, or nil.
pub(super) fn first(
    interp: &mut Interp<'_>,
    from: &Value,
    path: Option<&str>,
    namespaces: Option<&[(String, String)]>,
) -> Flow {
    Ok(matches(interp, from, path, namespaces)?.into_iter().next().unwrap_or_default())
}

/// Returns all that a path leads to from a node, or from several: without a path, the elements in it.
pub(super) fn matches(
    interp: &mut Interp<'_>,
    from: &Value,
    path: Option<&str>,
    namespaces: Option<&[(String, String)]>,
) -> Flow<Vec<Value>> {
    let path = path.unwrap_or("*");
    let expression = match grammar::parse(path) {
        Ok(expression) => expression,
        Err(grammar::GrammarFailure::Garbage(rest)) => {
            let shown = grammar::without_blanks(path);
            let message = format!("Garbage component exists at the end: <{rest}>: <{shown}>");
            return interp.raise(Core::RexmlParseException, message);
        }
        Err(grammar::GrammarFailure::Unsupported(what)) => {
            return interp.unsupported(format!("{what} in the XPath {path}"));
        }
    };
    let nodes = match from {
        Value::Array(list) => list.items.borrow().clone(),
        one => vec![one.clone()],
    };
    for node in &nodes {
        if node_of(node).is_none() {
            interp.send(node, "node_type", &[])?;
        }
    }
    let mut evaluation = Evaluation { interp, namespaces, path };
    match evaluation.start(&expression, nodes)? {
        Found::Nodes(nodes) => Ok(nodes.into_iter().map(|node| node.value).collect()),
        other => Ok(vec![other.into_value()]),
    }
}
