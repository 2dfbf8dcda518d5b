//! Elements.

use std::rc::{Rc, Weak};

use super::attribute;
use super::attributes;
use super::names::Name;
use super::node::{
    Element, XmlNode, document_of, element_of, is_element, is_text, made, made_blank, node_of, own_element, parent_of,
};
use super::parent::{child_at, children};
use super::text;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::{Object, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::RexmlElement, Side::Instance, MAKE),
    (Core::RexmlElement, Side::Instance, TREE),
    (Core::RexmlElement, Side::Instance, ATTRIBUTES),
    (Core::RexmlElement, Side::Instance, TEXTS),
    (Core::RexmlElement, Side::Instance, NAMES),
];

const MAKE: &[NativeMethod] = &[
    private("initialize", 0, 3, |interp, given| {
        let own = given.receiver;
        if !given.arg(1).is_nil() {
            interp.send(given.arg(1), "add", std::slice::from_ref(own))?;
        }
        let element = own_element(interp, given)?;
        element.context.borrow_mut().clone_from(given.arg(2));
        let default = Value::text("UNDEFINED");
        initialize(interp, own, given.args.first().unwrap_or(&default))?;
        Ok(Value::Nil)
    }),
    method("clone", 0, 0, |interp, given| {
        let class = Value::Class(interp.real_class_of(given.receiver));
        interp.send(&class, "new", std::slice::from_ref(given.receiver))
    }),
    method("inspect", 0, 0, |interp, given| {
        let text = Value::text(format!("<{}", own_element(interp, given)?.name.borrow().expanded()));
        let attributes = interp.send(given.receiver, "attributes", &[])?;
        for attribute in attributes::listed(interp, &attributes)? {
            interp.send(&text, "<<", &[Value::text(" ")])?;
            interp.send(&attribute, "write", &[text.clone(), Value::Int(0)])?;
        }
        let end = if children(given.receiver).is_empty() { "/>" } else { "> ... </>" };
        interp.send(&text, "<<", &[Value::text(end)])
    }),
    method("node_type", 0, 0, |_, _| Ok(Value::symbol("element"))),
    method("context", 0, 0, |interp, given| Ok(own_element(interp, given)?.context.borrow().clone())),
    method("context=", 1, 1, |interp, given| {
        own_element(interp, given)?.context.borrow_mut().clone_from(given.arg(0));
        Ok(given.arg(0).clone())
    }),
    method("write", 0, 4, |interp, given| {
        if given.arg(0).is_nil() {
            return interp.unsupported("writing to the standard output");
        }
        let (indent, ie_hack) = (given.args.get(1).cloned().unwrap_or(Value::Int(-1)), given.arg(3));
        super::format::write_indented(interp, given.receiver, given.arg(0), &indent, given.arg(2), ie_hack)
    }),
];

const TREE: &[NativeMethod] = &[
    method("elements", 0, 0, |interp, given| elements(interp, given.receiver)),
    method("attributes", 0, 0, |interp, given| attributes(interp, given.receiver)),
    method("root", 0, 0, |interp, given| root(interp, given.receiver)),
    method("root_node", 0, 0, |interp, given| root_node(interp, given.receiver)),
    method("document", 0, 0, |interp, given| Ok(document_of(interp, given.receiver)?.unwrap_or_default())),
    method("add_element", 0, 2, add_element),
    method("delete_element", 1, 1, |interp, given| {
        let elements = elements(interp, given.receiver)?;
        interp.send(&elements, "delete", given.args)
    }),
    method("has_elements?", 0, 0, |_, given| Ok(children(given.receiver).iter().any(is_element).into())),
    method("each_element", 0, 1, |interp, given| {
        let elements = elements(interp, given.receiver)?;
        interp.send_with(&elements, "each", given.args, given.block)
    }),
    method("get_elements", 1, 1, |interp, given| {
        let elements = elements(interp, given.receiver)?;
        interp.send(&elements, "to_a", given.args)
    }),
    method("each_element_with_attribute", 1, 4, each_with),
    method("each_element_with_text", 0, 3, each_with),
    method("next_element", 0, 0, |interp, given| element_beside(interp, given, "next_sibling")),
    method("previous_element", 0, 0, |interp, given| element_beside(interp, given, "previous_sibling")),
    method("xpath", 0, 0, |interp, given| Ok(Value::text(xpath_of(interp, given.receiver)?))),
    method("cdatas", 0, 0, |interp, given| children_of_class(interp, given, Core::RexmlCData)),
    method("comments", 0, 0, |interp, given| children_of_class(interp, given, Core::RexmlComment)),
    method("instructions", 0, 0, |interp, given| children_of_class(interp, given, Core::RexmlInstruction)),
    method("texts", 0, 0, |interp, given| children_of_class(interp, given, Core::RexmlText)),
    method("[]", 1, 1, |interp, given| match given.arg(0) {
        Value::String(_) => attribute_value(interp, given.receiver, given.arg(0)),
        Value::Symbol(name) => attribute_value(interp, given.receiver, &Value::text(name.as_str())),
        _ => child_at(interp, given),
    }),
];

