//! Revisions of a git repository, read without checking them out: each is a [`Disk`] on which the repository lies where its
//! working copy does.
//!
//! The command `git` says where a revision differs from the working copy and what stands there; everything else is read from
//! the working copy. Files that git takes for unchanged without a look (sparse checkouts, `assume-unchanged`) are compared here. What git ignores (modules that r10k or another tool installs), and repositories within the
//! repository that git does not know, are the same in all revisions. Submodules are read at the commit that the revision names.
//! Knows nothing of what files mean.

mod contents;
mod differences;
mod disk;
mod git;
mod shared;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use contents::GitContents;
use differences::Differences;
use disk::RevisionDisk;
use git::Git;
pub use shared::SharedPaths;

use crate::{Disk, MachineDisk};

/// Branches that a change is usually compared with, in this order.
const MAIN_BRANCHES: [&str; 7] =
    ["origin/HEAD", "origin/production", "origin/main", "origin/master", "production", "main", "master"];

/// Deeper submodules are not followed.
const MOST_SUBMODULES: usize = 8;

/// The working copy of a git repository.
#[derive(Clone, Debug)]
pub struct WorkingCopy {
    git: Git,
    /// Its folder, without links.
    pub top: PathBuf,
}

/// A commit, and what it was called by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    pub name: String,
    pub id: String,
    /// When it was made, in seconds since 1970.
    pub seconds: i64,
}

/// A commit whose files can be read.
pub struct Revision {
    pub commit: Commit,
    /// How many files are in the working copy that git neither knows nor ignores: the revision does not have them.
    pub untracked: usize,
    /// Submodules that are not checked out: neither side has their files.
    pub empty_submodules: Vec<PathBuf>,
    /// How many files a sparse checkout leaves out: the working copy does not have them.
    pub left_out: usize,
    disk: Arc<RevisionDisk>,
}

impl WorkingCopy {
    /// Returns the one that a folder is in. `Err`: why there is none.
    pub fn around(folder: &Path) -> Result<WorkingCopy, String> {
        let git = Git::in_folder(folder);
        let top = git
            .output(&["rev-parse", "--show-toplevel"])
            .map_err(|reason| format!("{} is in no working copy of a git repository: {reason}", folder.display()))?;
        let top = String::from_utf8(top).map_err(|_| "the folder of the working copy is no text")?;
        let top = Path::new(top.strip_suffix('\n').unwrap_or(&top));
        let top = std::fs::canonicalize(top).map_err(|error| format!("cannot read {}: {error}", top.display()))?;
        Ok(WorkingCopy { git: Git::in_folder(&top), top })
    }

    /// Returns the commit of this name. `None`: git knows none.
    pub fn commit(&self, name: &str) -> Option<Commit> {
        let id =
            self.git.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])?;
        let seconds = self.git.line(&["show", "--no-patch", "--format=%ct", &id])?.parse().ok()?;
        Some(Commit { name: name.to_owned(), id, seconds })
    }

    /// Returns the commit at which what is checked out parted from the main branch. `Err`: why nobody can say.
    pub fn base(&self) -> Result<Commit, String> {
        let main = MAIN_BRANCHES.into_iter().find(|name| self.commit(name).is_some());
        let main = main.ok_or_else(|| {
            format!("none of the branches {} is there: name a revision to compare with", MAIN_BRANCHES.join(", "))
        })?;
        self.merge_base(main)
    }

    /// Returns the commit at which what is checked out parted from a branch.
    pub fn merge_base(&self, branch: &str) -> Result<Commit, String> {
        let base = self.git.line(&["merge-base", "--end-of-options", "HEAD", branch]).ok_or_else(|| {
            match self.is_shallow() {
                true => format!(
                    "the commit at which HEAD parted from {branch} was not fetched: git fetch --unshallow fetches all, \
                     or name a revision to compare with"
                ),
                false => format!("HEAD and {branch} have no commit in common: name a revision to compare with"),
            }
        })?;
        let found = self.commit(&base).ok_or_else(|| format!("git knows no commit {base}"))?;
        Ok(Commit { name: format!("merge base with {branch}"), ..found })
    }

    /// Returns true if a part of the history was not fetched.
    pub fn is_shallow(&self) -> bool {
        self.git.line(&["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true")
    }

    /// Returns true if what is checked out has a file in this folder that git knows, or if nobody can say.
    pub fn knows_any_in(&self, folder: &Path) -> bool {
        let listed = self.git.output(&["--literal-pathspecs", "ls-files", "-z", "--", &folder.display().to_string()]);
        listed.map_or(true, |files| !files.is_empty())
    }

    /// Returns a commit, ready to be read. `shared`: files and folders that are the same in all revisions unless git
    /// knows them.
    pub fn revision(&self, commit: Commit, shared: &[PathBuf]) -> Result<Revision, String> {
        let real = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let shared: Vec<PathBuf> = shared.iter().map(real).collect();
        let (differences, mut contents) = read(&self.git, &self.top, &commit.id, &shared, MOST_SUBMODULES)?;
        // Of a file in a submodule that one knows.
        contents.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.components().count()));
        let folders = differences.folders();
        let replaced = differences.replaced(&self.top, &folders);
        let disk = RevisionDisk {
            machine: MachineDisk::default(),
            top: self.top.clone(),
            folders,
            replaced,
            contents,
            seconds: commit.seconds,
            real_folders: Default::default(),
            entries: differences.entries,
        };
        Ok(Revision {
            commit,
            untracked: differences.untracked,
            empty_submodules: differences.empty_submodules,
            left_out: differences.left_out,
            disk: Arc::new(disk),
        })
    }
}

