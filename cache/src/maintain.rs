//! What a person asks of the store: how large is it, is it sound, empty it.
//!
//! It must not print anything, nor decide when any of this is done.

use crate::bundle::Bundle;
use crate::disk;
use crate::layout::Kind;
use crate::store::{Reading, Store};
use crate::survey::{self, VersionSurvey};
use std::io;
use std::path::Path;

/// How large a store is. Bytes are counted in blocks of 4 KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizeReport {
    /// Entries of this version, by kind.
    pub answers: u64,
    pub bundles: u64,
    pub blobs: u64,
    /// Bytes of these entries.
    pub bytes: u64,
    /// Folders of other versions and builds.
    pub other_versions: u64,
    pub other_versions_bytes: u64,
}

/// What a check of every entry of this version found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    pub sound: u64,
    /// Damaged entries. They are gone now, unless the store is read-only.
    pub damaged: u64,
    /// Entries that the system refused to read.
    pub unreadable: u64,
    /// What no store puts into its folder; cleaning removes it.
    pub strays: u64,
}

/// What was removed by [`Store::clear`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClearReport {
    pub versions_removed: u64,
    pub bytes_freed: u64,
    /// Folders that could not be removed, or not wholly.
    pub versions_left: u64,
}

impl Store {
    /// How large the store is now.
    #[must_use]
    pub fn size(&self) -> SizeReport {
        let on_unreadable = |path: &Path, error: &io::Error| self.note_trouble(path, error);
        // The root first: what is wrong with it is told, and not what is wrong below.
        let folders = survey::version_folders(self.path(), &on_unreadable);
        let survey = VersionSurvey::of(self.version_folder(), &on_unreadable);
        let count = |kind| {
            let of_kind = survey.entries.iter().filter(|entry| entry.kind == kind);
            of_kind.count() as u64
        };
        let mut report = SizeReport {
            answers: count(Kind::Answer),
            bundles: count(Kind::Bundle),
            blobs: count(Kind::Blob),
            bytes: survey.bytes(),
            ..SizeReport::default()
        };
        for folder in folders {
            if folder.path != self.version_folder() {
                report.other_versions += 1;
                report.other_versions_bytes += folder.bytes;
            }
        }
        report
    }

    /// Reads every entry of this version as a caller would, and removes what
    /// is damaged. A check is no use: no entry looks younger for it.
    pub fn verify(&self) -> VerifyReport {
        let on_unreadable = |path: &Path, error: &io::Error| self.note_trouble(path, error);
        // The root as well: a version that cannot be seen looks like none.
        survey::version_items(self.path(), &on_unreadable).for_each(drop);
        let survey = VersionSurvey::of(self.version_folder(), &on_unreadable);
        let mut report = VerifyReport { strays: survey.strays.len() as u64, ..VerifyReport::default() };
        for entry in &survey.entries {
            // A bundle is sound only if its names can be read too.
            let decode = |payload: Vec<u8>| match entry.kind {
                Kind::Bundle => Bundle::decode(payload).map(drop),
                Kind::Answer | Kind::Blob => Some(()),
            };
            match self.read_value(&entry.key, entry.kind, decode) {
                Reading::Value { .. } => report.sound += 1,
                Reading::Damaged => report.damaged += 1,
                Reading::Unreadable => report.unreadable += 1,
                // Evicted by another process since the survey.
                Reading::Absent => {}
            }
        }
        report
    }

    /// Removes every version, this one too. The store stays open and starts
    /// anew. Of the root itself nothing else is touched: it may have been
    /// chosen badly.
    pub fn clear(&self) -> ClearReport {
        let mut report = ClearReport::default();
        if !self.may_write() {
            return report;
        }
        let on_unreadable = |path: &Path, error: &io::Error| self.note_trouble(path, error);
        for folder in survey::version_folders(self.path(), &on_unreadable) {
            match disk::remove(&folder.path) {
                Ok(()) => {
                    report.versions_removed += 1;
                    report.bytes_freed += folder.bytes;
                }
                Err(error) => {
                    self.note_trouble(&folder.path, &error);
                    report.versions_left += 1;
                }
            }
        }
        report
    }
}
