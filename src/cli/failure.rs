//! An error that ended an evaluation: as a report for a person, and as data for a program.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::check::Checked;
use super::printable::{printable, printable_line};
use super::report::{Format, Style, report};
use crate::base::{Diagnostic, Place, Severity, Source};
use crate::compile::Ended;
use crate::trace::{At, Failure};

/// The code of errors that have no other.
const CODE: &str = "EVALUATION_ERROR";

/// The source's lines with the place underlined, the help, and the calls that led there. `unnamed` is what a source
/// without a name is called.
pub(super) fn human(ended: &Ended, given: &Arc<Source>, unnamed: &str, style: &Style) -> String {
    let (error, source) = match (&ended.diagnostic, &ended.failure) {
        (Some(diagnostic), _) => (diagnostic.clone(), Some(given.clone())),
        (None, Some(failure)) => (diagnostic(failure), failure.at.as_ref().map(|at| at.unit.source.clone())),
        (None, None) => return format!("Error: {}\n", printable(&ended.text)),
    };
    let name = source.as_ref().and_then(|source| source.name()).unwrap_or(unnamed).to_owned();
    let source = source.filter(|_| error.span.is_some());
    let mut text = report(Format::Human, style.clone()).file(&Checked::with_error(name, source, error));
    if let Some(failure) = &ended.failure {
        for call in &failure.calls {
            push_call(&mut text, call, unnamed);
        }
    }
    text
}

fn diagnostic(failure: &Failure) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: CODE,
        message: failure.message.to_string(),
        place: failure.at.as_ref().map_or(Place::Nowhere, At::place),
        span: failure.at.as_ref().map(At::span),
        label: None,
        help: failure.help.clone(),
        related: Vec::new(),
    }
}

/// Longer lines are cut.
const LINE_WIDTH: usize = 100;

fn push_call(text: &mut String, call: &At, unnamed: &str) {
    let source = &call.unit.source;
    let Place::At { line, column } = call.place() else { return };
    let start = source.lines().start(line) as usize;
    let shown: String = source.text()[start..].lines().next().unwrap_or_default().chars().take(LINE_WIDTH).collect();
    let name = printable_line(source.name().unwrap_or(unnamed)).into_owned();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  called from {name}:{line}:{column}\n  {line:>4} │ {}", printable_line(shown.trim_end()));
}

/// The same for a program.
pub(super) fn machine(ended: &Ended) -> Json {
    let mut object = json!({ "message": ended.text, "code": CODE, "help": null, "calls": [] });
    if let Some(found) = &ended.diagnostic {
        object["code"] = json!(found.code);
        object["help"] = json!(found.help);
        if let Place::At { line, column } = found.place {
            object["line"] = json!(line);
            object["column"] = json!(column);
        }
    }
    if let Some(failure) = &ended.failure {
        object["help"] = json!(failure.help);
        object["calls"] = failure.calls.iter().map(place).collect();
        if let (Some(at), Some(members)) = (failure.at.as_ref().map(place), object.as_object_mut()) {
            members.extend(at.as_object().cloned().unwrap_or_default());
        }
    }
    object
}

fn place(at: &At) -> Json {
    let file = at.unit.source.name();
    let span = at.span();
    match at.place() {
        Place::At { line, column } => {
            json!({ "file": file, "line": line, "column": column, "offset": span.start, "length": span.len })
        }
        Place::Nowhere | Place::WholeFile => json!({ "file": file }),
    }
}
