//! The paths that answers depend on: which events concern them, and which folders are watched.
//!
//! Knows nothing of who listens, or for how long.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_world::{Disk, Folders, Touched};
use rustc_hash::FxHashSet;

/// The paths whose events are heard.
pub(super) struct WatchedPaths {
    paths: FxHashSet<Arc<Path>>,
    folders: Folders<Arc<Path>>,
    /// Where something came or went since: there may be other folders to listen in.
    pub(super) unsure: Touched,
}

impl Default for WatchedPaths {
    fn default() -> WatchedPaths {
        WatchedPaths { paths: FxHashSet::default(), folders: Folders::default(), unsure: Touched::nothing() }
    }
}

impl WatchedPaths {
    /// From now on these too. Gives those for which one does not listen in their folders yet.
    pub(super) fn take(&mut self, paths: Vec<Arc<Path>>) -> Vec<Arc<Path>> {
        let unsure = std::mem::replace(&mut self.unsure, Touched::nothing());
        let near = self.folders.near(&unsure).into_iter();
        let mut unheard: Vec<Arc<Path>> = near.filter(|path| unsure.concerns(path)).cloned().collect();
        for path in paths {
            if self.paths.insert(Arc::clone(&path)) {
                self.folders.add(&path, Arc::clone(&path));
                unheard.push(path);
            }
        }
        unheard
    }

    /// Whether what is known of any of them may be another now, as [`Touched::concerns`] has it.
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
