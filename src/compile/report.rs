//! What the log and an error say, word for word.

use crate::base::Place;
use crate::trace::{At, Failure, Level, Log, LogSource, Shape};

/// A line of the log as the console prints it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    pub level: Level,
    pub text: String,
}

/// `Notice: Scope(Class[main]): text`
pub(super) fn log_line(log: &Log) -> LogLine {
    let label = log.level.label();
    let suffix = log.at.as_ref().map(|at| place_of(at).suffix(file_of(at))).unwrap_or_default();
    let text = match log.source {
        LogSource::Scope => format!("{label}: Scope(Class[main]): {}", log.message),
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

/// What stands behind `Error: ` on the console.
pub(super) fn error_text(failure: &Failure, node: &str) -> String {
    let suffix = failure.at.as_ref().map(|at| place_of(at).suffix(file_of(at))).unwrap_or_default();
    match failure.shape {
        Shape::Evaluation => format!("Evaluation Error: {}{suffix} on node {node}", failure.message),
        Shape::Jump => {
            let place = failure.at.as_ref().map(line_only).unwrap_or_default();
            format!("{} {place} on node {node}", failure.message)
        }
        Shape::Plain => format!("{}{suffix} on node {node}", failure.message),
        Shape::Bare => failure.message.to_string(),
    }
}
