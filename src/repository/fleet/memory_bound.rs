//! The memory limit of a run: what is dropped before the limit is an error.
//!
//! Where it grows tight, one node is worked on at a time, and what all nodes share is let go, to be made anew. What is more than
//! it may be all the same ends the run.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use pantin_base::bytes_of_text;
use pantin_world::resident_bytes;

#[derive(Debug)]
pub struct MemoryBound {
    /// What was asked for, as it was written.
    written: String,
    bytes: u64,
    /// From here on it is tight: a quarter is left, which one node may need.
    tight_from: u64,
    /// How much was taken when something was let go last.
    last: AtomicU64,
}

/// What takes less.
const FEWER: &str = "--jobs 1, and fewer nodes in a run, take less";

impl MemoryBound {
    /// Reads a size such as `500M`. `Err`: it is none, or nobody could say whether it is kept.
    pub fn parse(written: &str) -> Result<MemoryBound, String> {
        let bytes = bytes_of_text(written)?;
        match resident_bytes() {
            Some(_) => Ok(MemoryBound {
                written: written.to_owned(),
                bytes,
                tight_from: bytes / 4 * 3,
                last: AtomicU64::new(0),
            }),
            None => Err("this system does not tell how much memory a process takes".to_owned()),
        }
    }

    /// Returns a limit that is never exceeded, and always tight.
    #[cfg(test)]
    pub(crate) fn always_tight() -> MemoryBound {
        MemoryBound { written: String::new(), bytes: u64::MAX, tight_from: 0, last: AtomicU64::new(0) }
    }

    pub(crate) fn is_tight(&self) -> bool {
        memory_in_use() > self.tight_from
    }

    /// Lets go of something where it is tight, unless little has grown since that was done last.
    pub(crate) fn make_room(&self, let_go: impl FnOnce()) {
        let (taken, last) = (memory_in_use(), self.last.load(Ordering::Relaxed));
        if taken > self.tight_from && taken > last + self.bytes / 16 {
            self.last.store(taken, Ordering::Relaxed);
            let_go();
        }
    }

    /// Returns an error where more is taken than may be.
    pub(crate) fn check(&self) -> io::Result<()> {
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

impl Clone for MemoryBound {
    /// The same limit for another repository, which has let go of nothing yet.
    fn clone(&self) -> MemoryBound {
        MemoryBound { written: self.written.clone(), last: AtomicU64::new(0), ..*self }
    }
}

fn memory_in_use() -> u64 {
    resident_bytes().unwrap_or_default()
}
