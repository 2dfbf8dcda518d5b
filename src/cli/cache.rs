//! `pantin cache`: shows, shrinks, checks and clears the store of answers.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use pantin_model::trace::Level;
use pantin_repository::configuration::Configuration;
use pantin_repository::options::OpenError;
use pantin_repository::persist::{Cache, inspect_cache};
use pantin_world::{MachineDisk, Surroundings, absolute_path};

use super::Exit;
use super::args::world::SettingArguments;
use super::print::console_log::{ConsoleLog, LogArguments};

/// Show, check and shrink the cache of answers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin cache size
  pantin cache verify --cache-dir .cache/pantin
  rm -rf \"$(pantin cache path)\"

The cache stands where --cache-dir or PANTIN_CACHE say, or the setting pantin_cache of puppet.conf, or where the \
platform keeps caches. It keeps itself below 2 GB, or below what PANTIN_CACHE_SIZE or the setting pantin_cache_size \
say (500M, 8G). With --set, a setting comes before the variable. It may lose an answer at any time, and never gives \
a wrong one. What a secret went into is sealed with a key that stands elsewhere: the text in PANTIN_CACHE_KEY, or a \
file that is made by the first run that keeps anything.
Exit codes:
  0  done, and all was sound
  1  something was damaged, or could not be read or removed
  2  wrong usage, or there is no place for a cache")]
pub(super) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Print where the cache is
    Path(Common),
    /// Print how large it is
    Size(Common),
    /// Remove what was not used for longest, until it is as small as it should be
    Clean(Common),
    /// Read all of it, and remove what is damaged
    Verify(Common),
    /// Remove all of it
    Clear(Common),
}

#[derive(Debug, Args)]
struct Common {
    /// Where it is [default: PANTIN_CACHE, or what puppet.conf says of pantin_cache, or where the platform keeps caches]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,

    #[command(flatten)]
    settings: SettingArguments,

    #[command(flatten)]
    log: LogArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let (Task::Path(common) | Task::Size(common) | Task::Clean(common) | Task::Verify(common) | Task::Clear(common)) =
        &arguments.task;
    let console = common.log.console(surroundings, "<code>").with_all_to_err();
    match common.cache() {
        Ok(cache) => arguments.task.done(&cache, &console),
        Err(refused) => Ok(console.refuse(refused)),
    }
}

impl Common {
    fn cache(&self) -> Result<Cache, OpenError> {
        let settings = self.settings.settings(Arc::new(MachineDisk::default()))?;
        let disk = MachineDisk::default();
        let configured = Configuration::read(&disk, &absolute_path(Path::new(".")))?.cache_folder();
        let cache = inspect_cache(&disk, &settings, self.cache_dir.as_deref(), configured)?;
        let nowhere = "there is no place for a cache: neither PANTIN_CACHE nor HOME is set";
        cache.ok_or_else(|| OpenError::Usage(nowhere.to_owned()))
    }
}

impl Task {
    fn done(&self, cache: &Cache, console: &ConsoleLog) -> io::Result<Exit> {
        if let Some(complaint) = &cache.complaint {
            console.say(Level::Warning, complaint)?;
        }
        let (text, is_fine) = self.done_to(cache);
        console.print(&text)?;
        let trouble = cache.store.trouble();
        if let Some(trouble) = trouble {
            console.complain(&format!("not all of the cache could be got at: {trouble}"));
        }
        Ok(if is_fine && trouble.is_none() { Exit::Accepted } else { Exit::Rejected })
    }

    /// Returns what came of it, and whether all is as it should be.
    fn done_to(&self, Cache { store, .. }: &Cache) -> (String, bool) {
        match self {
            Task::Path(_) => (store.path().display().to_string(), true),
            Task::Size(_) => {
                let size = store.size();
                let of_others = match size.other_versions {
                    0 => String::new(),
                    others => format!("; {} of {others} other builds", megabytes(size.other_versions_bytes)),
                };
                let entries = size.answers + size.bundles + size.blobs;
                (format!("{} in {entries} entries of this build{of_others}", megabytes(size.bytes)), true)
            }
            Task::Clean(_) => {
                let done = store.clean();
                let removed = done.versions_removed + done.entries_evicted + done.strays_removed;
                let text = match done.ran {
                    true => format!(
                        "{} before, {} now: {removed} entries and folders removed",
                        megabytes(done.bytes_before),
                        megabytes(done.bytes_after)
                    ),
                    false => "another process is at it".to_owned(),
                };
                (text, true)
            }
            Task::Verify(_) => {
                let found = store.verify();
                let text = format!(
                    "{} sound, {} damaged (and removed), {} unreadable, {} that do not belong here",
                    found.sound, found.damaged, found.unreadable, found.strays
                );
                (text, found.damaged + found.unreadable == 0)
            }
            Task::Clear(_) => {
                let done = store.clear();
                let left = match done.versions_left {
                    0 => String::new(),
                    left => format!("; {left} of its folders could not be removed"),
                };
                (format!("{} freed{left}", megabytes(done.bytes_freed)), done.versions_left == 0)
            }
        }
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