const ATTRIBUTES: &[NativeMethod] = &[
    method("attribute", 1, 2, |interp, given| {
        if !given.arg(1).is_nil() {
            return interp.unsupported("REXML::Element#attribute with a namespace");
        }
        let attributes = attributes(interp, given.receiver)?;
        let name = interp.text_of(given.arg(0))?;
        interp.send(&attributes, "get_attribute", &[Value::text(name)])
    }),
    method("has_attributes?", 0, 0, |interp, given| {
        Ok((!own_element(interp, given)?.attributes.borrow().is_empty()).into())
    }),
    method("add_attribute", 1, 2, |interp, given| {
        let all = attributes(interp, given.receiver)?;
        match node_of(given.arg(0)) {
            Some(XmlNode::Attribute(_)) => interp.send(&all, "<<", &given.args[..1]),
            _ => interp.send(&all, "[]=", &[given.arg(0).clone(), given.arg(1).clone()]),
        }
    }),
    method("add_attributes", 1, 1, |interp, given| {
        let all = attributes(interp, given.receiver)?;
        let pairs = match given.arg(0) {
            Value::Hash(table) => table.pairs(),
            Value::Array(list) => {
                let mut pairs = Vec::new();
                for pair in list.items.borrow().clone() {
                    pairs.push((
                        interp.send(&pair, "[]", &[Value::Int(0)])?,
                        interp.send(&pair, "[]", &[Value::Int(1)])?,
                    ));
                }
                pairs
            }
            _ => return Ok(Value::Nil),
        };
        for (name, value) in pairs {
            interp.send(&all, "[]=", &[name, value])?;
        }
        Ok(given.arg(0).clone())
    }),
    method("delete_attribute", 1, 1, |interp, given| {
        let all = attributes(interp, given.receiver)?;
        let found = interp.send(&all, "get_attribute", given.args)?;
        if found.is_nil() { Ok(Value::Nil) } else { interp.send(&found, "remove", &[]) }
    }),
    method("prefixes", 0, 0, |interp, given| {
        let prefixes = attribute::namespaces_around(interp, given.receiver)?.into_iter();
        Ok(Value::array(prefixes.filter(|(prefix, _)| prefix != "xmlns").map(|(prefix, _)| prefix.into()).collect()))
    }),
    method("namespaces", 0, 0, |interp, given| {
        let all = attribute::namespaces_around(interp, given.receiver)?.into_iter();
        let table = interp.build_table(all.map(|(prefix, uri)| (prefix.into(), uri.into())))?;
        Ok(Value::hash(table))
    }),
    method("namespace", 0, 1, |interp, given| {
        let prefix = match given.arg(0) {
            Value::Nil => own_element(interp, given)?.name.borrow().prefix().to_owned(),
            prefix => interp.text_arg(prefix)?,
        };
        Ok(attribute::namespace(interp, given.receiver, &prefix)?.map_or(Value::Nil, Value::text))
    }),
    method("add_namespace", 1, 2, |interp, given| {
        let all = attributes(interp, given.receiver)?;
        if given.arg(1).is_nil() {
            interp.send(&all, "[]=", &[Value::text("xmlns"), given.arg(0).clone()])?;
        } else {
            let prefix = interp.text_arg(given.arg(0))?;
            let name = if prefix.starts_with("xmlns:") { prefix } else { format!("xmlns:{prefix}") };
            interp.send(&all, "[]=", &[Value::text(name), given.arg(1).clone()])?;
        }
        Ok(given.receiver.clone())
    }),
    method("delete_namespace", 0, 1, |interp, given| {
        let name = if given.args.is_empty() { "xmlns".to_owned() } else { interp.text_of(given.arg(0))? };
        let name = if name == "xmlns" { name } else { format!("xmlns:{name}") };
        interp.send(given.receiver, "delete_attribute", &[Value::text(name)])?;
        Ok(given.receiver.clone())
    }),
];

