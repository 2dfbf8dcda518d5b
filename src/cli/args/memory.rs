//! The option that limits the memory of a run.

use clap::Args;
use pantin_repository::fleet::MemoryBound;
use pantin_repository::options::OpenError;

#[derive(Debug, Args)]
pub(crate) struct MemoryArguments {
    /// Take at most so much memory, such as 256M: where it grows tight, one node is compiled at a time, and what they share
    /// is made anew; what needs more ends the run
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
}

impl MemoryArguments {
    /// Returns what a run may take. `Err`: what was typed is no size.
    pub(crate) fn bound(&self) -> Result<Option<MemoryBound>, OpenError> {
        let bound = self.memory.as_deref().map(MemoryBound::parse).transpose();
        bound.map_err(|reason| OpenError::Usage(format!("--memory: {reason}")))
    }
}
