//! The paths that answers depend on: which events concern them, and which folders are watched.
//!
//! Knows nothing of who listens, or for how long.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_world::{Disk, Folders, PathNames, Touched};
use rustc_hash::{FxHashMap, FxHashSet};

/// The paths whose events are heard.
pub(super) struct WatchedPaths {
    paths: FxHashSet<Arc<Path>>,
    folders: Folders<Arc<Path>>,
    /// Where links lead that are on the way to a path, each with that path.
    targets: Folders<LinkTarget>,
    known_targets: FxHashSet<LinkTarget>,
    /// The folders that have a link on their way, with what they are called without.
    real_folders: FxHashMap<PathBuf, PathBuf>,
    /// Where something came or went since: there may be other folders to listen in.
    pub(super) unsure: Touched,
}

/// Another name of a watched path.
#[derive(Clone, PartialEq, Eq, Hash)]
struct LinkTarget {
    name: Arc<Path>,
    path: Arc<Path>,
}

impl Default for WatchedPaths {
    fn default() -> WatchedPaths {
        WatchedPaths {
            paths: FxHashSet::default(),
            folders: Folders::default(),
            targets: Folders::default(),
            known_targets: FxHashSet::default(),
            real_folders: FxHashMap::default(),
            unsure: Touched::nothing(),
        }
    }
}

impl WatchedPaths {
    /// From now on these too. Gives those for which one does not listen in their folders yet, with where links on the way to them
    /// lead.
    pub(super) fn take(&mut self, disk: &dyn Disk, paths: Vec<Arc<Path>>) -> Vec<Arc<Path>> {
        let unsure = std::mem::replace(&mut self.unsure, Touched::nothing());
        let near = self.folders.near(&unsure).into_iter();
        let mut unheard: Vec<Arc<Path>> = near.filter(|path| unsure.concerns(path)).cloned().collect();
        for path in paths {
            if self.paths.insert(Arc::clone(&path)) {
                self.folders.add(&path, Arc::clone(&path));
                unheard.push(path);
            }
        }
        let names = PathNames::new(disk);
        for at in 0..unheard.len() {
            let path = Arc::clone(&unheard[at]);
            if let Some(folder) = path.parent()
                && let Some(real) = names.others(folder).pop()
            {
                self.real_folders.insert(folder.to_owned(), real);
            }
            for name in names.others(&path) {
                let target = LinkTarget { name: name.into(), path: Arc::clone(&path) };
                unheard.push(Arc::clone(&target.name));
                if self.known_targets.insert(target.clone()) {
                    self.targets.add(&Arc::clone(&target.name), target);
                }
            }
        }
        unheard
    }

    /// Returns the watched paths that an event at this path concerns under another name.
    pub(super) fn behind_links(&self, path: &Path) -> Vec<PathBuf> {
        if self.known_targets.is_empty() {
            return Vec::new();
        }
        let mut touched = Touched::from_paths([path.to_owned()]);
        // A folder has one listener, which calls it as it was called when that began.
        let real = path.parent().and_then(|folder| Some(self.real_folders.get(folder)?.join(path.file_name()?)));
        real.iter().for_each(|real| touched.add(real.clone()));
        let near = self.targets.near(&touched).into_iter().filter(|target| touched.concerns(&target.name));
        let meant = real.filter(|real| self.is_meant(real));
        near.map(|target| target.path.to_path_buf()).chain(meant).collect()
    }

    /// Returns true if what is known of any of them may be another now, as [`Touched::concerns`] has it.
    pub(super) fn is_meant(&self, path: &Path) -> bool {
        let is_in_one = || path.parent().is_some_and(|folder| self.paths.contains(folder));
        self.paths.contains(path) || self.folders.holds(path) || is_in_one()
    }
}

/// The folders in which these paths are, but for those that are `known`; of what is not there, the nearest folder above
/// that is.
pub(super) fn folders_of<'p>(disk: &dyn Disk, known: &FxHashSet<PathBuf>, paths: &'p [Arc<Path>]) -> Vec<&'p Path> {
    let mut folders = Vec::new();
    let mut seen: FxHashSet<&Path> = FxHashSet::default();
    for path in paths {
        for (depth, above) in path.ancestors().enumerate() {
            // What was looked at for another path has its folder above it.
            if !seen.insert(above) {
                if depth > 0 {
                    break;
                }
                continue;
            }
            let is_known = known.contains(above);
            if is_known || disk.is_folder(above) {
                if !is_known {
                    folders.push(above);
                }
                if depth > 0 {
                    break;
                }
            }
        }
    }
    folders
}
