//! What is looked up: a name, and the way from its value to a part of that.

use pantin_base::names::{is_qualified, segments};
use pantin_values::{Array, Hash, Str, Value};

use super::trouble::Trouble;

/// `profile::web.hosts.0`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    pub text: Str,
    /// What stands before the first `::` of the name.
    pub module: Option<Str>,
    pub root: Str,
    /// Strings and integers.
    pub segments: Vec<Value>,
}

impl Key {
    pub fn parse(text: &str) -> Result<Key, Trouble> {
        if is_name(text) {
            let name: Str = text.into();
            return Ok(Key { text: name.clone(), module: module_name(text), root: name, segments: Vec::new() });
        }
        let mut segments = split(text).ok_or_else(|| Trouble::lookup(format!("Syntax error in key: '{text}'")))?;
        let root = match segments.remove(0) {
            Value::String(root) => root,
            number => {
                let number = pantin_values::text::display(&number);
                return Err(Trouble::ruby(format!("undefined method `index' for {number}:Integer")));
            }
        };
        Ok(Key { text: text.into(), module: module_name(&root), root, segments })
    }

    /// The key under which data says how keys are looked up.
    pub fn options() -> Key {
        Key { text: LOOKUP_OPTIONS.into(), module: None, root: LOOKUP_OPTIONS.into(), segments: Vec::new() }
    }

    /// Returns a value in as many containers as it takes to find it there by this key's segments.
    pub fn wrap(&self, value: Value) -> Value {
        self.segments.iter().rev().fold(value, |inner, segment| match segment {
            Value::Integer(index) => {
                let mut items = vec![Value::Undef; usize::try_from(*index).unwrap_or(0).min(MOST_ITEMS)];
                items.push(inner);
                Value::Array(Array::new(items))
            }
            name => Value::Hash([(name.clone(), inner)].into_iter().collect::<Hash>()),
        })
    }
}

pub(super) const LOOKUP_OPTIONS: &str = "lookup_options";

/// An index that nobody means seriously must not fill the memory.
const MOST_ITEMS: usize = 100_000;

pub(super) fn module_name(root: &str) -> Option<Str> {
    is_qualified(root).then(|| segments(root).next().unwrap_or_default().into())
}

/// Returns true if a key is nothing but a name.
pub(super) fn is_name(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'\'' | b'"' | b'.'))
}

/// Names and numbers with dots between them, each bare or in quotes. `None`: that is no key.
pub fn split(text: &str) -> Option<Vec<Value>> {
    if is_name(text) {
        return Some(vec![text.into()]);
    }
    let mut segments = Vec::new();
    let mut rest = text;
    loop {
        let end = segment_end(rest)?;
        segments.push(segment(rest[..end].trim()));
        rest = &rest[end..];
        if rest.is_empty() {
            return Some(segments);
        }
        rest = rest.strip_prefix('.')?;
    }
}

/// Returns where the segment ends that the text begins with.
fn segment_end(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start_matches(is_space).len();
    if let Some(quote @ ('"' | '\'')) = text[start..].chars().next()
        && let Some(length) = text[start + 1..].find(quote)
        && length > 0
    {
        let behind = &text[start + length + 2..];
        return Some(text.len() - behind.trim_start_matches(is_space).len());
    }
    let end = text.find(['\'', '"', '.']).unwrap_or(text.len());
    (end > 0).then_some(end)
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

fn segment(text: &str) -> Value {
    if text.starts_with(['"', '\'']) {
        return text[1..text.len() - 1].into();
    }
    let digits = text.strip_prefix(':').unwrap_or(text);
    let digits = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.into();
    }
    // A number behind a colon counts as a number, which Ruby then reads as nought.
    if text.starts_with(':') { Value::Integer(0) } else { Value::Integer(text.parse().unwrap_or(i64::MAX)) }
}
