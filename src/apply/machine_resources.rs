//! The resources of a machine without a catalog: all of a type, one by its name, or one that is changed.

use std::sync::Arc;

use pantin_base::Language;
use pantin_machine::{ReadOnly, Stop, System};
use pantin_model::catalog::{Catalog, Resource};
use pantin_model::graph::{Graph, Walk};
use pantin_values::{Binary, Str, Value};

use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::deferred::NoDeferredValues;
use crate::failure::Failure;
use crate::known_sums::KnownSums;
use crate::log::{Level, Log, LogSink, NoLog};
use crate::managed::{Generated, Managed, Observation};
use crate::provider::Providers;
use crate::resource::{Metaparameters, ResourceInfo};
use crate::settings::ApplySettings;
use crate::sources::Sources;
use crate::state::MachineState;
use crate::transaction::{PreparedResource, Surroundings, Transaction, generated_resource, prepare, prepare_resource};
use crate::types::{ListedResource, Listing, TypeEntry, find_type, jobs, listing, required_file};
use crate::value::{display, inspect, text};

/// A machine, and how it is looked at and changed.
#[derive(Clone, Copy)]
pub struct MachineRequest<'a> {
    pub settings: &'a ApplySettings,
    pub machine: &'a dyn System,
    pub sources: &'a dyn Sources,
    pub stop: &'a Stop,
    pub sink: &'a dyn LogSink,
    /// Parameters that are shown beside the properties.
    pub shown_parameters: &'a [String],
}

/// A resource as a machine has it.
#[derive(Clone, PartialEq, Debug)]
pub struct MachineResource {
    /// In lower case: `file`.
    pub type_name: &'static str,
    pub title: String,
    /// `ensure` first, the others by their names.
    pub attributes: Vec<(String, Value)>,
}

/// The outcome of a change.
#[derive(Clone, PartialEq, Debug)]
pub struct ChangedResource {
    pub resource: MachineResource,
    pub has_failed: bool,
}

impl MachineResource {
    /// Returns the resource as a manifest declares it.
    pub fn to_manifest(&self) -> String {
        let width = self.attributes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let mut lines = format!("{} {{ '{}':\n", self.type_name, self.title.replace('\'', "\\'"));
        for (name, value) in &self.attributes {
            lines.push_str(&format!("  {name:width$} => {},\n", display(value)));
        }
        lines + "}"
    }

    /// Returns the resource as data: its attributes by its title. In the language of 8 a password is bytes.
    pub fn to_data(&self, language: Language) -> (Value, Value) {
        let shown = |name: &str, value: &Value| match value {
            Value::String(password)
                if (self.type_name, name) == ("user", "password") && language != Language::Puppet7 =>
            {
                Value::string(Binary::new(password.as_bytes()).to_base64())
            }
            _ => plain(value),
        };
        let attributes = self.attributes.iter().map(|(name, value)| (Value::string(name.as_str()), shown(name, value)));
        (Value::string(self.title.as_str()), Value::hash(attributes))
    }
}

/// Symbols are texts.
fn plain(value: &Value) -> Value {
    match value {
        Value::Symbol(text) => Value::String(text.clone()),
        Value::Array(items) => Value::array(items.iter().map(plain)),
        Value::Hash(entries) => Value::hash(entries.iter().map(|(key, value)| (plain(key), plain(value)))),
        other => other.clone(),
    }
}

/// Finds all resources of a type, sorted by their titles.
pub fn list_resources(type_name: &str, request: MachineRequest<'_>) -> Result<Vec<MachineResource>, Failure> {
    let entry = known_type(type_name)?;
    let name = entry.name;
    let listing = listing(name)?;
    let mut found = with_surroundings(request, |around| {
        let listed = match listing {
            Listing::Nothing => Vec::new(),
            Listing::Found(find) => with_context(name, around, find)?,
            Listing::Provided(provider) => match provider(around.machine) {
                Some(provider) => {
                    let rows = with_context(name, around, |context| context.list(provider))?;
                    let listed = |row: crate::provider::Row| ListedResource {
                        name: row.name,
                        parameters: vec![("provider", Value::string(provider.name))],
                        state: Some(row.state),
                    };
                    rows.into_iter().map(listed).collect()
                }
                None => Vec::new(),
            },
        };
        let found = |listed| machine_resource(entry, listed, around, request.shown_parameters);
        listed.into_iter().map(found).collect::<Result<Vec<_>, Failure>>()
    })?;
    found.sort_by(|one, other| one.title.cmp(&other.title));
    found.dedup_by(|one, other| one.title == other.title);
    Ok(found)
}

/// Looks at one resource.
pub fn find_resource(type_name: &str, name: &str, request: MachineRequest<'_>) -> Result<MachineResource, Failure> {
    let entry = known_type(type_name)?;
    // It is looked for among all of them first; files have no list.
    if entry.name != "file" {
        listing(entry.name)?;
    }
    with_surroundings(request, |around| {
        // Whose job it is only the tables tell.
        let known = match entry.name {
            "cron" => with_context(entry.name, around, jobs)?.into_iter().find(|job| job.name == name),
            _ => None,
        };
        let listed = known.unwrap_or_else(|| ListedResource { name: name.to_owned(), ..ListedResource::default() });
        machine_resource(entry, listed, around, request.shown_parameters)
    })
}

