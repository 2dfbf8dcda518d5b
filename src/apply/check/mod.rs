//! Checks of resources before any agent sees them: which values the agent would refuse, in its own words.
//!
//! The rules are those by which a resource is made for a run; here they judge without a machine. What depends on the node's system is
//! judged by its facts, or not at all. Must not know where a catalog comes from, or how anything is shown.

mod help;
mod no_machine;
mod node_system;
mod only_checked;
mod plugins;
mod providers;
mod yumrepo;

use std::sync::{Arc, LazyLock};

use pantin_model::catalog::{Catalog, Resource, ResourceTypeKind};
use pantin_model::graph;
use pantin_values::Str;
use rustc_hash::FxHashMap;

pub use node_system::{NodeSystem, SYSTEM_FACTS};
pub use plugins::{AnyModulePlugins, ModulePlugins, ModuleType, NoModulePlugins};
pub(crate) use providers::has_feature;

use crate::deferred::{has_call, without_deferred};
use crate::log::{Level, Log, NoLog};
use crate::resource::{Completeness, Judge, build, is_surely_taken};
use crate::settings::ApplySettings;
use crate::types::{TypeEntry, find_type};
use no_machine::NoMachine;
use node_system::SYSTEM_BITS;
use only_checked::find_only_checked;

/// A resource that the agent would refuse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The place of the resource in its catalog.
    pub resource: u32,
    /// In the agent's words, without the place in a file.
    pub message: String,
    /// What probably mends it.
    pub help: Option<String>,
}

/// Puppet's defaults: no check depends on a setting.
static SETTINGS: LazyLock<ApplySettings> = LazyLock::new(|| ApplySettings::new(""));

/// Returns the resources of a catalog that the agent of a node would refuse, in the order of the catalog. A resource that several
/// catalogs share is looked at once.
pub fn check_catalog(catalog: &Catalog, system: &NodeSystem, modules: &dyn ModulePlugins) -> Vec<Refusal> {
    let number = number_with(system.number(), modules.edits());
    let mut module_types = ModuleTypes { known: FxHashMap::default(), modules, system: *system };
    let mut refusals = Vec::new();
    for (place, resource) in (0..).zip(&catalog.resources) {
        if resource.is_accepted_by(number) {
            continue;
        }
        let (refusal, number) = match module_types.find(resource) {
            None => (check_resource(resource, system, modules), number),
            Some(None) => (None, number),
            Some(Some(kind)) => {
                let number = number_with(system.number(), kind.number());
                if resource.is_accepted_by(number) {
                    continue;
                }
                (check_of_module(resource, &*kind), number)
            }
        };
        match refusal {
            None => resource.note_accepted_by(number),
            Some(refusal) => refusals.push(Refusal { resource: place, ..refusal }),
        }
    }
    refusals
}

/// The types of modules of which a catalog has resources.
struct ModuleTypes<'m> {
    known: FxHashMap<Str, Option<Arc<dyn ModuleType>>>,
    modules: &'m dyn ModulePlugins,
    system: NodeSystem,
}

impl ModuleTypes<'_> {
    /// Finds what judges a resource of a module's type. The outer `None`: the type is none of a module.
    fn find(&mut self, resource: &Resource) -> Option<Option<Arc<dyn ModuleType>>> {
        let is_of_module = resource.kind == ResourceTypeKind::Native && find_checked(&resource.type_name).is_none();
        if !is_of_module {
            return None;
        }
        // Code of modules knows paths of one system, that of the agent.
        if !self.system.is_posix() {
            return Some(None);
        }
        if let Some(known) = self.known.get(&resource.type_name) {
            return Some(known.clone());
        }
        let found = self.modules.module_type(&resource.type_name);
        self.known.insert(resource.type_name.clone(), found.clone());
        Some(found)
    }
}

/// Returns a number that stands for a system and something else that decides.
fn number_with(system: u64, other: u64) -> u64 {
    // The number of a system has fewer bits.
    system | other << SYSTEM_BITS
}

/// Returns why the agent would refuse a resource of a module's type, in the words of the type.
fn check_of_module(resource: &Resource, kind: &dyn ModuleType) -> Option<Refusal> {
    if resource.parameters.iter().any(|(_, value)| has_call(value)) {
        return None;
    }
    let message = kind.refusal(resource)?;
    Some(Refusal { resource: 0, message: without_secrets(&message, resource), help: None })
}

/// Returns why the agent of a node would refuse a resource. `None`: it takes it, or nobody knows.
pub fn check_resource(resource: &Resource, system: &NodeSystem, modules: &dyn ModulePlugins) -> Option<Refusal> {
    // A saved catalog may not say which kind of type it is; a defined type has no name of a native one.
    if matches!(resource.kind, ResourceTypeKind::Defined | ResourceTypeKind::Class) {
        return None;
    }
    let kind = find_checked(&resource.type_name)?;
    // Which of their attributes the provider there leaves out is not known.
    if system.is_windows() && ["user", "group"].contains(&kind.name) {
        return None;
    }
    let known = without_deferred(resource);
    let (judged, completeness) = match &known {
        Some(known) => (known, Completeness::InPart),
        None => (resource, Completeness::Whole),
    };
    let log = Log::new(&NoLog, &NoMachine, Level::Crit);
    let surroundings = (&*SETTINGS, &NoMachine as &dyn pantin_machine::Reading, &log);
    if is_surely_taken(kind, judged, surroundings, Judge::Node(*system, modules), completeness) {
        return None;
    }
    let reference = graph::reference(resource);
    let failure = build(kind, judged, &reference, surroundings, Judge::Node(*system, modules), completeness).err()?;
    if plugins::is_other_version(kind.name, modules) {
        return None;
    }
    let message = without_secrets(failure.message_without_place(resource.place.as_ref()), resource);
    let help = help::likely_fix(kind, &message, resource);
    Some(Refusal { resource: 0, message, help })
}

/// Finds the rules of a type that the agent brings itself. Types of modules have rules of their own.
fn find_checked(type_name: &str) -> Option<&'static TypeEntry> {
    let native = pantin_model::catalog::kinds::native(type_name)?;
    find_type(native.name()).or_else(|| find_only_checked(native.name()))
}

/// Returns a message without what a secret value says.
fn without_secrets(message: &str, resource: &Resource) -> String {
    let has_secret = resource.parameters.iter().any(|(name, _)| resource.is_secret(name));
    match message.split_once("]: ").filter(|_| has_secret) {
        Some((subject, _)) => format!("{subject}]: [a value is Sensitive: the reason is not shown]"),
        None => message.to_owned(),
    }
}
