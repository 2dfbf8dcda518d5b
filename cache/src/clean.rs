//! Keeps the store within its size: old versions first, then the entries that
//! were used longest ago.
//!
//! One process cleans at a time, others read and write meanwhile; it may be
//! killed at any point. It must not know why an entry was written.

use crate::disk;
use crate::layout;
use crate::lock::Lock;
use crate::store::Store;
use crate::survey::{self, EntryFile, VersionFolder, VersionSurvey};
use std::io;
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

/// A temporary file older than this belongs to no write that still goes on.
const ABANDONED_AFTER: Duration = Duration::from_hours(1);
/// Entries are evicted down to this many percent of the limit, so that the
/// next write does not make cleaning due again.
const TARGET_PERCENT: u64 = 90;
/// Cleaning is due before its time when this process alone has written so much
/// of the limit.
const DUE_AFTER_WRITING_PERCENT: u64 = 10;

/// What a cleaning did. Bytes are counted in blocks of 4 KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CleanReport {
    /// False where another process was cleaning, or the store is read-only.
    pub ran: bool,
    pub versions_removed: u64,
    pub entries_evicted: u64,
    /// Abandoned temporary files, and what no store puts into its folder.
    pub strays_removed: u64,
    /// All versions together.
    pub bytes_before: u64,
    pub bytes_after: u64,
}

impl Store {
    /// Brings the store within [`crate::StoreOptions::max_bytes`]. It returns
    /// at once if another process is at it.
    pub fn clean(&self) -> CleanReport {
        if !self.may_write() {
            return CleanReport::default();
        }
        let on_unreadable = |path: &Path, error: &io::Error| self.note_trouble(path, error);
        if survey::version_items(self.path(), &on_unreadable).next().is_none() {
            // Nothing is made in a folder that holds no store.
            return CleanReport { ran: true, ..CleanReport::default() };
        }
        let lock_path = self.path().join(layout::CLEAN_LOCK_NAME);
        let lock = Lock::acquire(&lock_path, Duration::ZERO);
        if matches!(lock, Lock::Busy) {
            return CleanReport::default();
        }
        let report = self.clean_alone();
        self.note_cleaned();
        report
    }

    /// Whether cleaning is worth starting: some time has gone by since the
    /// last one, or this process has written much.
    #[must_use]
    pub fn clean_is_due(&self) -> bool {
        if !self.may_write() {
            return false;
        }
        let much = percent_of(self.options().max_bytes, DUE_AFTER_WRITING_PERCENT);
        if self.written_since_cleaned() > much {
            return true;
        }
        let cleaned = disk::time_of(&self.path().join(layout::CLEANED_NAME));
        cleaned
            // A time to come says that the clock was set back.
            .and_then(|cleaned| SystemTime::now().duration_since(cleaned).ok())
            .is_none_or(|age| age >= self.options().clean_every)
    }

    /// Cleans on a thread of its own if it is due. Nobody needs to wait for
    /// it: a process that ends meanwhile leaves the rest to the next one.
    pub fn clean_in_background(&self) -> Option<JoinHandle<CleanReport>> {
        if !self.clean_is_due() {
            return None;
        }
        let store = self.clone();
        thread::Builder::new().name("cache-clean".to_owned()).spawn(move || store.clean()).ok()
    }

    fn clean_alone(&self) -> CleanReport {
        let now = SystemTime::now();
        let max_bytes = self.options().max_bytes;
        let mut report = CleanReport { ran: true, ..CleanReport::default() };
        // What of others cannot be seen is not ours to remove.
        let (own, mut others): (Vec<VersionFolder>, Vec<VersionFolder>) =
            survey::version_folders(self.path(), &survey::ignore_unreadable)
                .into_iter()
                .partition(|folder| folder.path == self.version_folder());
        let all = own.iter().chain(&others);
        report.bytes_before = all.map(|folder| folder.bytes).sum();
        report.bytes_after = report.bytes_before;

        others.sort_by_key(|folder| self.age_rank(folder.used, now));
        for folder in &others {
            let is_old = now.duration_since(folder.used).is_ok_and(|age| age >= self.options().keep_other_versions);
            let goes = is_old || report.bytes_after > max_bytes;
            if goes && disk::remove(&folder.path).is_ok() {
                report.versions_removed += 1;
                report.bytes_after = report.bytes_after.saturating_sub(folder.bytes);
            }
        }

        let survey = VersionSurvey::of(self.version_folder(), &survey::ignore_unreadable);
        self.remove_strays(&survey, now, &mut report);
        if report.bytes_after > max_bytes {
            self.evict(survey.entries, now, &mut report);
        }
        report
    }

