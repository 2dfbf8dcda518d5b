//! JSON.

use crate::data::json;
use crate::ruby::border;
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::table::Table as HashTable;
use crate::ruby::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Json, Side::Class, JSON), (Core::Kernel, Side::Instance, ON_ALL)];

const JSON: &[NativeMethod] = &[
    method("parse", 1, 2, parse),
    method("load", 1, 3, |interp, given| if given.arg(0).is_nil() { Ok(Value::Nil) } else { parse(interp, given) }),
    method("generate", 1, 2, |interp, given| generated(interp, given.arg(0), None)),
    method("dump", 1, 3, |interp, given| generated(interp, given.arg(0), None)),
    method("pretty_generate", 1, 2, |interp, given| generated(interp, given.arg(0), Some(0))),
];

const ON_ALL: &[NativeMethod] = &[method("to_json", 0, 255, |interp, given| generated(interp, given.receiver, None))];

fn parse(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    let symbols = match given.args.get(1) {
        Some(Value::Hash(options)) => options.get_symbol("symbolize_names").is_some_and(|wanted| wanted.is_truthy()),
        _ => false,
    };
    match json::load(text.as_bytes()) {
        Ok(value) => {
            let value = border::inward(&value);
            Ok(if symbols { symbolized(&value) } else { value })
        }
        Err(error) => interp.raise(Core::JsonParserError, error.message),
    }
}

pub(super) fn symbolized(value: &Value) -> Value {
    match value {
        Value::Array(list) => Value::array(list.items.borrow().iter().map(symbolized).collect()),
        Value::Hash(table) => Value::hash(HashTable::of(table.pairs().into_iter().map(|(key, value)| {
            let key = match &key {
                Value::String(text) => text.as_str().map_or(Value::Nil, |text| Value::symbol(&text)),
                _ => key.clone(),
            };
            (key, symbolized(&value))
        }))),
        other => other.clone(),
    }
}

fn generated(interp: &mut Interp<'_>, value: &Value, indent: Option<usize>) -> Flow {
    let mut out = String::new();
    push(interp, &mut out, value, indent)?;
    Ok(Value::text(out))
}

fn push(interp: &mut Interp<'_>, out: &mut String, value: &Value, indent: Option<usize>) -> Flow<()> {
    interp.check_bytes(out.len())?;
    match value {
        Value::Nil => out.push_str("null"),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => out.push_str(&interp.text_of(value)?),
        Value::Float(number) if number.is_finite() => out.push_str(&interp.text_of(value)?),
        Value::Float(_) => {
            let shown = interp.text_of(value)?;
            return interp.raise(Core::JsonError, format!("{shown} not allowed in JSON"));
        }
        Value::Array(list) => {
            let items = list.items.borrow().clone();
            interp.deeper(|interp| {
                push_all(interp, out, '[', ']', items.len(), indent, |interp, out, at, indent| {
                    push(interp, out, &items[at], indent)
                })
            })?;
        }
        Value::Hash(table) => {
            let pairs = table.pairs();
            interp.deeper(|interp| {
                push_all(interp, out, '{', '}', pairs.len(), indent, |interp, out, at, indent| {
                    push_text(out, &interp.text_of(&pairs[at].0)?);
                    out.push_str(if indent.is_some() { ": " } else { ":" });
                    push(interp, out, &pairs[at].1, indent)
                })
            })?;
        }
        other => push_text(out, &interp.text_of(other)?),
    }
    Ok(())
}

fn push_all(
    interp: &mut Interp<'_>,
    out: &mut String,
    open: char,
    close: char,
    count: usize,
    indent: Option<usize>,
    mut each: impl FnMut(&mut Interp<'_>, &mut String, usize, Option<usize>) -> Flow<()>,
) -> Flow<()> {
    out.push(open);
    for at in 0..count {
        if at > 0 {
            out.push(',');
        }
        let inner = indent.map(|indent| indent + 1);
        push_line(out, inner);
        each(interp, out, at, inner)?;
    }
    if count > 0 {
        push_line(out, indent);
    }
    out.push(close);
    Ok(())
}

fn push_line(out: &mut String, indent: Option<usize>) {
    if let Some(indent) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", indent));
    }
}

fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if u32::from(control) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
}
