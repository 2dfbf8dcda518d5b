//! The manifests and templates under a folder, in an order that never changes.
//!
//! The tree is walked in parallel and the paths are sorted afterwards, so a run holds the paths
//! of its tree and no more. A link to a folder is entered if it leads out of the tree, as those of a
//! modulepath made of links do, and links behind it are not: a loop cannot arise, and what stands in
//! the tree itself is checked where it stands. Knows nothing of what a file holds.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};

use super::{ReadError, absolute_path, cores, inspect_argument};

/// Which of the files under a folder are wanted.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Leave out what `.gitignore` names.
    pub honour_gitignore: bool,
    /// Take files and folders whose name starts with a dot.
    pub hidden: bool,
    /// How many threads walk, up to [`MOST_WALKERS`]; 0 is as many as there are cores.
    pub threads: usize,
    /// What is left out beside that.
    pub ignored: Vec<Arc<IgnoreRules>>,
}

/// More threads than this wait for the disk and for each other.
const MOST_WALKERS: usize = 12;

impl Selection {
    fn walkers(&self) -> usize {
        let threads = if self.threads == 0 { cores() } else { self.threads };
        threads.min(MOST_WALKERS)
    }
}

/// Patterns of files and folders that are left out, as a `.gitignore` in a folder would have them.
#[derive(Debug)]
pub struct IgnoreRules(Gitignore);

impl IgnoreRules {
    /// `Err`: one of them is no pattern.
    pub fn new(folder: &Path, patterns: &[String]) -> Result<IgnoreRules, String> {
        let mut builder = GitignoreBuilder::new(folder);
        for pattern in patterns {
            builder.add_line(None, pattern).map_err(|error| format!("'{pattern}' is no pattern: {error}"))?;
        }
        builder.build().map(IgnoreRules).map_err(|error| error.to_string())
    }

    fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        let path = absolute_path(path);
        path.starts_with(self.0.path()) && self.0.matched_path_or_any_parents(&path, is_folder).is_ignore()
    }
}

/// What stands in a walked tree.
#[derive(Debug)]
pub enum WalkEntry {
    File(PathBuf),
    /// A folder, or a link, that could not be looked at.
    Failed(PathBuf, ReadError),
}

impl WalkEntry {
    pub fn path(&self) -> &Path {
        match self {
            WalkEntry::File(path) | WalkEntry::Failed(path, _) => path,
        }
    }
}

/// Which files are wanted, by their paths.
pub(super) type PathFilter<'w> = &'w (dyn Fn(&Path) -> bool + Sync);

/// Returns all files under `folder` that are wanted, sorted by their paths.
pub fn walk(folder: &Path, wanted: PathFilter<'_>, selection: &Selection) -> Vec<WalkEntry> {
    let (mut found, mut links) = walk_tree(folder, wanted, selection);
    links.sort_unstable();
    let mut entered: Vec<PathBuf> = folder.canonicalize().into_iter().collect();
    for link in links {
        let Ok(target) = link.canonicalize() else { continue };
        let is_known = entered.iter().any(|known| target.starts_with(known));
        // To enter a folder above would be to walk this one again.
        if is_known || entered.first().is_some_and(|root| root.starts_with(&target)) {
            continue;
        }
        entered.push(target);
        found.extend(walk_tree(&link, wanted, selection).0);
    }
    found.sort_unstable_by(|one, other| one.path().cmp(other.path()));
    found
}

