//! A disk on which some paths are those of another one: facts and recorded answers are no part of what is compared. What the other
//! one does not have is there all the same: a node is not gone from both sides because its facts are gone from one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Disk, Entry, FileFacts, ReadError, Stamped};

/// What lies at or below certain paths is taken from another disk, where that has it.
pub struct SharedPaths {
    pub own: Arc<dyn Disk>,
    pub shared: Arc<dyn Disk>,
    pub paths: Vec<PathBuf>,
    /// Files that are its own all the same.
    pub own_files: Vec<PathBuf>,
}

impl SharedPaths {
    /// The disks that may know a path, the one that counts first.
    fn disks(&self, path: &Path) -> impl Iterator<Item = &dyn Disk> {
        let is_shared =
            self.paths.iter().any(|shared| path.starts_with(shared)) && !self.own_files.iter().any(|own| own == path);
        let shared: Option<&dyn Disk> = if is_shared { Some(&*self.shared) } else { None };
        shared.into_iter().chain(std::iter::once(&*self.own))
    }

    /// The first answer that says that something is there.
    fn first<T>(
        &self,
        path: &Path,
        ask: impl Fn(&dyn Disk) -> Result<Option<T>, ReadError>,
    ) -> Result<Option<T>, ReadError> {
        for disk in self.disks(path) {
            if let Some(found) = ask(disk)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

impl Disk for SharedPaths {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.first(path, |disk| disk.read(path))
    }

    fn read_once(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.first(path, |disk| disk.read_once(path))
    }

    fn exists(&self, path: &Path) -> bool {
        self.disks(path).any(|disk| disk.exists(path))
    }

    fn is_named(&self, path: &Path) -> bool {
        self.disks(path).any(|disk| disk.is_named(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.disks(path).find(|disk| disk.exists(path)).is_some_and(|disk| disk.is_folder(path))
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        self.disks(path).find(|disk| disk.is_named(path))?.link_target(path)
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
        self.first(path, |disk| disk.facts(path, follows))
    }

    fn stamp(&self, path: &Path, follows: bool) -> Stamped {
        let mut stamps = self.disks(path).map(|disk| disk.stamp(path, follows));
        let first = stamps.next().unwrap_or(Stamped::Unknown);
        match (first, stamps.next()) {
            (Stamped::Nothing, Some(own)) => own,
            // Names of both are in it.
            (Stamped::As(stamp), Some(own)) if stamp.is_folder() && own != Stamped::As(stamp) => Stamped::Unknown,
            (first, _) => first,
        }
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        let mut all: Option<Vec<Entry>> = None;
        for disk in self.disks(folder) {
            let Some(entries) = disk.list(folder)? else { continue };
            let known = all.get_or_insert_default();
            let new = entries.into_iter().filter(|entry| !known.iter().any(|known| known.name == entry.name));
            let new: Vec<Entry> = new.collect();
            known.extend(new);
        }
        if let Some(entries) = &mut all {
            entries.sort();
        }
        Ok(all)
    }

    fn process_variable(&self, name: &str) -> Option<String> {
        self.own.process_variable(name)
    }
}

impl std::fmt::Debug for SharedPaths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedPaths").field("paths", &self.paths).finish_non_exhaustive()
    }
}
