//! The option for functions that want more Ruby than the small one has.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use crate::base::limits;
use crate::bridge::Bridge;
use crate::ruby::OwnRuby;
use crate::world::settings::Settings;

#[derive(Debug, Args)]
#[command(next_help_heading = "Ruby")]
pub(super) struct OwnRubyArguments {
    /// A Ruby of your own, for functions of modules that need more of it than is built in, such as a gem. Puppet need
    /// not be there. These functions run in no sandbox: they can do all that you can. What they give is not kept from
    /// one run to the next, but for those that the setting deterministic_functions names (`--set
    /// deterministic_functions=a::b,c`)
    #[arg(long, value_name = "PATH")]
    ruby: Option<String>,
}

impl OwnRubyArguments {
    /// What runs such functions, as the settings have it.
    pub(super) fn as_set(&self, settings: &Settings) -> Result<Option<Arc<dyn OwnRuby>>, String> {
        let Some(ruby) = &self.ruby else { return Ok(None) };
        let seconds = settings.limit(limits::MAX_RUBY_SECONDS)?;
        let bridge = Bridge::new(ruby, Duration::from_secs(seconds), settings.deterministic_functions()?);
        Ok(Some(Arc::new(bridge)))
    }

    /// The same where a program stands for itself, and its answers are never kept.
    pub(super) fn with_seconds(&self, seconds: u64) -> Option<Arc<dyn OwnRuby>> {
        let ruby = self.ruby.as_ref()?;
        Some(Arc::new(Bridge::new(ruby, Duration::from_secs(seconds), [])))
    }
}
