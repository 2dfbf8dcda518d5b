//! What `last_run_report.yaml` says of a run, a line for each resource to which something happened and for each event.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pantin::values::Value;
use pantin::values::data::yaml;

use crate::log_text;

/// Where either program may keep its state.
const PLACES: [&str; 4] = ["var", "opt", "root", "etc"];

/// Flags of a resource's status, in the order of a line.
const FLAGS: [&str; 5] = ["changed", "failed", "skipped", "out_of_sync", "failed_to_restart"];

/// Returns the newest report below the root, and when it was written.
pub(crate) fn find(upper: &Path) -> Option<(PathBuf, SystemTime)> {
    let mut found = Vec::new();
    PLACES.iter().for_each(|place| collect(&upper.join(place), &mut found));
    found.into_iter().max_by_key(|(_, written)| *written)
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, SystemTime)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let (path, Ok(about)) = (entry.path(), entry.metadata()) else { continue };
        if about.is_dir() {
            collect(&path, found);
        } else if entry.file_name() == "last_run_report.yaml" {
            found.push((path, about.modified().unwrap()));
        }
    }
}

/// Reads the report.
pub(crate) fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let options = yaml::Options { symbols: yaml::Symbols::Text, ..yaml::Options::default() };
    match yaml::load(without_tags(&text).as_bytes(), "report", options) {
        Ok(report) => render(&report),
        Err(error) => vec![format!("report cannot be read: {error:?}")],
    }
}

/// Takes away what names classes of Ruby: `!ruby/object:Puppet::Transaction::Event`.
fn without_tags(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.find("!ruby/") {
            Some(at) if line[..at].trim_start().chars().all(|c| c.is_alphanumeric() || "-_: '\"[]/.&".contains(c)) => {
                let rest = line[at..].split_once(' ').map_or("\n", |(_, rest)| rest);
                clean.push_str(&line[..at]);
                clean.push_str(rest);
            }
            _ => clean.push_str(line),
        }
    }
    clean
}

fn render(report: &Value) -> Vec<String> {
    let mut head = format!("report {}", show(field(report, "status")));
    if is_true(field(report, "noop_pending")) {
        head.push_str(" noop_pending");
    }
    let mut lines = vec![head];
    let Some(Value::Hash(statuses)) = field(report, "resource_statuses") else { return lines };
    let mut statuses: Vec<_> = statuses.iter().collect();
    statuses.sort_by_key(|(name, _)| show(Some(name)));
    for (name, status) in statuses {
        let flags: Vec<&str> = FLAGS.into_iter().filter(|flag| is_true(field(status, flag))).collect();
        let events = match field(status, "events") {
            Some(Value::Array(events)) => events.iter().map(event).collect(),
            _ => Vec::new(),
        };
        if !flags.is_empty() || !events.is_empty() {
            lines.push(format!("{}: {}", show(Some(name)), flags.join(" ")).trim_end().to_owned());
            lines.extend(events);
        }
    }
    lines
}

fn event(event: &Value) -> String {
    let text = |name| show(field(event, name));
    let message = log_text::normalised(&text("message")).replace('\n', "\\n");
    let mut line = format!("  {} {} {}", text("property"), text("status"), text("name"));
    let values = format!(": {} -> {}", text("previous_value"), text("desired_value"));
    write!(line, "{}: {message}", log_text::normalised(&values).replace('\n', "\\n")).unwrap();
    line
}

fn field<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Hash(hash) => hash.get_str(name),
        _ => None,
    }
}

fn is_true(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Boolean(true)))
}

fn show(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Undef) => "~".to_owned(),
        Some(Value::String(text)) => text.to_string(),
        Some(Value::Boolean(flag)) => flag.to_string(),
        Some(Value::Integer(number)) => number.to_string(),
        Some(Value::Float(number)) => number.to_string(),
        Some(Value::Array(items)) => {
            format!("[{}]", items.iter().map(|item| show(Some(item))).collect::<Vec<_>>().join(", "))
        }
        Some(Value::Hash(pairs)) => {
            let pair = |(key, value)| format!("{}: {}", show(Some(key)), show(Some(value)));
            format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Some(Value::Binary(bytes)) => format!("binary {}", String::from_utf8_lossy(bytes.bytes())),
        Some(other) => format!("{other:?}"),
    }
}
