//! Nodes that have children: elements and documents.

use super::document;
use super::node::{element_of, is_child, node_of, own_element, parent_of, set_link, set_parent};
use super::xpath::first;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlParent, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("add", 1, 1, |interp, given| add(interp, given.receiver, given.arg(0))),
    method("push", 1, 1, |interp, given| add(interp, given.receiver, given.arg(0))),
    method("<<", 1, 1, |interp, given| add(interp, given.receiver, given.arg(0))),
    method("unshift", 1, 1, |interp, given| {
        own_element(interp, given)?;
        take_in(interp, given.receiver, given.arg(0))?;
        own_element(interp, given)?.children.borrow_mut().insert(0, given.arg(0).clone());
        Ok(Value::array(children(given.receiver)))
    }),
    method("delete", 1, 1, |interp, given| {
        own_element(interp, given)?;
        Ok(if delete_child(given.receiver, given.arg(0)) { given.arg(0).clone() } else { Value::Nil })
    }),
    method("each", 0, 0, each),
    method("each_child", 0, 0, each),
    method("each_index", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for index in 0..own_element(interp, given)?.children.borrow().len() {
            interp.yield_one(block, index.into())?;
        }
        Ok(Value::array(children(given.receiver)))
    }),
    method("delete_if", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        let element = own_element(interp, given)?;
        for child in children(given.receiver) {
            if interp.yield_one(block, child.clone())?.is_truthy() {
                element.children.borrow_mut().retain(|other| !other.is_same(&child));
            }
        }
        Ok(Value::array(children(given.receiver)))
    }),
    method("delete_at", 1, 1, |interp, given| {
        let at = interp.int_arg(given.arg(0))?;
        let element = own_element(interp, given)?;
        let mut all = element.children.borrow_mut();
        let at = if at < 0 { at + all.len() as i64 } else { at };
        Ok(match usize::try_from(at) {
            Ok(at) if at < all.len() => all.remove(at),
            _ => Value::Nil,
        })
    }),
    method("[]", 1, 1, child_at),
    method("[]=", 2, 3, |interp, given| {
        own_element(interp, given)?;
        let Some((child, place)) = given.args.split_last() else { return Ok(Value::Nil) };
        take_in(interp, given.receiver, child)?;
        let all = Value::array(children(given.receiver));
        let args = [place, std::slice::from_ref(child)].concat();
        interp.send(&all, "[]=", &args)?;
        *own_element(interp, given)?.children.borrow_mut() = interp.array_arg(&all)?;
        Ok(child.clone())
    }),
    method("insert_before", 2, 2, |interp, given| insert(interp, given, 0)),
    method("insert_after", 2, 2, |interp, given| insert(interp, given, 1)),
    method("to_a", 0, 0, children_of),
    method("children", 0, 0, children_of),
    method("index", 0, 1, |interp, given| {
        own_element(interp, given)?;
        let all = children(given.receiver);
        // One that is not there is where the last one is.
        let found = all.iter().position(|child| child.is_same(given.arg(0)));
        Ok(Value::Int(found.map_or(all.len() as i64 - 1, |at| at as i64)))
    }),
    method("size", 0, 0, |interp, given| Ok(own_element(interp, given)?.children.borrow().len().into())),
    method("length", 0, 0, |interp, given| Ok(own_element(interp, given)?.children.borrow().len().into())),
    method("replace_child", 2, 2, |interp, given| {
        let element = own_element(interp, given)?;
        let (old, new) = (given.arg(0), given.arg(1));
        for child in element.children.borrow_mut().iter_mut() {
            if child.is_same(old) {
                *child = new.clone();
            }
        }
        set_parent(interp, old, None)?;
        take_in(interp, given.receiver, new)?;
        Ok(given.receiver.clone())
    }),
    method("deep_clone", 0, 0, |interp, given| {
        let copy = interp.send(given.receiver, "clone", &[])?;
        for child in children(given.receiver) {
            let how = if element_of(&child).is_some() { "deep_clone" } else { "clone" };
            let child = interp.deeper(|interp| interp.send(&child, how, &[]))?;
            interp.send(&copy, "<<", &[child])?;
        }
        Ok(copy)
    }),
    method("parent?", 0, 0, |_, _| Ok(Value::Bool(true))),
    method("first", 0, ANY, |interp, given| {
        let all = Value::array(children(given.receiver));
        interp.send(&all, "first", given.args)
    }),
];

/// Returns the children of a node, as they are now.
pub(super) fn children(of: &Value) -> Vec<Value> {
    element_of(of).map(|element| element.children.borrow().clone()).unwrap_or_default()
}

fn children_of(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    own_element(interp, given)?;
    Ok(Value::array(children(given.receiver)))
}

/// Makes an object the child of a node, but for its place among the children.
pub(super) fn take_in(interp: &mut Interp<'_>, parent: &Value, child: &Value) -> Flow<()> {
    if is_child(child) {
        return set_parent(interp, child, Some(parent));
    }
    interp.send(child, "parent=", std::slice::from_ref(parent)).map(|_| ())
}

/// Puts a node behind the children of another. A document has places of its own for some.
pub(super) fn add(interp: &mut Interp<'_>, parent: &Value, child: &Value) -> Flow {
    let Some(element) = element_of(parent) else {
        let of = interp.class_name_of(parent);
        return interp.unsupported(format!("the method {of}#add"));
    };
    if element.is_document {
        return document::add(interp, parent, &element, child);
    }
    take_in(interp, parent, child)?;
    element.children.borrow_mut().push(child.clone());
    Ok(child.clone())
}

/// Takes a node from the children of another; whether it was one of them.
pub(super) fn delete_child(parent: &Value, child: &Value) -> bool {
    let Some(element) = element_of(parent) else { return false };
    let before = element.children.borrow().len();
    element.children.borrow_mut().retain(|other| !other.is_same(child));
    let found = element.children.borrow().len() < before;
    if found && node_of(child).is_some() {
        set_link(child, None);
    }
    found
}

/// Children that are taken away meanwhile make others be left out, as in Ruby.
fn each(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let element = own_element(interp, given)?;
    for at in 0.. {
        let Some(child) = element.children.borrow().get(at).cloned() else { break };
        interp.yield_one(block, child)?;
    }
    Ok(Value::array(children(given.receiver)))
}

pub(super) fn child_at(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    own_element(interp, given)?;
    let all = Value::array(children(given.receiver));
    interp.send(&all, "[]", given.args)
}

fn insert(interp: &mut Interp<'_>, given: &CallArguments<'_>, behind: usize) -> Flow {
    let (place, new) = (given.arg(0), given.arg(1));
    if let Value::String(path) = place {
        let path = interp.str_of(path)?;
        let found = first(interp, given.receiver, Some(&path), None)?;
        let parent = interp.send(&found, "parent", &[])?;
        interp.send(&parent, given.name, &[found, new.clone()])?;
        return Ok(given.receiver.clone());
    }
    let element = own_element(interp, given)?;
    let all = children(given.receiver);
    let at = all.iter().position(|child| child.is_same(place)).or(all.len().checked_sub(1));
    if let Some(old) = parent_of(interp, new)? {
        delete_child(&old, new);
    }
    let at = at.map_or(0, |at| at + behind).min(element.children.borrow().len());
    element.children.borrow_mut().insert(at, new.clone());
    set_link(new, Some(given.receiver));
    Ok(given.receiver.clone())
}
