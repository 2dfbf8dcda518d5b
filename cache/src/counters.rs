//! What a store counts.
//!
//! Numbers only: it must not know what makes them grow.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts since the store was opened, in this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reads that gave a value.
    pub hits: u64,
    /// Reads that gave none, for whatever reason.
    pub misses: u64,
    /// Entries found truncated, foreign, changed or hostile.
    pub damaged: u64,
    /// Reads that the system refused (permissions, a failing disk).
    pub unreadable: u64,
    /// Entries written.
    pub written: u64,
    /// Writes saved because the same content was there already.
    pub unchanged: u64,
    /// Writes that came to nothing: no room, no permission, too large a value,
    /// a lock not had in time, a read-only store.
    pub lost: u64,
    /// Names dropped from a bundle because it had grown too large.
    pub trimmed: u64,
    /// Entries removed to keep the store within its size.
    pub evicted: u64,
    /// Bytes read from and written to disk, as stored.
    pub bytes_read: u64,
    pub bytes_written: u64,
}

/// The living counters behind [`Counts`]. Relaxed: each is a sum of its own,
/// none orders anything.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) hits: Counter,
    pub(crate) misses: Counter,
    pub(crate) damaged: Counter,
    pub(crate) unreadable: Counter,
    pub(crate) written: Counter,
    pub(crate) unchanged: Counter,
    pub(crate) lost: Counter,
    pub(crate) trimmed: Counter,
    pub(crate) evicted: Counter,
    pub(crate) bytes_read: Counter,
    pub(crate) bytes_written: Counter,
}

#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    pub(crate) fn one(&self) {
        self.add(1);
    }

    fn read(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    pub(crate) fn snapshot(&self) -> Counts {
        Counts {
            hits: self.hits.read(),
            misses: self.misses.read(),
            damaged: self.damaged.read(),
            unreadable: self.unreadable.read(),
            written: self.written.read(),
            unchanged: self.unchanged.read(),
            lost: self.lost.read(),
            trimmed: self.trimmed.read(),
            evicted: self.evicted.read(),
            bytes_read: self.bytes_read.read(),
            bytes_written: self.bytes_written.read(),
        }
    }
}
