//! GitLab's code quality report: one JSON array, shown in merge requests beside the lines.

use pantin_base::{Place, Severity};
use serde_json::json;

use super::{Report, Style, fingerprint, with_help};
use crate::print::check::Checked;
use crate::print::printable::escaped_json;
use crate::print::repository_path::repository_path;

pub(super) struct Gitlab {
    pub(super) style: Style,
}

impl Report for Gitlab {
    fn begin(&self) -> String {
        "[\n".to_owned()
    }

    fn file(&self, checked: &Checked) -> String {
        let path = checked.name.as_deref().map_or_else(|| checked.shown_name().to_owned(), repository_path);
        let findings = checked.findings(self.style.max_errors).enumerate().map(|(index, found)| {
            let line = if let Place::At { line, .. } = found.place { line } else { 1 };
            let severity = match found.severity {
                Severity::Error => "critical",
                Severity::Warning => "minor",
                Severity::Deprecation => "info",
            };
            let finding = json!({
                "description": with_help(found),
                "check_name": found.code,
                "fingerprint": fingerprint(&path, found, index),
                "severity": severity,
                "location": { "path": path, "lines": { "begin": line } },
            });
            escaped_json(finding.to_string())
        });
        findings.collect::<Vec<_>>().join(self.between())
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn end(&self, _: &super::Tally) -> String {
        "\n]\n".to_owned()
    }
}