/// Brings one resource into a state, and looks at it again.
pub fn change_resource(
    type_name: &str,
    name: &str,
    attributes: &[(String, String)],
    request: MachineRequest<'_>,
) -> Result<ChangedResource, Failure> {
    let entry = known_type(type_name)?;
    let parameters: Vec<(Str, Value)> =
        attributes.iter().map(|(name, value)| (Str::from(name.as_str()), Value::string(value.as_str()))).collect();
    let resource = Arc::new(resource(entry, name, parameters));
    with_surroundings(request, |around| {
        let catalog = Catalog { resources: vec![Arc::clone(&resource)], ..Catalog::default() };
        let prepared = prepare(catalog, around)?.generate(around, |_| true);
        let catalog = prepared.catalog.clone();
        let graph = Graph::with_files_of_modules(&catalog, required_file);
        let mut state = MachineState::default();
        let walked =
            Transaction::new(prepared, &graph, Walk::from_graph(&graph), around, (&mut state, None), None).run();
        if let Some(failure) = walked.failure {
            return Err(failure);
        }
        if let Some(signal) = walked.stopped {
            return Err(Failure::stopped(signal));
        }
        let has_failed = walked.has_failed_to_generate || walked.nodes.iter().any(|(_, status)| status.has_failed());
        let again = with_ensure(entry, &resource);
        let again = prepare_resource(&again, vec![resource.reference()], around)?;
        let found = observed(entry, name, again, None, around, request.shown_parameters)?;
        Ok(ChangedResource { resource: found, has_failed })
    })
}

/// Returns a resource that shows whether it is there, though nothing is asked of that: files and mounts do.
fn with_ensure(entry: &TypeEntry, resource: &Resource) -> Resource {
    let mut shown = resource.clone();
    if ["file", "mount"].contains(&entry.name) && !shown.parameters.iter().any(|(name, _)| *name == "ensure") {
        let audit = (Str::from("audit"), Value::string("ensure"));
        shown.parameters =
            shown.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).chain([audit]).collect();
    }
    shown
}

/// Returns an error if there is no type of this name.
pub fn check_type(name: &str) -> Result<(), Failure> {
    known_type(name).map(drop)
}

fn known_type(name: &str) -> Result<&'static TypeEntry, Failure> {
    let unknown = || match &*name.to_lowercase() {
        // They are there without being carried out.
        name @ ("stage" | "whit") => listing(name).err(),
        _ => None,
    };
    find_type(name).ok_or_else(|| unknown().unwrap_or_else(|| Failure::new(format!("Could not find type {name}"))))
}

/// Looks at a resource with all its properties, unless that was done.
fn machine_resource(
    entry: &'static TypeEntry,
    listed: ListedResource,
    around: Surroundings<'_>,
    shown_parameters: &[String],
) -> Result<MachineResource, Failure> {
    let mut parameters: Vec<(Str, Value)> = vec![(Str::from("audit"), Value::string("all"))];
    parameters.extend(listed.parameters.iter().map(|(name, value)| (Str::from(*name), value.clone())));
    let resource = resource(entry, &listed.name, parameters);
    let prepared = prepare_resource(&resource, vec![resource.reference()], around)?;
    observed(entry, &listed.name, prepared, listed.state, around, shown_parameters)
}

