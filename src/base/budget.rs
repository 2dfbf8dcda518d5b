//! The budget of a node: steps that its code may take, and seconds of the processor.
//!
//! Steps are counted deep within operations on values, where nobody knows of settings: the count is one of the thread. What a
//! step is does not depend on the machine: an expression that is evaluated, a part of a type that is compared, so many bytes of
//! a value that is made. What has run out of steps says so to whoever began to count ([`Steps::is_over`]); until then every further
//! step is refused, and what an operation came to meanwhile is worth nothing and must not be kept.
//!
//! Seconds are looked at once in a million steps. Whatever they end is not the same on every machine, so that it is never stored.

use std::cell::Cell;
use std::time::Duration;

/// So many steps are taken between two looks at the clock.
const STEPS_BETWEEN_LOOKS: i64 = 1 << 20;

/// As good as no limit, and far from where numbers end.
const NO_LIMIT: i64 = i64::MAX / 4;

thread_local! {
    /// Steps until [`look`] is wanted; below zero once a limit was passed.
    static FUEL: Cell<i64> = const { Cell::new(STEPS_BETWEEN_LOOKS) };
    static COUNT: Cell<Count> = const { Cell::new(Count { granted: NO_LIMIT, reserve: NO_LIMIT - STEPS_BETWEEN_LOOKS }) };
    static TIME: Cell<Time> = const { Cell::new(Time { deadline: None, is_over: false }) };
    /// Steps of counts that have ended, since the clock was looked at: many short ones take time together.
    static UNSEEN: Cell<i64> = const { Cell::new(0) };
}

/// The count that is under way.
#[derive(Clone, Copy)]
struct Count {
    granted: i64,
    /// Steps that are granted, and not yet in [`FUEL`].
    reserve: i64,
}

#[derive(Clone, Copy)]
struct Time {
    /// The clock, and what it says when time is up.
    deadline: Option<(fn() -> Duration, Duration)>,
    is_over: bool,
}

/// Takes steps; false if there are none left.
#[inline(always)]
pub fn spend(steps: u64) -> bool {
    FUEL.with(|fuel| {
        let left = fuel.get() - steps.min(NO_LIMIT as u64) as i64;
        fuel.set(left);
        left >= 0 || look()
    })
}

/// Returns true if no step is left, or no time.
#[inline]
pub fn is_over() -> bool {
    FUEL.get() < 0
}

/// Returns true if the time of the processor is up.
pub fn is_out_of_time() -> bool {
    TIME.get().is_over
}

/// Returns how many steps were taken since the count that is under way began.
pub fn spent() -> u64 {
    let Count { granted, reserve } = COUNT.get();
    u64::try_from(granted - reserve - FUEL.get()).unwrap_or(0)
}

/// Fills up what is left, or finds that a limit was passed.
#[cold]
#[inline(never)]
fn look() -> bool {
    let Count { granted, reserve } = COUNT.get();
    let left = reserve.saturating_add(FUEL.get()).max(-NO_LIMIT);
    let is_out_of_time = look_at_clock();
    let fuel = if left < 0 || is_out_of_time { -1 } else { left.min(STEPS_BETWEEN_LOOKS) };
    FUEL.set(fuel);
    COUNT.set(Count { granted, reserve: left - fuel });
    fuel >= 0
}

/// Returns true if the time is up.
fn look_at_clock() -> bool {
    UNSEEN.set(0);
    let mut time = TIME.get();
    if !time.is_over
        && let Some((clock, end)) = time.deadline
    {
        time.is_over = clock() > end;
        TIME.set(time);
    }
    time.is_over
}

/// Counts steps for as long as it is kept; a count around it goes on after that, and knows nothing of these.
#[derive(Debug)]
pub struct Steps {
    fuel: i64,
    granted: i64,
    reserve: i64,
}

