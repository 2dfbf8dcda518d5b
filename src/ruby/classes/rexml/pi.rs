//! Processing instructions.

use std::rc::Rc;

use super::node::{Instruction, XmlNode, node_of};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlInstruction, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    private("initialize", 1, 2, initialize),
    method("target", 0, 0, |interp, given| Ok(own(interp, given)?.target.borrow().clone())),
    method("content", 0, 0, |interp, given| Ok(own(interp, given)?.content.borrow().clone())),
    method("target=", 1, 1, |interp, given| {
        own(interp, given)?.target.borrow_mut().clone_from(given.arg(0));
        Ok(given.arg(0).clone())
    }),
    method("content=", 1, 1, |interp, given| {
        own(interp, given)?.content.borrow_mut().clone_from(given.arg(0));
        Ok(given.arg(0).clone())
    }),
    method("clone", 0, 0, |interp, given| {
        let class = Value::Class(Core::RexmlInstruction.class());
        interp.send(&class, "new", std::slice::from_ref(given.receiver))
    }),
    method("==", 1, 1, |interp, given| match node_of(given.arg(0)) {
        Some(XmlNode::Instruction(other)) => {
            let own = own(interp, given)?;
            let (target, content) = (own.target.borrow().clone(), own.content.borrow().clone());
            let (others, theirs) = (other.target.borrow().clone(), other.content.borrow().clone());
            Ok((interp.equal(&target, &others)? && interp.equal(&content, &theirs)?).into())
        }
        _ => Ok(Value::Bool(false)),
    }),
    method("node_type", 0, 0, |_, _| Ok(Value::symbol("processing_instruction"))),
    method("inspect", 0, 0, |interp, given| {
        let target = own(interp, given)?.target.borrow().clone();
        let target = interp.text_of(&target)?;
        Ok(Value::text(format!("<?p-i {target} ...?>")))
    }),
];

fn own(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<Instruction>> {
    match node_of(given.receiver) {
        Some(XmlNode::Instruction(own)) => Ok(own),
        _ => interp.unsupported(format!("the method REXML::Instruction#{}", given.name)),
    }
}

fn initialize(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own(interp, given)?;
    let content = match node_of(given.arg(0)) {
        Some(XmlNode::Instruction(other)) => {
            own.target.borrow_mut().clone_from(&other.target.borrow());
            if !given.arg(1).is_nil() {
                interp.send(given.arg(1), "add", std::slice::from_ref(given.receiver))?;
            }
            other.content.borrow().clone()
        }
        _ if matches!(given.arg(0), Value::String(_)) => {
            own.target.borrow_mut().clone_from(given.arg(0));
            given.arg(1).clone()
        }
        _ => {
            let shown = interp.inspect(given.arg(0))?;
            let message = format!("processing instruction target must be String or REXML::Instruction: <{shown}>");
            return interp.raise(Core::ArgumentError, message);
        }
    };
    if !content.is_nil() {
        interp.send(&content, "strip!", &[])?;
    }
    *own.content.borrow_mut() = content;
    Ok(Value::Nil)
}
