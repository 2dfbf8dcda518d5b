//! Folders that do not exist: paths below them need no question to the disk.
//!
//! Names of Ruby code are looked for in every module, and most modules have none. Knows nothing of questions and answers.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use pantin_base::LiteralPath;
use rustc_hash::FxHashSet;

use crate::Disk;

/// What holds until the disk is looked at again.
#[derive(Default)]
pub(super) struct Absent {
    known: RwLock<KnownPaths>,
}

#[derive(Default)]
struct KnownPaths {
    /// Of those that are in each other, the outermost.
    absent: FxHashSet<LiteralPath<Arc<Path>>>,
    present: FxHashSet<LiteralPath<Arc<Path>>>,
}

impl Absent {
    /// Returns true if a folder that this would lie in is not there.
    pub(super) fn holds(&self, path: &Path) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        !known.absent.is_empty() && folders(path).any(|folder| known.absent.contains(folder.as_os_str()))
    }

    /// Learns whether the folders are there that a name would lie in.
    pub(super) fn look(&self, path: &Path, disk: &dyn Disk) {
        let is_known = |folder: &&Path| {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            known.present.contains(folder.as_os_str()) || known.absent.contains(folder.as_os_str())
        };
        let unknown: Vec<&Path> = folders(path).take_while(|folder| !is_known(folder)).collect();
        if unknown.is_empty() {
            return;
        }
        // What cannot be looked at may be there.
        let is_there = |folder: &&&Path| !matches!(disk.facts(folder, true), Ok(None));
        let missing = unknown.iter().take_while(|folder| !is_there(folder)).count();
        let (missing, present) = unknown.split_at(missing);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.absent.extend(missing.last().map(|folder| LiteralPath(Arc::from(*folder))));
        known.present.extend(present.iter().map(|folder| LiteralPath(Arc::from(*folder))));
    }

    /// This folder is there.
    pub(super) fn is_not(&self, folder: &Path) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.present.insert(LiteralPath(Arc::from(folder)));
    }

    /// The disk may be another one now.
    pub(super) fn forget(&self) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = KnownPaths::default();
    }
}

/// From the innermost outward; none of a path that is no text.
fn folders(path: &Path) -> impl Iterator<Item = &Path> {
    std::iter::successors(path.to_str(), |path| Some(path.rsplit_once('/')?.0))
        .skip(1)
        .take_while(|folder| !folder.is_empty())
        .map(Path::new)
}
