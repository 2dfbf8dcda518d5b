//! Functions that decide where evaluation goes on.

use pantin_base::stack::with_room;
use pantin_values::{Fault, FaultKind, Object, Value};

use crate::{Builtin, Flow, Invocation, Reason, block, optional, optional_block, overload, repeated, required};

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
    Builtin::typed(
        "unwrap",
        &[
            overload(&[required("Sensitive", "arg")], optional_block("Callable"), unwrap),
            overload(&[required("Any", "arg")], optional_block("Callable"), unwrap),
        ],
        "What a sensitive value hides; with a lambda, what that makes of it.",
    ),
    Builtin::typed(
        "call",
        &[
            overload(
                &[required("String", "function_name"), repeated("Any", "arguments")],
                optional_block("Callable"),
                call_function,
            ),
            overload(&[required("Deferred", "deferred")], None, call_deferred),
        ],
        "Calls the function of a name, or does now what was deferred.",
    )
    .finding_variables(),
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

fn unwrap(call: &mut Invocation<'_, '_>) -> Flow {
    let value = match call.take(0) {
        Value::Sensitive(secret) => (*secret).clone(),
        value => value,
    };
    if call.has_block() { call.yield_values([value]) } else { Ok(value) }
}

fn call_function(call: &mut Invocation<'_, '_>) -> Flow {
    let name = call.take(0);
    let args = call.args().iter().skip(1).cloned().collect();
    let name = name.as_str().unwrap_or_default();
    or_unknown(name, call.call_function(name, args))
}

/// A function that is not there is an error of the call of `call`. One that is missed further in has its place already.
fn or_unknown(name: &str, result: Flow) -> Flow {
    result.map_err(|stop| match &*stop.0 {
        Reason::Fault(fault) if fault.kind == FaultKind::Issue("UNKNOWN_FUNCTION") => {
            Fault::new(format!("Unknown function '{name}'")).into()
        }
        _ => stop,
    })
}

fn call_deferred(call: &mut Invocation<'_, '_>) -> Flow {
    let deferred = call.take(0);
    resolve(call, &deferred)
}

/// Does what is deferred in a value, at any depth.
fn resolve(call: &mut Invocation<'_, '_>, value: &Value) -> Flow {
    match value {
        Value::Object(object) if object.class.name.as_deref() == Some("Deferred") => {
            with_room(|| resolve_call(call, object))
        }
        Value::Array(items) => with_room(|| {
            let items = items.iter().map(|item| resolve(call, item)).collect::<Flow<Vec<_>>>()?;
            Ok(Value::Array(items.into()))
        }),
        Value::Hash(entries) => with_room(|| {
            let entries = entries.iter().map(|(key, value)| Ok((key.clone(), resolve(call, value)?)));
            Ok(Value::Hash(entries.collect::<Flow<_>>()?))
        }),
        Value::Sensitive(secret) => Ok(Value::sensitive(with_room(|| resolve(call, secret))?)),
        Value::Binary(binary) => match binary.to_text() {
            Some(text) => Ok(text.into()),
            None => Err(call.fault("A Binary that is not text cannot be an argument of what is deferred")),
        },
        _ => Ok(value.clone()),
    }
}

fn resolve_call(call: &mut Invocation<'_, '_>, deferred: &Object) -> Flow {
    let name = deferred.get("name").and_then(Value::as_str).unwrap_or_default();
    let mut args = match deferred.get("arguments") {
        Some(Value::Array(args)) => {
            args.iter().map(|arg| resolve(call, arg)).collect::<Flow<smallvec::SmallVec<_>>>()?
        }
        _ => smallvec::SmallVec::new(),
    };
    match name.strip_prefix('$') {
        // A variable of the top scope, or a part of it.
        Some(variable) => {
            let found = call.variable(&format!("::{variable}"))?;
            if found.is_none() {
                miss(call, variable)?;
            }
            args.insert(0, found.unwrap_or_default());
            call.call_without_block("dig", args)
        }
        None => or_unknown(name, call.call_without_block(name, args)),
    }
}

fn miss(call: &mut Invocation<'_, '_>, variable: &str) -> Flow<()> {
    let message = format!("Undefined variable '{variable}'; ");
    if call.settings().strict_variables {
        return Err(call.fault(message));
    }
    call.deprecated(&format!("Variable: {variable}"), message, false)
}
