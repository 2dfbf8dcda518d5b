//! The option that says where the timings of a run are written.

use std::path::PathBuf;

use clap::Args;
use pantin_repository::timings::Timings;

#[derive(Debug, Args)]
pub(crate) struct TimingArguments {
    /// Write what the run did when, on which thread, to this file: a Chrome trace, which Perfetto shows and pantin stats
    /// sums up
    #[arg(long, value_name = "FILE")]
    timings: Option<PathBuf>,
}

impl TimingArguments {
    pub(crate) fn start(&self) -> Timings {
        Timings::start(self.timings.as_deref())
    }
}