/// Looks at a resource, and keeps what is shown of it.
fn observed(
    entry: &'static TypeEntry,
    title: &str,
    mut prepared: PreparedResource,
    state: Option<Observation>,
    around: Surroundings<'_>,
    shown_parameters: &[String],
) -> Result<MachineResource, Failure> {
    let Some(managed) = &mut prepared.managed else {
        return Err(prepared.lack.unwrap_or_else(|| Failure::new(format!("{} is not carried out here", entry.name))));
    };
    let state = match state {
        Some(state) => state,
        None => observe(managed.as_mut(), &prepared.info, around)?,
    };
    let properties: Vec<&str> = managed.properties().iter().map(|property| property.name).collect();
    let mut attributes: Vec<(String, Value)> = Vec::new();
    for name in properties {
        attributes.extend(state.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    for (name, value) in prepared.values.iter() {
        let is_parameter = entry.attributes.iter().any(|rule| rule.name == name && !rule.is_property());
        let is_shown = || name == "provider" || shown_parameters.iter().any(|shown| shown == name);
        if is_parameter && (is_shown() || names_of(entry).contains(&name)) {
            attributes.push((name.to_owned(), value.clone()));
        }
    }
    if entry.has_attribute("provider") && !attributes.iter().any(|(name, _)| name == "provider") {
        attributes.extend(entry.provider.map(|provider| ("provider".to_owned(), Value::string(provider))));
    }
    attributes.retain(|(name, value)| {
        let shown = text(value);
        let is_empty = shown.is_empty()
            || *value == Value::Boolean(false)
            || matches!(value, Value::Array(items) if items.is_empty());
        !is_empty && (name == "ensure" || shown != "absent") && !(name == "target" && shown == "notlink")
    });
    attributes.sort_by(|(one, _), (other, _)| (one != "ensure", one).cmp(&(other != "ensure", other)));
    let title = match names_of(entry) {
        [] => title.to_owned(),
        names => names.iter().map(|name| prepared.values.text(name).unwrap_or_default()).collect::<Vec<_>>().join("@"),
    };
    Ok(MachineResource { type_name: entry.name, title, attributes })
}

/// Returns the parameters that a resource is known by, where they are several.
fn names_of(entry: &TypeEntry) -> &'static [&'static str] {
    if entry.name == "sshkey" { &["name", "type"] } else { &[] }
}

fn observe(managed: &mut dyn Managed, info: &ResourceInfo, around: Surroundings<'_>) -> Result<Observation, Failure> {
    let catalog = AppliedCatalog::default();
    let read_only = ReadOnly(around.machine);
    managed.observe(&context(info, &catalog, &read_only, around))
}

/// Returns the digest of what a machine has of a resource, whose attributes say which one it is; nothing if it is not there, or cannot
/// be looked at. Times are not in it.
pub(crate) fn state_digest(
    (type_name, title): (&str, &str),
    attributes: &[(String, String)],
    key: &[u8; 32],
    around: Surroundings<'_>,
) -> Option<String> {
    let entry = find_type(type_name)?;
    let mut parameters = vec![(Str::from("audit"), Value::string("all"))];
    parameters.extend(attributes.iter().map(|(name, value)| (Str::from(name.as_str()), Value::string(value.as_str()))));
    let resource = resource(entry, title, parameters);
    let mut prepared = prepare_resource(&resource, vec![resource.reference()], around).ok()?;
    let log = Log::new(&NoLog, around.machine, Level::Crit);
    let around = Surroundings { log: &log, ..around };
    let observed = observe(prepared.managed.as_deref_mut()?, &prepared.info, around).ok()?;
    if !observed.is_present() {
        return None;
    }
    let mut hasher = blake3::Hasher::new_keyed(key);
    let values = observed.iter().filter(|(name, _)| !["ctime", "mtime"].contains(name));
    for (name, value) in values {
        hasher.update(format!("{name}\0{}\0", inspect(value)).as_bytes());
    }
    Some(hasher.finalize().to_hex()[..32].to_owned())
}

/// Makes a resource of a type alone, as a catalog would have it.
pub(crate) fn bare_resource(type_name: &str, title: &str, parameters: Vec<(Str, Value)>) -> Option<Resource> {
    Some(resource(find_type(type_name)?, title, parameters))
}

/// A resource of its type alone, as a catalog would have it.
fn resource(entry: &TypeEntry, title: &str, parameters: Vec<(Str, Value)>) -> Resource {
    let mut type_name = entry.name.to_owned();
    if let Some(first) = type_name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let nobody = nobody(entry.name);
    let made = Generated::new(entry.name, title, parameters);
    Resource { type_name: Str::from(type_name), ..generated_resource(&made, &nobody) }
}

/// Makes the resource that log lines name where there is none.
fn nobody(type_name: &str) -> ResourceInfo {
    ResourceInfo {
        type_name: Str::from(type_name),
        title: Str::default(),
        reference: type_name.to_owned(),
        path: type_name.to_owned(),
        containment: Vec::new(),
        place: None,
        tags: Vec::new(),
        provider: None,
        metaparameters: Metaparameters::default(),
    }
}

fn with_surroundings<R>(request: MachineRequest<'_>, work: impl FnOnce(Surroundings<'_>) -> R) -> R {
    let log = Log::new(request.sink, request.machine, request.settings.level);
    let providers = Providers::default();
    let MachineRequest { settings, machine, sources, stop, .. } = request;
    let (deferred, sums) = (&NoDeferredValues, &KnownSums::nothing());
    work(Surroundings { machine, settings, sources, deferred, stop, log: &log, providers: &providers, sums })
}

fn with_context<R>(
    type_name: &str,
    around: Surroundings<'_>,
    work: impl FnOnce(&ApplyContext<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let catalog = AppliedCatalog::default();
    let read_only = ReadOnly(around.machine);
    work(&context(&nobody(type_name), &catalog, &read_only, around))
}

/// Returns what may be used in order to look: nothing can be changed by it.
fn context<'c>(
    info: &'c ResourceInfo,
    catalog: &'c AppliedCatalog,
    read_only: &'c ReadOnly<'c>,
    around: Surroundings<'c>,
) -> ApplyContext<'c> {
    ApplyContext {
        machine: read_only,
        checks: around.machine,
        settings: around.settings,
        catalog,
        resource: info,
        sources: around.sources,
        stop: around.stop,
        log: around.log,
        providers: around.providers,
        sums: around.sums,
        is_noop: true,
    }
}
