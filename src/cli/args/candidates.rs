//! What a shell can complete beside options: nodes, environments, operating systems, names of functions and types.
//!
//! The shell asks for candidates while something is typed, so what cannot be read offers nothing, in silence.

use std::path::Path;

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use pantin_eval::builtins;
use pantin_repository::Repository;
use pantin_repository::options::{CacheOptions, FactSource, MainManifest, Options};
use pantin_repository::timings::Timings;
use pantin_values::types::DOCS;
use pantin_world::environment::Environments;
use pantin_world::facts::os_names;
use pantin_world::{Disk, MachineDisk, git_branches};

/// Facts stand there in most repositories, where nothing says so.
const USUAL_FOLDER: &str = "facts";

/// Returns the nodes of the repository around the current folder: those that its configuration has facts of, or that
/// stand in `facts`.
pub(crate) fn nodes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let mut options =
            Options { reads_configuration: true, main: MainManifest::Code(String::new()), ..Options::default() };
        let disk = MachineDisk::default();
        let has_configured = options.configured(&disk).is_ok_and(|configured| !configured.nodes.facts.is_empty());
        if !has_configured && disk.is_folder(Path::new(USUAL_FOLDER)) {
            options.nodes.facts = vec![FactSource::At(USUAL_FOLDER.into())];
        }
        let Ok(repository) = Repository::open(&options, &CacheOptions::Off, Timings::none()) else { return Vec::new() };
        let names = repository.node_names(&[]).unwrap_or_default();
        names.iter().map(|name| CompletionCandidate::new(name.as_str())).collect()
    })
}

/// Returns the environments of the settings, and the branches of the repository, which r10k deploys as environments.
pub(crate) fn environments() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let options = Options { main: MainManifest::Code(String::new()), ..Options::default() };
        let opened = Repository::open(&options, &CacheOptions::Off, Timings::none());
        let in_path = opened
            .ok()
            .and_then(|repository| Environments { settings: &repository.compiler.world.settings }.names().ok());
        let branches = git_branches(&MachineDisk::default(), &pantin_world::absolute_path(Path::new(".")));
        let mut names = in_path.unwrap_or_default();
        names.extend(
            branches.into_iter().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')),
        );
        names.push("production".to_owned());
        names.sort();
        names.dedup();
        names.into_iter().map(CompletionCandidate::new).collect()
    })
}

pub(crate) fn operating_systems() -> ArgValueCandidates {
    ArgValueCandidates::new(|| os_names().map(CompletionCandidate::new).collect())
}

/// Returns what `pantin doc` describes.
pub(crate) fn documented_names() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let functions = builtins::all().all().into_iter().map(|known| known.declared.name);
        functions.chain(DOCS.iter().map(|of| of.name)).map(CompletionCandidate::new).collect()
    })
}
