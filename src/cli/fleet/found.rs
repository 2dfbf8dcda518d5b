//! The findings that nodes of a fleet have in common, by file, for reports that know files.

use pantin_base::{Diagnostic, Place, Severity};
use pantin_repository::messages::{About, Group};

use super::FinishedRun;
use crate::print::check::Checked;
use crate::print::counting::count;
use crate::print::report;
use crate::print::report::{Style, Tally};

/// So many names are told of those that a message is of.
const NAMES: usize = 20;

pub(super) fn style() -> Style {
    Style { colour: false, on_terminal: false, width: 100, max_errors: usize::MAX, environment: String::new() }
}

/// One of each group, and one more if the fleet does not settle.
pub(super) fn all(done: &FinishedRun<'_>) -> Vec<Checked> {
    let unsettled = done.ended.settled.unsettled.as_ref().map(|unsettled| {
        let diagnostic = diagnostic(Severity::Error, "EXPORTS_UNSETTLED", unsettled.to_string());
        Checked { name: None, ..Checked::with_error(String::new(), None, diagnostic) }
    });
    done.summary.groups.iter().map(of_group).chain(unsettled).collect()
}

/// Returns the run as one of the reports that know files.
pub(super) fn report(done: &FinishedRun<'_>, format: report::Format) -> String {
    let report = report::report(format, style());
    let found = all(done);
    let mut tally = Tally::default();
    found.iter().for_each(|checked| tally.add(Tally::new(checked)));
    let texts: Vec<String> = found.iter().map(|checked| report.file(checked)).collect();
    format!("{}{}{}", report.begin(), texts.join(report.between()), report.end(&tally))
}

fn of_group(group: &Group) -> Checked {
    let (code, severity) = match group.about {
        About::Failure => ("NODE_FAILED", Severity::Error),
        About::Cycle => ("DEPENDENCY_CYCLE", Severity::Error),
        About::Missing => ("MISSING_DEPENDENCY", Severity::Error),
        About::Refused => ("REFUSED_RESOURCE", Severity::Error),
        About::Error => ("LOGGED_ERROR", Severity::Error),
        About::Warning => ("WARNING", Severity::Warning),
    };
    let names: Vec<&str> = group.nodes.iter().take(NAMES).map(|name| name.as_str()).collect();
    let more = if group.nodes.len() > names.len() { ", …" } else { "" };
    let nodes = count(group.nodes.len(), "node");
    let mut found = diagnostic(severity, code, format!("{}\n{nodes}: {}{more}", group.text, names.join(", ")));
    found.help.clone_from(&group.help);
    if let Some(place) = &group.place {
        found.place = Place::At { line: place.line, column: place.column.unwrap_or(1) };
    }
    let name = group.place.as_ref().map(|place| place.file.clone());
    let checked = Checked::with_error(String::new(), None, found);
    if severity == Severity::Error {
        return Checked { name, ..checked };
    }
    Checked { name, warnings: checked.errors, errors: Vec::new(), error_count: 0, ..checked }
}

fn diagnostic(severity: Severity, code: &'static str, message: String) -> Diagnostic {
    Diagnostic {
        severity,
        code,
        message,
        place: Place::Nowhere,
        span: None,
        label: None,
        help: None,
        related: Vec::new(),
    }
}
