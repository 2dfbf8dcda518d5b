//! Values as text under the control of formats: what `String.new(value, …)` makes.
//!
//! `spec` reads formats and maps of them, `kept` keeps what was read last, `scalar` and `container` follow them, `program` writes a
//! value as a source would. Knows nothing of calls.

mod container;
mod format_map_cache;
pub mod program;
mod scalar;
mod spec;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use pantin_base::{limits, stack};

use self::container::Indentation;
use self::spec::{DEFAULTS, Format, FormatMap};
use super::{Array, Fault, Str, Type, Value, text, unencoded};
use crate::new::check_count;

/// Where the format of a value is looked for.
#[derive(Clone, Copy)]
enum Formats<'a> {
    /// What a value alone is set by.
    Defaults,
    /// What an element of a container is set by: as a source would write it.
    Elements,
    Map(&'a FormatMap),
}

/// Returns what `String.new(value, …arguments)` gives. That there is one format at most, and of the right type, was
/// checked.
pub fn string_new(value: &Value, arguments: &[Value]) -> Result<Value, Fault> {
    match arguments.first() {
        None | Some(Value::Default) => convert(value, Formats::Defaults),
        Some(Value::String(given)) => match value {
            Value::Array(_) => convert(value, Formats::Map(&*format_map_cache::array(given)?)),
            Value::Hash(_) => convert(value, Formats::Map(&*format_map_cache::hash(given)?)),
            Value::Iterator(_) => Format::parse(given).and_then(|_| convert(value, Formats::Defaults)),
            _ => {
                let mut out = String::new();
                write_with(&mut out, value, &Format::parse(given)?, Formats::Defaults, Indentation::NONE)?;
                Ok(out.into())
            }
        },
        Some(given) => convert(value, Formats::Map(&*format_map_cache::map(given)?)),
    }
}

fn convert(value: &Value, formats: Formats<'_>) -> Result<Value, Fault> {
    if let (Value::String(_), Formats::Defaults) = (value, formats) {
        return Ok(value.clone());
    }
    let mut out = String::new();
    write(&mut out, value, formats, Indentation::NONE)?;
    Ok(out.into())
}

/// Returns a value as a source would write it: `'a'`, `[1, undef]`, what `%p` gives. For one with an iterator over more
/// than can be written stands its type.
pub fn literal(value: &Value) -> Str {
    let mut out = String::new();
    match write(&mut out, value, Formats::Elements, Indentation::NONE) {
        Ok(()) => out.into(),
        Err(_) => format!("{}-Value", Type::infer(value).generalize()).into(),
    }
}

fn illegal(kind: &str, letter: char, known: &str) -> Fault {
    Fault::new(format!(
        "Illegal format '{letter}' specified for value of {kind} type - expected one of the characters '{known}'"
    ))
}

fn write(out: &mut String, value: &Value, formats: Formats<'_>, indentation: Indentation) -> Result<(), Fault> {
    let format = match formats {
        Formats::Map(map) => return write_mapped(out, value, map, indentation),
        Formats::Elements => {
            if write_simple(out, value) {
                return Ok(());
            }
            match value {
                Value::Array(_) => &DEFAULTS.array,
                Value::Hash(_) => &DEFAULTS.hash,
                _ => &DEFAULTS.element,
            }
        }
        Formats::Defaults => match value {
            Value::Object(_) => &DEFAULTS.object,
            Value::Float(_) => &DEFAULTS.float,
            Value::Integer(_) | Value::Large(_) => &DEFAULTS.number,
            Value::Array(_) => &DEFAULTS.array,
            Value::Hash(_) => &DEFAULTS.hash,
            Value::Binary(_) => &DEFAULTS.binary,
            _ => &DEFAULTS.other,
        },
    };
    write_with(out, value, format, formats, indentation)
}

/// Returns the common elements, without looking for a format.
fn write_simple(out: &mut String, value: &Value) -> bool {
    match value {
        Value::Undef => out.push_str("undef"),
        Value::String(content) => text::push_quoted(out, content),
        Value::Unencoded(letters) => text::push_quoted(out, &unencoded::display_text(letters)),
        Value::Integer(_) | Value::Large(_) | Value::Boolean(_) | Value::Default => text::push_text(out, value),
        _ => return false,
    }
    true
}

fn write_mapped(out: &mut String, value: &Value, map: &FormatMap, indentation: Indentation) -> Result<(), Fault> {
    for (kind, format) in map {
        let fits = match value {
            // A type is an instance of `Object`, too, but does not infer as one.
            Value::Type(of) => kind.assignable(&Type::type_of(of.clone())),
            _ => kind.accepts(value)?,
        };
        if fits {
            return write_with(out, value, format, Formats::Map(map), indentation);
        }
    }
    write_with(out, value, &DEFAULTS.other, Formats::Map(map), indentation)
}

fn write_with(
    out: &mut String,
    value: &Value,
    format: &Format,
    formats: Formats<'_>,
    indentation: Indentation,
) -> Result<(), Fault> {
    let text = match value {
        Value::Array(items) => return container::write_array(out, items, formats, format, indentation),
        Value::Hash(entries) => return container::write_hash(out, entries, formats, format, indentation),
        Value::Iterator(sequence) if !sequence.is_tree() => {
            check_count(sequence.len(), limits::ELEMENTS)?;
            let items = Value::Array(sequence.iter().collect::<Array>());
            return stack::with_room(|| write(out, &items, formats, indentation));
        }
        Value::Undef => scalar::undef(format)?,
        Value::Default => scalar::default(format)?,
        Value::Symbol(name) => scalar::symbol(format, name)?,
        Value::Boolean(value) => scalar::boolean(format, *value)?,
        Value::Integer(value) => scalar::integer(format, *value)?,
        Value::Large(value) => scalar::large(format, value)?,
        Value::Float(value) => scalar::float(format, *value)?,
        Value::String(value) | Value::Unencoded(value) => scalar::string(format, value)?,
        Value::Regexp(value) => scalar::regexp(format, value)?,
        Value::Type(value) => scalar::kind(format, value)?,
        Value::Uri(value) => scalar::uri(format, value)?,
        Value::Binary(value) => scalar::binary(format, value)?,
        Value::Object(value) => scalar::object(format, value, indentation)?,
        Value::Timespan(span) => scalar::seconds(format, span.whole_seconds(), span.to_seconds(), value)?,
        Value::Timestamp(time) => scalar::seconds(format, time.whole_seconds(), time.to_seconds(), value)?,
        Value::Iterator(_) => text::display(value).to_string(),
        _ => scalar::other(format, value)?,
    };
    // Writing to a string does not fail.
    let _ = out.write_str(&text);
    Ok(())
}
