//! The store: open it, read, write.
//!
//! Here the parts meet: an entry's bytes, the disk, the counters. It must not
//! know what a value means, and must not let any trouble out: a caller sees a
//! value or nothing.

use crate::bundle::{Bundle, Merged};
use crate::counters::{Counters, Counts};
use crate::disk::{self, Found};
use crate::entry::{self, HEADER_BYTES, Stamp};
use crate::gate::WriteGate;
use crate::key::Key;
use crate::layout::{self, Kind};
use crate::lock::Lock;
use crate::options::{Access, StoreOptions};
use crate::survey;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// A persistent store. Cheap to clone; clones share one set of counters.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    options: StoreOptions,
    version_folder: PathBuf,
    counters: Counters,
    gate: WriteGate,
    first_trouble: OnceLock<String>,
    /// What [`Counts::bytes_written`] was at this process's last cleaning.
    written_when_cleaned: AtomicU64,
}

/// What became of a write. A caller may well ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOutcome {
    Written,
    /// The same content was there already.
    Unchanged,
    /// Nothing was kept. [`Counts::lost`] has counted it.
    Lost,
}

/// What reading an entry came to.
pub(crate) enum Reading<T> {
    Value {
        value: T,
        /// Its last mark of use.
        used: Option<SystemTime>,
    },
    Absent,
    Damaged,
    Unreadable,
}

impl Store {
    /// Opens the store, and makes its folder if it is missing. It never fails:
    /// where there is no folder to be had, every read is a miss and every
    /// write is lost, and [`Store::trouble`] says why.
    #[must_use]
    pub fn open(options: StoreOptions) -> Self {
        let store = Self::open_as_it_is(options);
        if store.may_write() {
            store.mark_as_opened();
        }
        store
    }

    /// Opens the store to look after it: nothing is made, and this version is not
    /// marked as used.
    #[must_use]
    pub fn open_as_it_is(options: StoreOptions) -> Self {
        let version = layout::version_name(options.format_version, &options.build_identity);
        Self {
            inner: Arc::new(Inner {
                version_folder: options.root.join(version),
                options,
                counters: Counters::default(),
                gate: WriteGate::default(),
                first_trouble: OnceLock::new(),
                written_when_cleaned: AtomicU64::new(0),
            }),
        }
    }

    fn mark_as_opened(&self) {
        let mark = self.version_folder().join(layout::OPENED_NAME);
        if !self.is_recent(disk::time_of(&mark))
            && let Err(error) = disk::mark(&mark)
        {
            self.note_trouble(&mark, &error);
            return;
        }
        let tag = self.path().join(layout::TAG_NAME);
        // A folder with anything else in it may be somebody's own, which backups are not to leave out.
        if disk::time_of(&tag).is_none() && survey::holds_a_store_alone(self.path()) {
            // A backup that takes the cache along is no harm.
            let _ = disk::write_beside(&tag, layout::TAG_TEXT.as_bytes());
        }
    }

