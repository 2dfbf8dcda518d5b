//! The options that say what code may read of this machine.

use std::path::PathBuf;

use clap::Args;
use pantin_repository::options::{FenceOptions, OpenError};
use pantin_world::absolute_path;

use super::given_paths::check_present;

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Fence")]
pub(crate) struct FenceArguments {
    /// Let code read the repository, modules and what you name, and nothing else; anything else is an error [default: where CI,
    /// GITHUB_ACTIONS, GITLAB_CI or JENKINS_URL is set]
    #[arg(long, overrides_with = "no_fence")]
    fence: bool,

    /// Let code read all that you may read, as on a server
    #[arg(long, overrides_with = "fence")]
    no_fence: bool,

    /// A file, or a folder with all that is in it, that code may read within the fence; may be given several times
    #[arg(long, value_name = "DIR")]
    fence_add: Vec<PathBuf>,
}

impl FenceArguments {
    /// Whether what was typed is there.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        self.fence_add.iter().try_for_each(|path| check_present("--fence-add", path))
    }

    pub(crate) fn options(&self) -> FenceOptions {
        let is_on = match (self.fence, self.no_fence) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        FenceOptions::new(is_on, self.fence_add.iter().map(|path| absolute_path(path)).collect())
    }
}
