//! What differs between two sets of catalogs, worked out from their JSON alone. Shares no code with what it judges.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::differences::{Differences, NodeDifferences, Relationship, ResourceDifferences, SECRET};

const RELATIONSHIPS: [&str; 4] = ["require", "before", "notify", "subscribe"];

/// All nodes of a checkout, compiled with nothing stored.
#[derive(Clone, Debug)]
pub(super) enum Compiled {
    /// The options or the environment are refused: no node is compiled.
    Refused(String),
    Nodes(BTreeMap<String, CompiledNode>),
}

#[derive(Clone, Debug)]
pub(super) struct CompiledNode {
    environment: String,
    is_ok: bool,
    catalog: Option<Value>,
}

impl Compiled {
    /// `known_as`: what paths of this checkout are called in what is compared.
    pub(super) fn from_checkout(checkout: &Path, options: &[String], known_as: &str) -> Compiled {
        let out = TempDir::new().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.args(["fleet", "-q", "--no-cache", "--format", "json", "--exported", "fleet", "--out"]).arg(out.path());
        command.env("PANTIN_FENCE", "off");
        let run = command.args(options).current_dir(checkout).output().unwrap();
        let normal = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(checkout.to_str().unwrap(), known_as);
        let Ok(report) = serde_json::from_str::<Value>(&normal(&run.stdout)) else {
            return Compiled::Refused(normal(&run.stderr));
        };
        if report["exported"]["settled"] == false {
            return Compiled::Refused("what the nodes export never settles".to_owned());
        }
        let node = |node: &Value| {
            let name = node["name"].as_str().unwrap().to_owned();
            let file: PathBuf = out.path().join(format!("{name}.json"));
            let catalog = fs::read(file).ok().map(|bytes| serde_json::from_str(&normal(&bytes)).unwrap());
            let environment = node["environment"].as_str().unwrap_or_default().to_owned();
            (name, CompiledNode { environment, is_ok: node["ok"] == true, catalog })
        };
        Compiled::Nodes(report["nodes"].as_array().unwrap().iter().map(node).collect())
    }

    /// How many nodes fail.
    pub(super) fn failures(&self) -> usize {
        match self {
            Compiled::Refused(_) => usize::MAX,
            Compiled::Nodes(nodes) => nodes.values().filter(|node| !node.is_ok).count(),
        }
    }

    /// How many nodes have a catalog.
    pub(super) fn catalogs(&self) -> usize {
        match self {
            Compiled::Refused(_) => 0,
            Compiled::Nodes(nodes) => nodes.values().filter(|node| node.catalog.is_some()).count(),
        }
    }

    /// Why nothing is compiled.
    pub(super) fn refusal(&self) -> Option<&str> {
        match self {
            Compiled::Refused(reason) => Some(reason),
            Compiled::Nodes(_) => None,
        }
    }

    /// `None`: one of them is refused.
    pub(super) fn differences(&self, new: &Compiled) -> Option<Differences> {
        let (Compiled::Nodes(old), Compiled::Nodes(new)) = (self, new) else { return None };
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        Some(names.into_iter().map(|name| (name.clone(), node_differences(old.get(name), new.get(name)))).collect())
    }
}

fn node_differences(old: Option<&CompiledNode>, new: Option<&CompiledNode>) -> NodeDifferences {
    let mut found = NodeDifferences::default();
    let (Some(old), Some(new)) = (old, new) else {
        found.status = if old.is_none() { "added" } else { "removed" }.to_owned();
        return found;
    };
    if old.environment != new.environment && !old.environment.is_empty() && !new.environment.is_empty() {
        found.moved = Some((old.environment.clone(), new.environment.clone()));
    }
    if let (Some(old), Some(new)) = (&old.catalog, &new.catalog) {
        found.resources = catalog_differences(old, new);
    }
    found.status = match (old.is_ok, new.is_ok) {
        (true, false) => "newly_failing",
        (false, true) => "mended",
        (false, false) => "failing",
        // Others may change by relationships that agents add, which are not on the wire.
        (true, true) => "ok",
    }
    .to_owned();
    found
}

