//! The manifests and templates under a folder, in an order that never changes.
//!
//! The tree is walked in parallel and the paths are sorted afterwards, so a run holds the paths
//! of its tree and no more. A link to a folder is not entered: a loop of links cannot arise, and
//! what it points at is checked where it stands. Knows nothing of what a file holds.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::ReadError;

/// Which of the files under a folder are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Leave out what `.gitignore` names.
    pub honour_gitignore: bool,
    /// Take files and folders whose name starts with a dot.
    pub hidden: bool,
    /// How many threads walk; 0 is as many as there are cores.
    pub threads: usize,
}

/// What stands in a walked tree.
#[derive(Debug)]
pub enum Found {
    File(PathBuf),
    /// A folder, or a link, that could not be looked at.
    Failed(PathBuf, ReadError),
}

impl Found {
    pub fn path(&self) -> &Path {
        match self {
            Found::File(path) | Found::Failed(path, _) => path,
        }
    }
}

/// All files under `folder` whose name ends in one of `extensions`, sorted by their paths.
pub fn walk(folder: &Path, extensions: &[&str], selection: Selection) -> Vec<Found> {
    let found = Mutex::new(Vec::new());
    let keep = |entry: Found| found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(entry);
    let walker = WalkBuilder::new(folder)
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
        .threads(selection.threads)
        .build_parallel();
    walker.run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) => {
                    if is_wanted(&entry, extensions) {
                        keep(Found::File(entry.into_path()));
                    }
                }
                Err(error) => keep(failure(folder, error)),
            }
            WalkState::Continue
        })
    });
    let mut found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    found.sort_unstable_by(|one, other| one.path().cmp(other.path()));
    found
}

/// Anything with the right ending that is no folder: a pipe called `a.pp` deserves its message,
/// and a link may lead to a manifest. A link to a folder is neither entered nor read.
fn is_wanted(entry: &DirEntry, extensions: &[&str]) -> bool {
    let ends_right = entry
        .path()
        .extension()
        .is_some_and(|extension| extensions.iter().any(|wanted| extension.as_encoded_bytes() == wanted.as_bytes()));
    let Some(kind) = entry.file_type() else { return false };
    ends_right && !kind.is_dir() && !(kind.is_symlink() && entry.path().is_dir())
}

fn is_in_repository(folder: &Path) -> bool {
    super::absolute_path(folder).ancestors().any(|above| above.join(".git").exists())
}

fn failure(folder: &Path, error: ignore::Error) -> Found {
    let path = path_of(&error).unwrap_or(folder).to_owned();
    let reason = match error.into_io_error() {
        Some(error) => ReadError::from(error),
        None => ReadError::System(io::Error::other("it cannot be walked")),
    };
    Found::Failed(path, reason)
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        ignore::Error::Loop { child, .. } => Some(child),
        _ => None,
    }
}
