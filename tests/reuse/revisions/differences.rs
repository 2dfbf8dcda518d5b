//! Differences by node and resource, as one form for what `pantin diff` says and for what is right.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

/// By the name of the node.
pub(super) type Differences = BTreeMap<String, NodeDifferences>;

/// Kind, source and target.
pub(super) type Relationship = (String, String, String);

/// Stands for what nobody shows.
pub(super) const SECRET: &str = "(a secret)";

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct NodeDifferences {
    pub(super) status: String,
    /// The environments of both sides, where they differ.
    pub(super) moved: Option<(String, String)>,
    pub(super) resources: BTreeMap<String, ResourceDifferences>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct ResourceDifferences {
    pub(super) action: String,
    pub(super) parameters: BTreeMap<String, (Value, Value)>,
    /// With `added` or `removed`.
    pub(super) relationships: BTreeSet<(String, String, String, String)>,
}

impl ResourceDifferences {
    pub(super) fn says_something(&self) -> bool {
        self.action != "changed" || !self.parameters.is_empty() || !self.relationships.is_empty()
    }
}

/// What a report says of each node. What is not on the wire is left out: relationships that an agent adds, contents of files.
pub(super) fn from_report(report: &Value) -> Differences {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let mut all = Differences::new();
    for node in list(&report["nodes"]) {
        let status = match node["status"].as_str().unwrap() {
            "changed" | "unchanged" => "ok",
            "failing_otherwise" => "failing",
            status => status,
        };
        let moved = node.get("environment").map(|moved| (text(&moved["from"]), text(&moved["to"])));
        let node_differences = NodeDifferences { status: status.to_owned(), moved, resources: BTreeMap::new() };
        assert!(all.insert(text(&node["name"]), node_differences).is_none(), "{} stands twice", node["name"]);
    }
    for change in list(&report["changes"]) {
        let parameter = |parameter: &Value| {
            let side = |side: &str| match parameter.get(side) {
                Some(value) if value.get("secret").is_some() => json!(SECRET),
                Some(value) => value.clone(),
                None => Value::Null,
            };
            (text(&parameter["name"]), (side("from"), side("to")))
        };
        let relationship =
            |one: &Value| (text(&one["kind"]), text(&one["source"]), text(&one["target"]), text(&one["action"]));
        let relationships = list(&change["relationships"]);
        let difference = ResourceDifferences {
            action: text(&change["action"]),
            parameters: list(&change["parameters"]).iter().map(parameter).collect(),
            relationships: relationships.iter().filter(|one| one["kind"] != "automatic").map(relationship).collect(),
        };
        if !difference.says_something() {
            continue;
        }
        for node in list(&change["nodes"]) {
            let resources = &mut all.get_mut(node.as_str().unwrap()).unwrap().resources;
            let before = resources.insert(text(&change["resource"]), difference.clone());
            assert!(before.is_none(), "{} stands twice on {node}", change["resource"]);
        }
    }
    all
}

/// The first thing of which one says something else.
pub(super) fn first_contradiction(said: &Differences, right: &Differences) -> Option<String> {
    let names: BTreeSet<&String> = said.keys().chain(right.keys()).collect();
    for name in names {
        let (Some(one), Some(other)) = (said.get(name), right.get(name)) else {
            return Some(format!("{name}: said {:?}, right {:?}", said.get(name), right.get(name)));
        };
        if (&one.status, &one.moved) != (&other.status, &other.moved) {
            return Some(format!(
                "{name}: said {} {:?}, right {} {:?}",
                one.status, one.moved, other.status, other.moved
            ));
        }
        let references: BTreeSet<&String> = one.resources.keys().chain(other.resources.keys()).collect();
        for reference in references {
            let (said, right) = (one.resources.get(reference), other.resources.get(reference));
            if said != right {
                return Some(format!("{name}: {reference}\n  said  {said:?}\n  right {right:?}"));
            }
        }
    }
    None
}
