//! The change of a value as lines: from what to what, and of long texts the lines that differ.

use std::fmt::Write as _;

use pantin_model::catalog::diff::{ParameterChange, ShownValue, is_same_value};
use pantin_repository::comparison::{ContentChange, ServedContent};
use pantin_values::Value;
use pantin_values::format::literal;
use similar::{Algorithm, ChangeTag, DiffTag, TextDiff, capture_diff_slices};

use crate::print::counting::count;

/// A longer text is told by its lines, or by what differs within it.
const SHORT: usize = 60;

/// So much is shown before and after what differs in a line.
const AROUND: usize = 20;

/// One line of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChangeLine {
    pub(super) sign: Sign,
    pub(super) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
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

impl ChangeLine {
    /// Returns the line with its sign.
    pub(crate) fn signed_text(&self) -> String {
        format!("{}{}", self.sign.text(), self.text)
    }
}

/// Returns how a parameter differs.
pub(super) fn parameter_lines(parameter: &ParameterChange) -> Vec<ChangeLine> {
    let ParameterChange { name, old, new } = parameter;
    match (old, new) {
        (ShownValue::Secret, ShownValue::Secret) => vec![heading(format!("{name}: another secret"))],
        (ShownValue::Absent, new) => vec![heading(format!("{name}: added {}", shown(new)))],
        (old, ShownValue::Absent) => vec![heading(format!("{name}: removed, was {}", shown(old)))],
        (ShownValue::Value(old), ShownValue::Value(new)) => {
            structure_lines(parameter).unwrap_or_else(|| match (old.as_str(), new.as_str()) {
                (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => {
                    with_heading(name, text_lines(old, new))
                }
                _ => value_lines(name, &literal(old), &literal(new)),
            })
        }
        (old, new) => vec![heading(format!("{name}: {} → {}", shown(old), shown(new)))],
    }
}

/// Returns how two hashes or two arrays differ: by key and by element. `None`: the values are no such two, or short arrays.
pub(crate) fn structure_lines(parameter: &ParameterChange) -> Option<Vec<ChangeLine>> {
    let (ShownValue::Value(old), ShownValue::Value(new)) = (&parameter.old, &parameter.new) else { return None };
    match (old, new) {
        (Value::Hash(_), Value::Hash(_)) => {}
        (Value::Array(_), Value::Array(_)) => {
            let length = literal(old).chars().count() + literal(new).chars().count();
            let is_flat = |value: &Value| {
                let Value::Array(items) = value else { return false };
                !items.iter().any(|item| matches!(item, Value::Array(_) | Value::Hash(_)))
            };
            if length <= SHORT && is_flat(old) && is_flat(new) {
                return None;
            }
        }
        _ => return None,
    }
    let mut lines = Vec::new();
    add_differences(&mut lines, "", old, new);
    (!lines.is_empty()).then(|| with_heading(&parameter.name, lines))
}

/// Adds what differs between two values at a path of keys and elements.
fn add_differences(lines: &mut Vec<ChangeLine>, path: &str, old: &Value, new: &Value) {
    match (old, new) {
        _ if is_same_value(old, new) => {}
        (Value::Hash(old), Value::Hash(new)) => {
            for (key, before) in old.iter() {
                let path = path_to_key(path, key);
                match new.get(key) {
                    Some(now) => add_differences(lines, &path, before, now),
                    None => lines.push(element(Sign::Old, &path, before)),
                }
            }
            let added = new.iter().filter(|(key, _)| old.get(key).is_none());
            lines.extend(added.map(|(key, now)| element(Sign::New, &path_to_key(path, key), now)));
        }
        (Value::Array(old), Value::Array(new)) => add_differing_elements(lines, path, old, new),
        _ => match (old.as_str(), new.as_str()) {
            (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => {
                lines.push(ChangeLine { sign: Sign::Same, text: format!("{path}:") });
                lines.extend(text_lines(old, new));
            }
            _ => {
                let [before, now] = differing_parts(&literal(old), &literal(new));
                lines.push(ChangeLine { sign: Sign::Old, text: format!("{path}: {before}") });
                lines.push(ChangeLine { sign: Sign::New, text: format!("{path}: {now}") });
            }
        },
    }
}

/// Adds the elements that one array alone has, and how those differ that stand in the place of one another.
fn add_differing_elements(lines: &mut Vec<ChangeLine>, path: &str, old: &[Value], new: &[Value]) {
    let [before, now] = [old, new].map(|items| items.iter().map(literal).collect::<Vec<_>>());
    let element_at = |sign, at: usize, value| element(sign, &format!("{path}[{at}]"), value);
    for operation in capture_diff_slices(Algorithm::Myers, &before, &now) {
        let (removed, added) = (operation.old_range(), operation.new_range());
        if operation.tag() == DiffTag::Equal {
            continue;
        }
        let pairs = removed.len().min(added.len());
        for (from, to) in removed.clone().zip(added.clone()) {
            add_differences(lines, &format!("{path}[{from}]"), &old[from], &new[to]);
        }
        lines.extend(removed.skip(pairs).map(|at| element_at(Sign::Old, at, &old[at])));
        lines.extend(added.skip(pairs).map(|at| element_at(Sign::New, at, &new[at])));
    }
}

/// Returns a key or an element that one side alone has.
fn element(sign: Sign, path: &str, value: &Value) -> ChangeLine {
    ChangeLine { sign, text: format!("{path}: {}", around(&literal(value), 0, usize::MAX)) }
}

/// Returns the path of a key; one that could be taken for something else stands in quotes.
fn path_to_key(path: &str, key: &Value) -> String {
    let is_plain = |key: &&str| !key.is_empty() && key.chars().all(|one| one.is_alphanumeric() || "_-:/".contains(one));
    let key = key.as_str().filter(is_plain).map_or_else(|| literal(key).to_string(), str::to_owned);
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

/// Returns how the content of a module file differs that a resource is a copy of.
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
    let [before, now] = differing_parts(old, new);
    vec![
        heading(format!("{name}:")),
        ChangeLine { sign: Sign::Old, text: before },
        ChangeLine { sign: Sign::New, text: now },
    ]
}

/// Both texts, of which what differs is shown, and a little of what is around that.
fn differing_parts(old: &str, new: &str) -> [String; 2] {
    let begin = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).count();
    let (old_length, new_length) = (old.chars().count(), new.chars().count());
    let shortest = old_length.min(new_length) - begin;
    let end = old.chars().rev().zip(new.chars().rev()).take(shortest).take_while(|(one, other)| one == other).count();
    [around(old, begin, old_length - end), around(new, begin, new_length - end)]
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

/// Returns the lines of two texts that differ, with one line before and after them.
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

/// Returns the bytes of a value that is too long to be told whole, or no text.
pub(super) fn long_bytes(value: &Value) -> Option<&[u8]> {
    match value {
        Value::Binary(binary) => Some(binary.bytes()),
        value => value.as_str().map(str::as_bytes).filter(|bytes| bytes.len() > LONG_VALUE),
    }
}

/// Returns the digest of bytes, as `sha256sum` prints it.
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

    fn structure(old: Value, new: Value) -> Vec<String> {
        let change =
            ParameterChange { name: "options".into(), old: ShownValue::Value(old), new: ShownValue::Value(new) };
        parameter_lines(&change).iter().map(ChangeLine::signed_text).collect()
    }

    fn hash(entries: &[(&str, Value)]) -> Value {
        Value::hash(entries.iter().map(|(key, value)| (Value::from(*key), value.clone())))
    }

    #[test]
    fn hashes_are_compared_by_key_whatever_their_order() {
        let long = || Value::from("x".repeat(80).as_str());
        let inner = |port| hash(&[("port", Value::Integer(port)), ("a.b", Value::from("same"))]);
        let old = hash(&[("first", long()), ("gone", Value::from("g")), ("inner", inner(80)), ("last", long())]);
        let new = hash(&[("last", long()), ("inner", inner(81)), ("first", long()), ("new", Value::from("n"))]);
        assert_eq!(
            structure(old, new),
            ["options:", "- gone: 'g'", "- inner.port: 80", "+ inner.port: 81", "+ new: 'n'"]
        );
        let same = |keys: [&str; 2]| hash(&keys.map(|key| (key, Value::Integer(1))));
        let old = hash(&[("in", same(["a", "b"])), ("x", Value::Integer(1))]);
        let new = hash(&[("x", Value::Integer(2)), ("in", same(["b", "a"]))]);
        assert_eq!(structure(old, new), ["options:", "- x: 1", "+ x: 2"]);
    }

    #[test]
    fn arrays_are_compared_by_element() {
        let array = |items: &[&str]| Value::array(items.iter().map(|item| Value::from(*item)));
        assert_eq!(structure(array(&["a"]), array(&["a", "b"])), ["options: ['a'] → ['a', 'b']"]);
        let many: Vec<String> = (0..40).map(|number| format!("package-{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let without = [&many[..20], &many[21..]].concat();
        assert_eq!(structure(array(&many), array(&without)), ["options:", "- [20]: 'package-20'"]);
        let more = [&many[..], &["last"]].concat();
        assert_eq!(structure(array(&many), array(&more)), ["options:", "+ [40]: 'last'"]);
        let ports = |port| Value::array([hash(&[("port", Value::Integer(port)), ("name", Value::from("a"))])]);
        assert_eq!(structure(ports(1), ports(2)), ["options:", "- [0].port: 1", "+ [0].port: 2"]);
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
