//! The listener of a fleet run: writes each node's output, collects the reports, shows progress.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use pantin_repository::fleet::{Listener, NodeOutcome, NodeReport};
use pantin_world::Stopwatch;

use super::nodes::Output;
use super::out::OutputTarget;
use crate::print::progress::Progress;
use pantin_repository::timings::Timings;

pub(super) struct FleetListener<'a> {
    timings: &'a Timings,
    out: OutputTarget,
    progress: Progress,
    running: Stopwatch,
    /// By their places in the plan: the last word on each.
    reports: BTreeMap<usize, NodeReport>,
    failed: usize,
    failure: Option<io::Error>,
}

impl<'a> FleetListener<'a> {
    pub(super) fn new(
        out: OutputTarget,
        progress: Progress,
        running: Stopwatch,
        timings: &'a Timings,
    ) -> FleetListener<'a> {
        FleetListener { timings, out, progress, running, reports: BTreeMap::new(), failed: 0, failure: None }
    }

    /// Returns the reports of all nodes in the order of the fleet.
    pub(super) fn finish(self) -> io::Result<Vec<NodeReport>> {
        self.progress.finish();
        if let Some(error) = self.failure {
            return Err(error);
        }
        self.out.finish()?;
        Ok(self.reports.into_values().collect())
    }

    fn write(&mut self, at: usize, output: io::Result<Output>) -> io::Result<()> {
        let output = output?;
        output.drawings.map_or(Ok(()), |drawings| drawings.write())?;
        if output.files.is_empty() {
            return Ok(());
        }
        let FleetListener { timings, out, .. } = self;
        timings.during("write", || out.write(at, &output.files, output.absent.as_deref()))
    }
}

impl Listener<io::Result<Output>> for FleetListener<'_> {
    fn round(&mut self, _: usize, _: usize) {}

    fn node(&mut self, outcome: NodeOutcome<io::Result<Output>>) -> ControlFlow<()> {
        self.failed += usize::from(!outcome.report.is_ok());
        let before = self.reports.insert(outcome.at, outcome.report);
        self.failed -= usize::from(before.as_ref().is_some_and(|before| !before.is_ok()));
        self.progress.set_failed(self.failed);
        // A node that is compiled in several rounds is one node.
        if before.is_none() {
            self.progress.advance(self.running);
        }
        match self.write(outcome.at, outcome.kept) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
