//! What a run did: statuses and events as data, and the report that is made of them.

mod document;
mod event;
mod metrics;
mod status;
mod stored;
mod summary;

use std::sync::Arc;

use indexmap::IndexMap;
use pantin_base::Language;
use pantin_machine::Time;
use pantin_values::Value;

pub use event::{Event, EventStatus};
pub use metrics::{Metric, Number};
pub use status::Status;
pub use stored::StoredReport;

use crate::log::LogLine;
use crate::resource::ResourceInfo;
use crate::run::ApplyRequest;
use crate::transaction::Walked;

/// What a run did, with the fields of Puppet's report format 12.
#[derive(Clone, Debug)]
pub struct Report {
    pub host: String,
    pub time: Time,
    pub configuration_version: Value,
    pub transaction_uuid: String,
    pub catalog_uuid: String,
    pub language: Language,
    pub status: &'static str,
    pub is_completed: bool,
    pub is_noop: bool,
    pub is_noop_pending: bool,
    pub environment: String,
    /// The classes of the catalog.
    pub classes: Vec<String>,
    pub lines: Vec<LogLine>,
    pub metrics: IndexMap<&'static str, Metric>,
    /// In the order of the catalog.
    pub statuses: Vec<(Arc<ResourceInfo>, Status)>,
}

impl Report {
    pub(crate) fn new(
        request: &ApplyRequest<'_>,
        walked: Walked,
        lines: Vec<LogLine>,
        mut times: Vec<(&'static str, f64)>,
    ) -> Report {
        let total = request.machine.now().seconds_since(request.begin);
        times.push(("total", total));
        let statuses = walked.nodes;
        let metrics = metrics::metrics(&statuses, &times);
        let changes = statuses.iter().any(|(_, status)| status.change_count > 0);
        let has_failed = walked.has_failed_to_generate
            || !walked.is_completed
            || statuses.iter().any(|(_, status)| status.has_failed());
        Report {
            host: request.settings.certname.clone(),
            time: request.begin,
            configuration_version: request.catalog.version.clone(),
            transaction_uuid: request.transaction_uuid.clone(),
            catalog_uuid: request.catalog_uuid.clone(),
            language: request.settings.language,
            status: match (has_failed, changes) {
                (true, _) => "failed",
                (false, true) => "changed",
                (false, false) => "unchanged",
            },
            is_completed: walked.is_completed,
            is_noop: request.settings.noop,
            is_noop_pending: statuses.iter().any(|(_, status)| metrics::has_noop_events(status)),
            environment: request.settings.environment.clone(),
            classes: request.catalog.classes.iter().map(ToString::to_string).collect(),
            lines,
            metrics,
            statuses,
        }
    }

    /// Returns the exit code of `--detailed-exitcodes`: 2 if something changed, 4 if something failed, 6 for both.
    pub fn exit_code(&self) -> u8 {
        let changes = self.statuses.iter().any(|(_, status)| status.change_count > 0);
        let failures = self.statuses.iter().any(|(_, status)| status.has_failed());
        u8::from(changes) * 2 + u8::from(failures) * 4
    }
}
