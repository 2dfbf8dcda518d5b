//! Files that are not of this machine's own tree: what `puppet:///` leads to. Handed in from above.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use pantin_machine::FileStat;

/// Finds and reads what the path of a `puppet:///` address means: `modules/ntp/ntp.conf`.
pub trait Sources: Send + Sync {
    /// Returns what stands there, or `None` if nothing does.
    fn stat(&self, path: &str, follow: bool) -> io::Result<Option<FileStat>>;

    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Returns the names in a folder, sorted by their bytes.
    fn list(&self, path: &str) -> io::Result<Vec<OsString>>;

    fn link_target(&self, path: &str) -> io::Result<PathBuf>;

    /// Returns true if a file gets another time of change whenever somebody writes to it.
    fn keeps_change_times(&self, path: &str) -> bool {
        let _ = path;
        false
    }
}

/// Knows no file.
#[derive(Clone, Copy, Debug)]
pub struct NoSources;

impl Sources for NoSources {
    fn stat(&self, _path: &str, _follow: bool) -> io::Result<Option<FileStat>> {
        Ok(None)
    }

    fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn list(&self, _path: &str) -> io::Result<Vec<OsString>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn link_target(&self, _path: &str) -> io::Result<PathBuf> {
        Err(io::ErrorKind::NotFound.into())
    }
}
