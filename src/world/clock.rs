//! How long something took. Knows no dates.

use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch { started: Instant::now() }
    }

    pub fn elapsed(self) -> Duration {
        self.started.elapsed()
    }
}
