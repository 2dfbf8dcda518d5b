//! An error that ended an evaluation: as a report for a person, and as data for a program.

use std::fmt::Write;
use std::sync::Arc;

use pantin_base::{Diagnostic, Place, Severity, Sighting, Source, Span};
use pantin_compile::Ended;
use pantin_model::trace::{At, Failure};
use serde::Serialize;

use super::check::Checked;
use super::printable::{printable, printable_line};
use super::report::{Format, Style, report};

/// The code of errors that have no other.
const CODE: &str = "EVALUATION_ERROR";

/// The source's lines with the place underlined, the help, and the calls that led there. `unnamed` is what a source
/// without a name is called.
pub(crate) fn human(ended: &Ended, given: &Arc<Source>, unnamed: &str, style: &Style) -> String {
    let (error, source) = match (&ended.diagnostic, &ended.failure) {
        (Some(diagnostic), _) => {
            ((**diagnostic).clone(), Some(ended.source.as_ref().map_or_else(|| given.clone(), Arc::clone)))
        }
        (None, Some(failure)) => match &failure.seen {
            Some(seen) => (sighted(failure, seen), seen.source.clone()),
            None => (diagnostic(failure), failure.at.as_ref().map(|at| at.unit.source.clone())),
        },
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

/// What was seen where the error is, with what was found out on its way.
fn sighted(failure: &Failure, seen: &Sighting) -> Diagnostic {
    let mut error = seen.diagnostic.clone();
    error.help = error.help.or_else(|| failure.help.clone());
    if error.code.is_empty() {
        error.code = CODE;
    }
    error
}

fn diagnostic(failure: &Failure) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: code(failure),
        message: failure.message.to_string(),
        place: failure.at.as_ref().map_or(Place::Nowhere, At::place),
        span: failure.at.as_ref().map(At::span),
        label: None,
        help: failure.help.clone(),
        related: Vec::new(),
    }
}

fn code(failure: &Failure) -> &'static str {
    if failure.code.is_empty() { CODE } else { failure.code }
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
#[derive(Serialize)]
pub(crate) struct FailureJson<'a> {
    message: &'a str,
    code: &'a str,
    help: Option<&'a str>,
    #[serde(flatten)]
    place: PlaceJson<'a>,
    /// From the innermost.
    calls: Vec<PlaceJson<'a>>,
}

/// Lines and columns count from one, columns in characters; offset and length are in bytes.
#[derive(Default, Serialize)]
struct PlaceJson<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    offset: Option<u32>,
    length: Option<u32>,
}

impl<'a> FailureJson<'a> {
    /// `file`: the name of the source that was given.
    pub(crate) fn of(ended: &'a Ended, file: Option<&'a str>) -> FailureJson<'a> {
        let mut json = FailureJson {
            message: &ended.text,
            code: CODE,
            help: None,
            place: PlaceJson::default(),
            calls: Vec::new(),
        };
        if let Some(failure) = &ended.failure {
            json.code = code(failure);
            json.help = failure.help.as_deref();
            json.place = failure.at.as_ref().map(PlaceJson::of_expression).unwrap_or_default();
            json.calls = failure.calls.iter().map(PlaceJson::of_expression).collect();
        }
        if let Some(found) = &ended.diagnostic {
            json.code = found.code;
            json.help = found.help.as_deref();
            json.place = PlaceJson::of(file, found.place, found.span);
        }
        json
    }
}

impl<'a> PlaceJson<'a> {
    fn of_expression(at: &'a At) -> PlaceJson<'a> {
        PlaceJson::of(at.unit.source.name(), at.place(), Some(at.span()))
    }

    fn of(file: Option<&'a str>, place: Place, span: Option<Span>) -> PlaceJson<'a> {
        let (line, column) = match place {
            Place::At { line, column } => (Some(line), Some(column)),
            Place::Nowhere | Place::WholeFile => (None, None),
        };
        PlaceJson { file, line, column, offset: span.map(|span| span.start), length: span.map(|span| span.len) }
    }
}
