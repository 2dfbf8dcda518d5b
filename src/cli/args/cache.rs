//! The options that say where answers are kept from one run to the next, and whether.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use pantin_model::trace::Level;
use pantin_repository::persist::{Cache, cache_folder};
use pantin_world::settings::{Settings, Wish};
use pantin_world::{Disk, absolute_path, expand_path};

use crate::print::console_log::ConsoleLog;

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
}

impl CacheArguments {
    /// The cache, if there is to be one, and a home for it.
    pub(crate) fn cache(&self, disk: &dyn Disk, settings: &Settings) -> Result<Option<Cache>, String> {
        if self.no_cache {
            return Ok(None);
        }
        let folder = folder_and_size(disk, self.cache_dir.as_deref(), settings)?;
        Ok(folder.map(|(folder, size)| Cache::open(disk, &folder, size).with_key(disk)))
    }
}

/// The cache to be looked after: in a folder, if one is named, or in its usual place.
pub(crate) fn cache_in(disk: &dyn Disk, folder: Option<&Path>, settings: &Settings) -> Result<Option<Cache>, String> {
    let folder = folder_and_size(disk, folder, settings)?;
    Ok(folder.map(|(folder, size)| Cache::as_it_is(disk, &folder, size)))
}

fn folder_and_size(
    disk: &dyn Disk,
    folder: Option<&Path>,
    settings: &Settings,
) -> Result<Option<(PathBuf, Wish<String>)>, String> {
    let Wish { first, last } = settings.cache()?;
    let path = |text: String| PathBuf::from(expand_path(&text));
    let given = folder.map(absolute_path);
    let wish = Wish { first: given.or_else(|| first.map(path)), last: last.map(path) };
    let size = settings.cache_size()?;
    Ok(cache_folder(disk, wish).map(|folder| (folder, size)))
}

/// What went wrong with the cache: the answers are right all the same.
pub(crate) fn tell_trouble(cache: &Cache, console: &ConsoleLog) -> io::Result<()> {
    let unwritten = cache.store.trouble().map(|trouble| format!("the cache is of no use: {trouble}"));
    for complaint in cache.complaint.iter().chain(&unwritten) {
        console.say(Level::Warning, complaint)?;
    }
    Ok(())
}
