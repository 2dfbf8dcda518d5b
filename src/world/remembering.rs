//! A disk that asks each question once: for the time of one run, whose files do not change.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::{Disk, Entry, FileFacts, ReadError};

/// Remembers what is there and what is not. Contents are remembered by those who parse them.
pub struct RememberingDisk {
    disk: Arc<dyn Disk>,
    exists: RwLock<FxHashMap<PathBuf, bool>>,
    lists: RwLock<FxHashMap<PathBuf, Option<Vec<Entry>>>>,
}

impl RememberingDisk {
    pub fn new(disk: Arc<dyn Disk>) -> RememberingDisk {
        RememberingDisk { disk, exists: RwLock::default(), lists: RwLock::default() }
    }
}

impl Disk for RememberingDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.disk.read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        if let Some(known) = self.exists.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return *known;
        }
        let exists = self.disk.exists(path);
        self.exists.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), exists);
        exists
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.disk.is_folder(path)
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        self.disk.link_target(path)
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
        self.disk.facts(path, follows)
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        if let Some(known) = self.lists.read().unwrap_or_else(PoisonError::into_inner).get(folder) {
            return Ok(known.clone());
        }
        let list = self.disk.list(folder)?;
        self.lists.write().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned(), list.clone());
        Ok(list)
    }

    fn process_variable(&self, name: &str) -> Option<String> {
        self.disk.process_variable(name)
    }
}
