//! A disk on which some paths are those of another one: facts and recorded answers are no part of what is compared.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Disk, Entry, FileFacts, ReadError, Stamped};

/// What lies at or below certain paths is taken from another disk.
pub struct SharedPaths {
    pub own: Arc<dyn Disk>,
    pub shared: Arc<dyn Disk>,
    pub paths: Vec<PathBuf>,
}

impl SharedPaths {
    fn disk(&self, path: &Path) -> &dyn Disk {
        match self.paths.iter().any(|shared| path.starts_with(shared)) {
            true => &*self.shared,
            false => &*self.own,
        }
    }
}

impl Disk for SharedPaths {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.disk(path).read(path)
    }

    fn read_once(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.disk(path).read_once(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.disk(path).exists(path)
    }

    fn is_named(&self, path: &Path) -> bool {
        self.disk(path).is_named(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.disk(path).is_folder(path)
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        self.disk(path).link_target(path)
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
        self.disk(path).facts(path, follows)
    }

    fn stamp(&self, path: &Path, follows: bool) -> Stamped {
        self.disk(path).stamp(path, follows)
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        self.disk(folder).list(folder)
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
