//! Procs, lambdas and methods as objects.

use crate::ruby::class::Core;
use crate::ruby::interp::{Args, Given, Interp};
use crate::ruby::native::{ANY, NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::{Data, Value};

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
    method("curry", 0, 1, |interp, _| interp.unsupported("the method Proc#curry")),
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

fn call(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let block = interp.proc_of(given.receiver)?;
    let args = Args { values: given.args.to_vec(), keywords: false };
    interp.call_proc_as(&block, args, given.block, None, None)
}

fn compose(_: &mut Interp<'_>, given: &Given<'_>, other_first: bool) -> Flow {
    let (mut first, mut second) = (given.receiver.clone(), given.arg(0).clone());
    if other_first {
        std::mem::swap(&mut first, &mut second);
    }
    Ok(Value::native_block(move |interp, args| {
        let middle = interp.send(&first, "call", args)?;
        interp.send(&second, "call", &[middle])
    }))
}
