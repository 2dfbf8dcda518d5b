//! The trait `Disk` for a revision: git tells of what differs from the working copy, the machine of everything else.
//!
//! What is the same in both is asked of the machine, with its stamps: so most of what is known of the working copy is known of
//! the revision as well. Links are followed here, for one may lead from what is the same to what differs.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::contents::GitContents;
use super::differences::OldEntry;
use crate::location::clean_path;
use crate::{Disk, Entry, FileFacts, MachineDisk, ReadError, Stamped};

/// The system follows no more on one way.
const MOST_LINKS: usize = 40;

pub(super) struct RevisionDisk {
    pub(super) machine: MachineDisk,
    /// The folder of the working copy, without links.
    pub(super) top: PathBuf,
    pub(super) entries: BTreeMap<PathBuf, OldEntry>,
    /// The folders around these, with what is in them and is one of these, or has one below it.
    pub(super) folders: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// Those of these folders for which the working copy has something else: a file, a link, another repository. Nothing that the
    /// machine has there, or behind a link there, is in them.
    pub(super) replaced: BTreeSet<PathBuf>,
    /// The repositories of these contents, by their folders below `top`; those within others first.
    pub(super) contents: Vec<(PathBuf, GitContents)>,
    /// When the revision was made, in seconds since 1970.
    pub(super) seconds: i64,
    /// Folders as they are called without links.
    pub(super) real_folders: RwLock<FxHashMap<PathBuf, RealPath>>,
}

/// A path without links, and how many were followed to it.
#[derive(Clone, Debug)]
pub(super) struct RealPath {
    path: PathBuf,
    links: usize,
}

/// Who knows a path that has no links in it.
enum View<'d> {
    Machine,
    Absent,
    /// Of what is above it, one is a file.
    BelowFile,
    File {
        object: &'d str,
        is_executable: bool,
    },
    Link {
        object: &'d str,
    },
    /// A folder in which something differs.
    Folder(&'d BTreeSet<PathBuf>),
}

