//! Whether it is worth trying to write.
//!
//! On a full or read-only disk every write costs its compression and fails.
//! After some failures in a row only a few are tried, so that a process that
//! lives long still notices when there is room again. It must not know what a
//! write is.

use std::sync::atomic::{AtomicU64, Ordering};

/// Failures in a row after which most writes are not tried.
const PATIENCE: u64 = 8;
/// Of the writes after that, one in so many is tried.
const TRY_ONE_IN: u64 = 64;

#[derive(Debug, Default)]
pub(crate) struct WriteGate {
    failures_in_a_row: AtomicU64,
    asked_while_closed: AtomicU64,
}

impl WriteGate {
    pub(crate) fn lets_pass(&self) -> bool {
        if self.failures_in_a_row.load(Ordering::Relaxed) < PATIENCE {
            return true;
        }
        let asked = self.asked_while_closed.fetch_add(1, Ordering::Relaxed) + 1;
        asked.is_multiple_of(TRY_ONE_IN)
    }

    /// Notes a write that succeeded: the gate is open.
    pub(crate) fn note_success(&self) {
        self.failures_in_a_row.store(0, Ordering::Relaxed);
    }

    /// Notes a write that failed.
    pub(crate) fn note_failure(&self) {
        self.failures_in_a_row.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closes_after_failures_in_a_row_and_opens_at_a_success() {
        let gate = WriteGate::default();
        for _ in 0..PATIENCE - 1 {
            gate.note_failure();
        }
        assert!(gate.lets_pass());
        gate.note_failure();
        let passed = (0..10 * TRY_ONE_IN).filter(|_| gate.lets_pass()).count();
        assert_eq!(passed, 10);
        gate.note_success();
        assert!((0..10).all(|_| gate.lets_pass()));
    }
}
