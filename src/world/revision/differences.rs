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
    /// How many files a sparse checkout leaves out: the working copy does not have them.
    pub(super) left_out: usize,
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
        let tree = TreeEntry::all(git, commit)?;
        differences.add_hidden(git, top, &tree)?;
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
        for TreeEntry { path, object: commit, .. } in tree.into_iter().filter(|entry| entry.mode == SUBMODULE) {
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

    /// Adds what git does not tell of its own accord, because it takes these files for unchanged.
    fn add_hidden(&mut self, git: &Git, top: &Path, tree: &[TreeEntry]) -> Result<(), String> {
        let unwatched = unwatched_files(git)?;
        if unwatched.is_empty() {
            return Ok(());
        }
        let is_plain = |path: &Path| {
            // Such names cannot be handed over line by line.
            let is_speakable = !path.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'\n' | b'"'));
            is_speakable && std::fs::symlink_metadata(top.join(path)).is_ok_and(|facts| facts.is_file())
        };
        let hidden: Vec<&TreeEntry> = tree.iter().filter(|entry| unwatched.contains(&entry.path)).collect();
        let plain: Vec<&Path> = hidden.iter().map(|entry| entry.path.as_path()).filter(|path| is_plain(path)).collect();
        let now: BTreeMap<&Path, String> = plain.iter().copied().zip(stored_names(git, &plain)?).collect();
        for TreeEntry { mode, object, path } in hidden {
            let is_same = mode != LINK && now.get(path.as_path()) == Some(object);
            let entry = OldEntry::from_mode(mode, object).filter(|_| !is_same);
            self.entries.extend(entry.map(|entry| (path.clone(), entry)));
        }
        let is_left_out = |path: &&PathBuf| std::fs::symlink_metadata(top.join(path)).is_err();
        self.left_out += unwatched.iter().filter(is_left_out).count();
        let known: BTreeSet<&Path> = tree.iter().map(|entry| entry.path.as_path()).collect();
        let new = unwatched.iter().filter(|path| !known.contains(path.as_path()));
        self.entries.extend(new.map(|path| (path.clone(), OldEntry::Absent)));
        Ok(())
    }

    /// Takes over the differences of a submodule in this folder.
    pub(super) fn add_submodule(&mut self, folder: &Path, inner: Differences) {
        self.untracked += inner.untracked;
        self.left_out += inner.left_out;
        self.entries.extend(inner.entries.into_iter().map(|(path, entry)| (folder.join(path), entry)));
        self.empty_submodules.extend(inner.empty_submodules.iter().map(|path| folder.join(path)));
    }

    /// Returns those of the folders where the working copy has something else.
    pub(super) fn replaced(&self, top: &Path, folders: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> BTreeSet<PathBuf> {
        let is_other = |folder: &&PathBuf| {
            let is_folder = |facts: std::fs::Metadata| facts.is_dir();
            // What git does not say of the folder itself, is that it ignores what stands in its place.
            self.entries.contains_key(*folder)
                || std::fs::symlink_metadata(top.join(folder)).is_ok_and(|it| !is_folder(it))
        };
        folders.keys().filter(is_other).cloned().collect()
    }

    /// Returns every folder around something that differs.
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
        match self.old_mode {
            NOTHING => Some(OldEntry::Absent),
            mode => OldEntry::from_mode(mode, self.object),
        }
    }
}

impl OldEntry {
    /// `None`: it is no file.
    fn from_mode(mode: &str, object: &str) -> Option<OldEntry> {
        let object = object.to_owned();
        match mode {
            LINK => Some(OldEntry::Link { object }),
            FILE | EXECUTABLE => Some(OldEntry::File { object, is_executable: mode == EXECUTABLE }),
            _ => None,
        }
    }
}

/// `100644 blob <object>\t<path>`
struct TreeEntry {
    mode: String,
    object: String,
    path: PathBuf,
}

impl TreeEntry {
    /// Lists everything that a revision has.
    fn all(git: &Git, commit: &str) -> Result<Vec<TreeEntry>, String> {
        let listed = git.output(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        Ok(listed.split(|byte| *byte == 0).filter_map(TreeEntry::parse).collect())
    }

    fn parse(line: &[u8]) -> Option<TreeEntry> {
        let at = line.iter().position(|byte| *byte == b'\t')?;
        let mut head = std::str::from_utf8(&line[..at]).ok()?.split(' ');
        let (mode, _, object) = (head.next()?, head.next()?, head.next()?);
        Some(TreeEntry { mode: mode.to_owned(), object: object.to_owned(), path: path_of(&line[at + 1..]) })
    }
}

/// Returns the files that git takes for unchanged without a look at them: those that a sparse checkout leaves out, and those that somebody
/// has marked so (`update-index --assume-unchanged`, `--skip-worktree`, the setting `core.ignoreStat`).
fn unwatched_files(git: &Git) -> Result<BTreeSet<PathBuf>, String> {
    let listed = git.output(&["ls-files", "-v", "-z", ":/"])?;
    let unwatched = |line: &[u8]| match line {
        [tag, b' ', path @ ..] if tag.is_ascii_lowercase() || *tag == b'S' => Some(path_of(path)),
        _ => None,
    };
    Ok(listed.split(|byte| *byte == 0).filter_map(unwatched).collect())
}

/// Returns the names under which git would store these files of the working copy, in their order.
fn stored_names(git: &Git, paths: &[&Path]) -> Result<Vec<String>, String> {
    let mut asked = Vec::new();
    for path in paths {
        asked.extend_from_slice(path.as_os_str().as_encoded_bytes());
        asked.push(b'\n');
    }
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let said = git.output_of(&["hash-object", "--stdin-paths"], asked)?;
    Ok(String::from_utf8_lossy(&said).lines().map(str::to_owned).collect())
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
