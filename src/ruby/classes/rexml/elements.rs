//! The children of an element that are elements: by number, name or path.

use super::element::has_name;
use super::node::{XmlNode, element_of, is_element, made_blank, node_of, own_element};
use super::parent::children;
use super::xpath::{first, matches};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlElements, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("parent", 0, 0, |_, given| Ok(parent(given))),
    method("[]", 1, 2, at),
    method("[]=", 2, 2, |interp, given| {
        let old = interp.send(given.receiver, "[]", &given.args[..1])?;
        if old.is_nil() {
            interp.send(&parent(given), "add", &given.args[1..])?;
        } else {
            interp.send(&old, "replace_with", &given.args[1..])?;
        }
        Ok(old)
    }),
    method("empty?", 0, 0, |_, given| Ok((!children(&parent(given)).iter().any(is_element)).into())),
    method("index", 1, 1, |_, given| {
        let all = children(&parent(given)).into_iter().filter(is_element).collect::<Vec<_>>();
        let at = all.iter().position(|element| element.is_same(given.arg(0)));
        Ok(Value::Int(at.map_or(-1, |at| at as i64 + 1)))
    }),
    method("delete", 1, 1, |interp, given| {
        if is_element(given.arg(0)) {
            return interp.send(&parent(given), "delete", given.args);
        }
        let found = interp.send(given.receiver, "[]", given.args)?;
        if found.is_nil() { Ok(found) } else { interp.send(&found, "remove", &[]) }
    }),
    method("delete_all", 1, 1, |interp, given| {
        let found = elements_at(interp, given)?;
        for element in &found {
            interp.send(&parent(given), "delete", std::slice::from_ref(element))?;
            interp.send(element, "remove", &[])?;
        }
        Ok(Value::array(found))
    }),
    method("add", 0, 1, add),
    method("<<", 0, 1, add),
    method("each", 0, 1, |interp, given| {
        let found = elements_at(interp, given)?;
        for element in &found {
            block(interp, given, std::slice::from_ref(element))?;
        }
        Ok(Value::array(found))
    }),
    method("collect", 0, 1, |interp, given| {
        let mut collected = Vec::new();
        for element in elements_at(interp, given)? {
            collected.push(block(interp, given, &[element])?);
        }
        Ok(Value::array(collected))
    }),
    method("inject", 0, 2, |interp, given| {
        let mut value = given.arg(1).clone();
        let mut is_first = true;
        for element in elements_at(interp, given)? {
            value = match std::mem::take(&mut is_first) && value.is_nil() {
                true => element,
                false => block(interp, given, &[value, element])?,
            };
        }
        Ok(value)
    }),
    method("size", 0, 0, |_, given| {
        Ok(children(&parent(given)).iter().filter(|child| is_element(child)).count().into())
    }),
    method("to_a", 0, 1, |interp, given| Ok(Value::array(elements_at(interp, given)?))),
];

fn parent(given: &CallArguments<'_>) -> Value {
    match node_of(given.receiver) {
        Some(XmlNode::Elements(of)) => of,
        _ => Value::Nil,
    }
}

fn block(interp: &mut Interp<'_>, given: &CallArguments<'_>, values: &[Value]) -> Flow {
    match given.block {
        Some(block) => interp.yield_to(block, values),
        None => interp.raise(Core::LocalJumpError, "no block given (yield)"),
    }
}

fn at(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    own_element(interp, given)?;
    let Value::Int(index) = given.arg(0) else {
        let path = match given.arg(0) {
            Value::Nil => None,
            path => Some(interp.text_arg(path)?),
        };
        return first(interp, &parent(given), path.as_deref(), None);
    };
    if *index < 1 {
        return interp.raise(Core::RuntimeError, format!("index ({index}) must be >= 1"));
    }
    let name = if given.arg(1).is_nil() { None } else { Some(interp.text_arg(given.arg(1))?) };
    // A name may stand in quotes.
    let name = name.map(|name| match name.strip_prefix(['\'', '"']) {
        Some(quoted) => quoted.char_indices().next_back().map_or("", |(end, _)| &quoted[..end]).to_owned(),
        None => name,
    });
    let is_wanted = |child: &Value| {
        element_of(child).is_some_and(|element| name.as_deref().is_none_or(|name| has_name(&element, name)))
    };
    Ok(children(&parent(given)).into_iter().filter(is_wanted).nth(*index as usize - 1).unwrap_or_default())
}

/// The elements that the path which is given leads to; without one, all children that are elements.
fn elements_at(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Value>> {
    own_element(interp, given)?;
    let path = match given.arg(0) {
        Value::Nil => None,
        path => Some(interp.text_arg(path)?),
    };
    let found = matches(interp, &parent(given), path.as_deref(), None)?;
    Ok(found.into_iter().filter(is_element).collect())
}

fn add(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let context = own_element(interp, given)?.context.borrow().clone();
    if is_element(given.arg(0)) {
        interp.send(&parent(given), "<<", given.args)?;
        interp.send(given.arg(0), "context=", &[context])?;
        return Ok(given.arg(0).clone());
    }
    let name = if given.arg(0).is_nil() { Value::text("") } else { given.arg(0).clone() };
    let made = made_blank(interp, Core::RexmlElement);
    interp.send(&made, "initialize", &[name, given.receiver.clone(), context])?;
    Ok(made)
}
