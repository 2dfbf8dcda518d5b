//! The attributes of an element, by their local names.

use super::attribute::{attribute_of, find, make, namespace_of_attribute};
use super::names::split;
use super::node::{Element, Held, XmlNode, element_of, node_of, own_element};
use super::references::normalized;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlAttributes, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("[]", 1, 1, |interp, given| {
        let found = interp.send(given.receiver, "get_attribute", given.args)?;
        if found.is_nil() { Ok(found) } else { interp.send(&found, "value", &[]) }
    }),
    method("[]=", 2, 2, set),
    method("get_attribute", 1, 1, |interp, given| {
        let element = own_value(interp, given)?;
        Ok(match given.arg(0) {
            Value::String(name) => {
                let name = interp.str_of(name)?;
                find(&element, &name).unwrap_or_default()
            }
            _ => Value::Nil,
        })
    }),
    method("get_attribute_ns", 2, 2, |interp, given| {
        let element = own_element(interp, given)?;
        let (namespace, name) = (interp.text_arg(given.arg(0))?, interp.text_arg(given.arg(1))?);
        for found in values(&element) {
            let is_named = attribute_of(&found).is_some_and(|attribute| attribute.name.borrow().local() == name);
            if is_named && namespace_of_attribute(interp, &found)?.as_deref() == Some(&namespace) {
                return Ok(found);
            }
        }
        Ok(Value::Nil)
    }),
    method("add", 1, 1, add),
    method("<<", 1, 1, add),
    method("delete", 1, 1, delete),
    method("delete_all", 1, 1, |interp, given| {
        let name = interp.text_arg(given.arg(0))?;
        let mut found = listed(interp, given.receiver)?;
        found.retain(|found| attribute_of(found).is_some_and(|found| found.name.borrow().expanded() == name));
        for attribute in &found {
            interp.send(attribute, "remove", &[])?;
        }
        Ok(Value::array(found))
    }),
    method("each_attribute", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for attribute in values(&*own_element(interp, given)?) {
            interp.yield_one(block, attribute)?;
        }
        Ok(given.receiver.clone())
    }),
    method("each", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for attribute in listed(interp, given.receiver)? {
            let name = interp.send(&attribute, "expanded_name", &[])?;
            let value = interp.send(&attribute, "value", &[])?;
            interp.yield_one(block, Value::pair(name, value))?;
        }
        Ok(given.receiver.clone())
    }),
    method("to_a", 0, 0, |interp, given| Ok(Value::array(listed(interp, given.receiver)?))),
    method("length", 0, 0, |interp, given| Ok(listed(interp, given.receiver)?.len().into())),
    method("size", 0, 0, |interp, given| Ok(listed(interp, given.receiver)?.len().into())),
    method("empty?", 0, 0, |interp, given| Ok(own_element(interp, given)?.attributes.borrow().is_empty().into())),
    method("keys", 0, 0, |interp, given| {
        let element = own_element(interp, given)?;
        let names = element.attributes.borrow().keys().map(|name| Value::frozen_text(name.as_str())).collect();
        Ok(Value::array(names))
    }),
    method("key?", 1, 1, has_key),
    method("has_key?", 1, 1, has_key),
    method("include?", 1, 1, has_key),
    method("member?", 1, 1, has_key),
    method("prefixes", 0, 0, |interp, given| {
        let names = declared(&*own_element(interp, given)?, |prefix, _| prefix == "xmlns");
        Ok(Value::array(names.into_iter().map(|(name, _)| name).collect()))
    }),
    method("namespaces", 0, 0, |interp, given| {
        let all = declared(&*own_element(interp, given)?, |prefix, local| prefix == "xmlns" || local == "xmlns");
        let mut pairs = Vec::new();
        for (name, attribute) in all {
            pairs.push((name, interp.send(&attribute, "value", &[])?));
        }
        Ok(Value::hash(interp.build_table(pairs)?))
    }),
];

fn own_value(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match node_of(given.receiver) {
        Some(XmlNode::Attributes(of)) => Ok(of),
        _ => interp.unsupported(format!("the method REXML::Attributes#{}", given.name)),
    }
}

/// Returns all attributes of an element.
pub(super) fn values(element: &Element) -> Vec<Value> {
    let mut all = Vec::new();
    for held in element.attributes.borrow().values() {
        match held {
            Held::One(attribute) => all.push(attribute.clone()),
            Held::Several(each) => all.extend(each.iter().map(|(_, attribute)| attribute.clone())),
        }
    }
    all
}

/// The same by `each_attribute`, which code may have defined anew.
pub(super) fn listed(interp: &mut Interp<'_>, attributes: &Value) -> Flow<Vec<Value>> {
    let collected = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let into = collected.clone();
    let block = Value::native_block(move |_, args| {
        into.borrow_mut().extend(args.first().cloned());
        Ok(Value::Nil)
    });
    interp.send_with(attributes, "each_attribute", &[], Some(&block))?;
    Ok(collected.take())
}