const TEXTS: &[NativeMethod] = &[
    method("has_text?", 0, 0, |interp, given| Ok((!text_of(interp, given.receiver, &Value::Nil)?.is_nil()).into())),
    method("text", 0, 1, |interp, given| text_of(interp, given.receiver, given.arg(0))),
    method("get_text", 0, 1, |interp, given| get_text(interp, given.receiver, given.arg(0))),
    method("text=", 1, 1, set_text),
    method("add_text", 1, 1, add_text),
    method("whitespace", 0, 0, |interp, given| Ok(keeps_whitespace(interp, given.receiver)?.into())),
    method("ignore_whitespace_nodes", 0, 0, |interp, given| {
        Ok(names(interp, given.receiver, "ignore_whitespace_nodes")?.into())
    }),
    method("raw", 0, 0, |interp, given| Ok(names(interp, given.receiver, "raw")?.into())),
];

const NAMES: &[NativeMethod] = &[
    method("name", 0, 0, |interp, given| name_part(interp, given, |name| name.local.as_deref().map(str::to_owned))),
    method("local_name", 0, 0, |interp, given| {
        name_part(interp, given, |name| name.local.as_deref().map(str::to_owned))
    }),
    method("prefix", 0, 0, |interp, given| name_part(interp, given, |name| name.prefix.as_deref().map(str::to_owned))),
    method("expanded_name", 0, 0, |interp, given| {
        name_part(interp, given, |name| name.expanded.as_deref().map(str::to_owned))
    }),
    method("fully_expanded_name", 0, 0, |interp, given| {
        name_part(interp, given, |name| {
            Some(match name.prefix() {
                "" => name.local().to_owned(),
                prefix => format!("{prefix}:{}", name.local()),
            })
        })
    }),
    method("name=", 1, 1, |interp, given| {
        let name = interp.text_arg(given.arg(0))?;
        *own_element(interp, given)?.name.borrow_mut() = Name::parse(interp, &name)?;
        Ok(given.arg(0).clone())
    }),
    method("has_name?", 1, 2, |interp, given| {
        let (element, other) = (own_element(interp, given)?, interp.text_arg(given.arg(0))?);
        if given.arg(1).is_nil() {
            return Ok(has_name(&element, &other).into());
        }
        let prefix = element.name.borrow().prefix().to_owned();
        let namespace = attribute::namespace(interp, given.receiver, &prefix)?;
        let wanted = interp.text_of(given.arg(1))?;
        Ok((namespace.as_deref() == Some(&wanted) && element.name.borrow().local() == other).into())
    }),
];

/// The name of an element, or all that another one is but for its children.
pub(super) fn initialize(interp: &mut Interp<'_>, own: &Value, from: &Value) -> Flow<()> {
    let Some(element) = element_of(own) else { return Ok(()) };
    if let Value::String(name) = from {
        let name = interp.str_of(name)?;
        *element.name.borrow_mut() = Name::parse(interp, &name)?;
    } else if let Some(other) = element_of(from) {
        element.name.borrow_mut().clone_from(&other.name.borrow());
        let all = attributes(interp, own)?;
        let others = attributes(interp, from)?;
        for attribute in attributes::listed(interp, &others)? {
            let copy = attribute::copy(interp, &attribute)?;
            interp.send(&all, "<<", &[copy])?;
        }
        element.context.borrow_mut().clone_from(&other.context.borrow());
    }
    Ok(())
}

fn cached(interp: &mut Interp<'_>, cell: &std::cell::RefCell<Weak<Object>>, class: Core, node: XmlNode) -> Value {
    let known = cell.borrow().upgrade();
    if let Some(known) = known {
        return Value::Object(known);
    }
    let object = made(interp, class.class(), node);
    if let Value::Object(object) = &object {
        *cell.borrow_mut() = Rc::downgrade(object);
    }
    object
}

pub(super) fn elements(interp: &mut Interp<'_>, of: &Value) -> Flow {
    match element_of(of) {
        Some(element) => {
            Ok(cached(interp, &element.elements_object, Core::RexmlElements, XmlNode::Elements(of.clone())))
        }
        None => interp.send(of, "elements", &[]),
    }
}