/// Returns the files under `folder`, and the links to other folders.
fn walk_tree(folder: &Path, wanted: PathFilter<'_>, selection: &Selection) -> (Vec<WalkEntry>, Vec<PathBuf>) {
    let (found, links) = (Arc::new(Mutex::new(Vec::new())), Mutex::new(Vec::new()));
    let take = |entry: Result<DirEntry, ignore::Error>| match entry {
        Ok(entry) if is_link_to_folder(&entry) => lock(&links).push(entry.into_path()),
        Ok(entry) if is_wanted(&entry, wanted) => lock(&found).push(WalkEntry::File(entry.into_path())),
        Ok(_) => {}
        Err(error) => lock(&found).push(failure(folder, error)),
    };
    let mut walker = walker(folder, selection);
    let ignored = selection.ignored.clone();
    let is_left_out =
        move |entry: &DirEntry| ignored.iter().any(|rules| rules.leaves_out(entry.path(), is_folder(entry)));
    if !selection.honour_gitignore {
        walker.filter_entry(move |entry| !is_left_out(entry));
    } else {
        if let Some(failed) = absolute_path(folder).ancestors().find_map(endless_ignore_file) {
            return (vec![failed], Vec::new());
        }
        let found = Arc::clone(&found);
        walker.filter_entry(move |entry| {
            if is_left_out(entry) {
                return false;
            }
            let failed = if is_folder(entry) { endless_ignore_file(entry.path()) } else { None };
            let may_enter = failed.is_none();
            lock(&found).extend(failed);
            may_enter
        });
    }
    if can_start_threads(selection.walkers()) {
        walker.build_parallel().run(|| {
            Box::new(|entry| {
                take(entry);
                WalkState::Continue
            })
        });
    } else {
        walker.build().for_each(take);
    }
    (std::mem::take(&mut *lock(&found)), std::mem::take(&mut *lock(&links)))
}

/// Starts as many threads and waits until the system has back what they had. The parallel walker waits for ever for a thread
/// that could not be started.
fn can_start_threads(threads: usize) -> bool {
    let all_started = Mutex::new(());
    thread::scope(|scope| {
        // Those that were started stay until the last one was.
        let not_yet = lock(&all_started);
        let start = |_| thread::Builder::new().spawn_scoped(scope, || drop(lock(&all_started))).ok();
        let started: Vec<_> = (0..threads).map_while(start).collect();
        drop(not_yet);
        // The scope alone would wait for the end of what they do, not of the threads.
        let ended = started.into_iter().filter_map(|thread| thread.join().ok()).count();
        ended == threads
    })
}

/// Returns what git would read to know what to leave out of `folder`, if it is a pipe or a device: reading it could
/// wait for ever, or never end.
fn endless_ignore_file(folder: &Path) -> Option<WalkEntry> {
    [".gitignore", ".git/info/exclude"].iter().find_map(|name| {
        let path = folder.join(name);
        match inspect_argument(&path) {
            Err(reason @ ReadError::NotAFile(_)) => Some(WalkEntry::Failed(path, reason)),
            _ => None,
        }
    })
}

fn walker(folder: &Path, selection: &Selection) -> WalkBuilder {
    let mut walker = WalkBuilder::new(folder);
    walker
        .standard_filters(false)
        .hidden(!selection.hidden)
        .git_ignore(selection.honour_gitignore)
        .git_global(selection.honour_gitignore)
        .git_exclude(selection.honour_gitignore)
        // A tree that was unpacked, not cloned, has its .gitignore too. But one above it, such as
        // the `*` that some keep in their home, speaks for a repository alone.
        .require_git(false)
        .parents(selection.honour_gitignore && is_in_repository(folder))
        .follow_links(false)
        .threads(selection.walkers());
    walker
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Anything with the right ending that is no folder: a pipe called `a.pp` deserves its message,
/// and a link may lead to a manifest.
fn is_wanted(entry: &DirEntry, wanted: PathFilter<'_>) -> bool {
    wanted(entry.path()) && entry.file_type().is_some() && !is_folder(entry)
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// The folder that is walked may be a link itself, and is no such.
fn is_link_to_folder(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.path_is_symlink() && entry.path().is_dir()
}

fn is_in_repository(folder: &Path) -> bool {
    absolute_path(folder).ancestors().any(|above| above.join(".git").exists())
}

fn failure(folder: &Path, error: ignore::Error) -> WalkEntry {
    let path = path_of(&error).unwrap_or(folder).to_owned();
    let reason = match error.into_io_error() {
        Some(error) => ReadError::from(error),
        None => ReadError::System(io::Error::other("it cannot be walked")),
    };
    WalkEntry::Failed(path, reason)
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        ignore::Error::Loop { child, .. } => Some(child),
        _ => None,
    }
}
