//! Documents.

use std::rc::Rc;

use super::declaration;
use super::node::{Element, XmlNode, element_of, is_element, node_of, own_element, set_link, set_parent};
use super::parent::{children, take_in};
use super::parse::parse;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlDocument, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    private("initialize", 0, 2, |interp, given| {
        let element = own_element(interp, given)?;
        let name = Value::text("UNDEFINED");
        super::element::initialize(interp, given.receiver, &name)?;
        let context = given.args.get(1).cloned().unwrap_or_else(|| Value::hash(Default::default()));
        *element.context.borrow_mut() = context;
        let source = given.arg(0);
        if let Some(other) = element_of(source).filter(|other| other.is_document) {
            element.context.borrow_mut().clone_from(&other.context.borrow());
            super::element::initialize(interp, given.receiver, source)?;
        } else if !source.is_nil() {
            parse(interp, given.receiver, source)?;
        }
        Ok(Value::Nil)
    }),
    method("node_type", 0, 0, |_, _| Ok(Value::symbol("document"))),
    method("expanded_name", 0, 0, |_, _| Ok(Value::text(""))),
    method("name", 0, 0, |_, _| Ok(Value::text(""))),
    method("root", 0, 0, |_, given| Ok(children(given.receiver).into_iter().find(is_element).unwrap_or_default())),
    method("doctype", 0, 0, |_, given| {
        let is_doctype = |child: &Value| matches!(node_of(child), Some(XmlNode::DocType(_)));
        Ok(children(given.receiver).into_iter().find(is_doctype).unwrap_or_default())
    }),
    method("xml_decl", 0, 0, |interp, given| declaration_of(interp, given.receiver)),
    method("version", 0, 0, declared_value),
    method("encoding", 0, 0, declared_value),
    method("stand_alone?", 0, 0, declared_value),
    method("document", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("write", 0, 5, write),
];

fn declared_value(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let declaration = declaration_of(interp, given.receiver)?;
    interp.send(&declaration, given.name, &[])
}

fn is_declaration(child: &Value) -> bool {
    matches!(node_of(child), Some(XmlNode::Declaration(_)))
}

/// The declaration of a document; it gets one that is not written if it has none.
pub(super) fn declaration_of(interp: &mut Interp<'_>, document: &Value) -> Flow {
    match children(document).first() {
        Some(first) if is_declaration(first) => Ok(first.clone()),
        _ => {
            let made = declaration::default(interp)?;
            if let Some(element) = element_of(document) {
                element.children.borrow_mut().insert(0, made.clone());
            }
            Ok(made)
        }
    }
}

/// Puts a node among the children of a document, where one of its kind belongs.
pub(super) fn add(interp: &mut Interp<'_>, document: &Value, own: &Rc<Element>, child: &Value) -> Flow {
    match node_of(child) {
        Some(XmlNode::Declaration(_)) => {
            let mut all = own.children.borrow_mut();
            match all.first_mut() {
                Some(first) if is_declaration(first) => *first = child.clone(),
                _ => all.insert(0, child.clone()),
            }
            drop(all);
            set_link(child, Some(document));
            Ok(document.clone())
        }
        Some(XmlNode::DocType(_)) => {
            let is_doctype = |child: &Value| matches!(node_of(child), Some(XmlNode::DocType(_)));
            let mut all = own.children.borrow_mut();
            match all.iter().position(|child| is_element(child) || is_doctype(child)) {
                Some(at) if is_doctype(&all[at]) => all[at] = child.clone(),
                // Before the node in front of that; in front of the first one it is the end.
                Some(0) => {
                    let at = all.len() - 1;
                    all.insert(at, child.clone());
                }
                Some(at) => all.insert(at - 1, child.clone()),
                None => all.push(child.clone()),
            }
            drop(all);
            set_parent(interp, child, Some(document))?;
            Ok(document.clone())
        }
        _ => {
            take_in(interp, document, child)?;
            own.children.borrow_mut().push(child.clone());
            check_root(interp, document)?;
            Ok(child.clone())
        }
    }
}

/// A document has one element.
pub(super) fn check_root(interp: &mut Interp<'_>, document: &Value) -> Flow<()> {
    let is_document = element_of(document).is_some_and(|element| element.is_document);
    if is_document && children(document).iter().filter(|child| is_element(child)).count() > 1 {
        return interp.raise(Core::RuntimeError, "attempted adding second root element to document");
    }
    Ok(())
}

/// `write(output, indent, transitive, ie_hack, encoding)`, or the same as a hash.
fn write(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    const NAMES: [&str; 5] = ["output", "indent", "transitive", "ie_hack", "encoding"];
    let options: Vec<Value> = match given.args {
        [Value::Hash(table)] => NAMES.iter().map(|name| table.get_symbol(name).unwrap_or_default()).collect(),
        args => NAMES.iter().enumerate().map(|(at, _)| args.get(at).cloned().unwrap_or_default()).collect(),
    };
    let [output, indent, transitive, ie_hack, encoding] = options.as_slice() else { return Ok(Value::Nil) };
    if output.is_nil() {
        return interp.unsupported("writing to the standard output");
    }
    let declared = declaration_of(interp, given.receiver)?;
    let declared = interp.send(&declared, "encoding", &[])?;
    let encoding = if encoding.is_nil() { &declared } else { encoding };
    check_encoding(interp, encoding)?;
    let indent = if indent.is_nil() { Value::Int(-1) } else { indent.clone() };
    super::format::write_indented(interp, given.receiver, output, &indent, transitive, ie_hack)
}

pub(super) fn check_encoding(interp: &mut Interp<'_>, encoding: &Value) -> Flow<()> {
    match interp.text_of(encoding)?.as_str() {
        "UTF-8" => Ok(()),
        other => interp.unsupported(format!("an XML document in the encoding {other}")),
    }
}
