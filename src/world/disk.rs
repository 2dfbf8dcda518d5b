//! Files as the compiler asks for them: by their whole path, absent ones included.

use std::path::Path;

use super::{ReadError, read_file};

/// Where files come from: the machine's disk, or a test's table.
pub trait Disk: Send + Sync {
    /// The content of a file, or `None` where there is none.
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError>;

    /// Whether there is a file, or a folder, of this name.
    fn exists(&self, path: &Path) -> bool;
}

/// The disk of this machine.
#[derive(Debug)]
pub struct MachineDisk {
    pub limit: u64,
}

impl Disk for MachineDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        match read_file(path, self.limit) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(ReadError::Missing) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}
