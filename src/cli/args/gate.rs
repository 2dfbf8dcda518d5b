//! What makes a run fail: the gate of a pipeline.

use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FailOn {
    /// An error: a file that is rejected, a node without a catalog that an agent could apply
    Failure,
    /// Also a warning, or an error that was only logged
    Warning,
}
