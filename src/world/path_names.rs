//! The names of a path: the one that is written, and those that links on the way lead to.
//!
//! Whoever reads `data/common.yaml`, a link to `../shared/common.yaml`, depends on both files; so does whoever reads through a
//! linked folder. Knows nothing of who reads, or why.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::Disk;

/// The system follows no more links on one way.
const MOST_LINKS: usize = 40;

/// Finds the names of paths. Each folder is looked at once.
pub struct PathNames<'d> {
    disk: &'d dyn Disk,
    folders: Mutex<FxHashMap<PathBuf, Arc<FolderNames>>>,
}

/// The names of a folder.
struct FolderNames {
    /// Beside the one that is written; the last one has no link in it.
    others: Vec<PathBuf>,
    is_there: bool,
}

impl<'d> PathNames<'d> {
    pub fn new(disk: &'d dyn Disk) -> PathNames<'d> {
        PathNames { disk, folders: Mutex::default() }
    }

    /// Returns the names of a path beside the one that is written, in the order in which links lead to them; most paths have none.
    /// The path need not be there.
    pub fn others(&self, path: &Path) -> Vec<PathBuf> {
        self.others_within(path, MOST_LINKS)
    }

    fn others_within(&self, path: &Path, most: usize) -> Vec<PathBuf> {
        if path.components().any(|part| part == Component::ParentDir) {
            let straight = self.without_climbing(path, most);
            let others = self.others_within(&straight, most);
            return std::iter::once(straight).chain(others).collect();
        }
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return Vec::new() };
        let above = self.folder(above, most);
        let mut others: Vec<PathBuf> = above.others.iter().map(|folder| folder.join(name)).collect();
        if !above.is_there {
            return others;
        }
        let real = others.last().map_or(path, PathBuf::as_path);
        if let Some(most) = most.checked_sub(1)
            && let Some(target) = self.disk.link_target(real)
        {
            let further = self.others_within(&target, most);
            for name in std::iter::once(target).chain(further) {
                if name != path && !others.contains(&name) {
                    others.push(name);
                }
            }
        }
        others
    }

    /// Returns the path without `..`: what stands before one may be a link, and the system goes up from where that leads.
    fn without_climbing(&self, path: &Path, most: usize) -> PathBuf {
        let mut straight = PathBuf::new();
        for part in path.components() {
            match part {
                Component::ParentDir => {
                    straight = self.others_within(&straight, most).pop().unwrap_or(straight);
                    straight.pop();
                }
                part => straight.push(part),
            }
        }
        straight
    }

    fn folder(&self, folder: &Path, most: usize) -> Arc<FolderNames> {
        let known = self.folders.lock().unwrap_or_else(PoisonError::into_inner).get(folder).cloned();
        if let Some(known) = known {
            return known;
        }
        let is_root = folder.parent().is_none();
        let others = self.others_within(folder, most);
        let is_there = is_root || self.disk.is_folder(folder);
        let names = Arc::new(FolderNames { others, is_there });
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(folders.entry(folder.to_owned()).or_insert(names))
    }
}

impl std::fmt::Debug for PathNames<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PathNames").finish_non_exhaustive()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::MachineDisk;

    #[test]
    fn a_path_has_the_names_that_links_lead_to() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for inside in ["data", "shared/deep", "far"] {
            fs::create_dir_all(top.join(inside)).unwrap();
        }
        fs::write(top.join("far/common.yaml"), "a: 1\n").unwrap();
        symlink("../shared/common.yaml", top.join("data/common.yaml")).unwrap();
        symlink("../far/common.yaml", top.join("shared/common.yaml")).unwrap();
        symlink("../shared/deep", top.join("data/deep")).unwrap();
        symlink("../gone.yaml", top.join("data/gone.yaml")).unwrap();
        symlink("round", top.join("data/round")).unwrap();
        let disk = MachineDisk::default();
        let names = PathNames::new(&disk);
        let others = |path: &str| -> Vec<String> {
            let others = names.others(&top.join(path)).into_iter();
            others.map(|other| other.strip_prefix(&top).unwrap().display().to_string()).collect()
        };
        assert_eq!(others("data/common.yaml"), ["shared/common.yaml", "far/common.yaml"]);
        assert_eq!(others("data/deep/not/there"), ["shared/deep/not/there"]);
        assert_eq!(others("data/gone.yaml"), ["gone.yaml"]);
        assert_eq!(others("far/common.yaml"), [""; 0]);
        assert_eq!(others("none/x"), [""; 0]);
        assert_eq!(others("data/round"), [""; 0]);
        assert_eq!(others("data/deep/../common.yaml"), ["shared/common.yaml", "far/common.yaml"]);
        assert_eq!(others("none/../far"), ["far"]);
    }
}