pub(super) fn attributes(interp: &mut Interp<'_>, of: &Value) -> Flow {
    match element_of(of) {
        Some(element) => {
            Ok(cached(interp, &element.attributes_object, Core::RexmlAttributes, XmlNode::Attributes(of.clone())))
        }
        None => interp.send(of, "attributes", &[]),
    }
}

fn attribute_value(interp: &mut Interp<'_>, of: &Value, name: &Value) -> Flow {
    let all = attributes(interp, of)?;
    interp.send(&all, "[]", std::slice::from_ref(name))
}

fn name_part(interp: &mut Interp<'_>, given: &CallArguments<'_>, part: impl FnOnce(&Name) -> Option<String>) -> Flow {
    let element = own_element(interp, given)?;
    let name = element.name.borrow();
    Ok(part(&name).map_or(Value::Nil, Value::text))
}

/// Returns true if an element is called so: with its prefix, where the name has one.
pub(super) fn has_name(element: &Element, other: &str) -> bool {
    let name = element.name.borrow();
    match other.contains(':') {
        true if name.prefix().is_empty() => name.local() == other,
        true => other.split_once(':') == Some((name.prefix(), name.local())),
        false => name.local.as_deref() == Some(other),
    }
}

fn root(interp: &mut Interp<'_>, of: &Value) -> Flow {
    let mut own = of.clone();
    loop {
        interp.step()?;
        if element_of(&own).is_some_and(|element| element.is_document) {
            return Ok(children(&own).into_iter().find(is_element).unwrap_or_default());
        }
        match parent_of(interp, &own)? {
            Some(parent) if !element_of(&parent).is_some_and(|element| element.is_document) => own = parent,
            _ => return Ok(own),
        }
    }
}

/// What a node is in that is in nothing: a document, mostly.
pub(super) fn root_node(interp: &mut Interp<'_>, of: &Value) -> Flow {
    let mut own = of.clone();
    while let Some(parent) = parent_of(interp, &own)? {
        interp.step()?;
        own = parent;
    }
    Ok(own)
}

fn add_element(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if given.arg(0).is_nil() && element_of(given.receiver).is_some_and(|element| !element.is_document) {
        let message = "First argument must be either an element name, or an Element object";
        return interp.raise(Core::RuntimeError, message);
    }
    let elements = elements(interp, given.receiver)?;
    let made = interp.send(&elements, "add", &given.args[..given.args.len().min(1)])?;
    if let Value::Hash(table) = given.arg(1) {
        let all = attributes(interp, &made)?;
        for (name, value) in table.pairs() {
            interp.send(&all, "[]=", &[name, value])?;
        }
    }
    super::document::check_root(interp, given.receiver)?;
    Ok(made)
}

fn each_with(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.unsupported(format!("{} without a block", given.name)) };
    let by_text = given.name == "each_element_with_text";
    let first = usize::from(!by_text);
    let value = given.arg(first);
    let most = if given.arg(first + 1).is_nil() { 0 } else { interp.int_arg(given.arg(first + 1))? };
    let elements = elements(interp, given.receiver)?;
    let paths = &[given.arg(first + 2).clone()][..usize::from(!given.arg(first + 2).is_nil())];
    let all = interp.send(&elements, "to_a", paths)?;
    let mut count = 0;
    let found = all.clone();
    for child in interp.items(&all)? {
        let own = if by_text {
            text_of(interp, &child, &Value::Nil)?
        } else {
            attribute_value(interp, &child, given.arg(0))?
        };
        if if value.is_nil() { !own.is_nil() } else { interp.equal(&own, value)? } {
            interp.yield_one(block, child)?;
            count += 1;
        }
        if most > 0 && count == most {
            return Ok(Value::Nil);
        }
    }
    Ok(found)
}

fn element_beside(interp: &mut Interp<'_>, given: &CallArguments<'_>, how: &str) -> Flow {
    let mut next = interp.send(given.receiver, how, &[])?;
    while !next.is_nil() && !is_element(&next) {
        next = interp.send(&next, how, &[])?;
    }
    Ok(next)
}

fn children_of_class(interp: &mut Interp<'_>, given: &CallArguments<'_>, class: Core) -> Flow {
    let all = children(given.receiver).into_iter().filter(|child| interp.is_a(child, class.class())).collect();
    let all = Value::array(all);
    interp.send(&all, "freeze", &[])
}

