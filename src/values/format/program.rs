//! Values as a source would write them: what an object is made of, the parameters of a type.

use std::fmt::Write;

use pantin_base::{budget, number, stack};

use crate::{Object, Type, Value, sprintf, text};

const INDENT: &str = "  ";

/// Lists of less than this stay on a line.
const LINE: usize = 100;

/// Appends a value; with `indent`, over several lines from that level on.
pub fn push(out: &mut String, value: &Value, indent: Option<usize>) {
    // Writing to a string does not fail.
    let _ = match value {
        Value::Undef => out.write_str("undef"),
        Value::Float(float) => out.write_str(&number::float_text(*float)),
        Value::String(content) | Value::Unencoded(content) => {
            text::push_quoted(out, content);
            Ok(())
        }
        Value::Timespan(span) => write!(out, "'{span}'"),
        Value::Timestamp(time) => write!(out, "'{time}'"),
        Value::SemVer(version) => write!(out, "'{version}'"),
        Value::SemVerRange(range) => write!(out, "'{range}'"),
        Value::Uri(uri) => {
            push_uri(out, &uri.to_string());
            Ok(())
        }
        Value::Array(items) => {
            stack::with_room(|| push_array(out, items, indent));
            Ok(())
        }
        Value::Hash(entries) => {
            stack::with_room(|| push_entries(out, entries.iter(), indent));
            Ok(())
        }
        Value::Object(object) => {
            stack::with_room(|| push_object(out, object, indent));
            Ok(())
        }
        Value::Binary(_) | Value::Sensitive(_) | Value::Iterator(_) | Value::Resource(_) => {
            write!(out, "Instance of {}", Type::reduced(value))
        }
        _ => {
            text::push_text(out, value);
            Ok(())
        }
    };
}

pub fn push_uri(out: &mut String, uri: &str) {
    out.push_str("URI(");
    text::push_quoted(out, uri);
    out.push(')');
}

/// `Name({…})`, with what its attributes hold that is not their default.
pub fn push_object(out: &mut String, object: &Object, indent: Option<usize>) {
    out.push_str(object.label());
    out.push('(');
    push_entries(out, object.init_hash().iter(), indent);
    out.push(')');
}

fn push_array(out: &mut String, items: &[Value], indent: Option<usize>) {
    let indent = indent.filter(|&level| !is_short(items, level));
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        match indent {
            Some(level) => {
                out.push_str(if index > 0 { "," } else { "" });
                push_line(out, level + 1);
            }
            None => out.push_str(if index > 0 { ", " } else { "" }),
        }
        push(out, item, indent.map(|level| level + 1));
    }
    if let Some(level) = indent {
        push_line(out, level);
    }
    out.push(']');
}

fn push_entries<'a>(out: &mut String, entries: impl Iterator<Item = (&'a Value, &'a Value)>, indent: Option<usize>) {
    out.push('{');
    for (index, (key, value)) in entries.enumerate() {
        match indent {
            Some(level) => {
                out.push_str(if index > 0 { "," } else { "" });
                push_line(out, level + 1);
            }
            None => out.push_str(if index > 0 { ", " } else { "" }),
        }
        push(out, key, indent.map(|level| level + 1));
        out.push_str(" => ");
        push(out, value, indent.map(|level| level + 1));
    }
    if let Some(level) = indent {
        push_line(out, level);
    }
    out.push('}');
}

fn push_line(out: &mut String, level: usize) {
    out.truncate(out.trim_end().len());
    out.push('\n');
    if budget::spend(level as u64) {
        out.extend(std::iter::repeat_n(INDENT, level));
    }
}

fn is_short(items: &[Value], level: usize) -> bool {
    let width = |item: &Value| match item {
        Value::Undef => "nil".len(),
        Value::Default => ":default".len(),
        Value::Symbol(_) => sprintf::inspect(item).len(),
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => text::display(item).len(),
        Value::String(content) | Value::Unencoded(content) => content.chars().count() + 2,
        Value::Array(items) if items.is_empty() => 2,
        Value::Hash(entries) if entries.is_empty() => 2,
        _ => 1000,
    };
    items.is_empty() || LINE > items.iter().map(width).sum::<usize>() + level * INDENT.len()
}
