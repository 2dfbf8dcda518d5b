//! Workflow commands: `::error file=…,line=…,col=…,title=…::message`.

use std::fmt::Write;

use pantin_base::{Place, Severity};

use super::{Report, Style, with_help};
use crate::print::check::Checked;
use crate::print::printable::printable;
use crate::print::repository_path::repository_path;

pub(super) struct Github {
    pub(super) style: Style,
}

impl Report for Github {
    fn file(&self, checked: &Checked) -> String {
        let mut text = String::new();
        for found in checked.findings(self.style.max_errors) {
            let level = if found.severity == Severity::Error { "error" } else { "warning" };
            let mut properties: Vec<String> = Vec::new();
            if let Some(name) = &checked.name {
                properties.push(format!("file={}", property(&repository_path(name))));
                if let Place::At { line, column } = found.place {
                    properties.push(format!("line={line},col={column}"));
                }
            }
            properties.push(format!("title={}", property(found.code)));
            let _ = writeln!(text, "::{level} {}::{}", properties.join(","), data(&with_help(found)));
        }
        if let Some(hidden) = checked.hidden_errors(self.style.max_errors) {
            let name =
                property(&checked.name.as_deref().map_or_else(|| checked.shown_name().to_owned(), repository_path));
            let _ = writeln!(text, "::notice file={name}::{}", data(&hidden));
        }
        // Whoever looks at the log of the run has a terminal, or what shows it as one.
        printable(&text).into_owned()
    }
}

/// Returns the text after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before it, where `:` and `,` would end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
