//! A disk in memory, for tests: no unit test needs a folder of the machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Disk, Entry, ReadError, list_folder};

#[derive(Debug, Default)]
pub struct TableDisk(BTreeMap<PathBuf, String>);

impl TableDisk {
    /// Each path with its text; a path that ends in a slash is a folder with nothing in it but `.keep`.
    pub fn from_files(files: &[(&str, &str)]) -> TableDisk {
        let path =
            |name: &str| PathBuf::from(if name.ends_with('/') { format!("{name}.keep") } else { name.to_owned() });
        TableDisk(files.iter().map(|(name, text)| (path(name), (*text).to_owned())).collect())
    }
}

impl Disk for TableDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.get(path).map(|text| text.clone().into_bytes()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.contains_key(path) || self.is_folder(path)
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(list_folder(self.0.keys().map(PathBuf::as_path), folder))
    }
}
