//! Files of bindings of an environment: where they are, and what is in them.
//! It must not know what a node injects.

mod check;
mod check_manifests;
mod enc;
mod files;
mod layers;
mod program;
mod rows;
mod site;
mod site_code;

pub use check::BindingsCheck;
pub(crate) use enc::EncParts;
pub use files::FileBinding;
pub(crate) use files::{BindingsFolders, ReadDefinition};
pub(crate) use layers::{
    LayerRequests, LayersKey, PlacedUri, ResolvedLayers, are_errors, not_found, problem, unknown_scheme,
};
pub(crate) use program::PROGRAM_LAYER;
pub use rows::{bound_names, changed_bindings, named_rows, row_hashes_of_name, rows_of_bindings, written_bindings};
pub(crate) use site::{EvaluatedSite, SiteFailure, SiteStatements};

use std::path::Path;
use std::sync::Arc;

use pantin_base::Severity;
use pantin_bindings::{Problem, located_fault};
use pantin_model::trace::{Failure, Level};
use pantin_values::Fault;

use super::report::{LogLine, failure_of};

/// Returns a resource as the keys of its bound parameters write it.
pub fn bound_resource(type_name: &str, title: &str) -> String {
    pantin_bindings::Subject::Resource(type_name.to_owned(), title.to_owned()).key_text()
}

/// Returns a file of bindings as messages show it: relative to the environment's folder, or to the folder of settings.
pub(crate) fn shown_path(path: &Path, folders: &[&Path]) -> Arc<str> {
    let relative = folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
    relative.unwrap_or(path).display().to_string().into()
}

/// The first words of the line that counts several errors.
pub(crate) const VALIDATION: &str = "Bindings validation logged";

/// Logs what is wrong, and makes the failure of it: one error is told by itself, of several each is logged.
pub(crate) fn failure_from(problems: &[Problem], log: &mut Vec<LogLine>) -> Option<Failure> {
    for problem in problems.iter().filter(|problem| problem.rule.severity != Severity::Error) {
        log.push(LogLine::with_label(Level::Warning, &problem.one_line()));
    }
    let errors: Vec<&Problem> = problems.iter().filter(|problem| problem.rule.severity == Severity::Error).collect();
    match errors.as_slice() {
        [] => None,
        [only] => Some(failure_of(located_fault(only))),
        all => {
            for problem in all {
                log.push(LogLine::with_label(Level::Err, &problem.one_line()));
            }
            let message = format!("{VALIDATION} {} errors. Giving up", all.len());
            Some(failure_of(Fault::located(message)))
        }
    }
}
