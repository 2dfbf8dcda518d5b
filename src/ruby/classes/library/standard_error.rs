//! The standard error: `warn`, `$stderr`. In the real Puppet a line goes to wherever the process writes, and to no log; here
//! it can be seen among what is said for debugging.

use pantin_model::trace::Level;

use crate::class::Core;
use crate::classes::stream::lines_of;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] =
    &[(Core::Kernel, Side::Instance, &[private("warn", 0, ANY, warn)]), (Core::Io, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("puts", 0, ANY, |interp, given| {
        let mut text = String::new();
        lines_of(interp, given.args, &mut text)?;
        say(interp, given, &text).map(|()| Value::Nil)
    }),
    method("print", 0, ANY, |interp, given| {
        let text = joined(interp, given.args)?;
        say(interp, given, &text).map(|()| Value::Nil)
    }),
    method("write", 0, ANY, |interp, given| {
        let text = joined(interp, given.args)?;
        say(interp, given, &text).map(|()| Value::Int(text.len() as i64))
    }),
    method("<<", 1, 1, |interp, given| {
        let text = joined(interp, given.args)?;
        say(interp, given, &text).map(|()| given.receiver.clone())
    }),
    method("printf", 1, ANY, |interp, given| {
        let text = interp.format(given.args)?;
        let text = interp.text_of(&text)?;
        say(interp, given, &text).map(|()| Value::Nil)
    }),
    method("flush", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("sync", 0, 0, |_, _| Ok(Value::Bool(true))),
    method("sync=", 1, 1, |_, given| Ok(given.arg(0).clone())),
    method("fileno", 0, 0, |_, _| Ok(Value::Int(2))),
];

pub(crate) fn standard_error() -> Value {
    Value::object(Core::Io.class(), Data::None)
}

fn warn(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let messages = match given.args.split_last() {
        Some((Value::Hash(_), messages)) => messages,
        _ => given.args,
    };
    let mut text = String::new();
    lines_of(interp, messages, &mut text)?;
    tell(interp, &text).map(|()| Value::Nil)
}

fn joined(interp: &mut Interp<'_>, values: &[Value]) -> Flow<String> {
    let mut text = String::new();
    for value in values {
        text.push_str(&interp.text_of(value)?);
    }
    Ok(text)
}

/// Writes to it, and to no file.
fn say(interp: &mut Interp<'_>, given: &CallArguments<'_>, text: &str) -> Flow<()> {
    match given.receiver {
        Value::Object(object) if matches!(&*object.data.borrow(), Data::None) => {}
        _ => return interp.unsupported(format!("the method {} of a file", given.name)),
    }
    tell(interp, text)
}

fn tell(interp: &mut Interp<'_>, text: &str) -> Flow<()> {
    for line in text.lines() {
        let said = interp.outside.log(Level::Debug, line);
        interp.outside(said)?;
    }
    Ok(())
}
