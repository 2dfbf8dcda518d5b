//! YAML, read and written.

use super::json::symbolized;
use crate::data::yaml::{Options, load, to_yaml};
use crate::pcore;
use crate::ruby::border;
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
        &[
            method("dump", 1, 2, |interp, given| {
                no_options(interp, given, 1)?;
                written(interp, given.arg(0))
            }),
            method("load", 1, 2, |interp, given| {
                let text = interp.text_arg(given.arg(0))?;
                read(interp, given, &text)
            }),
            method("safe_load", 1, 2, |interp, given| {
                let text = interp.text_arg(given.arg(0))?;
                read(interp, given, &text)
            }),
            method("load_file", 1, 2, read_file),
            method("safe_load_file", 1, 2, read_file),
        ],
    ),
];

fn read_file(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let text = interp.file_text(given.arg(0))?;
    let text = interp.text_arg(&text)?;
    read(interp, given, &text)
}

/// The options that allow more are taken as given; symbols and objects of Ruby are not read at all.
fn read(interp: &mut Interp<'_>, given: &Given<'_>, text: &str) -> Flow {
    let symbols = match given.args.get(1) {
        Some(Value::Hash(options)) => options.get_symbol("symbolize_names").is_some_and(|wanted| wanted.is_truthy()),
        _ => false,
    };
    match load(text.as_bytes(), "<unknown>", Options::default()) {
        Ok(value) if value.holds(|value| matches!(value, pcore::Value::Binary(_))) => {
            interp.unsupported("a document of YAML with bytes that are no text")
        }
        Ok(value) => {
            let value = border::inward(&value);
            Ok(if symbols { symbolized(&value) } else { value })
        }
        Err(error) => interp.unsupported(format!("a document of YAML that is not read ({}),", error.message)),
    }
}

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
