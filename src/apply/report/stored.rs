//! Reports of earlier runs, Pantin's or Puppet's, read from their files and shown to a person.

use std::fmt::Write as _;

use pantin_values::data::yaml::{Options, Symbols, load};
use pantin_values::{Hash, Value};

use super::metrics::label;
use crate::value::text;

/// The classes of Ruby that a report's file names.
const CLASSES: [&str; 6] = [
    "Puppet::Transaction::Report",
    "Puppet::Resource::Status",
    "Puppet::Transaction::Event",
    "Puppet::Util::Log",
    "Puppet::Util::Metric",
    "Puppet::Util::TagSet",
];

/// Sections of the text: what they are called, and the flag of the resources that stand in them.
const SECTIONS: [(&str, &str); 4] =
    [("Failed", "failed"), ("Failed to restart", "failed_to_restart"), ("Changed", "changed"), ("Skipped", "skipped")];

/// Levels of the log that are shown again.
const GRAVE_LEVELS: [&str; 5] = ["warning", "err", "alert", "emerg", "crit"];

/// A report of an earlier run.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredReport {
    document: Hash,
}

impl StoredReport {
    /// Reads a report: YAML as Puppet stores it, or JSON. `name` is that of the file, for errors.
    pub fn read(written: &[u8], name: &str) -> Result<StoredReport, String> {
        let options = Options { symbols: Symbols::Text, classes: &CLASSES, ..Options::default() };
        let value = load(written, name, options).map_err(|error| error.to_string())?;
        match value {
            Value::Hash(document) if document.get_str("resource_statuses").is_some() => Ok(StoredReport { document }),
            _ => Err(format!("{name} is no report of a run")),
        }
    }

    /// Returns the whole report as data.
    pub fn document(&self) -> Value {
        Value::Hash(self.document.clone())
    }

    /// Returns true if the run failed.
    pub fn has_failed(&self) -> bool {
        self.field("status") == "failed"
    }

    /// Returns what the run did, for a person.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let status = match is_true(self.document.get_str("noop_pending")) {
            true => format!("{}, with changes that noop kept back", self.field("status")),
            false => self.field("status"),
        };
        let _ = writeln!(out, "{} at {}: {status}", self.field("host"), self.field("time"));
        let mut about = vec![format!("environment {}", self.field("environment"))];
        let version = self.field("configuration_version");
        about.extend((!version.is_empty()).then(|| format!("version {version}")));
        about.push(format!("Puppet {}", self.field("puppet_version")));
        about.extend(self.total_seconds().map(|seconds| format!("{seconds:.2} seconds")));
        let _ = writeln!(out, "{}", about.join(", "));
        self.push_resources(&mut out);
        self.push_log(&mut out);
        self.push_counts(&mut out);
        out
    }

    fn field(&self, name: &str) -> String {
        self.document.get_str(name).map(|value| text(value).into_owned()).unwrap_or_default()
    }

    /// Writes the resources to which something happened, each in one section.
    fn push_resources(&self, out: &mut String) {
        let statuses: Vec<(&Value, &Hash)> = entries(self.document.get_str("resource_statuses"));
        let mut shown: Vec<&Value> = Vec::new();
        for (heading, flag) in SECTIONS {
            let is_of_section = |status: &Hash| is_true(status.get_str(flag));
            let of_section: Vec<_> =
                statuses.iter().filter(|(name, status)| is_of_section(status) && !shown.contains(name)).collect();
            push_section(out, heading, &of_section);
            shown.extend(of_section.iter().map(|(name, _)| *name));
        }
        let has_events =
            |status: &Hash| matches!(status.get_str("events"), Some(Value::Array(events)) if !events.is_empty());
        let rest: Vec<_> =
            statuses.iter().filter(|(name, status)| has_events(status) && !shown.contains(name)).collect();
        push_section(out, "Would change", &rest);
    }

    /// Writes warnings and errors again.
    fn push_log(&self, out: &mut String) {
        let lines = hashes(self.document.get_str("logs"));
        let field =
            |line: &Hash, name: &str| line.get_str(name).map(|value| text(value).into_owned()).unwrap_or_default();
        let grave: Vec<_> =
            lines.into_iter().filter(|line| GRAVE_LEVELS.contains(&field(line, "level").as_str())).collect();
        if grave.is_empty() {
            return;
        }
        out.push_str("\nWarnings and errors\n");
        for line in grave {
            let source = field(line, "source");
            let source = if source == "Puppet" { String::new() } else { format!("{source}: ") };
            let message = format!("{}: {source}{}", field(line, "level"), field(line, "message"));
            push_indented(out, 2, &message);
        }
    }

    /// Writes the numbers of resources, without those that are zero.
    fn push_counts(&self, out: &mut String) {
        let counts = self.metric("resources");
        let counted = counts.iter().filter(|(_, value)| !matches!(value, Value::Integer(0)));
        let counted: Vec<String> = counted.map(|(name, value)| format!("{} {}", label(name), text(value))).collect();
        if !counted.is_empty() {
            let _ = writeln!(out, "\nResources: {}", counted.join(", "));
        }
    }

    fn total_seconds(&self) -> Option<f64> {
        self.metric("time").into_iter().find(|(name, _)| name == "total").and_then(|(_, value)| match value {
            Value::Float(seconds) => Some(seconds),
            Value::Integer(seconds) => Some(seconds as f64),
            _ => None,
        })
    }

    /// Returns the rows of a metric: names and numbers.
    fn metric(&self, name: &str) -> Vec<(String, Value)> {
        let Some(Value::Hash(metrics)) = self.document.get_str("metrics") else { return Vec::new() };
        let Some(Value::Hash(metric)) = metrics.get_str(name) else { return Vec::new() };
        let Some(Value::Array(rows)) = metric.get_str("values") else { return Vec::new() };
        let row = |row: &Value| match row {
            Value::Array(row) if row.len() == 3 => Some((text(&row[0]).into_owned(), row[2].clone())),
            _ => None,
        };
        rows.iter().filter_map(row).collect()
    }
}

