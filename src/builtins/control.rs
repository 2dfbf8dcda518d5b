//! Functions that decide where evaluation goes on.

use crate::eval::{Builtin, Flow, Invocation, block, optional, overload, repeated, required};
use crate::pcore::Value;

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "next",
        &[overload(&[optional("Any", "value")], None, next)],
        "Ends the call of the lambda or function, which is then worth the value.",
    ),
    Builtin::typed(
        "return",
        &[overload(&[optional("Any", "value")], None, return_from)],
        "Ends the function, class or define; the function is then worth the value.",
    ),
    Builtin::typed("break", &[overload(&[], None, |call| Err(call.break_out()))], "Ends the innermost iteration."),
    Builtin::typed(
        "with",
        &[overload(&[repeated("Any", "arg")], block("Callable"), with)],
        "Calls the lambda with the arguments.",
    ),
    Builtin::typed(
        "then",
        &[overload(&[required("Any", "arg")], block("Callable[1,1]"), then)],
        "Calls the lambda with the argument, unless that is undef.",
    ),
    Builtin::typed(
        "lest",
        &[overload(&[required("Any", "arg")], block("Callable[0,0]"), lest)],
        "The argument, or what the lambda is worth where that is undef.",
    ),
];

fn next(call: &mut Invocation<'_, '_>) -> Flow {
    let value = call.take(0);
    Err(call.next(value))
}

fn return_from(call: &mut Invocation<'_, '_>) -> Flow {
    let value = call.take(0);
    Err(call.return_from(value))
}

fn with(call: &mut Invocation<'_, '_>) -> Flow {
    let args = call.args().iter().cloned().collect();
    call.yield_list(args)
}

fn then(call: &mut Invocation<'_, '_>) -> Flow {
    match call.take(0) {
        Value::Undef => Ok(Value::Undef),
        value => call.yield_values([value]),
    }
}

fn lest(call: &mut Invocation<'_, '_>) -> Flow {
    match call.take(0) {
        Value::Undef => call.yield_values([]),
        value => Ok(value),
    }
}
