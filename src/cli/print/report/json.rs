//! JSON lines: one object for each target, and one with the counts at the end.
//!
//! The names are promised in `pantin validate --help`: they may grow in number, never change.

use pantin_base::{Diagnostic, Place, Places, Severity, Span};
use serde::Serialize;

use super::{Report, Style, Tally};
use crate::print::check::Checked;
use crate::print::printable::escaped_json;

/// Grows when a reader of the old form would misread the new one.
const SCHEMA: u32 = 1;

pub(super) struct Json {
    pub(super) style: Style,
}

#[derive(Serialize)]
struct FileLine<'a> {
    file: &'a str,
    accepted: bool,
    errors: usize,
    warnings: usize,
    findings: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Finding<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    offset: Option<u32>,
    length: Option<u32>,
    label: Option<&'a str>,
    help: Option<&'a str>,
    related: Vec<RelatedPlace<'a>>,
}

#[derive(Serialize)]
struct RelatedPlace<'a> {
    message: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    offset: u32,
    length: u32,
}

#[derive(Serialize)]
struct SummaryLine {
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    schema: u32,
    files: usize,
    rejected: usize,
    errors: usize,
    warnings: usize,
    bytes: u64,
}

impl Report for Json {
    fn file(&self, checked: &Checked) -> String {
        let mut places = checked.source.as_deref().map(Places::from_source);
        line(&FileLine {
            file: checked.shown_name(),
            accepted: checked.accepted(),
            errors: checked.error_count,
            warnings: checked.warnings.len(),
            findings: checked.findings(self.style.max_errors).map(|found| finding(found, places.as_mut())).collect(),
        })
    }

    fn end(&self, tally: &Tally) -> String {
        line(&SummaryLine {
            summary: Summary {
                schema: SCHEMA,
                files: tally.files,
                rejected: tally.rejected,
                errors: tally.errors,
                warnings: tally.warnings,
                bytes: tally.bytes,
            },
        })
    }
}

fn finding<'a>(found: &'a Diagnostic, mut places: Option<&mut Places<'_>>) -> Finding<'a> {
    let (line, column) = line_and_column(found.place);
    Finding {
        severity: severity(found.severity),
        code: found.code,
        message: &found.message,
        line,
        column,
        offset: found.span.map(|span| span.start),
        length: found.span.map(|span| span.len),
        label: found.label.as_deref(),
        help: found.help.as_deref(),
        related: found
            .related
            .iter()
            .map(|related| related_place(&related.note, related.span, places.as_deref_mut()))
            .collect(),
    }
}

fn related_place<'a>(message: &'a str, span: Span, places: Option<&mut Places<'_>>) -> RelatedPlace<'a> {
    let (line, column) = places.map_or((None, None), |places| line_and_column(places.place_at(span.start)));
    RelatedPlace { message, line, column, offset: span.start, length: span.len }
}

fn line_and_column(place: Place) -> (Option<u32>, Option<u32>) {
    match place {
        Place::At { line, column } => (Some(line), Some(column)),
        Place::Nowhere | Place::WholeFile => (None, None),
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Deprecation => "deprecation",
    }
}

fn line(value: &impl Serialize) -> String {
    // Plain data with text for keys: it cannot fail.
    let mut text = escaped_json(serde_json::to_string(value).unwrap_or_default());
    text.push('\n');
    text
}
