//! An attribute: its name, and its value as it is written and as it is meant.

use std::cell::RefCell;
use std::rc::Rc;

use super::names::Name;
use super::node::{Held, Link, XmlNode, element_of, made_blank, node_of, parent_of};
use super::references::{normalized, unnormalized};
use super::text::check;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlAttribute, Side::Instance, METHODS)];

#[derive(Default)]
pub(crate) struct Attribute {
    pub(super) element: Link,
    pub(super) name: RefCell<Name>,
    /// As it is written; nil where only the other is known.
    pub(super) normalized: RefCell<Value>,
    /// As it is meant; likewise.
    pub(super) unnormalized: RefCell<Value>,
}

const METHODS: &[NativeMethod] = &[
    private("initialize", 1, 3, initialize),
    method("element", 0, 0, |interp, given| Ok(own(interp, given)?.element.get(interp)?.unwrap_or_default())),
    method("element=", 1, 1, |interp, given| {
        let attribute = own(interp, given)?;
        attribute.element.set(Some(given.arg(0)));
        let written = attribute.normalized.borrow().clone();
        if let Value::String(written) = written {
            let written = interp.str_of(&written)?;
            check(interp, &written)?;
        }
        Ok(given.arg(0).clone())
    }),
    method("name", 0, 0, |interp, given| name_part(interp, given, |name| name.local.as_deref())),
    method("local_name", 0, 0, |interp, given| name_part(interp, given, |name| name.local.as_deref())),
    method("prefix", 0, 0, |interp, given| name_part(interp, given, |name| name.prefix.as_deref())),
    method("expanded_name", 0, 0, |interp, given| name_part(interp, given, |name| name.expanded.as_deref())),
    method("fully_expanded_name", 0, 0, |interp, given| {
        let attribute = own(interp, given)?;
        let name = attribute.name.borrow();
        Ok(Value::text(match name.prefix() {
            "" => name.local().to_owned(),
            prefix => format!("{prefix}:{}", name.local()),
        }))
    }),
    method("name=", 1, 1, |interp, given| {
        let name = interp.text_arg(given.arg(0))?;
        *own(interp, given)?.name.borrow_mut() = Name::parse(interp, &name)?;
        Ok(given.arg(0).clone())
    }),
    method("namespace", 0, 1, |interp, given| {
        if !given.arg(0).is_nil() {
            return interp.unsupported("REXML::Attribute#namespace with a prefix");
        }
        Ok(namespace_of_attribute(interp, given.receiver)?.map_or(Value::Nil, Value::text))
    }),
    method("value", 0, 0, |interp, given| {
        let own = own(interp, given)?;
        value(interp, &own)
    }),
    method("to_s", 0, 0, |interp, given| {
        let own = own(interp, given)?;
        written(interp, &own)
    }),
    method("normalized=", 1, 1, |interp, given| {
        own(interp, given)?.normalized.borrow_mut().clone_from(given.arg(0));
        Ok(given.arg(0).clone())
    }),
    method("to_string", 0, 0, to_string),
    method("write", 1, 2, |interp, given| {
        let text = interp.send(given.receiver, "to_string", &[])?;
        interp.send(given.arg(0), "<<", &[text])
    }),
    method("inspect", 0, 0, |interp, given| {
        let text = Value::text("");
        interp.send(given.receiver, "write", std::slice::from_ref(&text))?;
        Ok(text)
    }),
    method("remove", 0, 0, |interp, given| {
        let attribute = own(interp, given)?;
        let Some(element) = attribute.element.get(interp)? else { return Ok(Value::Nil) };
        let all = interp.send(&element, "attributes", &[])?;
        let name = interp.send(given.receiver, "name", &[])?;
        interp.send(&all, "delete", &[name])
    }),
    method("clone", 0, 0, |interp, given| copy(interp, given.receiver)),
    method("node_type", 0, 0, |_, _| Ok(Value::symbol("attribute"))),
    method("==", 1, 1, |interp, given| {
        let Some(XmlNode::Attribute(other)) = node_of(given.arg(0)) else { return Ok(Value::Bool(false)) };
        let own = own(interp, given)?;
        if own.name.borrow().local != other.name.borrow().local {
            return Ok(Value::Bool(false));
        }
        let (one, two) = (value(interp, &own)?, value(interp, &other)?);
        Ok(interp.equal(&one, &two)?.into())
    }),
    method("xpath", 0, 0, |interp, given| {
        let attribute = own(interp, given)?;
        let element = attribute.element.get(interp)?.unwrap_or_default();
        let path = interp.send(&element, "xpath", &[])?;
        let name = attribute.name.borrow().expanded().to_owned();
        interp.send(&path, "+", &[Value::text(format!("/@{name}"))])
    }),
];

