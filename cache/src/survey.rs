//! What lies in the store's folders: entries, what is left of broken writes,
//! what no store put there.
//!
//! It only looks: it must not change anything, and never follows a link.

use crate::disk;
use crate::key::Key;
use crate::layout::{self, Kind};
use std::fs::{self, DirEntry, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// File systems hand out room in blocks. Counted so, a thousand small entries
/// are not taken for nothing.
const BLOCK_BYTES: u64 = 4096;

/// A callback for folders that the system would not list, with the error.
pub(crate) type OnUnreadable<'h> = &'h dyn Fn(&Path, &io::Error);

/// Ignores folders that cannot be listed.
pub(crate) fn ignore_unreadable(_: &Path, _: &io::Error) {}

/// The folder of one version, in a stable order.
#[derive(Debug, Default)]
pub(crate) struct VersionSurvey {
    pub(crate) entries: Vec<EntryFile>,
    pub(crate) temporaries: Vec<TemporaryFile>,
    /// What has no business here.
    pub(crate) strays: Vec<PathBuf>,
}

#[derive(Debug)]
pub(crate) struct EntryFile {
    pub(crate) key: Key,
    pub(crate) kind: Kind,
    pub(crate) bytes: u64,
    pub(crate) used: SystemTime,
}

#[derive(Debug)]
pub(crate) struct TemporaryFile {
    pub(crate) path: PathBuf,
    pub(crate) written: SystemTime,
}

#[derive(Debug)]
pub(crate) struct VersionFolder {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    /// When it was last opened.
    pub(crate) used: SystemTime,
}

impl VersionSurvey {
    pub(crate) fn of(version_folder: &Path, on_unreadable: OnUnreadable<'_>) -> Self {
        let mut survey = Self::default();
        for item in sorted_items(version_folder, on_unreadable) {
            let is_folder = item.file_type().is_ok_and(|kind| kind.is_dir());
            match item.file_name().to_str() {
                Some(layout::OPENED_NAME) if !is_folder => {}
                Some(shard) if is_folder && layout::is_shard_name(shard) => {
                    survey.add_shard(&item.path(), shard, on_unreadable);
                }
                name => survey.add_other(&item, name),
            }
        }
        survey
    }

    fn add_shard(&mut self, folder: &Path, shard: &str, on_unreadable: OnUnreadable<'_>) {
        for item in sorted_items(folder, on_unreadable) {
            let name = item.file_name();
            let name = name.to_str();
            // Of the entry itself: a link is not followed.
            let file = item.metadata().ok().filter(Metadata::is_file);
            let entry = name.and_then(|name| layout::parse_entry_name(shard, name));
            match (entry, file) {
                (Some((key, kind)), Some(metadata)) => {
                    self.entries.push(EntryFile { key, kind, bytes: on_disk(&metadata), used: time_of(&metadata) })
                }
                (None, Some(_)) if name == Some(layout::LOCK_NAME) => {}
                _ => self.add_other(&item, name),
            }
        }
    }

    fn add_other(&mut self, item: &DirEntry, name: Option<&str>) {
        match (name, item.metadata()) {
            (Some(name), Ok(metadata)) if name.starts_with(layout::TEMPORARY_PREFIX) && metadata.is_file() => {
                self.temporaries.push(TemporaryFile { path: item.path(), written: time_of(&metadata) });
            }
            // Gone since it was listed.
            (_, Err(_)) => {}
            _ => self.strays.push(item.path()),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.entries.iter().map(|entry| entry.bytes).sum()
    }
}

/// The folders of all versions under `root`, in the order of their names; what is in them is not looked at.
pub(crate) fn version_items(root: &Path, on_unreadable: OnUnreadable<'_>) -> impl Iterator<Item = DirEntry> + use<> {
    sorted_items(root, on_unreadable).into_iter().filter(|item| {
        item.file_name().to_str().is_some_and(layout::is_version_name)
            && item.file_type().is_ok_and(|kind| kind.is_dir())
    })
}

/// The same, with how much is in them and when they were last of use.
pub(crate) fn version_folders(root: &Path, on_unreadable: OnUnreadable<'_>) -> Vec<VersionFolder> {
    version_items(root, on_unreadable)
        .map(|item| {
            let path = item.path();
            let used = disk::time_of(&path.join(layout::OPENED_NAME))
                .or_else(|| item.metadata().ok()?.modified().ok())
                .unwrap_or(SystemTime::UNIX_EPOCH);
            VersionFolder { bytes: tree_bytes(&path, on_unreadable), used, path }
        })
        .collect()
}

/// Our own temporary files in the root itself, left there by a process that
/// was killed.
pub(crate) fn temporaries_in_root(root: &Path) -> Vec<TemporaryFile> {
    let mut survey = VersionSurvey::default();
    for item in sorted_items(root, &ignore_unreadable) {
        survey.add_other(&item, item.file_name().to_str());
    }
    // Everything else in the root may be somebody's.
    survey.temporaries
}

/// Without recursion: a hostile folder may be deeper than the stack.
fn tree_bytes(folder: &Path, on_unreadable: OnUnreadable<'_>) -> u64 {
    let mut bytes = 0;
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for item in sorted_items(&folder, on_unreadable) {
            match item.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(item.path()),
                Ok(metadata) => bytes += on_disk(&metadata),
                Err(_) => {}
            }
        }
    }
    bytes
}

/// Whether nothing is in a folder but what a store puts there.
pub(crate) fn holds_a_store_alone(root: &Path) -> bool {
    let mut items = sorted_items(root, &ignore_unreadable).into_iter();
    items.all(|item| item.file_name().to_str().is_some_and(layout::is_name_in_root))
}

/// What a folder holds, by name; what is not there, or cannot be listed, holds nothing.
fn sorted_items(folder: &Path, on_unreadable: OnUnreadable<'_>) -> Vec<DirEntry> {
    let listing = fs::read_dir(folder).inspect_err(|error| {
        if error.kind() != ErrorKind::NotFound {
            on_unreadable(folder, error);
        }
    });
    let mut items: Vec<DirEntry> = listing.map(|listing| listing.filter_map(Result::ok).collect()).unwrap_or_default();
    items.sort_by_key(DirEntry::file_name);
    items
}

fn on_disk(metadata: &Metadata) -> u64 {
    metadata.len().div_ceil(BLOCK_BYTES) * BLOCK_BYTES
}

/// A time that cannot be had counts as the oldest.
fn time_of(metadata: &Metadata) -> SystemTime {
    metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)
}