impl RevisionDisk {
    fn view(&self, path: &Path) -> View<'_> {
        let Ok(inside) = path.strip_prefix(&self.top) else { return View::Machine };
        if let Some(at) = inside.components().position(|part| part == Component::ParentDir) {
            return self.view_behind(&inside.components().take(at).collect::<PathBuf>());
        }
        let itself = match (self.entries.get(inside), self.folders.get(inside)) {
            (Some(OldEntry::File { object, is_executable }), _) => {
                return View::File { object, is_executable: *is_executable };
            }
            (Some(OldEntry::Link { object }), _) => return View::Link { object },
            (_, Some(folder)) => return View::Folder(folder),
            (Some(OldEntry::Absent), None) => View::Absent,
            (None, None) => View::Machine,
        };
        let above = || inside.ancestors().skip(1).filter_map(|above| Some((above, self.entries.get(above)?)));
        if above().any(|(_, entry)| matches!(entry, OldEntry::File { .. })) {
            return View::BelowFile;
        }
        let is_below_nothing = above().any(|(path, _)| !self.folders.contains_key(path));
        let is_of_machine = matches!(itself, View::Machine);
        if is_below_nothing || is_of_machine && self.is_replaced(inside) { View::Absent } else { itself }
    }

    /// Returns true if the working copy has something else than a folder where this path, or one above it, is a folder.
    fn is_replaced(&self, inside: &Path) -> bool {
        !self.replaced.is_empty() && inside.ancestors().any(|above| self.replaced.contains(above))
    }

    /// Lists what the machine has in a folder of the revision.
    fn list_of_machine(&self, folder: &Path) -> Result<Vec<Entry>, ReadError> {
        if folder.strip_prefix(&self.top).is_ok_and(|inside| self.is_replaced(inside)) {
            return Ok(Vec::new());
        }
        Ok(self.machine.list(folder)?.unwrap_or_default())
    }

    /// A path that goes up from something that is no folder.
    fn view_behind(&self, inside: &Path) -> View<'_> {
        match self.view(&self.top.join(inside)) {
            View::Machine => View::Machine,
            View::File { .. } | View::BelowFile => View::BelowFile,
            View::Absent | View::Link { .. } | View::Folder(_) => View::Absent,
        }
    }

    /// Returns the content of a file or of a link, `path` being where it lies without links.
    fn content(&self, path: &Path, object: &str) -> Result<Vec<u8>, ReadError> {
        let inside = path.strip_prefix(&self.top).unwrap_or(path);
        let of =
            self.contents.iter().find_map(|(folder, contents)| Some((contents, inside.strip_prefix(folder).ok()?)));
        let Some((contents, name)) = of else { return Err(ReadError::Missing) };
        contents.content(object, name, self.machine.limit)
    }

    /// Where a link leads, as it says itself.
    fn target(&self, path: &Path) -> Option<PathBuf> {
        match self.view(path) {
            View::Machine => std::fs::read_link(path).ok(),
            View::Link { object } => {
                let bytes = self.content(path, object).ok()?;
                String::from_utf8(bytes).ok().map(PathBuf::from)
            }
            View::Absent | View::BelowFile | View::File { .. } | View::Folder(_) => None,
        }
    }

    /// Returns the path with no link in it; `follows`: also of what it names itself. `None`: there are too many links
    /// on the way.
    fn real(&self, path: &Path, follows: bool) -> Option<PathBuf> {
        Some(self.real_within(path, follows, MOST_LINKS)?.path)
    }

    /// `most`: so many links may be followed.
    fn real_within(&self, path: &Path, follows: bool, most: usize) -> Option<RealPath> {
        let (Some(above), Some(name)) = (path.parent(), path.components().next_back()) else {
            return Some(RealPath { path: path.to_owned(), links: 0 });
        };
        let RealPath { path: above, links } = self.real_folder(above, most)?;
        let real = |path: PathBuf| Some(RealPath { path, links });
        let here = match name {
            Component::Normal(name) => above.join(name),
            Component::ParentDir if self.is_real_folder(&above) => {
                return real(above.parent().unwrap_or(&above).to_owned());
            }
            // The system goes up from folders alone.
            Component::ParentDir => return real(above.join(name)),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => return real(above),
        };
        if !follows {
            return real(here);
        }
        match self.target(&here) {
            None => real(here),
            Some(target) => {
                let rest = (most - links).checked_sub(1)?;
                let behind = self.real_within(&above.join(target), true, rest)?;
                Some(RealPath { links: links + 1 + behind.links, ..behind })
            }
        }
    }

    /// Those that are known count the links that lead there: a walk that goes round through one ends as it does on a disk.
    fn real_folder(&self, folder: &Path, most: usize) -> Option<RealPath> {
        let known = self.real_folders.read().unwrap_or_else(PoisonError::into_inner).get(folder).cloned();
        if let Some(known) = known {
            return (known.links <= most).then_some(known);
        }
        let real = self.real_within(folder, true, most)?;
        let mut known = self.real_folders.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(folder.to_owned(), real.clone());
        Some(real)
    }

    /// Returns true if there is a folder at a path that has no link in it.
    fn is_real_folder(&self, path: &Path) -> bool {
        match self.view(path) {
            View::Machine => self.machine.is_folder(path),
            View::Absent | View::BelowFile | View::Link { .. } | View::File { .. } => false,
            View::Folder(differing) => self.has_entries(path, differing),
        }
    }

    /// Returns true if anything is in a folder in which something differs. Follows no link: one may lead to this
    /// folder.
    fn has_entries(&self, folder: &Path, differing: &BTreeSet<PathBuf>) -> bool {
        let is_there = |inside: &PathBuf| {
            let path = self.top.join(inside);
            match self.view(&path) {
                View::File { .. } | View::Link { .. } => true,
                View::Folder(differing) => self.has_entries(&path, differing),
                View::Machine | View::Absent | View::BelowFile => false,
            }
        };
        let is_same = |entry: &Entry| {
            let path = folder.join(&entry.name);
            path.strip_prefix(&self.top).is_ok_and(|inside| !differing.contains(inside))
        };
        differing.iter().any(is_there) || self.list_of_machine(folder).is_ok_and(|entries| entries.iter().any(is_same))
    }

    fn entry(&self, path: &Path, name: OsString) -> Option<Entry> {
        match self.view(path) {
            View::Absent | View::BelowFile => None,
            View::File { .. } => Some(Entry { name, is_folder: false, is_link: false }),
            View::Link { .. } => Some(Entry { name, is_folder: self.is_folder(path), is_link: true }),
            View::Folder(_) => self.is_real_folder(path).then_some(Entry { name, is_folder: true, is_link: false }),
            View::Machine => None,
        }
    }

    /// Returns what is in a folder in which something differs. git has no empty folders: without any, there is none.
    fn entries_of(&self, folder: &Path, differing: &BTreeSet<PathBuf>) -> Result<Option<Vec<Entry>>, ReadError> {
        let differs = |name: &OsString| {
            let inside = folder.join(name);
            inside.strip_prefix(&self.top).is_ok_and(|inside| differing.contains(inside))
        };
        let mut entries = self.list_of_machine(folder)?;
        entries.retain(|entry| !differs(&entry.name));
        let others = differing.iter().filter_map(|inside| {
            let name = inside.file_name()?.to_owned();
            self.entry(&self.top.join(inside), name)
        });
        entries.extend(others);
        entries.sort();
        Ok((!entries.is_empty()).then_some(entries))
    }
}