impl Steps {
    /// Begins to count: so many may be taken.
    #[inline]
    pub fn begin(most: u64) -> Steps {
        let granted = most.min(NO_LIMIT as u64) as i64;
        let outer = COUNT.get();
        let fuel = if TIME.get().is_over { -1 } else { granted.min(STEPS_BETWEEN_LOOKS) };
        let before = FUEL.replace(fuel);
        COUNT.set(Count { granted, reserve: granted - fuel });
        Steps { fuel: before, granted: outer.granted, reserve: outer.reserve }
    }

    /// Returns how many were taken.
    pub fn spent(&self) -> u64 {
        spent()
    }

    /// Returns true if more were wanted than there are, or if time is up.
    pub fn is_over(&self) -> bool {
        is_over()
    }
}

impl Drop for Steps {
    #[inline]
    fn drop(&mut self) {
        // Those taken within are not the outer count's, but for the looks at the clock: time that is up is up for all.
        let unseen = UNSEEN.get().saturating_add(spent().min(NO_LIMIT as u64) as i64);
        UNSEEN.set(unseen);
        if unseen > STEPS_BETWEEN_LOOKS {
            look_at_clock();
        }
        let (mut fuel, mut reserve) = (self.fuel, self.reserve);
        if TIME.get().is_over && fuel >= 0 {
            (fuel, reserve) = (-1, reserve + fuel + 1);
        }
        FUEL.set(fuel);
        COUNT.set(Count { granted: self.granted, reserve });
    }
}

/// Limits the processor's time of a node for as long as it is kept.
#[derive(Debug)]
pub struct TimeLimit {
    steps: Option<Steps>,
    deadline: Option<(fn() -> Duration, Duration)>,
    is_over: bool,
}

impl TimeLimit {
    /// `clock`: says how long this thread has been at work; `seconds`: so long it may go on.
    pub fn begin(clock: fn() -> Duration, seconds: u64) -> TimeLimit {
        let outer = TIME.get();
        let deadline = clock().saturating_add(Duration::from_secs(seconds));
        TIME.set(Time { deadline: Some((clock, deadline)), is_over: false });
        let steps = Some(Steps::begin(NO_LIMIT as u64));
        TimeLimit { steps, deadline: outer.deadline, is_over: outer.is_over }
    }
}

impl Drop for TimeLimit {
    fn drop(&mut self) {
        TIME.set(Time { deadline: self.deadline, is_over: self.is_over });
        self.steps = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_and_refused() {
        let outer = Steps::begin(10_000_000);
        assert!(spend(3) && outer.spent() == 3);
        {
            let inner = Steps::begin(5_000_000);
            assert!((0..5_000_000).all(|_| spend(1)));
            assert!(!inner.is_over() && inner.spent() == 5_000_000);
            assert!(!spend(1) && !spend(1) && inner.is_over());
        }
        assert!(!outer.is_over() && spend(1) && outer.spent() == 4);
        assert!(!spend(u64::MAX) && outer.is_over());
    }

    #[test]
    fn what_is_out_of_time_takes_no_further_step() {
        thread_local! {
            static NOW: Cell<u64> = const { Cell::new(7) };
        }
        let limit = TimeLimit::begin(|| Duration::from_secs(NOW.get()), 2);
        {
            let _steps = Steps::begin(u64::MAX);
            assert!(spend(5_000_000) && spend(5_000_000));
            NOW.set(10);
            let inner = Steps::begin(u64::MAX);
            assert!((0..3_000_000).any(|_| !spend(1)));
            assert!(inner.is_over() && is_out_of_time());
        }
        assert!(!spend(1) && Steps::begin(10).is_over());
        drop(limit);
        assert!(spend(1) && !is_out_of_time());
    }

    #[test]
    fn many_short_counts_take_time_together() {
        thread_local! {
            static NOW: Cell<u64> = const { Cell::new(0) };
        }
        let _limit = TimeLimit::begin(|| Duration::from_secs(NOW.get()), 2);
        let outer = Steps::begin(u64::MAX);
        NOW.set(10);
        let short = || {
            let _inner = Steps::begin(100_000);
            spend(90_000)
        };
        assert!((0..10).all(|_| short()) && !outer.is_over());
        assert!((0..10).any(|_| !short()));
        assert!(outer.is_over() && is_out_of_time() && !spend(1));
    }
}
