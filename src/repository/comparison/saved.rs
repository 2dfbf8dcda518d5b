//! Catalogs that were saved in files: as Pantin and a server send them (versions 3 and 4 of its interface put an object around them),
//! or as PuppetDB has them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use pantin_apply::{AnyModulePlugins, NodeSystem};
use pantin_model::catalog::Catalog;
use pantin_values::Str;
use pantin_world::Disk;
use serde_json::{Value, json};

use super::saved_systems::SavedSystems;
use super::side::SideAnswer;
use crate::catalog_check::{CatalogFindings, Checks};
use crate::fleet::NodeReport;
use crate::node_selection::{KnownNodes, NoneMatch};
use crate::own_words::OwnWords;

/// Saved catalogs, by the names of their nodes.
#[derive(Debug)]
pub struct SavedCatalogs {
    catalogs: BTreeMap<Str, SavedCatalog>,
    /// What somebody who compares them should know.
    pub remarks: Vec<String>,
}

#[derive(Debug)]
struct SavedCatalog {
    catalog: Arc<Catalog>,
    /// PuppetDB is not told of secrets.
    lacks_secrets: bool,
    /// Nobody knows what contains what.
    lacks_edges: bool,
    /// How many edges were left out because they lead to no resource.
    edges_to_nothing: usize,
    /// The system of its node, by whose rules its resources are checked; `None`: they are not.
    system: Option<NodeSystem>,
}

impl SavedCatalogs {
    /// Returns a file with one catalog, or a folder with a file `NODE.json` for each. `systems`: what is known of the
    /// nodes; `None`: their resources are not checked.
    pub fn read(disk: &dyn Disk, path: &Path, systems: Option<&SavedSystems>) -> Result<SavedCatalogs, String> {
        let entries = disk.list(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let files = match entries {
            None => vec![path.to_owned()],
            Some(entries) => {
                let is_json = |name: &Path| name.extension().is_some_and(|extension| extension == "json");
                let files = entries.into_iter().filter(|entry| !entry.is_folder && is_json(Path::new(&entry.name)));
                files.map(|entry| path.join(entry.name)).collect()
            }
        };
        let (mut catalogs, mut remarks) = (BTreeMap::new(), Vec::new());
        for file in files {
            for mut catalog in catalogs_of_file(disk, &file)? {
                catalog.system = systems.map(|systems| systems.find(disk, &catalog.catalog.name)).transpose()?;
                if catalog.edges_to_nothing > 0 {
                    let count = catalog.edges_to_nothing;
                    remarks
                        .push(format!("{}: edges that lead to no resource, and are left out: {count}", file.display()));
                }
                catalogs.insert(Str::from(&catalog.catalog.name), catalog);
            }
        }
        match catalogs.is_empty() {
            true => Err(format!("{} has no catalogs: no files that end in .json", path.display())),
            false => Ok(SavedCatalogs { catalogs, remarks }),
        }
    }

    /// Returns what keeps an agent from applying each catalog, by the names of the nodes.
    pub fn findings(&self) -> Vec<(Str, CatalogFindings)> {
        self.catalogs.iter().map(|(name, saved)| (name.clone(), saved.find())).collect()
    }

    pub(super) fn select(&self, patterns: &[String]) -> Result<Vec<Str>, NoneMatch> {
        KnownNodes { names: self.catalogs.keys().cloned().collect(), is_open: false }.select(patterns)
    }

    pub(super) fn answer(&self, name: &Str) -> Option<SideAnswer> {
        let saved = self.catalogs.get(name)?;
        let SavedCatalog { catalog, lacks_secrets, lacks_edges, .. } = saved;
        let own = OwnWords::new(name, &pantin_values::Hash::default());
        let findings = saved.find();
        let checks = Checks { graph: true, resources: saved.system.is_some() };
        let (environment, resources) = (&catalog.environment, catalog.resources.len());
        let report = NodeReport::from_catalog(name, environment, resources, (&findings, checks), &own);
        Some(SideAnswer {
            report,
            answer: None,
            saved: Some(Arc::clone(catalog)),
            is_stored: None,
            lacks_secrets: *lacks_secrets,
            lacks_edges: *lacks_edges,
        })
    }
}

impl SavedCatalog {
    /// Checks the catalog.
    fn find(&self) -> CatalogFindings {
        match &self.system {
            Some(system) => CatalogFindings::from_catalog(&self.catalog, system, &AnyModulePlugins),
            None => CatalogFindings::from_graph_alone(&self.catalog),
        }
    }
}

fn catalogs_of_file(disk: &dyn Disk, file: &Path) -> Result<Vec<SavedCatalog>, String> {
    let told = |reason: &dyn std::fmt::Display| format!("{} is no catalog: {reason}", file.display());
    let bytes = disk.read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let bytes = bytes.ok_or_else(|| format!("{} is not there", file.display()))?;
    let text = String::from_utf8(bytes).map_err(|_| told(&"it is not UTF-8"))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| told(&error))?;
    let of_puppetdb = |value: &Value| value.get("certname").is_some() || value["resources"].get("data").is_some();
    match value {
        Value::Array(many) => many.iter().map(|one| catalog_of_puppetdb(one).map_err(|reason| told(&reason))).collect(),
        one if of_puppetdb(&one) => catalog_of_puppetdb(&one).map(|one| vec![one]).map_err(|reason| told(&reason)),
        one => match Catalog::read(&text) {
            Ok(catalog) => {
                let (catalog, lacks_edges) = (Arc::new(catalog), one.get("edges").is_none());
                Ok(vec![SavedCatalog { catalog, lacks_secrets: false, lacks_edges, edges_to_nothing: 0, system: None }])
            }
            Err(reason) => {
                let wrapper = WRAPPERS.into_iter().find(|name| one[*name].get("resources").is_some());
                let read = catalog_of_server(one, wrapper).map(|one| vec![one]);
                // The first error has a place in the file.
                read.map_err(|inner| if wrapper.is_some() { told(&inner) } else { told(&reason) })
            }
        },
    }
}

