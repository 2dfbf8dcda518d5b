//! A message about nodes as JSON. Its names may grow in number, and never change.

use pantin_repository::messages::Group;
use serde_json::{Value, json};

pub(crate) fn group_json(group: &Group) -> Value {
    json!({
        "about": group.about.name(),
        "text": group.text,
        "file": group.place.as_ref().map(|place| &place.file),
        "line": group.place.as_ref().map(|place| place.line),
        "column": group.place.as_ref().and_then(|place| place.column),
        "count": group.count,
        "help": group.help,
        "nodes": group.nodes.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
    })
}
