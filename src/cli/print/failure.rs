//! An error that ended an evaluation: as a report for a person, and as data for a program.

use std::fmt::Write;

use pantin_base::{Place, Span};
use pantin_compile::CompileError;
use pantin_model::trace::At;
use pantin_repository::answer::{EVALUATION_ERROR, FailureCall, FailureDetail, FailureReport, failure_code};
use pantin_repository::messages::shorten_ciphertexts;
use pantin_world::Disk;
use serde::Serialize;

use super::check::Checked;
use super::printable::{printable, printable_line};
use super::relative_path::relative_paths;
use super::report::{Format, Style, report as report_of};

/// Returns the source's lines with the place underlined, the help, and the calls that led there. `unnamed` is what a
/// source without a name is called.
pub(crate) fn human(report: &FailureReport, disk: &dyn Disk, unnamed: &str, style: &Style) -> String {
    let Some(FailureDetail { diagnostic, source, calls, .. }) = report.detail.as_deref() else {
        return format!("Error: {}\n", printable(&shorten_ciphertexts(&relative_paths(&report.text))));
    };
    let source = source.as_ref().and_then(|source| source.load(disk));
    let name = relative_paths(source.as_ref().and_then(|source| source.name()).unwrap_or(unnamed)).into_owned();
    let mut diagnostic = diagnostic.clone();
    diagnostic.message = shorten_ciphertexts(&relative_paths(&diagnostic.message)).into_owned();
    diagnostic.help = diagnostic.help.map(|help| relative_paths(&help).into_owned());
    let source = source.filter(|_| diagnostic.span.is_some());
    let mut text = report_of(Format::Human, style.clone()).file(&Checked::with_error(name, source, diagnostic));
    for call in calls {
        push_call(&mut text, call, disk, unnamed);
    }
    text
}

/// Longer lines are cut.
const LINE_WIDTH: usize = 100;

fn push_call(text: &mut String, call: &FailureCall, disk: &dyn Disk, unnamed: &str) {
    let FailureCall { source, line, column } = call;
    let Some(source) = source.load(disk) else { return };
    let start = source.lines().start(*line) as usize;
    let shown: String = source.text()[start..].lines().next().unwrap_or_default().chars().take(LINE_WIDTH).collect();
    let name = printable_line(&relative_paths(source.name().unwrap_or(unnamed))).into_owned();
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
    pub(crate) fn new(ended: &'a CompileError, file: Option<&'a str>) -> FailureJson<'a> {
        let mut json = FailureJson {
            message: &ended.text,
            code: EVALUATION_ERROR,
            help: None,
            place: PlaceJson::default(),
            calls: Vec::new(),
        };
        if let Some(failure) = &ended.failure {
            json.code = failure_code(failure);
            json.help = failure.help.as_deref();
            json.place = failure.at.as_ref().map(PlaceJson::of_expression).unwrap_or_default();
            json.calls = failure.calls.iter().map(PlaceJson::of_expression).collect();
        }
        if let Some(found) = &ended.diagnostic {
            json.code = found.code;
            json.help = found.help.as_deref();
            json.place = PlaceJson::new(file, found.place, found.span);
        }
        json
    }
}

impl<'a> PlaceJson<'a> {
    fn of_expression(at: &'a At) -> PlaceJson<'a> {
        PlaceJson::new(at.unit.source.name(), at.place(), Some(at.span()))
    }

    fn new(file: Option<&'a str>, place: Place, span: Option<Span>) -> PlaceJson<'a> {
        let (line, column) = match place {
            Place::At { line, column } => (Some(line), Some(column)),
            Place::Nowhere | Place::WholeFile => (None, None),
        };
        PlaceJson { file, line, column, offset: span.map(|span| span.start), length: span.map(|span| span.len) }
    }
}
