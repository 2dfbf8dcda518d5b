//! Functions that write to the log.

use pantin_model::trace::Level;
use pantin_values::{Str, ops, text};

use crate::{Builtin, Flow, Invocation, overload, repeated};

macro_rules! log_function {
    ($name:literal, $level:ident) => {
        Builtin::typed(
            $name,
            &[overload(&[repeated("Any", "values")], None, |call| log(call, Level::$level)).returning("Undef")],
            concat!("Logs the arguments, joined by spaces, at the level ", $name, "."),
        )
    };
}

pub(super) static FUNCTIONS: &[Builtin] = &[
    log_function!("debug", Debug),
    log_function!("info", Info),
    log_function!("notice", Notice),
    log_function!("warning", Warning),
    log_function!("err", Err),
    log_function!("alert", Alert),
    log_function!("crit", Crit),
    log_function!("emerg", Emerg),
    Builtin::untyped(
        "fail",
        &[overload(&[repeated("Any", "values")], None, fail)],
        "Ends the compilation with an error.",
    ),
];

fn joined(call: &Invocation<'_, '_>) -> Str {
    let mut message = String::new();
    for (index, value) in call.args().iter().enumerate() {
        if index > 0 {
            message.push(' ');
        }
        text::push_text(&mut message, value);
    }
    message.into()
}

fn log(call: &mut Invocation<'_, '_>, level: Level) -> Flow {
    let message = joined(call);
    call.log(level, message)
}

/// An older function: containers are shown as Ruby shows them.
fn fail(call: &mut Invocation<'_, '_>) -> Flow {
    let mut words = Vec::with_capacity(call.args().len());
    for value in call.older_args()? {
        words.push(ops::to_s(&value));
    }
    Err(call.fault(words.join(" ")))
}