fn own(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<Attribute>> {
    match node_of(given.receiver) {
        Some(XmlNode::Attribute(attribute)) => Ok(attribute),
        _ => interp.unsupported(format!("the method REXML::Attribute#{}", given.name)),
    }
}

pub(super) fn attribute_of(value: &Value) -> Option<Rc<Attribute>> {
    match node_of(value) {
        Some(XmlNode::Attribute(attribute)) => Some(attribute),
        _ => None,
    }
}

fn name_part(interp: &mut Interp<'_>, given: &CallArguments<'_>, part: impl FnOnce(&Name) -> Option<&str>) -> Flow {
    let own = own(interp, given)?;
    let name = own.name.borrow();
    Ok(part(&name).map_or(Value::Nil, Value::text))
}

fn initialize(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own(interp, given)?;
    if let Some(other) = attribute_of(given.arg(0)) {
        own.name.borrow_mut().clone_from(&other.name.borrow());
        *own.unnormalized.borrow_mut() = value(interp, &other)?;
        let element = match element_of(given.arg(1)) {
            Some(_) => Some(given.arg(1).clone()),
            None => other.element.get(interp)?,
        };
        own.element.set(element.as_ref());
        return Ok(Value::Nil);
    }
    let Value::String(name) = given.arg(0) else {
        let of = interp.class_name_of(given.arg(0));
        return interp.raise(Core::RuntimeError, format!("illegal argument {of} to Attribute constructor"));
    };
    let name = interp.str_of(name)?;
    *own.name.borrow_mut() = Name::parse(interp, &name)?;
    if !given.arg(2).is_nil() {
        own.element.set(Some(given.arg(2)));
    }
    *own.normalized.borrow_mut() = Value::text(interp.text_of(given.arg(1))?);
    Ok(Value::Nil)
}

/// A new attribute with a value as it is written.
pub(super) fn make(interp: &mut Interp<'_>, name: &str, written: String) -> Flow {
    let object = made_blank(interp, Core::RexmlAttribute);
    if let Some(attribute) = attribute_of(&object) {
        *attribute.name.borrow_mut() = Name::parse(interp, name)?;
        *attribute.normalized.borrow_mut() = Value::text(written);
    }
    Ok(object)
}

pub(super) fn copy(interp: &mut Interp<'_>, of: &Value) -> Flow {
    let class = Value::Class(Core::RexmlAttribute.class());
    interp.send(&class, "new", std::slice::from_ref(of))
}

/// What it means; how it was written is forgotten.
pub(super) fn value(interp: &mut Interp<'_>, attribute: &Attribute) -> Flow {
    let known = attribute.unnormalized.borrow().clone();
    if known.is_truthy() {
        return Ok(known);
    }
    let written = interp.text_of(&attribute.normalized.borrow().clone())?;
    let meant = Value::text(unnormalized(interp, &written)?);
    *attribute.unnormalized.borrow_mut() = meant.clone();
    *attribute.normalized.borrow_mut() = Value::Nil;
    Ok(meant)
}

/// How it is written; what it means is forgotten.
fn written(interp: &mut Interp<'_>, attribute: &Attribute) -> Flow {
    let known = attribute.normalized.borrow().clone();
    if known.is_truthy() {
        return Ok(known);
    }
    let meant = interp.text_of(&attribute.unnormalized.borrow().clone())?;
    let written = Value::text(normalized(&meant));
    *attribute.normalized.borrow_mut() = written.clone();
    *attribute.unnormalized.borrow_mut() = Value::Nil;
    Ok(written)
}

/// `name='value'`, or in double quotes if the context of the element says so.
fn to_string(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let attribute = own(interp, given)?;
    let context = match attribute.element.get(interp)? {
        Some(element) => interp.send(&element, "context", &[])?,
        None => Value::Nil,
    };
    let quote = match &context {
        Value::Hash(table) => table.get_symbol("attribute_quote").unwrap_or_default(),
        _ => Value::Nil,
    };
    let written = interp.send(given.receiver, "to_s", &[])?;
    let written = interp.text_of(&written)?;
    let name = attribute.name.borrow().expanded().to_owned();
    Ok(Value::text(match quote {
        Value::Symbol(quote) if quote == "quote" => format!("{name}=\"{}\"", written.replace('"', "&quot;")),
        _ => format!("{name}='{}'", written.replace('\'', "&apos;")),
    }))
}

// ---- namespaces ----

/// The attribute of an element with this name, which may have a prefix.
pub(super) fn find(of: &Value, name: &str) -> Option<Value> {
    let element = element_of(of)?;
    let all = element.attributes.borrow();
    match all.get(name) {
        Some(Held::One(attribute)) => Some(attribute.clone()),
        Some(Held::Several(each)) => {
            let own = element.name.borrow().prefix.clone().unwrap_or_default();
            each.iter().find(|(prefix, _)| *prefix == own).map(|(_, attribute)| attribute.clone())
        }
        None => {
            let (Some(prefix), local) = super::names::split(name)? else { return None };
            match all.get(local)? {
                Held::One(attribute) => {
                    let is_of = attribute_of(attribute)?.name.borrow().prefix() == prefix;
                    is_of.then(|| attribute.clone())
                }
                Held::Several(each) => each.iter().find(|(of, _)| of == prefix).map(|(_, found)| found.clone()),
            }
        }
    }
}

/// Returns the namespace of a prefix, as an element sees it; of none: the default one.
pub(super) fn namespace(interp: &mut Interp<'_>, of: &Value, prefix: &str) -> Flow<Option<String>> {
    let wanted = match prefix {
        "" => "xmlns".to_owned(),
        prefix if prefix.starts_with("xmlns") => prefix.to_owned(),
        prefix => format!("xmlns:{prefix}"),
    };
    let mut next = Some(of.clone());
    while let Some(own) = next {
        interp.step()?;
        if let Some(found) = find(&own, &wanted).and_then(|found| attribute_of(&found)) {
            let uri = value(interp, &found)?;
            return interp.text_of(&uri).map(Some);
        }
        next = parent_of(interp, &own)?;
    }
    Ok((wanted == "xmlns").then(String::new))
}

pub(super) fn namespace_of_attribute(interp: &mut Interp<'_>, of: &Value) -> Flow<Option<String>> {
    let Some(attribute) = attribute_of(of) else { return Ok(None) };
    let prefix = attribute.name.borrow().prefix().to_owned();
    if prefix.is_empty() {
        return Ok(Some(String::new()));
    }
    match attribute.element.get(interp)? {
        Some(element) => namespace(interp, &element, &prefix),
        None => interp.unsupported("the namespace of an attribute that belongs to no element"),
    }
}

/// Returns the prefixes that an element sees, and their namespaces: those of the outermost element first.
pub(super) fn namespaces_around(interp: &mut Interp<'_>, of: &Value) -> Flow<Vec<(String, String)>> {
    let mut chain = vec![of.clone()];
    while let Some(parent) = parent_of(interp, &chain[chain.len() - 1])? {
        interp.step()?;
        chain.push(parent);
    }
    let mut all: Vec<(String, String)> = Vec::new();
    for own in chain.iter().rev() {
        let Some(element) = element_of(own) else { continue };
        for attribute in super::attributes::values(&element) {
            let Some(found) = attribute_of(&attribute) else { continue };
            let (local, prefix) = {
                let name = found.name.borrow();
                (name.local().to_owned(), name.prefix().to_owned())
            };
            if prefix != "xmlns" && local != "xmlns" {
                continue;
            }
            let uri = value(interp, &found)?;
            let uri = interp.text_of(&uri)?;
            match all.iter_mut().find(|(known, _)| *known == local) {
                Some((_, known)) => *known = uri,
                None => all.push((local, uri)),
            }
        }
    }
    Ok(all)
}
