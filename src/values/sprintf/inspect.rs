//! How Ruby shows a value to a developer: `inspect`.

use std::fmt::Write;

use pantin_base::inspect::push_symbol;
use pantin_base::stack;
use pantin_regex::Options;

use crate::{Value, ruby_class, text};

pub fn inspect(value: &Value) -> String {
    let mut out = String::new();
    push_inspect(&mut out, value);
    out
}

/// Types and objects have no text of their own here in Ruby (it shows where they are in memory); they show as they print.
pub fn push_inspect(out: &mut String, value: &Value) {
    push(out, value, text::push_text);
}

/// The same with Ruby's own beginning of what has no text, where only that is asked: for an order.
pub fn inspect_for_order(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value, |out, value| match value {
        Value::Integer(_) | Value::Large(_) | Value::Float(_) | Value::Boolean(_) | Value::Regexp(_) => {
            text::push_text(out, value);
        }
        _ => out.push_str(&format!("#<{}>", ruby_class(value))),
    });
    out
}

fn push(out: &mut String, value: &Value, other: fn(&mut String, &Value)) {
    match value {
        Value::Undef => out.push_str("nil"),
        Value::Default => out.push_str(":default"),
        Value::Symbol(name) => push_symbol(out, name),
        Value::String(content) | Value::Unencoded(content) => push_string(out, content),
        Value::Sensitive(_) => out.push_str("#<Sensitive [value redacted]>"),
        Value::Regexp(regexp) if regexp.options() == Options::default() => text::push_pattern(out, regexp),
        Value::SemVerRange(range) => out.push_str(&range.canonical()),
        Value::Uri(uri) => out.push_str(&format!("#<{} {uri}>", uri.ruby_class())),
        Value::Array(items) => stack::with_room(|| {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                push(out, item, other);
            }
            out.push(']');
        }),
        Value::Hash(entries) => stack::with_room(|| {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                push(out, key, other);
                out.push_str("=>");
                push(out, value, other);
            }
            out.push('}');
        }),
        _ => other(out, value),
    }
}

/// Returns a text whose encoding Ruby does not know.
pub(super) fn inspect_bytes(content: &str) -> String {
    let mut out = String::new();
    for character in inspect(&content.into()).chars() {
        match character {
            ' '..='~' => out.push(character),
            _ => {
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "\\x{byte:02X}");
                }
            }
        }
    }
    out.replace("\\u00", "\\x")
}

fn push_string(out: &mut String, content: &str) {
    out.push('"');
    let mut characters = content.chars().peekable();
    while let Some(character) = characters.next() {
        let escape = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\x0c' => "\\f",
            '\x0b' => "\\v",
            '\x08' => "\\b",
            '\x07' => "\\a",
            '\x1b' => "\\e",
            '#' if matches!(characters.peek(), Some('{' | '$' | '@')) => "\\#",
            _ => {
                push_printable(out, character);
                continue;
            }
        };
        out.push_str(escape);
    }
    out.push('"');
}

fn push_printable(out: &mut String, character: char) {
    // Writing to a string does not fail.
    let _ = match character {
        '\0'..='\x1f' | '\x7f' | '\u{2028}' | '\u{2029}' => write!(out, "\\u{:04X}", u32::from(character)),
        '\u{ffff}'.. if u32::from(character) & 0xfffe == 0xfffe => write!(out, "\\u{{{:X}}}", u32::from(character)),
        _ => out.write_char(character),
    };
}
