//! What a store is opened with, and the limits it keeps to.
//!
//! Plain data: it must not know where the values come from (arguments,
//! environment, settings).

use crate::Key;
use std::path::PathBuf;
use std::time::Duration;

/// What the store may do to its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    ReadWrite,
    /// Nothing is written, touched or deleted, not even a damaged entry.
    ReadOnly,
}

/// Everything a [`crate::Store`] is opened with. Make one with
/// [`StoreOptions::new`] and change the fields that matter.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// The folder of the store. It is made when it is missing.
    pub root: PathBuf,
    /// The version of what the caller encodes. Another version is another
    /// folder.
    pub format_version: u32,
    /// A hash that tells one build of the caller from another: of its sources
    /// or its binary. Another build is another folder.
    pub build_identity: Key,
    pub access: Access,
    /// What [`crate::Store::clean`] brings the folder under, all versions
    /// together.
    pub max_bytes: u64,
    /// The largest value that is written, and the most that is decompressed.
    pub max_entry_bytes: u64,
    /// A hit marks an entry as used only if its mark is older than this.
    pub touch_after: Duration,
    /// Another version's folder that was not opened for so long is removed
    /// even when there is room.
    pub keep_other_versions: Duration,
    /// How long a merge waits for another process that merges beside it,
    /// before it gives its own entries up.
    pub lock_patience: Duration,
    /// How long after a cleaning the next one is due.
    pub clean_every: Duration,
}

impl StoreOptions {
    /// The options of an ordinary store at `root`.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>, format_version: u32, build_identity: Key) -> Self {
        // None of these figures is measured: they are limits that a person
        // would not be surprised by.
        Self {
            root: root.into(),
            format_version,
            build_identity,
            access: Access::ReadWrite,
            max_bytes: 2 << 30,
            max_entry_bytes: 64 << 20,
            touch_after: Duration::from_hours(1),
            keep_other_versions: Duration::from_hours(14 * 24),
            lock_patience: Duration::from_secs(2),
            clean_every: Duration::from_hours(24),
        }
    }
}
