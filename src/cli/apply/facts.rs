//! The facts of the machine that is applied to: core facts, external ones, and what Puppet adds.

use std::path::{Path, PathBuf};

use pantin_facts::{Configuration, EXTERNAL_TIME_LIMIT, Programs, Tree, collect_core, default_folders, read_external};
use pantin_machine::{RealSystem, Stop};
use pantin_values::{Hash, Value};

use super::machine_settings::MachineSettings;

/// The facts of a machine, or of a tree that is to be one.
pub(super) struct MachineFacts {
    pub facts: Hash,
    /// Why some external facts could not be had.
    pub troubles: Vec<String>,
}

/// Collects the facts. With flat ones of old times where the settings say so.
pub(super) fn machine_facts(
    machine: &RealSystem,
    root: Option<&Path>,
    settings: &MachineSettings,
    stop: &Stop,
) -> Result<MachineFacts, String> {
    let tree = Tree { machine, root };
    let configuration = Configuration::read(tree, None)?;
    let mut folders = match configuration.external_folders.as_slice() {
        [] => default_folders(machine),
        named => named.to_vec(),
    };
    folders.push(settings.path("pluginfactdest")?);
    if configuration.has_no_external_facts {
        folders.clear();
    }
    let programs = match root {
        Some(_) => Programs::Foreign,
        None => Programs::Run { limit: EXTERNAL_TIME_LIMIT },
    };
    let external = read_external(machine, &folders_in(root, folders), programs, &configuration, stop);
    let facts = collect_core(tree, settings.language, &[]).with_own(external.facts).without_blocked(&configuration);
    let facts = facts.with_core("puppetversion", Value::from(settings.language.release()));
    let with_legacy = settings.flag("include_legacy_facts")?;
    Ok(MachineFacts { facts: facts.to_hash(with_legacy), troubles: external.troubles })
}

fn folders_in(root: Option<&Path>, folders: Vec<PathBuf>) -> Vec<PathBuf> {
    match root {
        Some(root) => folders.iter().map(|folder| root.join(folder.strip_prefix("/").unwrap_or(folder))).collect(),
        None => folders,
    }
}