fn catalog_differences(old: &Value, new: &Value) -> BTreeMap<String, ResourceDifferences> {
    let (old, new) = (Side::new(old), Side::new(new));
    let mut found: BTreeMap<String, ResourceDifferences> = BTreeMap::new();
    for name in old.resources.keys().chain(new.resources.keys()) {
        let mut difference = ResourceDifferences::default();
        match (old.resources.get(name), new.resources.get(name)) {
            (Some(_), None) => difference.action = "removed".to_owned(),
            (None, _) => difference.action = "added".to_owned(),
            (Some(one), Some(other)) => {
                difference.action = "changed".to_owned();
                difference.parameters = parameters(one, other);
                let changes = |from: &Side<'_>, to: &Side<'_>, action: &str| {
                    let gone = from.relationships(name).into_iter().filter(|one| !to.relationships(name).contains(one));
                    gone.map(|(kind, source, target)| (kind, source, target, action.to_owned())).collect::<Vec<_>>()
                };
                difference.relationships.extend(changes(&old, &new, "removed"));
                difference.relationships.extend(changes(&new, &old, "added"));
            }
        }
        if difference.says_something() {
            found.insert(name.clone(), difference);
        }
    }
    found
}

/// From what to what, by parameter; `null`: it is not there.
fn parameters(old: &Value, new: &Value) -> BTreeMap<String, (Value, Value)> {
    let names = |resource: &Value| resource["parameters"].as_object().cloned().unwrap_or_default();
    let is_secret = |resource: &Value, name: &str| {
        let listed = resource["sensitive_parameters"].as_array().cloned().unwrap_or_default();
        listed.contains(&json!(name)) || holds_secret(&resource["parameters"][name])
    };
    let (one, other) = (names(old), names(new));
    let mut found = BTreeMap::new();
    for name in one.keys().chain(other.keys()).filter(|name| !RELATIONSHIPS.contains(&name.as_str())) {
        let (before, after) = (is_secret(old, name), is_secret(new, name));
        let [from, to] = [one.get(name), other.get(name)].map(|value| value.cloned().unwrap_or_default());
        if from == to && before == after {
            continue;
        }
        let shown = |value: Value| if (before || after) && value != Value::Null { json!(SECRET) } else { value };
        found.insert(name.clone(), (shown(from), shown(to)));
    }
    let exported = |resource: &Value| json!(resource["exported"] == true);
    if exported(old) != exported(new) {
        found.insert("exported".to_owned(), (exported(old), exported(new)));
    }
    found
}

fn holds_secret(value: &Value) -> bool {
    match value {
        Value::Object(object) => {
            object.get("__ptype") == Some(&json!("Sensitive")) || object.values().any(holds_secret)
        }
        Value::Array(items) => items.iter().any(holds_secret),
        _ => false,
    }
}

/// A catalog as the wire has it.
struct Side<'c> {
    resources: BTreeMap<String, &'c Value>,
    /// By what they are called beside their titles.
    names: BTreeMap<(String, String), String>,
    containers: BTreeMap<String, BTreeSet<String>>,
}

impl<'c> Side<'c> {
    fn new(catalog: &'c Value) -> Side<'c> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let reference = |resource: &Value| format!("{}[{}]", text(&resource["type"]), text(&resource["title"]));
        let mut side = Side { resources: BTreeMap::new(), names: BTreeMap::new(), containers: BTreeMap::new() };
        for resource in catalog["resources"].as_array().unwrap() {
            side.resources.insert(reference(resource), resource);
            for name in ["name", "path", "alias", "command"] {
                let value = &resource["parameters"][name];
                let several = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                for name in several.iter().filter_map(Value::as_str) {
                    side.names.insert((text(&resource["type"]), name.to_owned()), reference(resource));
                }
            }
        }
        for edge in catalog["edges"].as_array().unwrap() {
            side.containers.entry(text(&edge["target"])).or_default().insert(text(&edge["source"]));
        }
        side
    }

    fn resolve(&self, reference: &str) -> Option<String> {
        if self.resources.contains_key(reference) {
            return Some(reference.to_owned());
        }
        let (kind, title) = reference.strip_suffix(']')?.split_once('[')?;
        self.names.get(&(kind.to_owned(), title.to_owned())).cloned()
    }

    /// Those that a resource declares, and what contains it.
    fn relationships(&self, name: &str) -> BTreeSet<Relationship> {
        let resource = self.resources[name];
        let mut found = BTreeSet::new();
        for kind in RELATIONSHIPS {
            let mut named = Vec::new();
            add_texts(&resource["parameters"][kind], &mut named);
            let targets = named.iter().filter_map(|target| self.resolve(target));
            found.extend(targets.map(|target| (kind.to_owned(), name.to_owned(), target)));
        }
        let containers = self.containers.get(name).into_iter().flatten();
        found.extend(containers.map(|container| ("contains".to_owned(), container.clone(), name.to_owned())));
        found
    }
}

fn add_texts<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| add_texts(item, texts)),
        _ => {}
    }
}
