//! Comments.

use std::rc::Rc;

use super::node::{Comment, XmlNode, node_of};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlComment, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    private("initialize", 1, 2, |interp, given| {
        if !given.arg(1).is_nil() {
            interp.send(given.arg(1), "add", std::slice::from_ref(given.receiver))?;
        }
        let string = match node_of(given.arg(0)) {
            Some(XmlNode::Comment(other)) => other.string.borrow().clone(),
            _ if matches!(given.arg(0), Value::String(_)) => given.arg(0).clone(),
            _ => Value::Nil,
        };
        *own(interp, given)?.string.borrow_mut() = string;
        Ok(Value::Nil)
    }),
    method("string", 0, 0, |interp, given| Ok(own(interp, given)?.string.borrow().clone())),
    method("to_s", 0, 0, |interp, given| Ok(own(interp, given)?.string.borrow().clone())),
    method("string=", 1, 1, |interp, given| {
        own(interp, given)?.string.borrow_mut().clone_from(given.arg(0));
        Ok(given.arg(0).clone())
    }),
    method("clone", 0, 0, |interp, given| {
        let class = Value::Class(Core::RexmlComment.class());
        interp.send(&class, "new", std::slice::from_ref(given.receiver))
    }),
    method("<=>", 1, 1, |interp, given| {
        let other = interp.send(given.arg(0), "to_s", &[])?;
        let string = own(interp, given)?.string.borrow().clone();
        interp.send(&other, "<=>", &[string])
    }),
    method("==", 1, 1, |interp, given| match node_of(given.arg(0)) {
        Some(XmlNode::Comment(other)) => {
            let (own, other) = (own(interp, given)?.string.borrow().clone(), other.string.borrow().clone());
            Ok(interp.equal(&own, &other)?.into())
        }
        _ => Ok(Value::Bool(false)),
    }),
    method("node_type", 0, 0, |_, _| Ok(Value::symbol("comment"))),
];

fn own(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<Comment>> {
    match node_of(given.receiver) {
        Some(XmlNode::Comment(comment)) => Ok(comment),
        _ => interp.unsupported(format!("the method REXML::Comment#{}", given.name)),
    }
}