    fn remove_strays(&self, survey: &VersionSurvey, now: SystemTime, report: &mut CleanReport) {
        let in_root = survey::temporaries_in_root(self.path());
        let abandoned = survey
            .temporaries
            .iter()
            .chain(&in_root)
            .filter(|temporary| {
                // One from the future is from before the clock was set back.
                now.duration_since(temporary.written).unwrap_or_else(|ahead| ahead.duration()) >= ABANDONED_AFTER
            })
            .map(|temporary| &temporary.path);
        for path in survey.strays.iter().chain(abandoned) {
            if disk::remove(path).is_ok() {
                report.strays_removed += 1;
            }
        }
    }

    fn evict(&self, mut entries: Vec<EntryFile>, now: SystemTime, report: &mut CleanReport) {
        let target = percent_of(self.options().max_bytes, TARGET_PERCENT);
        // By key where times are equal, so that one state has one outcome.
        entries.sort_by_key(|entry| (self.age_rank(entry.used, now), entry.key, entry.kind));
        for entry in &entries {
            if report.bytes_after <= target {
                break;
            }
            let path = self.entry_path(&entry.key, entry.kind);
            if self.evict_one(&path, entry) {
                report.entries_evicted += 1;
                report.bytes_after = report.bytes_after.saturating_sub(entry.bytes);
            }
        }
        self.counters().evicted.add(report.entries_evicted);
    }

    /// Removes an entry unless it was used since the survey.
    fn evict_one(&self, path: &Path, entry: &EntryFile) -> bool {
        disk::time_of(path) == Some(entry.used) && disk::remove(path).is_ok()
    }

    /// The order of use. A time well in the future is from before the clock was
    /// set back, and any use since would have renewed it: it counts as oldest.
    fn age_rank(&self, used: SystemTime, now: SystemTime) -> SystemTime {
        if used > now + self.options().touch_after { SystemTime::UNIX_EPOCH } else { used }
    }

    fn note_cleaned(&self) {
        self.reset_written_since_cleaned();
        let mark = self.path().join(layout::CLEANED_NAME);
        if let Err(error) = disk::mark(&mark) {
            self.note_trouble(&mark, &error);
        }
    }
}

/// Divided first: a limit may be close to the largest number there is.
fn percent_of(amount: u64, percent: u64) -> u64 {
    amount / 100 * percent + amount % 100 * percent / 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Kind;
    use crate::{Key, StoreOptions};

    #[test]
    fn an_entry_used_since_the_survey_is_not_evicted() {
        let folder = tempfile::tempdir().unwrap();
        let key = Key::of(b"key");
        let store = Store::open(StoreOptions::new(folder.path(), 1, key));
        store.put(&key, b"answer");
        let path = store.entry_path(&key, Kind::Answer);
        let surveyed = VersionSurvey::of(store.version_folder(), &survey::ignore_unreadable);
        disk::set_time(&path, SystemTime::now() - Duration::from_secs(9));
        assert!(!store.evict_one(&path, &surveyed.entries[0]));
        assert!(store.get(&key).is_some());
        let surveyed = VersionSurvey::of(store.version_folder(), &survey::ignore_unreadable);
        assert!(store.evict_one(&path, &surveyed.entries[0]));
        assert!(store.get(&key).is_none());
    }
}
