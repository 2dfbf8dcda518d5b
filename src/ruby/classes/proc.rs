//! Procs, lambdas and methods as objects.

use std::rc::Rc;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Proc, ProcKind, Value};

pub(super) const TABLES: &[Table] =
    &[(Core::Proc, Side::Instance, METHODS), (Core::Method, Side::Instance, METHODS), (Core::Proc, Side::Class, MAKE)];

const MAKE: &[NativeMethod] = &[method("new", 0, 0, |interp, given| match given.block {
    Some(block) => Ok(block.clone()),
    None => interp.raise(Core::ArgumentError, "tried to create Proc object without a block"),
})];

const METHODS: &[NativeMethod] = &[
    method("call", 0, ANY, call),
    method("()", 0, ANY, call),
    method("[]", 0, ANY, call),
    method("yield", 0, ANY, call),
    method("===", 0, ANY, call),
    method("to_proc", 0, 0, |interp, given| Ok(Value::Proc(interp.proc_of(given.receiver)?))),
    method("lambda?", 0, 0, |interp, given| Ok(interp.proc_of(given.receiver)?.is_lambda.into())),
    method("arity", 0, 0, |interp, given| {
        let block = interp.proc_of(given.receiver)?;
        Ok(Value::Int(interp.arity_of(&block)))
    }),
    method("parameters", 0, 0, |interp, given| {
        let block = interp.proc_of(given.receiver)?;
        interp.parameters_of(&block)
    }),
    method("curry", 0, 1, curry),
    method(">>", 1, 1, |interp, given| compose(interp, given, false)),
    method("<<", 1, 1, |interp, given| compose(interp, given, true)),
    method("receiver", 0, 0, |_, given| {
        Ok(match given.receiver {
            Value::Object(object) => match &*object.data.borrow() {
                Data::Method { receiver, .. } => receiver.clone(),
                _ => Value::Nil,
            },
            _ => Value::Nil,
        })
    }),
];

fn call(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let block = interp.proc_of(given.receiver)?;
    interp.call_proc_as(&block, given.rest(0), given.block, None, None)
}

fn compose(interp: &mut Interp<'_>, given: &CallArguments<'_>, other_first: bool) -> Flow {
    let (own, other) = (given.receiver.clone(), given.arg(0).clone());
    if !interp.responds(&other, "call")? {
        return interp.raise(Core::TypeError, "callable object is expected");
    }
    let is_lambda = interp.proc_of(&own)?.is_lambda;
    let kind = if other_first { ProcKind::Composed(other, own) } else { ProcKind::Composed(own, other) };
    Ok(Value::Proc(Rc::new(Proc { tag: 0, kind, is_lambda })))
}

fn curry(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let block = interp.proc_of(given.receiver)?;
    let (least, most) = interp.argument_bounds(&block);
    let count = match given.arg(0) {
        Value::Nil => least,
        wanted => {
            let wanted = interp.int_arg(wanted)?.max(0) as usize;
            if block.is_lambda {
                interp.check_argument_count(wanted, least, most, "")?;
            }
            wanted
        }
    };
    let kind = ProcKind::Curried { proc: block.clone(), given: Vec::new(), count };
    Ok(Value::Proc(Rc::new(Proc { tag: 0, kind, is_lambda: block.is_lambda })))
}
