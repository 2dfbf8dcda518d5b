//! Types of documents: `<!DOCTYPE html>`, without an internal subset.

use std::cell::RefCell;
use std::rc::Rc;

use super::node::{Link, XmlNode, node_of, parent_of};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlDocType, Side::Instance, METHODS)];

#[derive(Default)]
pub(crate) struct DocType {
    pub(super) link: Link,
    pub(super) name: RefCell<Value>,
    /// `SYSTEM` or `PUBLIC`
    pub(super) external: RefCell<Value>,
    pub(super) long_name: RefCell<Value>,
    pub(super) uri: RefCell<Value>,
}

const METHODS: &[NativeMethod] = &[
    private("initialize", 1, 2, |interp, given| {
        let own = own(interp, given)?;
        match given.arg(0) {
            name @ Value::String(_) => {
                own.name.borrow_mut().clone_from(name);
                own.external.borrow_mut().clone_from(given.arg(1));
            }
            Value::Array(parts) => {
                let parts = parts.items.borrow().clone();
                let cells = [&own.name, &own.external, &own.long_name, &own.uri];
                for (cell, part) in cells.into_iter().zip(parts) {
                    *cell.borrow_mut() = part;
                }
                if !given.arg(1).is_nil() {
                    interp.send(given.arg(1), "add", std::slice::from_ref(given.receiver))?;
                }
            }
            _ => return interp.unsupported("a REXML::DocType of anything but its name or its parts"),
        }
        Ok(Value::Nil)
    }),
    method("name", 0, 0, |interp, given| Ok(own(interp, given)?.name.borrow().clone())),
    method("external_id", 0, 0, |interp, given| Ok(own(interp, given)?.external.borrow().clone())),
    method("public", 0, 0, |interp, given| {
        let own = own(interp, given)?;
        Ok(if is(&own, "PUBLIC") { own.long_name.borrow().clone() } else { Value::Nil })
    }),
    method("system", 0, 0, |interp, given| {
        let own = own(interp, given)?;
        let cell = if is(&own, "PUBLIC") { &own.uri } else { &own.long_name };
        Ok(if own.external.borrow().is_nil() { Value::Nil } else { cell.borrow().clone() })
    }),
    method("node_type", 0, 0, |_, _| Ok(Value::symbol("doctype"))),
    method("children", 0, 0, |_, _| Ok(Value::array(Vec::new()))),
    method("write", 1, 4, |interp, given| {
        let own = own(interp, given)?;
        let name = interp.text_of(&own.name.borrow().clone())?;
        let mut text = format!("<!DOCTYPE {name}");
        let external = own.external.borrow().clone();
        if !external.is_nil() {
            let quote = default_quote(interp, given)?;
            text.push_str(&format!(" {}", interp.text_of(&external)?));
            let long_name = own.long_name.borrow().clone();
            if !long_name.is_nil() {
                let long_name = interp.text_of(&long_name)?;
                let quote = if long_name.contains('\'') { '"' } else { quote };
                text.push_str(&format!(" {quote}{long_name}{quote}"));
            }
            let uri = own.uri.borrow().clone();
            if !uri.is_nil() {
                let uri = interp.text_of(&uri)?;
                let quote = if uri.contains('\'') {
                    '"'
                } else if uri.contains('"') {
                    '\''
                } else {
                    quote
                };
                text.push_str(&format!(" {quote}{uri}{quote}"));
            }
        }
        text.push('>');
        interp.send(given.arg(0), "<<", &[Value::text(text)])
    }),
];

fn own(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<DocType>> {
    match node_of(given.receiver) {
        Some(XmlNode::DocType(own)) => Ok(own),
        _ => interp.unsupported(format!("the method REXML::DocType#{}", given.name)),
    }
}

fn is(own: &DocType, wanted: &str) -> bool {
    matches!(&*own.external.borrow(), Value::String(external) if external.is_letters(wanted))
}

fn default_quote(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<char> {
    let context = match parent_of(interp, given.receiver)? {
        Some(parent) => interp.send(&parent, "context", &[])?,
        None => Value::Nil,
    };
    let quote = match &context {
        Value::Hash(table) => table.get_symbol("prologue_quote").unwrap_or_default(),
        _ => Value::Nil,
    };
    Ok(if matches!(quote, Value::Symbol(quote) if quote == "apostrophe") { '\'' } else { '"' })
}
