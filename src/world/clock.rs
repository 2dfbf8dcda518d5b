//! The clock and stopwatches. Must not know a calendar.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use pantin_values::Timestamp;

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

/// Returns how long the processor has been at work for this thread.
pub fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the time of day.
pub fn now() -> Timestamp {
    // Far from the ends of what a timestamp can be.
    Timestamp::from_nanoseconds(nanoseconds_since_1970()).unwrap_or(Timestamp::from_seconds(0))
}

/// The same as nanoseconds since 1970.
pub fn nanoseconds_since_1970() -> i128 {
    let nanoseconds = |span: Duration| i128::try_from(span.as_nanos()).unwrap_or(i128::MAX);
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => nanoseconds(since),
        Err(before) => -nanoseconds(before.duration()),
    }
}
