//! The change of a value as lines: from what to what, and of long texts the lines that differ.

use std::fmt::Write as _;

use pantin_model::catalog::diff::{ParameterChange, ShownValue};
use pantin_repository::comparison::{ContentChange, ServedContent};
use pantin_values::Value;
use pantin_values::format::literal;
use similar::{ChangeTag, TextDiff};

use crate::print::counting::count;

/// A longer text is told by its lines, or by what differs within it.
const SHORT: usize = 60;

/// So much is shown before and after what differs in a line.
const AROUND: usize = 20;

/// One line of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ChangeLine {
    pub(super) sign: Sign,
    pub(super) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// What differs, or all that is told of it.
    Heading,
    /// The same on both sides.
    Same,
    Old,
    New,
}

impl Sign {
    pub(super) fn text(self) -> &'static str {
        match self {
            Sign::Heading => "",
            Sign::Same => "  ",
            Sign::Old => "- ",
            Sign::New => "+ ",
        }
    }
}

fn heading(text: String) -> ChangeLine {
    ChangeLine { sign: Sign::Heading, text }
}

/// How a parameter differs.
pub(super) fn parameter_lines(parameter: &ParameterChange) -> Vec<ChangeLine> {
    let ParameterChange { name, old, new } = parameter;
    match (old, new) {
        (ShownValue::Secret, ShownValue::Secret) => vec![heading(format!("{name}: another secret"))],
        (ShownValue::Absent, new) => vec![heading(format!("{name}: added {}", shown(new)))],
        (old, ShownValue::Absent) => vec![heading(format!("{name}: removed, was {}", shown(old)))],
        (ShownValue::Value(old), ShownValue::Value(new)) => match (old.as_str(), new.as_str()) {
            (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => {
                with_heading(name, text_lines(old, new))
            }
            _ => value_lines(name, &literal(old), &literal(new)),
        },
        (old, new) => vec![heading(format!("{name}: {} → {}", shown(old), shown(new)))],
    }
}

/// How the content of a module file differs that a resource is a copy of.
pub(super) fn content_lines(change: &ContentChange) -> Vec<ChangeLine> {
    let ContentChange { source, old, new } = change;
    let name = format!("content of {source}");
    if let (ServedContent::File(old), ServedContent::File(new)) = (old, new) {
        return match (std::str::from_utf8(old), std::str::from_utf8(new)) {
            (Ok(old), Ok(new)) => with_heading(&name, text_lines(old, new)),
            _ => vec![heading(format!("{name}: {} bytes → {} bytes", old.len(), new.len()))],
        };
    }
    let told = |content: &ServedContent| match content {
        ServedContent::Unknown => "nobody knows what".to_owned(),
        ServedContent::Missing => "nothing".to_owned(),
        ServedContent::File(bytes) => format!("a file of {} bytes", bytes.len()),
        ServedContent::Folder { files, .. } => format!("a folder of {}", count(*files, "file")),
        ServedContent::Unreadable(reason) => format!("what cannot be read ({reason})"),
    };
    let (before, after) = (told(old), told(new));
    match before == after {
        true => vec![heading(format!("{name}: another {}", after.trim_start_matches("a ")))],
        false => vec![heading(format!("{name}: {before} → {after}"))],
    }
}

fn with_heading(name: &str, lines: Vec<ChangeLine>) -> Vec<ChangeLine> {
    std::iter::once(heading(format!("{name}:"))).chain(lines).collect()
}

fn shown(value: &ShownValue) -> String {
    match value {
        ShownValue::Absent => "nothing".to_owned(),
        ShownValue::Secret => "a secret".to_owned(),
        ShownValue::Value(value) => around(&literal(value), 0, usize::MAX),
    }
}

fn value_lines(name: &str, old: &str, new: &str) -> Vec<ChangeLine> {
    if old.chars().count() + new.chars().count() <= SHORT {
        return vec![heading(format!("{name}: {old} → {new}"))];
    }
    let begin = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).count();
    let (old_length, new_length) = (old.chars().count(), new.chars().count());
    let shortest = old_length.min(new_length) - begin;
    let end = old.chars().rev().zip(new.chars().rev()).take(shortest).take_while(|(one, other)| one == other).count();
    vec![
        heading(format!("{name}:")),
        ChangeLine { sign: Sign::Old, text: around(old, begin, old_length - end) },
        ChangeLine { sign: Sign::New, text: around(new, begin, new_length - end) },
    ]
}

