//! A report as Puppet writes it: YAML of the format 12, and the summary of the last run.

use pantin_base::Language;
use pantin_machine::{Reading, Time};
use pantin_values::data::yaml::to_yaml;
use pantin_values::{Str, Value};

use super::metrics::{Metric, Number, capitalized, label};
use super::{Event, Report, Status};
use crate::log::LogLine;
use crate::resource::ResourceInfo;
use crate::value::text;

fn hash(entries: Vec<(&str, Value)>) -> Value {
    Value::hash(entries.into_iter().map(|(name, value)| (Value::string(name), value)))
}

fn optional(value: Option<Value>) -> Value {
    value.unwrap_or_default()
}

fn tags(tags: &[Str]) -> Value {
    Value::array(tags.iter().cloned().map(Value::String))
}

impl Report {
    /// Writes the report. `machine` knows the zone.
    pub fn to_yaml(&self, machine: &dyn Reading) -> Result<String, String> {
        let document = to_yaml(&self.to_value(machine))?;
        let rest = document.strip_prefix("---").unwrap_or(&document);
        Ok(format!("--- !ruby/object:Puppet::Transaction::Report{rest}"))
    }

    /// Returns the report as data.
    pub fn to_value(&self, machine: &dyn Reading) -> Value {
        let time = |time: Time| Value::string(machine.local(time).iso8601());
        let metrics = self.metrics.iter().map(|(name, metric)| (Value::string(*name), metric_value(name, metric)));
        let is_shown = |(_, status): &&(std::sync::Arc<ResourceInfo>, Status)| {
            self.language == Language::Puppet7
                || status.is_failed
                || status.is_failed_to_restart
                || status.is_out_of_sync
                || status.is_skipped
        };
        let statuses = self.statuses.iter().filter(is_shown);
        let statuses =
            statuses.map(|(info, status)| (Value::string(info.reference.as_str()), status_value(info, status, &time)));
        hash(vec![
            ("host", Value::string(self.host.as_str())),
            ("time", time(self.time)),
            ("configuration_version", self.configuration_version.clone()),
            ("transaction_uuid", Value::string(self.transaction_uuid.as_str())),
            ("report_format", Value::Integer(12)),
            ("puppet_version", Value::string(self.language.release())),
            ("status", Value::string(self.status)),
            ("transaction_completed", Value::Boolean(self.is_completed)),
            ("noop", Value::Boolean(self.is_noop)),
            ("noop_pending", Value::Boolean(self.is_noop_pending)),
            ("environment", Value::string(self.environment.as_str())),
            ("logs", Value::array(self.lines.iter().map(|line| line_value(line, &time)))),
            ("metrics", Value::hash(metrics)),
            ("resource_statuses", Value::hash(statuses)),
            ("corrective_change", Value::Boolean(false)),
            ("catalog_uuid", Value::string(self.catalog_uuid.as_str())),
            ("cached_catalog_status", Value::string("not_used")),
        ])
    }

    /// Returns the numbers of the run by section, as `last_run_summary.yaml` has them.
    pub fn summary(&self, now: Time) -> Value {
        let mut sections = vec![
            (
                "version",
                hash(vec![
                    ("config", self.configuration_version.clone()),
                    ("puppet", Value::string(self.language.release())),
                ]),
            ),
            (
                "application",
                hash(vec![
                    ("run_mode", Value::string("user")),
                    ("initial_environment", Value::string(self.environment.as_str())),
                    ("converged_environment", Value::string(self.environment.as_str())),
                ]),
            ),
        ];
        for (name, metric) in &self.metrics {
            let mut numbers =
                sorted_by_label(metric).map(|(name, number)| (name, number_value(number))).collect::<Vec<_>>();
            if *name == "time" {
                numbers.push(("last_run", Value::Integer(now.seconds)));
            }
            sections.push((*name, hash(numbers)));
        }
        hash(sections)
    }
}

