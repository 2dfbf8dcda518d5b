//! Where a revision and the working copy differ, as git tells it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::git::Git;

/// What a revision has at a path where the working copy has something else, or nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OldEntry {
    /// A file, by the name of its content.
    File { object: String, is_executable: bool },
    /// A link: the content of that name is where it leads.
    Link { object: String },
    /// Nothing, nor anything below.
    Absent,
}

#[derive(Default, Debug)]
pub(super) struct Differences {
    /// By paths below the working copy.
    pub(super) entries: BTreeMap<PathBuf, OldEntry>,
    /// How many files that git does not know, and does not ignore, are in the working copy alone.
    pub(super) untracked: usize,
    /// Repositories within this one: their folders, and which of their commits the revision names.
    pub(super) submodules: Vec<(PathBuf, String)>,
    /// Submodules that were not checked out.
    pub(super) empty_submodules: Vec<PathBuf>,
}

const FILE: &str = "100644";
const EXECUTABLE: &str = "100755";
const LINK: &str = "120000";
const SUBMODULE: &str = "160000";
const NOTHING: &str = "000000";

impl Differences {
    /// `top`: the folder of the working copy. `shared`: what git does not know is told below these alike by all revisions.
    pub(super) fn read(git: &Git, top: &Path, commit: &str, shared: &[PathBuf]) -> Result<Differences, String> {
        let mut differences = Differences::default();
        let said = git.output(&[
            "diff",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "--no-relative",
            "--no-ext-diff",
            "--ignore-submodules=dirty",
            commit,
            "--",
        ])?;
        let mut fields = said.split(|byte| *byte == 0).filter(|field| !field.is_empty());
        while let (Some(change), Some(path)) = (fields.next(), fields.next()) {
            let change = RawChange::parse(change).ok_or("git tells its differences in a form that is not known")?;
            if let Some(entry) = change.entry() {
                differences.entries.insert(path_of(path), entry);
            }
        }
        let untracked = git.output(&["ls-files", "--others", "--exclude-standard", "-z", "--full-name", ":/"])?;
        for path in untracked.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            // A folder: another repository, which somebody has put there.
            let is_repository = path.ends_with(b"/");
            let path = path_of(path);
            // What is untracked now may have been committed in that revision.
            let is_known = differences.entries.contains_key(&path);
            if !is_repository && !is_known && !shared.iter().any(|shared| top.join(&path).starts_with(shared)) {
                differences.untracked += 1;
                differences.entries.insert(path, OldEntry::Absent);
            }
        }
        for (path, commit) in submodules(git, commit)? {
            if top.join(&path).join(".git").exists() {
                differences.submodules.push((path, commit));
            } else if top.join(&path).is_dir() {
                differences.empty_submodules.push(path);
            } else {
                return Err(format!("the submodule {} of that revision is not in the working copy", path.display()));
            }
        }
        Ok(differences)
    }

    /// Takes over the differences of a submodule in this folder.
    pub(super) fn add_submodule(&mut self, folder: &Path, inner: Differences) {
        self.untracked += inner.untracked;
        self.entries.extend(inner.entries.into_iter().map(|(path, entry)| (folder.join(path), entry)));
        self.empty_submodules.extend(inner.empty_submodules.iter().map(|path| folder.join(path)));
    }

    /// Every folder around something that differs.
    pub(super) fn folders(&self) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
        let mut folders: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for path in self.entries.keys() {
            let mut below = path.as_path();
            while let Some(above) = below.parent() {
                if !folders.entry(above.to_owned()).or_default().insert(below.to_owned()) {
                    break;
                }
                below = above;
            }
        }
        folders
    }
}

/// `:100644 100644 <object> <object> M`
struct RawChange<'t> {
    old_mode: &'t str,
    object: &'t str,
}

impl<'t> RawChange<'t> {
    fn parse(text: &'t [u8]) -> Option<RawChange<'t>> {
        let mut words = std::str::from_utf8(text).ok()?.strip_prefix(':')?.split(' ');
        let (old_mode, _, object) = (words.next()?, words.next()?, words.next()?);
        Some(RawChange { old_mode, object })
    }

    /// `None`: what a submodule holds is told apart.
    fn entry(&self) -> Option<OldEntry> {
        let object = self.object.to_owned();
        match self.old_mode {
            NOTHING => Some(OldEntry::Absent),
            LINK => Some(OldEntry::Link { object }),
            FILE | EXECUTABLE => Some(OldEntry::File { object, is_executable: self.old_mode == EXECUTABLE }),
            _ => None,
        }
    }
}

/// The submodules of a revision: where they are, and the commit that is meant.
fn submodules(git: &Git, commit: &str) -> Result<Vec<(PathBuf, String)>, String> {
    let listed = git.output(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
    let submodule = |line: &[u8]| {
        let at = line.iter().position(|byte| *byte == b'\t')?;
        let head = std::str::from_utf8(&line[..at]).ok()?;
        let commit = head.strip_prefix(SUBMODULE)?.trim_start().strip_prefix("commit ")?;
        Some((path_of(&line[at + 1..]), commit.to_owned()))
    };
    Ok(listed.split(|byte| *byte == 0).filter_map(submodule).collect())
}

#[cfg(unix)]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes.strip_suffix(b"/").unwrap_or(bytes)))
}

#[cfg(not(unix))]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes.strip_suffix(b"/").unwrap_or(bytes)).into_owned())
}
