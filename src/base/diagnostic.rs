//! What is wrong with a source, as plain data: no colours, no terminal, no file access.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Source, Span};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Severity {
    Error,
    Warning,
    /// Shown as a warning, counted and limited apart from warnings.
    Deprecation,
}

crate::digestible!(enum Severity { 0 = Error, 1 = Warning, 2 = Deprecation });

/// Where Puppet's own one-line form says it is. A few messages of the real one name no line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Place {
    Nowhere,
    WholeFile,
    /// Line and column count from one; the column counts characters.
    At {
        line: u32,
        column: u32,
    },
}

impl Place {
    pub fn line(self) -> Option<u32> {
        match self {
            Place::At { line, .. } => Some(line),
            Place::Nowhere | Place::WholeFile => None,
        }
    }

    /// Returns the end of a one-line message: ` (file: F, line: L, column: C)`, or as much as is known.
    pub fn suffix(self, file: Option<&str>) -> String {
        match (self, file.filter(|name| !name.is_empty())) {
            (Place::Nowhere, _) | (Place::WholeFile, None) => String::new(),
            (Place::WholeFile, Some(file)) => format!(" (file: {file})"),
            (Place::At { line, column }, Some(file)) => format!(" (file: {file}, line: {line}, column: {column})"),
            (Place::At { line, column }, None) => format!(" (line: {line}, column: {column})"),
        }
    }
}

/// A further place that explains the first, such as where an unclosed brace was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    pub span: Span,
    pub note: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    /// The name of the issue, as Puppet names it: `SYNTAX_ERROR`.
    pub code: &'static str,
    /// Puppet's text, without the place.
    pub message: String,
    pub place: Place,
    /// What to underline for a person. `None` where there is no text to show.
    pub span: Option<Span>,
    /// Said at the underlined text; the message itself where empty.
    pub label: Option<String>,
    /// The likely fix.
    pub help: Option<String>,
    pub related: Vec<Related>,
}

/// What a person is shown of an error whose own text tells the place: what is wrong, and the source it was seen in.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// None: the text is not one that the person knows.
    pub source: Option<Arc<Source>>,
    pub diagnostic: Diagnostic,
}

/// It adds nothing to what the error says: two errors are the same if they say the same.
impl PartialEq for Sighting {
    fn eq(&self, _: &Sighting) -> bool {
        true
    }
}

impl Eq for Sighting {}

impl Diagnostic {
    /// Returns an error of a place in a text: line and column count from one. Without a column the line is underlined
    /// as far as something stands on it. `None`: there is no such line.
    pub fn in_source(source: &Source, line: u32, column: Option<u32>, message: &str) -> Option<Diagnostic> {
        if line == 0 || line > source.lines().count() {
            return None;
        }
        let start = source.lines().start(line);
        let shown = source.text()[start as usize..].lines().next().unwrap_or_default();
        let span = match column {
            None => {
                let indent = shown.len() - shown.trim_start().len();
                Span { start: start + indent as u32, len: shown.trim().len() as u32 }
            }
            Some(column) => {
                let before = shown.chars().take(column.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
                let len = shown[before..].chars().next().map_or(0, char::len_utf8);
                Span { start: start + before as u32, len: len as u32 }
            }
        };
        Some(Diagnostic::at_span(source, span, message))
    }

    /// Returns an error of a part of a text.
    pub fn at_span(source: &Source, span: Span, message: &str) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code: "",
            message: message.to_owned(),
            place: source.place(span.start),
            span: Some(span),
            label: None,
            help: None,
            related: Vec::new(),
        }
    }

    /// Puppet's one line: the message and the place in parentheses.
    pub fn one_line(&self, file: Option<&str>) -> String {
        format!("{}{}", self.message, self.place.suffix(file))
    }
}
