//! The wording of log lines and errors, as Puppet has it.

use pantin_base::{Place, Severity};
use pantin_model::trace::{At, Failure, Level, Log, LogSource, Shape};
use pantin_syntax::ast::{Ast, NodeId};
use pantin_values::{Fault, FaultKind};
use pantin_world::Remark;
use serde::{Deserialize, Serialize};

/// A line of the log as the console prints it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogLine {
    pub level: Level,
    pub text: String,
}

impl LogLine {
    /// Returns what reading the world had to say.
    pub fn from_remark(remark: &Remark) -> LogLine {
        let level = if remark.severity == Severity::Error { Level::Err } else { Level::Warning };
        LogLine::with_label(level, &remark.text)
    }

    /// `Error: text`
    pub fn with_label(level: Level, text: &str) -> LogLine {
        LogLine { level, text: format!("{}: {text}", level.label()) }
    }
}

/// `Notice: Scope(Class[main]): text`; `scope` is the resource whose code says it.
pub(super) fn log_line(log: &Log, scope: &str) -> LogLine {
    let label = log.level.label();
    let suffix = log.at.as_ref().map(|at| place_of(at).suffix(file_of(at))).unwrap_or_default();
    let text = match log.source {
        LogSource::Scope => format!("{label}: Scope({scope}): {}", log.message),
        LogSource::Puppet => format!("{label}: {}{suffix}", log.message),
        LogSource::Deprecation => {
            let place = match &log.at {
                Some(at) => line_only(at),
                None => "(file & line not available)".to_owned(),
            };
            format!("{label}: {}\n   {place}", log.message)
        }
    };
    LogLine { level: log.level, text }
}

/// Returns a warning of Puppet itself.
pub(super) fn warning(message: &str) -> LogLine {
    LogLine::with_label(Level::Warning, message)
}

/// `(file: F, line: L)`, or as much as is known.
pub(super) fn location(file: Option<&str>, line: Option<u32>) -> String {
    match (file.filter(|file| !file.is_empty()), line) {
        (Some(file), Some(line)) => format!("(file: {file}, line: {line})"),
        (Some(file), None) => format!("(file: {file})"),
        (None, Some(line)) => format!("(line: {line})"),
        (None, None) => String::new(),
    }
}

/// Returns a location behind a word or a space, where there is one.
pub(super) fn behind(lead: &str, location: &str) -> String {
    if location.is_empty() { String::new() } else { format!("{lead}{location}") }
}

/// The same of where a resource or a parameter stands.
pub(super) fn resource_location(at: Option<&At>) -> String {
    at.map(|at| location(file_of(at), place_of(at).line())).unwrap_or_default()
}

/// `what`: a kind of definition that the loaders know by one name alone.
pub(super) fn redefinition(what: &str, name: &str, originally: &str) -> String {
    let entity = format!("http://puppet.com/2016.1/runtime/{what}/{}", name.to_lowercase());
    format!("Attempt to redefine entity '{entity}'. Originally set {originally}.")
}

/// Where a definition stands, as the address of it.
pub(super) fn origin(ast: &Ast, id: NodeId) -> String {
    let Place::At { line, column } = ast.place(id) else { return String::new() };
    match ast.source().name() {
        Some(file) => format!("at file://{file}?line={line}&pos={column}"),
        None => format!("at string:?line={line}&pos={column}"),
    }
}

/// Returns what is wrong without having a place: whoever wanted it gives it one, or it is told without.
pub(super) fn failure_of(fault: Fault) -> Failure {
    let shape = match fault.kind {
        FaultKind::Located => Shape::Plain,
        FaultKind::Logged => Shape::Bare,
        FaultKind::Plain | FaultKind::Issue(_) | FaultKind::Limit => Shape::Evaluation,
    };
    Failure::new(fault, shape, None)
}

fn place_of(at: &At) -> Place {
    at.place()
}

fn file_of(at: &At) -> Option<&str> {
    at.unit.source.name()
}

/// `(file: F, line: L)`
fn line_only(at: &At) -> String {
    let Place::At { line, .. } = place_of(at) else { return String::new() };
    match file_of(at) {
        Some(file) => format!("(file: {file}, line: {line})"),
        None => format!("(file: unknown, line: {line})"),
    }
}

/// Returns what stands behind `Error: ` on the console.
pub(super) fn error_text(failure: &Failure, node: &str) -> String {
    let text = error_without_node(failure);
    if matches!(failure.shape, Shape::Bare | Shape::BareDefault) { text } else { format!("{text} on node {node}") }
}

/// Returns an error's text without the node that it is told to.
pub fn without_node<'t>(text: &'t str, node: &str) -> &'t str {
    text.strip_suffix(&format!(" on node {node}")).unwrap_or(text)
}

/// The same as a part of another error.
pub(super) fn error_without_node(failure: &Failure) -> String {
    let suffix = failure.at.as_ref().map(|at| place_of(at).suffix(file_of(at))).unwrap_or_default();
    match failure.shape {
        Shape::Evaluation if failure.has_no_place() => failure.message.to_string(),
        Shape::Evaluation => format!("Evaluation Error: {}{suffix}", failure.message),
        Shape::Jump | Shape::Default => {
            let place = failure.at.as_ref().map(line_only).unwrap_or_default();
            format!("{} {place}", failure.message)
        }
        Shape::Plain => format!("{}{suffix}", failure.message),
        Shape::Bare | Shape::BareDefault | Shape::Whole => failure.message.to_string(),
    }
}
