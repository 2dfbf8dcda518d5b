//! The paths that somebody has asked for: which events are about them, and in which folders these are heard.
//!
//! Knows nothing of who listens, or for how long.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Touched;
use crate::world::Disk;

/// The paths whose events are heard.
pub(super) struct Followed {
    paths: FxHashSet<Arc<Path>>,
    /// The folders above them.
    above: FxHashSet<PathBuf>,
    /// Where something came or went since: there may be other folders to listen in.
    pub(super) unsure: Touched,
}

impl Default for Followed {
    fn default() -> Followed {
        Followed { paths: FxHashSet::default(), above: FxHashSet::default(), unsure: Touched::nothing() }
    }
}

impl Followed {
    /// From now on these too. Gives those for which one does not listen in their folders yet.
    pub(super) fn take<'p>(&mut self, paths: &'p [Arc<Path>]) -> Vec<&'p Path> {
        let mut unsure = std::mem::replace(&mut self.unsure, Touched::nothing());
        // Most of them nobody asks for any more.
        if self.paths.len() > 2 * paths.len() {
            unsure = Touched::Everything;
        }
        if unsure == Touched::Everything {
            self.above.clear();
        }
        if !unsure.is_nothing() {
            self.paths.retain(|path| !unsure.concerns(path));
        }
        let unheard: Vec<&Arc<Path>> = paths.iter().filter(|path| !self.paths.contains(*path)).collect();
        unheard.iter().for_each(|path| self.add(path));
        unheard.into_iter().map(|path| &**path).collect()
    }

    fn add(&mut self, path: &Arc<Path>) {
        self.paths.insert(Arc::clone(path));
        for above in path.ancestors().skip(1) {
            if self.above.contains(above) {
                break;
            }
            self.above.insert(above.to_owned());
        }
    }

    /// Whether what is known of any of them may be another now, as [`Touched::concerns`] has it.
    pub(super) fn is_meant(&self, path: &Path) -> bool {
        let is_in_one = || path.parent().is_some_and(|folder| self.paths.contains(folder));
        self.paths.contains(path) || self.above.contains(path) || is_in_one()
    }
}

/// The folders in which these paths are, but for those that are `known`; of what is not there, the nearest folder above
/// that is.
pub(super) fn folders_of<'p>(disk: &dyn Disk, known: &FxHashSet<PathBuf>, paths: &[&'p Path]) -> Vec<&'p Path> {
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