fn read(
    git: &Git,
    top: &Path,
    commit: &str,
    shared: &[PathBuf],
    submodules: usize,
) -> Result<(Differences, Vec<(PathBuf, GitContents)>), String> {
    let mut differences = Differences::read(git, top, commit, shared)?;
    let own = GitContents::open(git.clone(), differences.entries.keys().map(PathBuf::as_path))?;
    let mut contents = vec![(PathBuf::new(), own)];
    for (path, commit) in std::mem::take(&mut differences.submodules) {
        let submodules = submodules.checked_sub(1).ok_or("submodules are nested too deeply")?;
        let folder = top.join(&path);
        let (inner, of_inner) = read(&git.for_submodule(&folder), &folder, &commit, shared, submodules)
            .map_err(|reason| format!("the submodule {}: {reason}", path.display()))?;
        differences.add_submodule(&path, inner);
        contents.extend(of_inner.into_iter().map(|(below, contents)| (path.join(below), contents)));
    }
    Ok((differences, contents))
}

/// Returns what git tracks in a folder that is in a working copy: the first name, or why git cannot say. `None`:
/// nothing.
pub fn tracked_by_git(folder: &Path) -> Result<Option<String>, String> {
    let folder = crate::absolute_path(folder);
    // A link is tracked by its own name, and what it leads to by others.
    let real = folder.ancestors().find_map(|above| {
        let real = std::fs::canonicalize(above).ok()?;
        Some(real.join(folder.strip_prefix(above).ok()?))
    });
    for folder in std::iter::once(&folder).chain(real.as_ref().filter(|real| **real != folder)) {
        let Some(top) = folder.ancestors().skip(1).find(|above| above.join(".git").exists()) else { continue };
        let arguments = ["-c", "safe.directory=*", "--literal-pathspecs", "ls-files", "-z", "--"].map(OsStr::new);
        let tracked = Git::in_folder(top).output(&[&arguments[..], &[folder.as_os_str()]].concat());
        let tracked = tracked.map_err(|reason| format!("the cache {}: {reason}", folder.display()))?;
        if let Some(first) = tracked.split(|byte| *byte == 0).find(|name| !name.is_empty()) {
            return Ok(Some(String::from_utf8_lossy(first).into_owned()));
        }
    }
    Ok(None)
}

impl Revision {
    /// Returns the paths at or below these at which the working copy has something else.
    pub fn differing_below(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let real = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let paths: Vec<PathBuf> = paths.iter().map(real).collect();
        let all = self.disk.entries.keys().map(|inside| self.disk.top.join(inside));
        all.filter(|path| paths.iter().any(|above| path.starts_with(above))).collect()
    }

    pub fn disk(&self) -> Arc<dyn Disk> {
        Arc::clone(&self.disk) as Arc<dyn Disk>
    }
}

impl std::fmt::Debug for Revision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Revision").field("commit", &self.commit).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