    /// The root of the store, all versions.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.options.root
    }

    /// The folder of this version and build.
    #[must_use]
    pub fn version_folder(&self) -> &Path {
        &self.inner.version_folder
    }

    #[must_use]
    pub fn options(&self) -> &StoreOptions {
        &self.inner.options
    }

    /// What was counted since this store was opened.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.inner.counters.snapshot()
    }

    /// The first thing that the system refused, for a person to read. The
    /// store goes on regardless.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.inner.first_trouble.get().map(String::as_str)
    }

    /// The answer under `key`.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        self.get_value(key, Kind::Answer, Some)
    }

    /// Keeps `value` as the answer under `key`, in the place of an older one.
    pub fn put(&self, key: &Key, value: &[u8]) -> PutOutcome {
        if !self.accepts(value) {
            return self.lost();
        }
        self.write_entry(key, Kind::Answer, value, &Key::of(value))
    }

    /// The blob whose content hashes to `address`.
    #[must_use]
    pub fn get_blob(&self, address: &Key) -> Option<Vec<u8>> {
        self.get_value(address, Kind::Blob, Some)
    }

    /// Keeps a blob. Its address is the answer, whether it could be kept or
    /// not.
    pub fn put_blob(&self, content: &[u8]) -> Key {
        let address = Key::of(content);
        if !self.accepts(content) {
            self.lost();
        } else if self.has_blob(&address, content) {
            self.counters().unchanged.one();
        } else {
            self.write_entry(&address, Kind::Blob, content, &address);
        }
        address
    }

    /// Whether the blob seems to be there. A look at its length, no more: if
    /// its content is damaged, the next read finds out.
    fn has_blob(&self, address: &Key, content: &[u8]) -> bool {
        let path = self.entry_path(address, Kind::Blob);
        let Ok(metadata) = path.symlink_metadata() else {
            return false;
        };
        let shortest = HEADER_BYTES + content.len().min(1);
        let longest = HEADER_BYTES + content.len();
        let plausible = metadata.is_file() && (shortest as u64..=longest as u64).contains(&metadata.len());
        if plausible {
            self.note_use(&path, metadata.modified().ok());
        }
        plausible
    }

    /// Whether another version or build has a bundle under `key`; what is in
    /// it is none of ours.
    #[must_use]
    pub fn is_in_another_version(&self, key: &Key) -> bool {
        // What cannot be listed is another's.
        let folders = survey::version_items(self.path(), &survey::ignore_unreadable).map(|item| item.path());
        let mut others = folders.filter(|folder| folder != self.version_folder());
        others.any(|folder| layout::entry_path(&folder, key, Kind::Bundle).is_file())
    }

    /// The bundle under the weak key `key`.
    #[must_use]
    pub fn get_bundle(&self, key: &Key) -> Option<Bundle> {
        self.get_value(key, Kind::Bundle, Bundle::decode)
    }

    /// Puts `additions` over the bundle under `key`. Names that others have
    /// put there stay.
    pub fn merge_bundle(&self, key: &Key, additions: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>) -> PutOutcome {
        let additions: Vec<_> = additions.into_iter().collect();
        self.update_bundle(key, |_| additions)
    }

    /// Asks `additions` what to put over the bundle, given what it holds now;
    /// nobody else merges into it meanwhile. It should be quick, and must not
    /// write to this store: other keys wait behind the same lock. When writing
    /// is of no use it is not asked.
    pub fn update_bundle(&self, key: &Key, additions: impl FnOnce(&Bundle) -> Vec<(Vec<u8>, Vec<u8>)>) -> PutOutcome {
        if !self.may_write() || !self.inner.gate.lets_pass() {
            return self.lost();
        }
        let lock_path = layout::shard_path(self.version_folder(), key).join(layout::LOCK_NAME);
        let lock = Lock::acquire(&lock_path, self.options().lock_patience);
        if matches!(lock, Lock::Busy) {
            return self.lost();
        }
        let present = match self.read_value(key, Kind::Bundle, Bundle::decode) {
            Reading::Value { value, .. } => value,
            Reading::Absent | Reading::Damaged | Reading::Unreadable => Bundle::default(),
        };
        let additions = additions(&present);
        match present.merge(&additions, self.options().max_entry_bytes) {
            Merged::Unchanged => {
                self.counters().unchanged.one();
                PutOutcome::Unchanged
            }
            Merged::TooLarge => self.lost(),
            Merged::Payload { payload, trimmed } => {
                self.counters().trimmed.add(trimmed);
                self.place_entry(key, Kind::Bundle, &payload, &Key::of(&payload))
            }
        }
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.inner.counters
    }

    pub(crate) fn written_since_cleaned(&self) -> u64 {
        let then = self.inner.written_when_cleaned.load(Ordering::Relaxed);
        self.counts().bytes_written.saturating_sub(then)
    }

    pub(crate) fn reset_written_since_cleaned(&self) {
        let now = self.counts().bytes_written;
        self.inner.written_when_cleaned.store(now, Ordering::Relaxed);
    }

    pub(crate) fn may_write(&self) -> bool {
        self.options().access == Access::ReadWrite
    }

    fn accepts(&self, value: &[u8]) -> bool {
        self.may_write() && value.len() as u64 <= self.options().max_entry_bytes
    }

    fn lost(&self) -> PutOutcome {
        self.counters().lost.one();
        PutOutcome::Lost
    }

    fn get_value<T>(&self, key: &Key, kind: Kind, decode: impl FnOnce(Vec<u8>) -> Option<T>) -> Option<T> {
        let Reading::Value { value, used } = self.read_value(key, kind, decode) else {
            self.counters().misses.one();
            return None;
        };
        self.counters().hits.one();
        self.note_use(&self.entry_path(key, kind), used);
        Some(value)
    }

    /// Reads and checks. Damage is counted and put away; a hit or miss is the
    /// caller's to count.
    pub(crate) fn read_value<T>(&self, key: &Key, kind: Kind, decode: impl FnOnce(Vec<u8>) -> Option<T>) -> Reading<T> {
        let path = self.entry_path(key, kind);
        let max_plain = self.options().max_entry_bytes;
        // Nothing is stored longer than header and plain value.
        let max_stored = max_plain.saturating_add(HEADER_BYTES as u64);
        let sound = match disk::read(&path, max_stored) {
            Found::Absent => return Reading::Absent,
            Found::Refused(error) => {
                self.counters().unreadable.one();
                self.note_trouble(&path, &error);
                return Reading::Unreadable;
            }
            Found::Stray => None,
            Found::File { bytes, used } => {
                self.counters().bytes_read.add(bytes.len() as u64);
                entry::decode(&self.stamp(key, kind), &bytes, max_plain)
                    .ok()
                    .and_then(decode)
                    .map(|value| Reading::Value { value, used })
            }
        };
        sound.unwrap_or_else(|| {
            self.counters().damaged.one();
            if self.may_write() {
                // If it stays it is a miss again, no worse.
                let _ = disk::remove(&path);
            }
            Reading::Damaged
        })
    }

    fn write_entry(&self, key: &Key, kind: Kind, value: &[u8], digest: &Key) -> PutOutcome {
        if !self.inner.gate.lets_pass() {
            return self.lost();
        }
        self.place_entry(key, kind, value, digest)
    }

    fn place_entry(&self, key: &Key, kind: Kind, value: &[u8], digest: &Key) -> PutOutcome {
        let bytes = entry::encode(&self.stamp(key, kind), value, digest);
        let path = self.entry_path(key, kind);
        let placed = disk::write_beside(&path, &bytes);
        match placed {
            Ok(()) => {
                self.inner.gate.note_success();
                self.counters().written.one();
                self.counters().bytes_written.add(bytes.len() as u64);
                PutOutcome::Written
            }
            Err(error) => {
                self.inner.gate.note_failure();
                self.note_trouble(&path, &error);
                self.lost()
            }
        }
    }

    fn stamp(&self, key: &Key, kind: Kind) -> Stamp {
        Stamp {
            kind,
            format_version: self.options().format_version,
            build_identity: self.options().build_identity,
            key: *key,
        }
    }

    pub(crate) fn entry_path(&self, key: &Key, kind: Kind) -> PathBuf {
        layout::entry_path(self.version_folder(), key, kind)
    }

    /// Marks an entry as used, unless its mark is recent: a mark costs a
    /// system call or two, and cleaning needs no finer order than this.
    fn note_use(&self, path: &Path, used: Option<SystemTime>) {
        if self.may_write() && !self.is_recent(used) {
            disk::touch(path);
        }
    }

    /// Whether a mark need not be renewed. One from the future is not recent:
    /// the clock was set back, and it would stay the youngest for ever.
    fn is_recent(&self, used: Option<SystemTime>) -> bool {
        used.and_then(|used| SystemTime::now().duration_since(used).ok())
            .is_some_and(|age| age < self.options().touch_after)
    }

    pub(crate) fn note_trouble(&self, path: &Path, error: &std::io::Error) {
        self.inner.first_trouble.get_or_init(|| format!("{}: {error}", path.display()));
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Store")
            .field("version_folder", &self.version_folder())
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}
