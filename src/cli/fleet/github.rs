//! The report as workflow commands: GitHub shows each message beside the line it is about.

use super::{FinishedRun, found};
use crate::print::counting::count;
use crate::print::report;
use crate::print::report::Format;

pub(super) fn report(done: &FinishedRun<'_>) -> String {
    let report = report::report(Format::Github, found::style());
    let mut text: String = found::all(done).iter().map(|checked| report.file(checked)).collect();
    let summary = &done.summary;
    let all = count(summary.nodes.len(), "node");
    text.push_str(&format!(
        "::notice title=pantin fleet::{all}: {} ok, {} failed\n",
        summary.ok(),
        summary.failed_count()
    ));
    text
}
