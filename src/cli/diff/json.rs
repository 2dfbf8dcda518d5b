//! The differences as JSON: version 1, as `docs/diff.schema.json` has it.

use pantin_model::catalog::Rich;
use pantin_model::catalog::diff::{ParameterChange, ShownValue};
use pantin_repository::comparison::{
    ComparedNode, ContentChange, DataDifferences, MessageGroup, Origin, RelationshipChange, ResourceDifference,
    ServedContent,
};
use pantin_values::{Str, Value as PuppetValue};
use serde_json::{Map, Value, json};

use super::Compared;
use super::sides::FactAge;
use super::values::{long_bytes, sha256, unified};
use crate::print::repository_path::repository_path;

pub(super) fn report(compared: &Compared<'_>) -> String {
    let comparison = &compared.comparison;
    let side = |at: usize| {
        let mut side = origin(compared.origins[at]);
        side["options"] = json!(compared.own_options[at]);
        side
    };
    let (from, to) = (side(0), side(1));
    let groups = comparison.differences.iter().flat_map(|group| &group.ways);
    let refreshed =
        comparison.refreshed.iter().map(|group| json!({"resource": &*group.what, "nodes": names(&group.nodes)}));
    let mut report = json!({
        "version": 1,
        "verdict": compared.verdict().name(),
        "from": from,
        "to": to,
        "compared": {
            "nodes": comparison.nodes.len(),
            "compiled": comparison.compiled,
            "stored": comparison.stored,
            "ignored": comparison.ignored,
            "seconds": compared.seconds,
            "facts": compared.facts.iter().map(facts).collect::<Vec<_>>(),
            "remarks": compared.remarks,
        },
        "review": compared.review,
        "nodes": comparison.nodes.iter().map(node).collect::<Vec<_>>(),
        "changes": groups.map(|way| change(&way.what, &way.nodes)).collect::<Vec<_>>(),
        "modules": modules(compared),
        "refreshed": refreshed.collect::<Vec<_>>(),
        "errors": comparison.messages.iter().map(message).collect::<Vec<_>>(),
    });
    if let Some(found) = &compared.data {
        report["data"] = data(found);
    }
    format!("{report:#}")
}

/// One entry for each module of a side.
fn modules(compared: &Compared<'_>) -> Vec<Value> {
    let sides = ["from", "to"].into_iter().zip(compared.modules);
    let all = sides.flat_map(|(side, modules)| modules.iter().map(move |module| (side, module)));
    let told = all.map(|(side, module)| {
        json!({
            "side": side,
            "named_in": module.named_in.name(),
            "name": module.name,
            "wanted": module.wanted,
            "installed": module.installed,
        })
    });
    told.collect()
}

/// One entry for each key of a file.
pub(super) fn data(found: &DataDifferences) -> Value {
    let keys = found.files.iter().flat_map(|file| {
        file.keys.iter().map(|change| {
            let mut value = parameter(change);
            value["file"] = repository_path(&file.file.to_string_lossy()).into();
            value["level"] = file.level.as_ref().map(Str::as_str).into();
            value
        })
    });
    let unreadable = found.unreadable.iter().map(|one| {
        json!({
            "file": repository_path(&one.file.to_string_lossy()),
            "side": if one.is_new { "to" } else { "from" },
            "reason": one.reason,
        })
    });
    json!({"keys": keys.collect::<Vec<_>>(), "unreadable": unreadable.collect::<Vec<_>>()})
}

fn names(nodes: &[Str]) -> Vec<&str> {
    nodes.iter().map(Str::as_str).collect()
}

fn origin(origin: &Origin) -> Value {
    match origin {
        Origin::Revision { commit, untracked } => json!({
            "kind": "revision",
            "name": commit.name,
            "commit": commit.id,
            "committed": commit.seconds,
            "untracked": untracked,
        }),
        Origin::WorkingTree { head } => json!({
            "kind": "working_tree",
            "commit": head.as_ref().map(|head| &head.id),
        }),
        Origin::Folder(path) => json!({"kind": "folder", "path": path.display().to_string()}),
        Origin::Saved(path) => json!({"kind": "saved", "path": path.display().to_string()}),
    }
}