fn metric_value(name: &str, metric: &Metric) -> Value {
    let row = |(name, number): (&str, Number)| {
        Value::array([Value::string(name), Value::string(label(name)), number_value(number)])
    };
    hash(vec![
        ("name", Value::string(name)),
        ("label", Value::string(label(name))),
        ("values", Value::array(sorted_by_label(metric).map(row))),
    ])
}

fn sorted_by_label(metric: &Metric) -> impl Iterator<Item = (&str, Number)> {
    let mut rows: Vec<(&str, Number)> = metric.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    rows.sort_by_cached_key(|(name, _)| label(name));
    rows.into_iter()
}

fn number_value(number: Number) -> Value {
    match number {
        Number::Count(count) => Value::Integer(count as i64),
        Number::Seconds(seconds) => Value::Float(seconds),
    }
}

fn line_value(line: &LogLine, time: &dyn Fn(Time) -> Value) -> Value {
    let place = line.place.as_ref();
    hash(vec![
        ("level", Value::string(line.level.name())),
        ("message", Value::string(line.message.as_str())),
        ("source", Value::string(line.source.as_str())),
        ("tags", tags(&line.tags)),
        ("time", time(line.time)),
        ("file", optional(place.filter(|place| !place.file.is_empty()).map(|place| Value::string(&*place.file)))),
        ("line", optional(place.map(|place| Value::Integer(i64::from(place.line))))),
    ])
}

fn status_value(info: &ResourceInfo, status: &Status, time: &dyn Fn(Time) -> Value) -> Value {
    let place = info.place.as_ref();
    hash(vec![
        ("title", Value::String(info.title.clone())),
        ("file", optional(place.filter(|place| !place.file.is_empty()).map(|place| Value::string(&*place.file)))),
        ("line", optional(place.map(|place| Value::Integer(i64::from(place.line))))),
        ("resource", Value::string(info.reference.as_str())),
        ("resource_type", Value::string(capitalized(&info.type_name))),
        ("provider_used", optional(info.provider.clone().map(Value::String))),
        ("containment_path", Value::array(info.containment.iter().map(|name| Value::string(name.as_str())))),
        ("evaluation_time", optional(status.evaluation_seconds.map(Value::Float))),
        ("tags", tags(&info.tags)),
        ("time", time(status.time)),
        ("failed", Value::Boolean(status.is_failed)),
        ("failed_to_restart", Value::Boolean(status.is_failed_to_restart)),
        ("changed", Value::Boolean(status.is_changed)),
        ("out_of_sync", Value::Boolean(status.is_out_of_sync)),
        ("skipped", Value::Boolean(status.is_skipped)),
        ("change_count", Value::Integer(i64::from(status.change_count))),
        ("out_of_sync_count", Value::Integer(i64::from(status.out_of_sync_count))),
        ("events", Value::array(status.events.iter().map(|event| event_value(event, time)))),
        ("corrective_change", Value::Boolean(false)),
    ])
}

fn event_value(event: &Event, time: &dyn Fn(Time) -> Value) -> Value {
    hash(vec![
        ("audited", Value::Boolean(event.is_audited)),
        ("property", optional(event.property.as_deref().map(Value::string))),
        ("previous_value", plain(&event.previous)),
        ("desired_value", plain(&event.desired)),
        ("historical_value", plain(&event.historical)),
        ("message", Value::string(event.message.as_str())),
        ("name", Value::string(event.name.as_str())),
        ("status", Value::string(event.status.name())),
        ("time", time(event.time)),
        ("redacted", optional(event.redacted.map(Value::Boolean))),
        ("corrective_change", Value::Boolean(event.corrective)),
    ])
}

/// A value as a report can hold it: symbols are texts, and so is what is no data.
fn plain(value: &Value) -> Value {
    match value {
        Value::Symbol(text) => Value::String(text.clone()),
        Value::Array(items) => Value::array(items.iter().map(plain)),
        Value::Hash(entries) => Value::hash(entries.iter().map(|(key, value)| (plain(key), plain(value)))),
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => value.clone(),
        other => Value::string(&*text(other)),
    }
}
