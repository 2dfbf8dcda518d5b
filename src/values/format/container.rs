//! Arrays and hashes: delimiters, separators, and lines that are indented.

use pantin_base::{budget, limits, stack};

use super::spec::{DEFAULTS, Format};
use super::{Formats, illegal, write};
use crate::{Array, Fault, Hash, Value};

const INDENT: &str = "  ";

/// How deep it stands, and whether that shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indentation {
    pub(super) level: usize,
    /// Nothing was written on this level yet.
    pub(super) first: bool,
    pub(super) active: bool,
}

impl Indentation {
    pub(super) const NONE: Indentation = Indentation { level: 0, first: true, active: false };

    pub(super) fn activated(self, active: bool) -> Indentation {
        Indentation { active: active || self.active, ..self }
    }

    fn deeper(self, active: bool) -> Indentation {
        Indentation { level: self.level + 1, first: true, active }
    }

    fn breaks(self) -> bool {
        self.active && self.level > 0 && !self.first
    }

    fn push_padding(self, out: &mut String) {
        if budget::spend(self.level as u64) {
            out.extend(std::iter::repeat_n(INDENT, self.level));
        }
    }

    fn push_break(self, out: &mut String) {
        if self.breaks() {
            out.push('\n');
            self.push_padding(out);
        }
    }
}

/// A separator stands between all elements: the bytes of long ones are steps. Where none is left, nothing is written.
fn push_separator(out: &mut String, separator: &str) {
    if separator.len() < 16 || budget::spend(separator.len() as u64) {
        out.push_str(separator);
    }
}

fn is_list(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

/// Returns what a container hands on to an element: containers are set as it is.
fn formats_of<'a>(element: &Value, whole: Formats<'a>, elements: Formats<'a>) -> Formats<'a> {
    match element {
        Value::Array(_) | Value::Hash(_) | Value::Object(_) => whole,
        _ => elements,
    }
}

fn elements_of(format: &Format) -> Formats<'_> {
    match &format.elements {
        Some(map) if !std::ptr::eq(format, &DEFAULTS.array) && !std::ptr::eq(format, &DEFAULTS.hash) => {
            Formats::Map(map)
        }
        _ => Formats::Elements,
    }
}

pub(super) fn write_array(
    out: &mut String,
    items: &Array,
    formats: Formats<'_>,
    format: &Format,
    indentation: Indentation,
) -> Result<(), Fault> {
    if !matches!(format.letter, 'a' | 's' | 'p') {
        return Err(illegal("Array", format.letter, "asp"));
    }
    let separator = format.separator.as_deref().unwrap_or(", ");
    let (open, close) = format.delimiters(("[", "]"));
    let indentation = indentation.activated(format.alternate);
    let children = indentation.deeper(format.alternate);
    indentation.push_break(out);
    out.push_str(open);
    if !format.alternate {
        // Nothing depends on how long or what an element turns out to be, but for a break before it.
        for (index, item) in items.iter().enumerate() {
            push_separator(out, if index > 0 { separator } else { "" });
            let start = out.len();
            let elements = formats_of(item, formats, elements_of(format));
            stack::with_room(|| write(out, item, elements, Indentation { first: false, ..children }))?;
            drop_blanks_before_break(out, start);
        }
    } else {
        write_broken(out, items, formats, format, children)?;
    }
    out.push_str(close);
    Ok(())
}

/// A separator's blank at the end of a line goes.
fn drop_blanks_before_break(out: &mut String, start: usize) {
    if out[..start].ends_with(' ') && out[start..].starts_with('\n') {
        let kept = trimmed(&out[..start]).len();
        out.replace_range(kept..start, "");
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_end_matches(|character: char| character == '\0' || character.is_ascii_whitespace() || character == '\x0b')
}

fn write_broken(
    out: &mut String,
    items: &Array,
    formats: Formats<'_>,
    format: &Format,
    children: Indentation,
) -> Result<(), Fault> {
    let mut written = Vec::with_capacity(items.len());
    for item in items.iter() {
        let mut text = String::new();
        let elements = formats_of(item, formats, elements_of(format));
        stack::with_room(|| write(&mut text, item, elements, Indentation { first: false, ..children }))?;
        written.push(text);
    }
    let break_each = format.width.is_some_and(|width| widest_run(items, &written) > width);
    for (index, (item, text)) in items.iter().zip(&written).enumerate() {
        if index == 0 {
            out.push_str(if break_each && !is_list(item) { " " } else { "" });
        } else {
            push_separator(out, format.separator.as_deref().unwrap_or(", "));
            if !is_list(item) && (break_each || is_list(&items[index - 1])) {
                if !out.ends_with('\n') {
                    out.truncate(trimmed(out).len());
                }
                out.push('\n');
                children.push_padding(out);
            }
        }
        let start = out.len();
        // Each level around copies it again.
        if !budget::spend(text.len() as u64 / limits::BYTES_OF_STEP) {
            break;
        }
        out.push_str(text);
        drop_blanks_before_break(out, start);
    }
    Ok(())
}

/// Returns how many characters stand between two containers, at most.
fn widest_run(items: &Array, written: &[String]) -> u64 {
    let (mut widest, mut run) = (0, 0);
    for (item, text) in items.iter().zip(written) {
        run = if is_list(item) { 0 } else { run + text.chars().count() as u64 };
        widest = widest.max(run);
    }
    widest
}

pub(super) fn write_hash(
    out: &mut String,
    entries: &Hash,
    formats: Formats<'_>,
    format: &Format,
    indentation: Indentation,
) -> Result<(), Fault> {
    if format.letter == 'a' {
        let pairs = Value::array(entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])));
        return write(out, &pairs, formats, indentation);
    }
    if !matches!(format.letter, 'h' | 's' | 'p') {
        return Err(illegal("Hash", format.letter, "hasp"));
    }
    let separator = format.separator.as_deref().unwrap_or(", ");
    let between = format.separator2.as_deref().unwrap_or(" => ");
    let (open, close) = format.delimiters(("{", "}"));
    let indentation = indentation.activated(format.alternate);
    let children = indentation.deeper(false);
    indentation.push_break(out);
    out.push_str(open);
    if format.alternate {
        out.push('\n');
    }
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 && format.alternate {
            push_separator(out, if separator.ends_with('\n') { separator } else { trimmed(separator) });
            out.push('\n');
        } else if index > 0 {
            push_separator(out, separator);
        }
        if format.alternate {
            children.push_padding(out);
        }
        let of = |item| formats_of(item, formats, elements_of(format));
        stack::with_room(|| write(out, key, of(key), children))?;
        push_separator(out, between);
        stack::with_room(|| write(out, value, of(value), children))?;
    }
    if format.alternate {
        out.push('\n');
        indentation.push_padding(out);
    }
    out.push_str(close);
    Ok(())
}
