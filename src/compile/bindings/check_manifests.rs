//! What is wrong with the manifests of an environment and of its modules, as far as bindings are concerned.
//! It must not know what is bound.

use std::path::Path;
use std::sync::Arc;

use pantin_base::{Location, Severity};
use pantin_bindings::Problem;
use pantin_syntax::{GIVING_UP, MessageLimits, SourceKind};
use pantin_values::Fault;
use pantin_world::environment::Environment;
use pantin_world::{LeafKind, glob_under};

use super::files::BindingsFolders;
use crate::codebase::CodeBase;

/// Returns the errors of the environment's own manifests, which do not parse.
pub(super) fn broken_manifests(base: &CodeBase, environment: &Environment, folders: &BindingsFolders) -> Vec<Problem> {
    let files = environment.manifest.files(&base.modules.disk).unwrap_or_default();
    files.iter().flat_map(|path| manifest_errors(base, path, &Location::Anywhere, folders)).collect()
}

/// Returns the definitions of bindings and the `site` statements that stand in manifests of modules.
pub(super) fn misplaced_statements(base: &CodeBase, folders: &BindingsFolders) -> Result<Vec<Problem>, Fault> {
    let mut problems = Vec::new();
    for module in base.modules.all() {
        let manifests = module.folder.join("manifests");
        for path in glob_under(&base.modules.disk, &manifests, "**/*.pp").map_err(Fault::new)? {
            let may_have = |text: &str| text.contains("bindings") || text.contains("site");
            if !base.source(&path, LeafKind::Code).is_ok_and(|source| may_have(source.text())) {
                continue;
            }
            let location = Location::Namespace(module.name.to_string());
            let found = manifest_errors(base, &path, &location, folders);
            problems.extend(found.into_iter().filter(|problem| problem.rule.code.starts_with("BINDINGS_")));
        }
    }
    Ok(problems)
}

fn manifest_errors(base: &CodeBase, path: &Path, location: &Location, folders: &BindingsFolders) -> Vec<Problem> {
    let Ok(source) = base.source(path, LeafKind::Code) else { return Vec::new() };
    let shown = folders.shown(path);
    let outcome = pantin_syntax::check(
        Arc::clone(&source),
        SourceKind::Manifest,
        location,
        base.syntax_settings(),
        MessageLimits::default(),
    );
    let found = outcome.log.iter().chain(&outcome.error).filter(|found| found.code != GIVING_UP);
    let errors = found.filter(|found| found.severity == Severity::Error);
    errors.map(|found| Problem::from_diagnostic(found, &source, &shown)).collect()
}