/// A text, of which what differs is shown, and a little of what is around that.
fn around(text: &str, begin: usize, end: usize) -> String {
    const MOST: usize = 200;
    let length = text.chars().count();
    let (from, to) = (begin.saturating_sub(AROUND), end.saturating_add(AROUND).min(length).min(begin + MOST));
    let from = if length <= SHORT + AROUND { 0 } else { from };
    let part: String = text.chars().skip(from).take(to.max(from) - from).collect();
    format!("{}{part}{}", if from > 0 { "…" } else { "" }, if to < length { "…" } else { "" })
}

/// The lines of two texts that differ, with one line before and after them.
fn text_lines(old: &str, new: &str) -> Vec<ChangeLine> {
    let difference = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for (number, group) in difference.grouped_ops(1).iter().enumerate() {
        if number > 0 {
            lines.push(ChangeLine { sign: Sign::Same, text: "…".to_owned() });
        }
        for change in group.iter().flat_map(|operation| difference.iter_changes(operation)) {
            let sign = match change.tag() {
                ChangeTag::Equal => Sign::Same,
                ChangeTag::Delete => Sign::Old,
                ChangeTag::Insert => Sign::New,
            };
            let text = change.value();
            let ending = if text.ends_with('\n') { "" } else { "  (no line end)" };
            lines.push(ChangeLine { sign, text: format!("{}{ending}", text.trim_end_matches('\n')) });
        }
    }
    lines
}

/// Two texts as a unified diff.
pub(super) fn unified(old: &str, new: &str) -> String {
    TextDiff::from_lines(old, new).unified_diff().context_radius(3).to_string()
}

/// Such texts are told by their digests.
pub(super) const LONG_VALUE: usize = 4096;

/// The bytes of a value that is too long to be told whole, or no text.
pub(super) fn long_bytes(value: &Value) -> Option<&[u8]> {
    match value {
        Value::Binary(binary) => Some(binary.bytes()),
        value => value.as_str().map(str::as_bytes).filter(|bytes| bytes.len() > LONG_VALUE),
    }
}

/// The digest of bytes, as `sha256sum` prints it.
pub(super) fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(old: &str, new: &str) -> Vec<String> {
        let change = ParameterChange {
            name: "content".into(),
            old: ShownValue::Value(old.into()),
            new: ShownValue::Value(new.into()),
        };
        parameter_lines(&change).iter().map(|line| format!("{}{}", line.sign.text(), line.text)).collect()
    }

    #[test]
    fn texts_of_several_lines_show_the_lines_that_differ() {
        let old = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        let new = "one\n2\nthree\nfour\nfive\nsix\n7";
        assert_eq!(
            lines(old, new),
            ["content:", "  one", "- two", "+ 2", "  three", "  …", "  six", "- seven", "+ 7  (no line end)"]
        );
    }

    #[test]
    fn a_long_line_shows_the_part_that_differs() {
        assert_eq!(lines("a", "b"), ["content: 'a' → 'b'"]);
        let (old, new) = (
            format!("{}old{}", "x".repeat(100), "y".repeat(100)),
            format!("{}new{}", "x".repeat(100), "y".repeat(100)),
        );
        let told = lines(&old, &new);
        assert_eq!(told[1], format!("- …{}old{}…", "x".repeat(20), "y".repeat(20)));
        assert_eq!(told[2], format!("+ …{}new{}…", "x".repeat(20), "y".repeat(20)));
        let same_end = lines(&"a".repeat(100), &"a".repeat(101));
        assert_eq!(same_end.len(), 3);
    }
}
