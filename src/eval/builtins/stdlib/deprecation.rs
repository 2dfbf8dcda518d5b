//! The deprecation warnings of the module about its own functions.

use pantin_base::Strict;
use pantin_model::trace::FileKind;
use pantin_values::{Str, Value};

use super::ruby::{Result, fail, older};
use crate::{Builtin, Flow, Invocation, optional, overload, required};

pub(super) static OLD: &[Builtin] = &[
    Builtin::typed(
        "deprecation",
        &[overload(&[required("String", "key"), required("String", "message")], None, deprecation)],
        DOC,
    ),
    older!("deprecation", unsaid, OLDER_DOC),
];

pub(super) static NEW: &[Builtin] = &[Builtin::typed(
    "deprecation",
    &[overload(
        &[required("String", "key"), required("String", "message"), optional("Boolean", "use_strict_setting")],
        None,
        deprecation,
    )],
    DOC,
)];

const DOC: &str = "Warns once of something that is deprecated; an error where the setting strict says so.";

const OLDER_DOC: &str = "Says nothing: only a variable of the server's environment would make it warn.";

/// Returns the one of the older kind, which functions of that kind call by the scope.
fn unsaid(args: Vec<Value>) -> Result {
    match args.len() {
        2 => Ok(Value::Undef),
        given => fail(format!("deprecation: Wrong number of arguments given ({given} for 2)")),
    }
}

fn deprecation(call: &mut Invocation<'_, '_>) -> Flow {
    let (key, message) = (call.take(0), call.take(1));
    let by_strict = !matches!(call.arg(2), Value::Boolean(false));
    deprecate(call, key.as_str().unwrap_or_default(), message.as_str().unwrap_or_default(), by_strict)
}

/// `by_strict`: the setting says whether it is an error, a warning or nothing; else it is a warning.
pub(super) fn deprecate(call: &mut Invocation<'_, '_>, key: &str, message: &str, by_strict: bool) -> Flow {
    let strict = call.settings().strict;
    if by_strict && strict == Strict::Off {
        return Ok(Value::Undef);
    }
    let by = logged_by(call);
    call.deprecate(key, message, by, by_strict && strict == Strict::Error)?;
    Ok(Value::Undef)
}

/// Puppet tells where in Ruby it was asked to warn: the file of the function `deprecation`, and the line.
fn logged_by(call: &mut Invocation<'_, '_>) -> Str {
    let Ok(Some(module)) = call.find_file(FileKind::Module, "stdlib".into()) else { return Str::default() };
    let path: Str = format!("{}/lib/puppet/functions/deprecation.rb", module.path()).into();
    let Ok(Some(content)) = call.content(path.clone()) else { return Str::default() };
    let content = content.to_text().unwrap_or_default();
    match content.lines().position(|line| line.contains("Puppet.deprecation_warning(")) {
        Some(index) => format!("{path}:{}", index + 1).into(),
        None => Str::default(),
    }
}
