//! The paths where something may have changed on the disk.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::Disk;

/// More files than these are not edited by hand.
const MOST_EDITED: usize = 64;

/// Where something may have happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Touched {
    Everything,
    Paths(Paths),
}

/// Paths, and the folders that they are in.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Paths {
    paths: FxHashSet<PathBuf>,
    around: FxHashSet<PathBuf>,
}

impl Touched {
    pub fn nothing() -> Touched {
        Touched::Paths(Paths::default())
    }

    pub fn from_paths(paths: impl IntoIterator<Item = PathBuf>) -> Touched {
        let mut touched = Touched::nothing();
        paths.into_iter().for_each(|path| touched.add(path));
        touched
    }

    pub fn is_nothing(&self) -> bool {
        matches!(self, Touched::Paths(paths) if paths.paths.is_empty())
    }

    /// Returns true if what is known of a path may be another now: of it, of what is in it, of what stands above it.
    pub fn concerns(&self, path: &Path) -> bool {
        match self {
            Touched::Everything => true,
            Touched::Paths(Paths { paths, around }) => {
                around.contains(path) || path.ancestors().any(|above| paths.contains(above))
            }
        }
    }

    /// Returns true if something happened at this very path.
    pub fn names(&self, path: &Path) -> bool {
        match self {
            Touched::Everything => true,
            Touched::Paths(Paths { paths, .. }) => paths.contains(path),
        }
    }

    pub fn add(&mut self, path: PathBuf) {
        if let Touched::Paths(Paths { paths, around }) = self {
            around.extend(path.parent().map(Path::to_owned));
            paths.insert(path);
        }
    }

    /// Returns true if one of the paths is a file with nothing in it: whoever saves a file may have emptied it and not written it yet.
    /// Of many paths at once nothing is said.
    pub fn has_empty_file(&self, disk: &dyn Disk) -> bool {
        let Touched::Paths(Paths { paths, .. }) = self else { return false };
        let is_empty = |path: &PathBuf| disk.read(path).is_ok_and(|found| found.is_some_and(|bytes| bytes.is_empty()));
        paths.len() <= MOST_EDITED && paths.iter().any(is_empty)
    }

    /// Where it was, if it was not everywhere.
    pub(super) fn paths(&self) -> Option<impl Iterator<Item = &Path>> {
        match self {
            Touched::Everything => None,
            Touched::Paths(paths) => Some(paths.paths.iter().map(|path| path.as_path())),
        }
    }
}