/// In which member of an object older and newer interfaces of a server have the catalog.
const WRAPPERS: [&str; 2] = ["data", "catalog"];

/// Returns what a server of another version has sent, or somebody has edited: in an object of its own, with titles that
/// are numbers, or with edges that lead nowhere.
fn catalog_of_server(mut value: Value, wrapper: Option<&str>) -> Result<SavedCatalog, String> {
    let wire = match wrapper {
        Some(name) => value[name].take(),
        None => value,
    };
    read_wire(wire, false)
}

/// Reads a catalog without the edges that lead to no resource.
fn read_wire(mut wire: Value, lacks_secrets: bool) -> Result<SavedCatalog, String> {
    let mut names = BTreeSet::new();
    let resources = wire.get_mut("resources").and_then(Value::as_array_mut);
    for resource in resources.into_iter().flatten().filter_map(Value::as_object_mut) {
        if let Some(title) = resource.get_mut("title").filter(|title| !title.is_string()) {
            *title = title.to_string().into();
        }
        let text = |name: &str| resource.get(name).map(text_of).unwrap_or_default();
        names.insert(format!("{}[{}]", text("type"), text("title")));
    }
    let lacks_edges = wire.get("edges").is_none_or(Value::is_null);
    let mut edges_to_nothing = 0;
    if lacks_edges && let Some(wire) = wire.as_object_mut() {
        wire.remove("edges");
    }
    if let Some(edges) = wire.get_mut("edges").and_then(Value::as_array_mut) {
        let before = edges.len();
        edges.retain(|edge| ["source", "target"].iter().all(|end| names.contains(text_of(&edge[end]))));
        edges_to_nothing = before - edges.len();
    }
    let catalog = Catalog::read(&wire.to_string()).map_err(|error| error.to_string())?;
    Ok(SavedCatalog { catalog: Arc::new(catalog), lacks_secrets, lacks_edges, edges_to_nothing, system: None })
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// PuppetDB stores resources and edges apart from the rest, each with an address at which it has more.
fn catalog_of_puppetdb(value: &Value) -> Result<SavedCatalog, String> {
    let list = |name: &str| {
        // Whoever asked for the resources alone has no edges.
        let Some(found) = value.get(name) else { return Ok(&[] as &[Value]) };
        let found = found.get("data").unwrap_or(found);
        found.as_array().map(Vec::as_slice).ok_or_else(|| format!("its {name} are no list"))
    };
    let name = value["certname"].as_str().or_else(|| value["name"].as_str()).ok_or("it has no certname")?;
    let resources: Vec<Value> = list("resources")?.iter().map(wire_resource).collect();
    let edges: Vec<Value> = list("edges")?
        .iter()
        .filter(|edge| edge["relationship"].as_str().is_none_or(|kind| kind == "contains"))
        .filter_map(|edge| {
            let end = |side: &str| {
                Some(format!("{}[{}]", edge[format!("{side}_type")].as_str()?, edge[format!("{side}_title")].as_str()?))
            };
            Some(json!({"source": end("source")?, "target": end("target")?}))
        })
        .collect();
    let wire = json!({
        "name": name,
        "version": value["version"],
        "environment": value["environment"].as_str().unwrap_or_default(),
        "code_id": null,
        "tags": [],
        "resources": resources,
        "edges": value.get("edges").map(|_| edges),
        "classes": [],
    });
    read_wire(wire, true)
}

/// PuppetDB adds an alias to what has another name than its title.
fn wire_resource(resource: &Value) -> Value {
    let mut parameters = resource["parameters"].as_object().cloned().unwrap_or_default();
    let alias = parameters.remove("alias");
    let name = ["name", "path", "command"].into_iter().find_map(|name| parameters.get(name)).cloned();
    // One that the code has given says something else.
    if let Some(alias) = alias {
        let is_name = |alias: &Value| Some(alias) == name.as_ref();
        let is_added = match &alias {
            Value::Array(aliases) => aliases.iter().all(is_name),
            alias => is_name(alias),
        };
        if !is_added {
            parameters.insert("alias".to_owned(), alias);
        }
    }
    let mut wire = json!({
        "type": resource["type"],
        "title": resource["title"],
        "tags": resource.get("tags").cloned().unwrap_or_else(|| json!([])),
        "exported": resource["exported"].as_bool().unwrap_or_default(),
        "parameters": parameters,
    });
    for name in ["file", "line"] {
        if let Some(value) = resource.get(name).filter(|value| !value.is_null()) {
            wire[name] = value.clone();
        }
    }
    wire
}