fn declared(element: &Element, is_wanted: impl Fn(&str, &str) -> bool) -> Vec<(Value, Value)> {
    let mut all = Vec::new();
    for attribute in values(element) {
        let Some(found) = attribute_of(&attribute) else { continue };
        let name = found.name.borrow();
        if is_wanted(name.prefix(), name.local()) {
            all.push((Value::text(name.local()), attribute.clone()));
        }
    }
    all
}

fn has_key(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let element = own_element(interp, given)?;
    let name = match given.arg(0) {
        Value::String(name) => interp.str_of(name)?,
        _ => return Ok(Value::Bool(false)),
    };
    let found = element.attributes.borrow().contains_key(name.as_str());
    Ok(found.into())
}

fn add(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.send(given.arg(0), "name", &[])?;
    interp.send(given.receiver, "[]=", &[name, given.arg(0).clone()])
}

fn set(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (element, value) = (own_value(interp, given)?, given.arg(1));
    if value.is_nil() {
        let found = interp.send(given.receiver, "get_attribute", &given.args[..1])?;
        interp.send(given.receiver, "delete", &[found])?;
        return Ok(Value::Nil);
    }
    let attribute = match attribute_of(value) {
        Some(_) => value.clone(),
        None => {
            let text = interp.text_of(value)?;
            match given.arg(0) {
                Value::String(name) => {
                    let name = interp.str_of(name)?;
                    make(interp, &name, normalized(&text))?
                }
                other => {
                    let class = Value::Class(Core::RexmlAttribute.class());
                    interp.send(&class, "new", std::slice::from_ref(other))?
                }
            }
        }
    };
    attach(interp, &element, &attribute)?;
    Ok(element)
}

/// Makes an attribute one of an element, in the place of that which has its name.
pub(super) fn attach(interp: &mut Interp<'_>, to: &Value, attribute: &Value) -> Flow<()> {
    interp.send(attribute, "element=", std::slice::from_ref(to))?;
    let (Some(new), Some(element)) = (attribute_of(attribute), element_of(to)) else { return Ok(()) };
    let name = new.name.borrow().clone();
    let (local, prefix) = (name.local.clone().unwrap_or_default(), name.prefix.clone().unwrap_or_default());
    let old = element.attributes.borrow().get(&local).cloned();
    let held = match old {
        Some(Held::Several(mut each)) => {
            match each.iter_mut().find(|(known, _)| *known == prefix) {
                Some((_, known)) => *known = attribute.clone(),
                None => each.push((prefix, attribute.clone())),
            }
            Held::Several(each)
        }
        Some(Held::One(other)) => match attribute_of(&other).and_then(|other| other.name.borrow().prefix.clone()) {
            Some(others) if others != prefix => {
                if others != "xmlns" && prefix != "xmlns" {
                    check_namespaces(interp, &other, attribute)?;
                }
                Held::Several(vec![(others, other), (prefix, attribute.clone())])
            }
            _ => Held::One(attribute.clone()),
        },
        None => Held::One(attribute.clone()),
    };
    interp.step()?;
    element.attributes.borrow_mut().insert(local, held);
    Ok(())
}

/// Two attributes of one local name have to be of different namespaces.
fn check_namespaces(interp: &mut Interp<'_>, old: &Value, new: &Value) -> Flow<()> {
    let (one, other) = (namespace_of_attribute(interp, old)?, namespace_of_attribute(interp, new)?);
    if one != other {
        return Ok(());
    }
    let prefix = |of: &Value| attribute_of(of).map(|of| of.name.borrow().prefix().to_owned()).unwrap_or_default();
    let local = attribute_of(new).map(|new| new.name.borrow().local().to_owned()).unwrap_or_default();
    let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
    let message = format!(
        "Namespace conflict in adding attribute \"{local}\": Prefix \"{}\" = \"{one}\" and prefix \"{}\" = \"{other}\"",
        prefix(old),
        prefix(new)
    );
    interp.raise(Core::RexmlParseException, message)
}

fn delete(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (element, value) = (own_element(interp, given)?, own_value(interp, given)?);
    let (prefix, local) = match attribute_of(given.arg(0)) {
        Some(attribute) => {
            let name = attribute.name.borrow();
            (name.prefix().to_owned(), name.local().to_owned())
        }
        None => match given.arg(0) {
            Value::String(name) => {
                let name = interp.str_of(name)?;
                let (prefix, local) = split(&name).unwrap_or_default();
                (prefix.unwrap_or_default().to_owned(), local.to_owned())
            }
            _ => return Ok(value),
        },
    };
    let mut all = element.attributes.borrow_mut();
    match all.get_mut(local.as_str()) {
        None => {}
        Some(Held::One(_)) => drop(all.shift_remove(local.as_str())),
        Some(held) => {
            if let Held::Several(each) = held {
                each.retain(|(known, _)| *known != prefix);
                if let [(_, last)] = each.as_slice() {
                    *held = Held::One(last.clone());
                }
            }
        }
    }
    Ok(value)
}