fn push_section(out: &mut String, heading: &str, resources: &[&(&Value, &Hash)]) {
    if resources.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{heading}");
    for (name, status) in resources {
        let _ = write!(out, "  {}", text(name));
        if let (Some(file), Some(line)) = (status.get_str("file"), status.get_str("line"))
            && *file != Value::Undef
        {
            let _ = write!(out, " ({}:{})", text(file), text(line));
        }
        out.push('\n');
        for event in hashes(status.get_str("events")) {
            let message = event.get_str("message").map(text).unwrap_or_default();
            let message = match event.get_str("property").filter(|property| **property != Value::Undef) {
                Some(property) => format!("{}: {message}", text(property)),
                None => message.into_owned(),
            };
            push_indented(out, 4, &message);
        }
    }
}

/// Writes the lines of a text, the later ones further in.
fn push_indented(out: &mut String, depth: usize, message: &str) {
    for (number, line) in message.trim_end().split('\n').enumerate() {
        let depth = if number == 0 { depth } else { depth + 2 };
        let _ = writeln!(out, "{:depth$}{line}", "");
    }
}

fn entries(value: Option<&Value>) -> Vec<(&Value, &Hash)> {
    let Some(Value::Hash(all)) = value else { return Vec::new() };
    let mut entries = Vec::new();
    for (name, value) in all.iter() {
        if let Value::Hash(value) = value {
            entries.push((name, value));
        }
    }
    entries
}

fn hashes(value: Option<&Value>) -> Vec<&Hash> {
    let Some(Value::Array(items)) = value else { return Vec::new() };
    let mut hashes = Vec::new();
    for item in items.iter() {
        if let Value::Hash(hash) = item {
            hashes.push(hash);
        }
    }
    hashes
}

fn is_true(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Boolean(true)))
}

#[cfg(test)]
mod tests {
    use super::StoredReport;

    const REPORT: &str = "\
--- !ruby/object:Puppet::Transaction::Report
host: web01
time: '2026-11-29T04:00:00.000000000+00:00'
configuration_version: 7
puppet_version: 8.10.0
status: failed
noop_pending: false
environment: production
logs:
- level: err
  message: \"one\\ntwo\"
  source: Puppet
metrics:
  time:
    values:
    - [total, Total, 1.5]
  resources:
    values:
    - [total, Total, 3]
    - [failed, Failed, 0]
resource_statuses:
  File[/a]: !ruby/object:Puppet::Resource::Status
    file: \"/site.pp\"
    line: 3
    changed: true
    failed: false
    events:
    - !ruby/object:Puppet::Transaction::Event
      property: mode
      message: mode changed
  Exec[b]:
    changed: true
    failed: true
    events: []
";

    #[test]
    fn a_stored_report_is_told_by_what_happened() {
        let report = StoredReport::read(REPORT.as_bytes(), "report.yaml").unwrap();
        assert!(report.has_failed());
        assert_eq!(
            report.to_text(),
            "web01 at 2026-11-29T04:00:00.000000000+00:00: failed\n\
             environment production, version 7, Puppet 8.10.0, 1.50 seconds\n\
             \nFailed\n  Exec[b]\n\
             \nChanged\n  File[/a] (/site.pp:3)\n    mode: mode changed\n\
             \nWarnings and errors\n  err: one\n    two\n\
             \nResources: Total 3\n"
        );
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert_eq!(StoredReport::read(b"a: 1\n", "x").unwrap_err(), "x is no report of a run");
        assert!(StoredReport::read(b"--- !ruby/object:Other {}\n", "x").is_err());
    }
}