fn facts(age: &FactAge) -> Value {
    json!({
        "source": age.source,
        "files": age.files,
        "oldest": age.written.map(|(oldest, _)| oldest),
        "newest": age.written.map(|(_, newest)| newest),
    })
}

pub(super) fn node(node: &ComparedNode) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), node.name.as_str().into());
    object.insert("status".to_owned(), node.status.name().into());
    if let Some((from, to)) = &node.moved {
        object.insert("environment".to_owned(), json!({"from": from, "to": to}));
    }
    Value::Object(object)
}

fn change(difference: &ResourceDifference, nodes: &[Str]) -> Value {
    let place = difference.place.as_ref();
    json!({
        "resource": &*difference.reference,
        "action": difference.action(),
        "parameters": difference.parameters().iter().map(parameter).collect::<Vec<_>>(),
        "relationships": difference.relationships.iter().map(relationship).collect::<Vec<_>>(),
        "contents": difference.contents.iter().map(content).collect::<Vec<_>>(),
        "file": place.map(|place| repository_path(&place.file)),
        "line": place.map(|place| place.line),
        "nodes": names(nodes),
    })
}

/// An absent value has no key; of a secret nothing is told but whether it is another one.
pub(crate) fn parameter(change: &ParameterChange) -> Value {
    let ParameterChange { name, old, new } = change;
    let is_secret = [old, new].contains(&&ShownValue::Secret);
    let mut object = Map::new();
    object.insert("name".to_owned(), name.as_str().into());
    object.insert("secret".to_owned(), is_secret.into());
    for (key, side) in [("from", old), ("to", new)] {
        let value = match side {
            ShownValue::Absent => continue,
            ShownValue::Secret => json!({"secret": true, "changed": true}),
            // The other side shows nothing of the secret; what was none before may be one now.
            ShownValue::Value(_) if is_secret => json!({"secret": true, "changed": true}),
            ShownValue::Value(value) => told(value),
        };
        object.insert(key.to_owned(), value);
    }
    if let (ShownValue::Value(old), ShownValue::Value(new), false) = (old, new, is_secret)
        && (long_bytes(old).is_some() || long_bytes(new).is_some())
        && let (Some(old), Some(new), Some(Value::Object(to))) = (old.as_str(), new.as_str(), object.get_mut("to"))
    {
        to.insert("diff".to_owned(), unified(old, new).into());
    }
    Value::Object(object)
}

fn told(value: &PuppetValue) -> Value {
    match long_bytes(value) {
        Some(bytes) => json!({"sha256": sha256(bytes), "bytes": bytes.len()}),
        None => serde_json::to_value(Rich::on_the_wire(value)).unwrap_or(Value::Null),
    }
}

pub(super) fn relationship(change: &RelationshipChange) -> Value {
    json!({
        "kind": change.kind.name(),
        "source": &*change.source,
        "target": &*change.target,
        "action": if change.is_added { "added" } else { "removed" },
    })
}

pub(super) fn content(change: &ContentChange) -> Value {
    let side = |content: &ServedContent| match content {
        ServedContent::Missing => Value::Null,
        ServedContent::File(bytes) => json!({"sha256": sha256(bytes), "bytes": bytes.len()}),
        ServedContent::Folder { files, .. } => json!({"files": files}),
        ServedContent::Unreadable(reason) => json!({"unreadable": reason}),
    };
    let mut object = json!({"source": &*change.source, "from": side(&change.old), "to": side(&change.new)});
    if let (ServedContent::File(old), ServedContent::File(new)) = (&change.old, &change.new)
        && let (Ok(old), Ok(new)) = (std::str::from_utf8(old), std::str::from_utf8(new))
    {
        object["diff"] = unified(old, new).into();
    }
    object
}

fn message(MessageGroup { state, group }: &MessageGroup) -> Value {
    let place = group.place.as_ref();
    json!({
        "kind": group.about.name(),
        "message": group.text,
        "help": group.help,
        "file": place.map(|place| repository_path(&place.file)),
        "line": place.map(|place| place.line),
        "state": state.name(),
        "nodes": names(&group.nodes),
    })
}
