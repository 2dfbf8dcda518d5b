//! The memory limit of a fleet: what is dropped before the limit is an error.
//!
//! Where it grows tight, one node is worked on at a time, and what all nodes share is let go, to be made anew. What is more than
//! it may be all the same ends the run.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use pantin_world::resident_bytes;

pub(super) struct MemoryBound {
    /// What was asked for, as it was written.
    written: String,
    bytes: u64,
    /// How much was taken when something was let go last.
    last: AtomicU64,
}

/// Where fleets are told to begin with less.
const FEWER: &str = "--jobs 1, and --shard K/N for a part of the nodes, take less";

impl MemoryBound {
    /// `Err`: nobody could say whether it is kept.
    pub(super) fn new(written: &str, bytes: u64) -> Result<MemoryBound, String> {
        match resident_bytes() {
            Some(_) => Ok(MemoryBound { written: written.to_owned(), bytes, last: AtomicU64::new(0) }),
            None => Err("--memory: this system does not tell how much memory a process takes".to_owned()),
        }
    }

    /// Whether a quarter is left, which one node may need.
    pub(super) fn is_tight(&self) -> bool {
        memory_in_use() > self.bytes / 4 * 3
    }

    /// Lets go of something where it is tight, unless little has grown since that was done last.
    pub(super) fn make_room(&self, let_go: impl FnOnce()) {
        let (taken, last) = (memory_in_use(), self.last.load(Ordering::Relaxed));
        if taken > self.bytes / 4 * 3 && taken > last + self.bytes / 16 {
            self.last.store(taken, Ordering::Relaxed);
            let_go();
        }
    }

    /// An error where more is taken than may be.
    pub(super) fn check(&self) -> io::Result<()> {
        let taken = memory_in_use();
        match taken > self.bytes {
            true => Err(io::Error::other(format!(
                "the run takes {} MB of memory, and --memory allows {}; {FEWER}",
                taken >> 20,
                self.written
            ))),
            false => Ok(()),
        }
    }
}

fn memory_in_use() -> u64 {
    resident_bytes().unwrap_or_default()
}