/// Returns what the system says of a path below a file.
fn no_folder() -> ReadError {
    std::io::Error::from_raw_os_error(libc::ENOTDIR).into()
}

/// Returns what the system says where links lead in a circle.
fn too_many_links() -> ReadError {
    std::io::Error::from_raw_os_error(libc::ELOOP).into()
}

impl Disk for RevisionDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(real) = self.real(path, true) else { return Err(too_many_links()) };
        match self.view(&real) {
            View::Machine => self.machine.read(&real),
            View::Absent | View::Link { .. } => Ok(None),
            View::BelowFile => Err(no_folder()),
            View::File { object, .. } => self.content(&real, object).map(Some),
            View::Folder(_) if self.is_real_folder(&real) => Err(ReadError::Folder),
            View::Folder(_) => Ok(None),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        let Some(real) = self.real(path, true) else { return false };
        match self.view(&real) {
            View::Machine => self.machine.exists(&real),
            View::Absent | View::BelowFile | View::Link { .. } => false,
            View::File { .. } => true,
            View::Folder(_) => self.is_real_folder(&real),
        }
    }

    fn is_named(&self, path: &Path) -> bool {
        let Some(real) = self.real(path, false) else { return false };
        match self.view(&real) {
            View::Machine => self.machine.is_named(&real),
            View::Absent | View::BelowFile => false,
            View::File { .. } | View::Link { .. } => true,
            View::Folder(_) => self.is_real_folder(&real),
        }
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.real(path, true).is_some_and(|real| self.is_real_folder(&real))
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        let real = self.real(path, false)?;
        let target = self.target(&real)?;
        // What stands before `..` may be a link itself.
        let climbs_late = |part: Component<'_>| part == Component::ParentDir;
        if target.components().skip_while(|part| climbs_late(*part)).any(climbs_late) {
            return self.real(path, true);
        }
        Some(clean_path(&path.parent()?.join(target)).into_owned())
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
        let Some(real) = self.real(path, follows) else { return Err(too_many_links()) };
        let facts = |kind, mode, target| {
            let owner = self.machine.facts(&self.top, true).ok().flatten();
            let (owner, group) = owner.map_or((0, 0), |of| (of.owner, of.group));
            FileFacts { kind, owner, group, mode, changed: self.seconds, modified: self.seconds, target }
        };
        Ok(match self.view(&real) {
            View::Machine => return self.machine.facts(&real, follows),
            View::Absent => None,
            View::BelowFile => return Err(no_folder()),
            View::Link { .. } => {
                let target = self.target(&real).map(|target| target.to_string_lossy().into_owned());
                (!follows).then(|| facts("link", 0o777, target))
            }
            View::File { is_executable, .. } => Some(facts("file", if is_executable { 0o755 } else { 0o644 }, None)),
            View::Folder(_) if !self.is_real_folder(&real) => None,
            View::Folder(_) if real.strip_prefix(&self.top).is_ok_and(|inside| self.is_replaced(inside)) => {
                Some(facts("directory", 0o755, None))
            }
            View::Folder(_) => match self.machine.facts(&real, follows)? {
                Some(of_machine) if of_machine.kind == "directory" => Some(of_machine),
                _ => Some(facts("directory", 0o755, None)),
            },
        })
    }

    fn stamp(&self, path: &Path, follows: bool) -> Stamped {
        let Some(real) = self.real(path, follows) else { return Stamped::Unknown };
        match self.view(&real) {
            View::Machine => self.machine.stamp(&real, follows),
            View::Absent | View::BelowFile | View::File { .. } | View::Link { .. } | View::Folder(_) => {
                Stamped::Unknown
            }
        }
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        let Some(real) = self.real(folder, true) else { return Err(too_many_links()) };
        match self.view(&real) {
            View::Machine => self.machine.list(&real),
            View::Absent | View::BelowFile | View::File { .. } | View::Link { .. } => Ok(None),
            View::Folder(differing) => self.entries_of(&real, differing),
        }
    }

    fn process_variable(&self, name: &str) -> Option<String> {
        self.machine.process_variable(name)
    }
}