/// Returns the path of an element, with its number where there are several of its name.
pub(super) fn xpath_of(interp: &mut Interp<'_>, of: &Value) -> Flow<String> {
    let (mut parts, mut next) = (Vec::new(), Some(of.clone()));
    while let Some(own) = next {
        interp.step()?;
        let parent = parent_of(interp, &own)?;
        let name = |value: &Value| {
            element_of(value).map(|element| match element.is_document {
                true => String::new(),
                false => element.name.borrow().expanded().to_owned(),
            })
        };
        let mut part = name(&own).unwrap_or_default();
        if let Some(parent) = &parent {
            let alike: Vec<Value> = children(parent).into_iter().filter(|child| name(child) == name(&own)).collect();
            if alike.len() > 1 {
                let at = alike.iter().position(|child| child.is_same(&own)).unwrap_or_default();
                part.push_str(&format!("[{}]", at + 1));
            }
        }
        parts.push(part);
        next = parent;
    }
    parts.reverse();
    Ok(parts.join("/"))
}

// ---- texts ----

fn get_text(interp: &mut Interp<'_>, of: &Value, path: &Value) -> Flow {
    if path.is_nil() {
        return Ok(children(of).into_iter().find(is_text).unwrap_or_default());
    }
    let elements = elements(interp, of)?;
    let found = interp.send(&elements, "[]", std::slice::from_ref(path))?;
    if found.is_nil() { Ok(found) } else { interp.send(&found, "get_text", &[]) }
}

fn text_of(interp: &mut Interp<'_>, of: &Value, path: &Value) -> Flow {
    let found = get_text(interp, of, path)?;
    if found.is_nil() { Ok(found) } else { interp.send(&found, "value", &[]) }
}

/// A text as one of an element: with its white space, and raw, as the context says.
fn new_text(interp: &mut Interp<'_>, of: &Value, content: String) -> Flow {
    let (keeps, raw) = (keeps_whitespace(interp, of)?, names(interp, of, "raw")?);
    let text = made_blank(interp, Core::RexmlText);
    text::fill(interp, &text, content, keeps, raw)?;
    Ok(text)
}

fn set_text(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    own_element(interp, given)?;
    let old = get_text(interp, given.receiver, &Value::Nil)?;
    let new = match given.arg(0) {
        Value::Nil => {
            if !old.is_nil() {
                interp.send(&old, "remove", &[])?;
            }
            return Ok(given.receiver.clone());
        }
        text if is_text(text) => text.clone(),
        other => {
            let content = interp.text_of(other)?;
            new_text(interp, given.receiver, content)?
        }
    };
    if old.is_nil() {
        interp.send(given.receiver, "<<", &[new])?;
    } else {
        interp.send(&old, "replace_with", &[new])?;
    }
    Ok(given.receiver.clone())
}

fn add_text(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    own_element(interp, given)?;
    let mut text = given.arg(0).clone();
    if let Value::String(content) = &text {
        if let Some(last) = children(given.receiver).last().filter(|last| is_text(last)) {
            interp.send(last, "<<", &[text])?;
            return Ok(Value::Nil);
        }
        let content = interp.str_of(content)?;
        text = new_text(interp, given.receiver, content)?;
    }
    if !text.is_nil() {
        interp.send(given.receiver, "<<", &[text])?;
    }
    Ok(given.receiver.clone())
}

fn option(of: &Value, name: &str) -> Value {
    let context = element_of(of).map(|element| element.context.borrow().clone());
    match context {
        Some(Value::Hash(table)) => table.get_symbol(name).unwrap_or_default(),
        _ => Value::Nil,
    }
}

/// Returns true if an option of the context is `:all`, or names the element.
pub(super) fn names(interp: &mut Interp<'_>, of: &Value, name: &str) -> Flow<bool> {
    match option(of, name) {
        Value::Nil | Value::Bool(false) => Ok(false),
        Value::Symbol(all) if all == "all" => Ok(true),
        list => {
            let own = interp.send(of, "expanded_name", &[])?;
            Ok(interp.send(&list, "include?", &[own])?.is_truthy())
        }
    }
}

pub(super) fn keeps_whitespace(interp: &mut Interp<'_>, of: &Value) -> Flow<bool> {
    if option(of, "respect_whitespace").is_truthy() && !names(interp, of, "respect_whitespace")? {
        return Ok(false);
    }
    Ok(!names(interp, of, "compress_whitespace")?)
}
