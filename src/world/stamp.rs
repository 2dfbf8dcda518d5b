//! The stamp of a file: size, time and number, by which its states are told apart without reading it.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// Of a file, or of a folder, whose stamp is another one with every name that comes to it or leaves it. The time of the last
/// change of anything about it is one that nobody can set; where a file system has none, that of its content has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    device: u64,
    inode: u64,
    mode: u32,
    size: u64,
    changed: Time,
    modified: Time,
}

/// Seconds since 1970, and nanoseconds.
type Time = (i64, i64);

/// What is seen at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stamped {
    Nothing,
    As(Stamp),
    /// It cannot be looked at, or this disk has no stamps.
    Unknown,
}

/// A change shortly before a look may not be the last one with its time.
const UNSETTLED: i128 = 2_000_000_000;

impl Stamp {
    /// Returns true if a later change would surely show: it was last changed well before this time, in nanoseconds
    /// since 1970.
    pub fn is_settled(&self, before: i128) -> bool {
        let is_settled = |(seconds, nanoseconds): Time| {
            i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds) < before - UNSETTLED
        };
        is_settled(self.changed) && is_settled(self.modified)
    }

    /// Returns the stamp of a file or folder of a disk in memory, which changed then.
    pub fn in_memory(is_folder: bool, seconds: i64) -> Stamp {
        let mode = if is_folder { FOLDER } else { 0 };
        Stamp { device: 1, inode: 1, mode, size: 1, changed: (seconds, 0), modified: (seconds, 0) }
    }

    pub fn is_folder(&self) -> bool {
        self.mode & KIND == FOLDER
    }

    pub fn is_link(&self) -> bool {
        self.mode & KIND == LINK
    }
}

/// As every Unix writes them.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;

/// Returns what the machine says; `follows`: of a link, what it leads to.
#[cfg(unix)]
pub(super) fn stamp(path: &Path, follows: bool) -> Stamped {
    use std::io::ErrorKind;
    use std::os::unix::fs::MetadataExt;

    match if follows { path.metadata() } else { path.symlink_metadata() } {
        Ok(of) => Stamped::As(Stamp {
            device: of.dev(),
            inode: of.ino(),
            mode: of.mode(),
            size: of.size(),
            changed: (of.ctime(), of.ctime_nsec()),
            modified: (of.mtime(), of.mtime_nsec()),
        }),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Stamped::Nothing,
        Err(_) => Stamped::Unknown,
    }
}

#[cfg(not(unix))]
pub(super) fn stamp(_: &Path, _: bool) -> Stamped {
    Stamped::Unknown
}
