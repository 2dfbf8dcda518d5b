//! What keeps an agent from applying a catalog, for a person: a cycle with the lines that make it, a missing resource, a refused one.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use pantin_base::{Diagnostic, Related, Severity, Source, Span};
use pantin_world::Disk;

use crate::print::check::Checked;
use crate::print::console_log::ConsoleLog;
use crate::print::printable::printable_line;
use pantin_repository::catalog_check::{CycleStep, FileLine, Finding};

pub(super) fn report(finding: &Finding, node: &str, console: &ConsoleLog, disk: &dyn Disk) {
    match finding {
        Finding::RefusedResource { message: said, place, help } => {
            let message = format!("{said}, in the catalog of {node}");
            let report = Report { code: "REFUSED_RESOURCE", message, steps: &[], help: help.clone() };
            report.tell(place.as_ref(), console, disk);
        }
        Finding::MissingDependency { message: said, place } => {
            let message = format!("{said}, in the catalog of {node}");
            let report = Report { code: "MISSING_DEPENDENCY", message, steps: &[], help: None };
            report.tell(place.as_ref(), console, disk);
        }
        Finding::Cycles { cycles, .. } => {
            for steps in cycles {
                let names: Vec<&str> = steps.iter().chain(steps.first()).map(|step| step.resource.as_str()).collect();
                let message = format!("Dependency cycle in the catalog of {node}: {}", names.join(" => "));
                let place = steps.iter().find_map(|step| step.place.as_ref());
                let report = Report { code: "DEPENDENCY_CYCLE", message, steps, help: Some(around(steps)) };
                report.tell(place, console, disk);
            }
        }
    }
}

/// Returns the whole way, each step with its place: not all of them are in one file.
fn around(steps: &[CycleStep]) -> String {
    let mut text = "one of these has to go:".to_owned();
    for step in steps {
        let place = step.place.as_ref().map(|place| match place.file.is_empty() {
            true => format!(" (code on the command line, line {})", place.line),
            false => format!(" ({}:{})", place.file, place.line),
        });
        let place = place.unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {}{} {}", printable_line(&step.resource), printable_line(&place), step.reason);
    }
    text
}

struct Report<'f> {
    code: &'static str,
    message: String,
    steps: &'f [CycleStep],
    help: Option<String>,
}

impl Report<'_> {
    /// `place`: the line that is shown first; what else stands in the same file is shown with it.
    fn tell(self, place: Option<&FileLine>, console: &ConsoleLog, disk: &dyn Disk) {
        let source = place.and_then(|place| source(place, disk));
        let line = |place: &FileLine| source.as_deref().and_then(|source| line_span(source, place.line));
        let note = |place: &FileLine| {
            let here = self.steps.iter().filter(|step| step.place.as_ref() == Some(place));
            here.map(|step| format!("{} {}", step.resource, step.reason)).collect::<Vec<_>>().join("; ")
        };
        let mut others: Vec<&FileLine> = self.steps.iter().filter_map(|step| step.place.as_ref()).collect();
        others.retain(|other| place.is_some_and(|place| other.file == place.file && other.line != place.line));
        others.sort_by_key(|other| other.line);
        others.dedup();
        let related = others.iter().filter_map(|other| Some(Related { span: line(other)?, note: note(other) }));
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code: self.code,
            place: place
                .map_or(pantin_base::Place::Nowhere, |place| pantin_base::Place::At { line: place.line, column: 1 }),
            span: place.and_then(line),
            label: place.map(note).filter(|note| !note.is_empty()),
            related: related.collect(),
            message: self.message,
            help: self.help,
        };
        let name = match place {
            Some(place) if place.file.is_empty() => "<code>".to_owned(),
            place => place.map(|place| place.file.clone()).unwrap_or_default(),
        };
        console.report(&Checked::with_error(name, source, diagnostic));
    }
}

fn source(place: &FileLine, disk: &dyn Disk) -> Option<Arc<Source>> {
    let bytes = disk.read(Path::new(&place.file)).ok().flatten()?;
    Source::from_bytes(Some(&place.file), bytes).ok().map(Arc::new)
}

/// Returns a line without the blanks around it.
pub(crate) fn line_span(source: &Source, line: u32) -> Option<Span> {
    let lines = source.lines();
    if line == 0 || line > lines.count() {
        return None;
    }
    let start = lines.start(line);
    let text = source.text()[start as usize..].lines().next().unwrap_or_default();
    let indent = text.len() - text.trim_start().len();
    Some(Span::new(start + indent as u32, text.trim().len() as u32))
}
