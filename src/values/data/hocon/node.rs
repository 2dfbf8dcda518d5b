//! Values, how later ones stand over earlier ones, and how neighbours are joined.

use std::fmt;

use indexmap::IndexMap;
use pantin_base::limits;
use rustc_hash::FxBuildHasher;

use super::path::Path;
use super::scalar::{Scalar, quoted};
use crate::Value;

pub(super) type Entries = IndexMap<String, Node, FxBuildHasher>;

/// A value, before or after its substitutions are replaced.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Scalar(Scalar),
    List(Vec<Node>),
    Object(Object),
    Reference(Reference),
    /// Values one after another, which become one.
    Concatenation {
        pieces: Vec<Node>,
        line: u32,
    },
    /// Values of one key, the last given first, as long as it is not known what they are.
    Merge(Vec<Node>),
}

#[derive(Clone, Default, Debug)]
pub(super) struct Object {
    pub(super) entries: Entries,
    /// Whether something that is no object stands between it and what was there before.
    pub(super) is_closed: bool,
}

/// `${path}` or `${?path}`.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) path: Path,
    pub(super) is_optional: bool,
    pub(super) line: u32,
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.is_optional { "?" } else { "" };
        write!(f, "${{{mark}{}}}", self.path)
    }
}

impl Node {
    /// Returns true if nothing that was there before counts.
    fn hides_earlier(&self) -> bool {
        match self {
            Node::Scalar(_) | Node::List(_) => true,
            Node::Object(object) => object.is_closed,
            Node::Merge(stack) => stack.last().is_some_and(Node::hides_earlier),
            Node::Reference(_) | Node::Concatenation { .. } => false,
        }
    }

    /// Returns what a key has that is given this value when it had that one.
    pub(super) fn merge_over(self, earlier: Node) -> Node {
        if self.hides_earlier() {
            return self;
        }
        match (self, earlier) {
            (Node::Object(object), Node::Object(earlier)) => Node::Object(object.over(earlier)),
            (Node::Object(object), Node::Scalar(_) | Node::List(_)) => {
                Node::Object(Object { is_closed: true, ..object })
            }
            (later, earlier) => {
                let mut stack = later.into_stack();
                stack.extend(earlier.into_stack());
                Node::Merge(stack)
            }
        }
    }

    fn into_stack(self) -> Vec<Node> {
        match self {
            Node::Merge(stack) => stack,
            other => vec![other],
        }
    }
}

impl Object {
    /// The later keys come first.
    fn over(self, mut earlier: Object) -> Object {
        let mut entries = Entries::default();
        for (key, value) in self.entries {
            let value = match earlier.entries.shift_remove(&key) {
                Some(before) => value.merge_over(before),
                None => value,
            };
            entries.insert(key, value);
        }
        entries.extend(earlier.entries);
        Object { entries, is_closed: earlier.is_closed }
    }
}

impl Node {
    pub(super) fn text(text: String) -> Node {
        Node::Scalar(Scalar::Text { text, is_quoted: true })
    }

    /// Returns true if it is not known yet what it is.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Node::Reference(_) | Node::Concatenation { .. } | Node::Merge(_))
    }

    /// Returns how many values there are in it, itself included.
    pub(super) fn size(&self) -> u64 {
        1 + match self {
            Node::List(items) => items.iter().map(Node::size).sum(),
            Node::Object(object) => object.entries.values().map(Node::size).sum(),
            _ => 0,
        }
    }

    /// Returns what stands under keys, one within the other.
    pub(super) fn get_path(&self, keys: &[String]) -> Option<&Node> {
        keys.iter().try_fold(self, |value, key| match value {
            Node::Object(object) => object.entries.get(key),
            _ => None,
        })
    }

    /// This value and the next one of a concatenation.
    fn join(self, right: Node) -> Result<Node, String> {
        match (self, right) {
            (left @ Node::Object(_), right @ Node::Object(_)) => Ok(right.merge_over(left)),
            (Node::List(mut left), Node::List(right)) => {
                left.extend(right);
                Ok(Node::List(left))
            }
            (left @ (Node::List(_) | Node::Object(_)), Node::Scalar(Scalar::Text { is_quoted: false, .. })) => Ok(left),
            (Node::Scalar(left), Node::Scalar(right)) => {
                let mut text = left.text();
                text.push_str(&right.text());
                if text.len() > limits::TEXT_BYTES {
                    return Err(format!("a text of more than {} bytes is not supported", limits::TEXT_BYTES));
                }
                Ok(Node::text(text))
            }
            (left, right) => Err(format!(
                "Cannot concatenate object or list with a non-object-or-list, {} and {} are not compatible",
                left.shown(),
                right.shown()
            )),
        }
    }

    fn shown(&self) -> String {
        let class = match self {
            Node::Scalar(scalar) => scalar.class(),
            Node::List(_) => "SimpleConfigList",
            _ => "SimpleConfigObject",
        };
        format!("{class}({})", self.rendered())
    }

    fn rendered(&self) -> String {
        let list = |nodes: &[Node], between| nodes.iter().map(Node::rendered).collect::<Vec<_>>().join(between);
        match self {
            Node::Scalar(Scalar::Text { text, .. }) => quoted(text),
            Node::Scalar(scalar) => scalar.text(),
            Node::List(items) => format!("[{}]", list(items, ",")),
            Node::Object(object) => {
                let entries = object.entries.iter().map(|(key, value)| format!("{}:{}", quoted(key), value.rendered()));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
            }
            Node::Reference(reference) => reference.to_string(),
            Node::Concatenation { pieces, .. } => list(pieces, ""),
            Node::Merge(stack) => list(stack, ","),
        }
    }

    /// Returns what it is without substitutions; there are none left.
    pub(super) fn into_value(self) -> Value {
        match self {
            Node::Scalar(Scalar::Null) => Value::Undef,
            Node::Scalar(Scalar::Boolean(truth)) => Value::Boolean(truth),
            Node::Scalar(Scalar::Number { value, .. }) => value,
            Node::Scalar(Scalar::Text { text, .. }) => text.into(),
            Node::List(items) => Value::array(items.into_iter().map(Node::into_value)),
            Node::Object(object) => {
                Value::hash(object.entries.into_iter().map(|(key, value)| (key.into(), value.into_value())))
            }
            Node::Reference(_) | Node::Concatenation { .. } | Node::Merge(_) => Value::Undef,
        }
    }
}

/// Joins neighbours of which it is known what they are.
pub(super) fn concatenate(pieces: Vec<Node>) -> Result<Vec<Node>, String> {
    let mut joined: Vec<Node> = Vec::new();
    for piece in pieces {
        match joined.pop() {
            None => joined.push(piece),
            Some(left) if left.is_open() || piece.is_open() => joined.extend([left, piece]),
            Some(left) => joined.push(left.join(piece)?),
        }
    }
    Ok(joined)
}
