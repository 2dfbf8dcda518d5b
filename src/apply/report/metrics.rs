//! The numbers of a report.

use indexmap::IndexMap;

use super::{EventStatus, Status};
use crate::resource::ResourceInfo;
use std::sync::Arc;

/// A number of a metric.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Count(u64),
    Seconds(f64),
}

/// Numbers by name, as they were counted.
pub type Metric = IndexMap<String, Number>;

/// `Failed to restart`, as people read a name.
pub(super) fn label(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first
        .into_iter()
        .chain(letters.map(|letter| if letter == '_' { ' ' } else { letter.to_ascii_lowercase() }))
        .collect()
}

/// Returns all metrics: of resources, times, changes and events.
pub(super) fn metrics(
    statuses: &[(Arc<ResourceInfo>, Status)],
    times: &[(&'static str, f64)],
) -> IndexMap<&'static str, Metric> {
    let mut metrics = IndexMap::new();
    metrics.insert("resources", resources(statuses));
    metrics.insert("time", seconds(statuses, times));
    let changes = statuses.iter().map(|(_, status)| u64::from(status.change_count)).sum();
    metrics.insert("changes", Metric::from_iter([("total".to_owned(), Number::Count(changes))]));
    metrics.insert("events", events(statuses));
    metrics
}

fn resources(statuses: &[(Arc<ResourceInfo>, Status)]) -> Metric {
    let count = |is_counted: fn(&Status) -> bool| {
        Number::Count(statuses.iter().filter(|(_, status)| is_counted(status)).count() as u64)
    };
    Metric::from_iter(
        [
            ("total", count(|_| true)),
            ("skipped", count(|status| status.is_skipped)),
            ("failed", count(|status| status.is_failed)),
            ("failed_to_restart", count(|status| status.is_failed_to_restart)),
            ("restarted", count(|status| status.is_restarted)),
            ("changed", count(|status| status.is_changed)),
            ("out_of_sync", count(|status| status.is_out_of_sync)),
            // The real one forgets that a resource was scheduled as soon as it is applied.
            ("scheduled", Number::Count(0)),
            ("corrective_change", Number::Count(0)),
        ]
        .map(|(name, number)| (name.to_owned(), number)),
    )
}

fn seconds(statuses: &[(Arc<ResourceInfo>, Status)], times: &[(&'static str, f64)]) -> Metric {
    let mut seconds: IndexMap<String, f64> = IndexMap::new();
    for (info, status) in statuses {
        if let Some(taken) = status.evaluation_seconds {
            *seconds.entry(capitalized(&info.type_name).to_lowercase()).or_default() += taken;
        }
    }
    for (name, taken) in times {
        seconds.insert((*name).to_owned(), *taken);
    }
    seconds.into_iter().map(|(name, taken)| (name, Number::Seconds(taken))).collect()
}

fn events(statuses: &[(Arc<ResourceInfo>, Status)]) -> Metric {
    let mut counts: IndexMap<&str, u64> = IndexMap::from_iter([("total", 0), ("failure", 0), ("success", 0)]);
    for event in statuses.iter().flat_map(|(_, status)| &status.events) {
        *counts.entry("total").or_default() += 1;
        *counts.entry(event.status.name()).or_default() += 1;
    }
    counts.into_iter().map(|(name, count)| (name.to_owned(), Number::Count(count))).collect()
}

/// Returns the type of a resource as a report has it: `File`, `Apache::vhost`.
pub(super) fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters.map(|letter| letter.to_ascii_lowercase())).collect()
}

/// Returns true if a status has an event that was not carried out.
pub(super) fn has_noop_events(status: &Status) -> bool {
    status.events.iter().any(|event| event.status == EventStatus::Noop)
}
