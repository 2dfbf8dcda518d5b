//! `pantin validate --catalog`: saved catalogs, and what the agent would refuse of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{Diagnostic, Place, Severity, Source};
use pantin_repository::catalog_check::{Checks, FileLine, Finding};
use pantin_repository::comparison::{SavedCatalogs, SavedSystems};
use pantin_repository::read_to_show;
use pantin_world::MachineDisk;

use crate::args::targets::display_path;
use crate::nodes::graph_report::line_span;
use crate::print::check::Checked;

/// What counts of a saved catalog: not all of them say what contains what, so that their graphs are not looked at.
const CHECKS: Checks = Checks { graph: false, resources: true };

/// Checks the catalogs of a file, or of a folder: what was found, by the files of the code that declares it; a catalog without
/// findings as a file that is accepted. `Err`: it cannot be read.
pub(super) fn check(file: &Path, systems: &SavedSystems) -> Result<Vec<Checked>, String> {
    let saved = SavedCatalogs::read(&MachineDisk::default(), file, Some(systems))?;
    let mut by_file: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    let mut accepted = Vec::new();
    for (node, findings) in saved.findings() {
        let mut counted = findings.counted(CHECKS).peekable();
        if counted.peek().is_none() {
            accepted.push(Checked::without_findings(format!("{} ({node})", display_path(file))));
        }
        for finding in counted {
            let Finding::RefusedResource { message, place, help } = finding else { continue };
            let place = place.as_ref().filter(|place| !place.file.is_empty());
            let name = place.map_or_else(|| display_path(file), |place| place.file.clone());
            let errors = by_file.entry(name).or_default();
            let error = diagnostic(message, place, help.clone());
            // Catalogs of several nodes say the same.
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
    }
    let rejected = by_file.into_iter().map(|(file, errors)| with_errors(&file, errors));
    Ok(accepted.into_iter().chain(rejected).collect())
}

fn diagnostic(message: &str, place: Option<&FileLine>, help: Option<String>) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "REFUSED_RESOURCE",
        message: message.to_owned(),
        place: place.map_or(Place::Nowhere, |place| Place::At { line: place.line, column: 1 }),
        span: None,
        label: None,
        help,
        related: Vec::new(),
    }
}

/// Adds the lines of the source, where it is there and may be shown.
fn with_errors(file: &str, mut errors: Vec<Diagnostic>) -> Checked {
    let line = |error: &Diagnostic| match error.place {
        Place::At { line, .. } => line,
        _ => 0,
    };
    errors.sort_by_key(line);
    let bytes = read_to_show(Path::new(file));
    let source = bytes.and_then(|bytes| Source::from_bytes(Some(file), bytes).ok()).map(Arc::new);
    for error in &mut errors {
        error.span = source.as_deref().and_then(|source| line_span(source, line(error)));
    }
    Checked::with_errors(display_path(&PathBuf::from(file)), source, errors)
}
