//! A table in Markdown, one row for each finding, as a comment on a merge request shows it.

use std::fmt::Write;

use pantin_base::{Place, Severity};

use super::{Report, Style, Tally, with_help};
use crate::print::check::Checked;
use crate::print::counting::count;
use crate::print::markdown::{code_in_cell, escape};
use crate::print::repository_path::repository_path;

pub(super) struct Markdown {
    pub(super) style: Style,
}

impl Report for Markdown {
    fn begin(&self) -> String {
        "| where | | what |\n|---|---|---|\n".to_owned()
    }

    fn file(&self, checked: &Checked) -> String {
        let path = checked.name.as_deref().map_or_else(|| checked.shown_name().to_owned(), repository_path);
        let mut rows = String::new();
        for found in checked.findings(self.style.max_errors) {
            let place = match found.place {
                Place::At { line, column } => format!("{path}:{line}:{column}"),
                Place::Nowhere | Place::WholeFile => path.clone(),
            };
            let severity = match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Deprecation => "deprecation",
            };
            // Writing to a string cannot fail.
            let _ = writeln!(rows, "| {} | {severity} | {} |", code_in_cell(&place), escape(&with_help(found)));
        }
        if let Some(hidden) = checked.hidden_errors(self.style.max_errors) {
            let _ = writeln!(rows, "| {} | error | {} |", code_in_cell(&path), escape(&hidden));
        }
        rows
    }

    fn end(&self, tally: &Tally) -> String {
        let rejected = match tally.rejected {
            0 => "all accepted".to_owned(),
            rejected => format!("{rejected} rejected"),
        };
        format!(
            "\n{}: {rejected}, {}, {}\n",
            count(tally.files, "file"),
            count(tally.errors, "error"),
            count(tally.warnings, "warning")
        )
    }
}
