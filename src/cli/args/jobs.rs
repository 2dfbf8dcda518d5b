//! The option that says how many threads work.

use std::error::Error;
use std::io;

use clap::Args;
use pantin_world::limit_threads;

#[derive(Debug, Args)]
pub(crate) struct JobArguments {
    /// How many nodes to compile at once [default: RAYON_NUM_THREADS, or as many as there are cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl JobArguments {
    /// Returns how many were typed; 0 where none were.
    pub(crate) fn count(&self) -> usize {
        self.jobs.map_or(0, usize::from)
    }

    /// Has as many threads work in this process as were typed. `Err`: they cannot be had.
    pub(crate) fn start_threads(&self) -> io::Result<()> {
        let Some(jobs) = self.jobs.map(usize::from) else { return Ok(()) };
        limit_threads(jobs);
        match rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global() {
            // An error without a cause: threads were started before, and are as many as they are.
            Err(error) if error.source().is_some() => {
                Err(io::Error::other(format!("cannot start {jobs} threads: {error}")))
            }
            _ => Ok(()),
        }
    }
}
