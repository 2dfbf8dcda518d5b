//! The paths where something may have changed on the disk.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

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

    /// Whether what is known of a path may be another now: of it, of what is in it, of what stands above it.
    pub fn concerns(&self, path: &Path) -> bool {
        match self {
            Touched::Everything => true,
            Touched::Paths(Paths { paths, around }) => {
                around.contains(path) || path.ancestors().any(|above| paths.contains(above))
            }
        }
    }

    pub fn add(&mut self, path: PathBuf) {
        if let Touched::Paths(Paths { paths, around }) = self {
            around.extend(path.parent().map(Path::to_owned));
            paths.insert(path);
        }
    }

    /// Where it was, if it was not everywhere.
    pub(super) fn paths(&self) -> Option<impl Iterator<Item = &Path>> {
        match self {
            Touched::Everything => None,
            Touched::Paths(paths) => Some(paths.paths.iter().map(|path| path.as_path())),
        }
    }
}
