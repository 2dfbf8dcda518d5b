//! Puppet's errors as Ruby code makes them: some can say where in a file of Puppet's they belong.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::path_texts::ExceptionMessage;
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 5] = [
    (Core::PuppetError, Side::Instance, OF_ALL),
    (Core::PuppetParseError, Side::Instance, WITH_PLACE),
    (Core::PuppetIssueError, Side::Instance, WITH_ISSUE),
    (Core::PuppetResourceError, Side::Instance, WITH_PLACE),
    (Core::PuppetDevError, Side::Instance, WITH_PLACE),
];

const OF_ALL: &[NativeMethod] =
    &[method("initialize", 1, 2, begin), method("original", 0, 0, |interp, given| own(interp, given, "@original"))];

const WITH_PLACE: &[NativeMethod] = &[
    method("initialize", 1, 5, begin_with_place),
    method("file", 0, 0, |interp, given| own(interp, given, "@file")),
    method("line", 0, 0, |interp, given| own(interp, given, "@line")),
    method("pos", 0, 0, |interp, given| own(interp, given, "@pos")),
];

/// `new(message, file, line, column, original, code, arguments)`
const WITH_ISSUE: &[NativeMethod] = &[
    method("initialize", 1, 7, |interp, given| {
        let issue = [("@issue_code", given.arg(5)), ("@basic_message", given.arg(0)), ("@arguments", given.arg(6))];
        for (variable, value) in issue {
            interp.set_instance_variable(given.receiver, &variable.into(), value.clone())?;
        }
        begin_with_place(interp, given)
    }),
    method("issue_code", 0, 0, |interp, given| own(interp, given, "@issue_code")),
    method("basic_message", 0, 0, |interp, given| own(interp, given, "@basic_message")),
    method("arguments", 0, 0, |interp, given| own(interp, given, "@arguments")),
];

fn own(interp: &mut Interp<'_>, given: &CallArguments<'_>, variable: &str) -> Flow {
    interp.instance_variable(given.receiver, &variable.into())
}

fn begin(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    set_message(given, given.arg(0).clone(), false);
    interp.set_instance_variable(given.receiver, &"@original".into(), given.arg(1).clone())?;
    Ok(Value::Nil)
}

/// `new(message, file, line, column, original)`; the message goes on with the place.
fn begin_with_place(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (file, line, mut pos, mut original) = (given.arg(1), given.arg(2), given.arg(3), given.arg(4));
    if interp.is_a(pos, Core::Exception.class()) {
        (pos, original) = (&Value::Nil, pos);
    }
    let is_nowhere = matches!(file, Value::String(_)) && interp.text_of(file)?.is_empty();
    let file = if is_nowhere { &Value::Nil } else { file };
    for (variable, value) in [("@file", file), ("@line", line), ("@pos", pos), ("@original", original)] {
        interp.set_instance_variable(given.receiver, &variable.into(), value.clone())?;
    }
    let place = place(interp, file, line, pos)?;
    let is_placed = !file.is_nil() || !line.is_nil();
    let message = match place.is_empty() {
        true => given.arg(0).clone(),
        false => Value::text(format!("{} ({place})", interp.text_of(given.arg(0))?)),
    };
    set_message(given, message, is_placed);
    Ok(Value::Nil)
}

/// A column is told only beside a line.
fn place(interp: &mut Interp<'_>, file: &Value, line: &Value, pos: &Value) -> Flow<String> {
    let mut parts = Vec::new();
    let pos = if line.is_truthy() { pos } else { &Value::Nil };
    for (label, part) in [("file", file), ("line", line), ("column", pos)] {
        if part.is_truthy() {
            parts.push(format!("{label}: {}", interp.text_of(part)?));
        }
    }
    Ok(parts.join(", "))
}

fn set_message(given: &CallArguments<'_>, message: Value, is_placed: bool) {
    if let Value::Object(object) = given.receiver
        && let Data::Exception(exception) = &mut *object.data.borrow_mut()
    {
        exception.message = ExceptionMessage::new(message);
        exception.is_placed = is_placed;
    }
}
