//! The options that say where answers are kept from one run to the next, and whether.

use std::path::PathBuf;

use clap::Args;
use pantin_repository::options::CacheOptions;

#[derive(Debug, Args)]
#[command(next_help_heading = "Cache")]
pub(crate) struct CacheArguments {
    /// Keep answers in this folder [default: PANTIN_CACHE, or what puppet.conf says of pantin_cache, or where the platform
    /// keeps caches]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,

    /// Work out everything anew, and keep nothing
    #[arg(long, conflicts_with = "cache_dir")]
    no_cache: bool,

    /// Take answers from the cache, and add none: for code that is not trusted
    #[arg(long, conflicts_with = "no_cache")]
    cache_read_only: bool,
}

impl CacheArguments {
    pub(crate) fn options(&self) -> CacheOptions {
        match (self.no_cache, self.cache_read_only) {
            (true, _) => CacheOptions::Off,
            (false, true) => CacheOptions::ReadOnly(self.cache_dir.clone()),
            (false, false) => CacheOptions::In(self.cache_dir.clone()),
        }
    }
}
