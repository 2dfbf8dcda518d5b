//! YAML, written.

use crate::data::yaml::to_yaml;
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::Value;

pub(super) const TABLES: &[Table] = &[
    (
        Core::Kernel,
        Side::Instance,
        &[method("to_yaml", 0, 1, |interp, given| {
            no_options(interp, given, 0)?;
            written(interp, given.receiver)
        })],
    ),
    (
        Core::Yaml,
        Side::Class,
        &[method("dump", 1, 2, |interp, given| {
            no_options(interp, given, 1)?;
            written(interp, given.arg(0))
        })],
    ),
];

fn no_options(interp: &mut Interp<'_>, given: &Given<'_>, at: usize) -> Flow<()> {
    match given.args.get(at) {
        None => Ok(()),
        Some(Value::Hash(options)) if options.len() == 0 => Ok(()),
        Some(_) => interp.unsupported("YAML that is written with options"),
    }
}

fn written(interp: &mut Interp<'_>, value: &Value) -> Flow {
    let value = interp.settle(value.clone())?;
    if let Some(of) = not_plain(interp, &value) {
        return interp.unsupported(format!("YAML of a {of}"));
    }
    let value = interp.leaving(&value)?;
    match to_yaml(&value) {
        Ok(text) => Ok(Value::text(text)),
        Err(of) => interp.unsupported(format!("YAML of a value of the type {of}")),
    }
}

/// The class of something that Ruby would write with a tag or a colon of its own.
fn not_plain(interp: &Interp<'_>, value: &Value) -> Option<String> {
    crate::base::stack::with_room(|| match value {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::String(_) | Value::View(_) => None,
        Value::Array(list) => list.items.borrow().iter().find_map(|item| not_plain(interp, item)),
        Value::Hash(table) => {
            table.pairs().iter().find_map(|(key, value)| not_plain(interp, key).or_else(|| not_plain(interp, value)))
        }
        other => Some(interp.class_name_of(other).to_string()),
    })
}
