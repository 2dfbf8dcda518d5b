//! The options that say where answers are kept from one run to the next, and whether.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::console_log::ConsoleLog;
use crate::kept::{Cache, cache_folder};
use crate::trace::Level;
use crate::world::{Disk, absolute_path};

#[derive(Debug, Args)]
#[command(next_help_heading = "Cache")]
pub(super) struct CacheArguments {
    /// Keep answers in this folder [default: PANTIN_CACHE, or where the platform keeps caches]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,

    /// Work out everything anew, and keep nothing
    #[arg(long, conflicts_with = "cache_dir")]
    no_cache: bool,
}

impl CacheArguments {
    /// The cache, if there is to be one, and a home for it.
    pub(super) fn cache(&self, disk: &dyn Disk) -> Option<Cache> {
        if self.no_cache {
            return None;
        }
        Some(cache_in(disk, self.cache_dir.as_deref())?.with_key(disk))
    }
}

/// The cache in a folder, if one is named, or in its usual place.
pub(super) fn cache_in(disk: &dyn Disk, folder: Option<&Path>) -> Option<Cache> {
    let given = folder.map(absolute_path);
    Some(Cache::open(disk, &cache_folder(disk, given.as_deref())?))
}

/// What went wrong with the cache: the answers are right all the same.
pub(super) fn tell_trouble(cache: &Cache, console: &ConsoleLog) -> io::Result<()> {
    let unwritten = cache.store.trouble().map(|trouble| format!("the cache is of no use: {trouble}"));
    for complaint in cache.complaint.iter().chain(&unwritten) {
        console.say(Level::Warning, complaint)?;
    }
    Ok(())
}
