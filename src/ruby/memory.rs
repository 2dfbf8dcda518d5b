//! The memory that the values of Ruby code take: a run that grows without end is stopped.
//!
//! A value is weighed when it is made, and when a method that is built in was called on it; it is forgotten with the value.
//! What has no place for a weight (long symbols, large numbers, patterns) is counted for as long as the run lasts.
//! The weights are those of a rough table, the same on every machine: what passes the limit here passes it everywhere.

use std::cell::Cell;

use pantin_base::limits::{BYTES_OF_STEP, ELEMENTS_OF_STEP, RUBY_BYTES};

use super::value::{Data, Value};

thread_local! {
    /// The values of Ruby code never leave their thread.
    static TAKEN: Cell<i64> = const { Cell::new(0) };
    /// How many runs are under way, one within the other, and what was taken before the first of them.
    static RUNS: Cell<(u32, i64)> = const { Cell::new((0, 0)) };
    /// What of it is not taken, but ends the run.
    static GIVEN_UP: Cell<i64> = const { Cell::new(0) };
}

/// What a text, a list, a table takes beside what is in it, and an entry of each.
pub(super) const OBJECT: usize = 64;
pub(super) const ITEM: usize = 16;
pub(super) const ENTRY: usize = 64;

/// A pattern takes so many times what its text takes.
const PATTERN: usize = 64;

/// Shorter symbols lie within their value.
const SHORT: usize = 15;

fn add(bytes: i64) {
    // Values that outlive their thread's memory of them are of no interest any more.
    let _ = TAKEN.try_with(|taken| taken.set(taken.get() + bytes));
}

/// Values could not be gone through to their end: the run that has made them takes no further step.
pub(super) fn give_up() {
    /// More than any run may take.
    const ALL: i64 = i64::MAX / 4;
    if RUNS.get().0 > 0 && GIVEN_UP.get() == 0 {
        GIVEN_UP.set(ALL);
        add(ALL);
    }
}

/// Returns true if the values of the runs under way take more than Ruby code may have: nothing more is made for them.
pub(super) fn is_full() -> bool {
    let (runs, before) = RUNS.get();
    runs > 0 && TAKEN.get() - before > RUBY_BYTES as i64
}

/// What one value takes, for as long as it lives.
#[derive(Default)]
pub(super) struct Weight(Cell<usize>);

impl Weight {
    pub(super) fn from_bytes(bytes: usize) -> Weight {
        let weight = Weight::default();
        weight.set(bytes);
        weight
    }

    pub(super) fn set(&self, bytes: usize) {
        add(bytes as i64 - self.0.replace(bytes) as i64);
    }
}

impl Drop for Weight {
    fn drop(&mut self) {
        self.set(0);
    }
}

/// One run of Ruby code. Those within it share its limit.
pub(super) struct Run {
    most: usize,
    /// What was made in it that has no weight.
    made: Cell<usize>,
    /// What it had taken when it was left for a while.
    parked: Cell<Option<i64>>,
}

impl Run {
    pub(super) fn begin(most: usize) -> Run {
        let (runs, before) = RUNS.get();
        RUNS.set((runs + 1, if runs == 0 { TAKEN.get() } else { before }));
        Run { most, made: Cell::new(0), parked: Cell::new(None) }
    }

    /// Leaves the run for a while, where no other one is around it: other runs on the thread do not pay for what it keeps.
    pub(super) fn park(&self) {
        let (runs, before) = RUNS.get();
        if runs == 1 && self.parked.get().is_none() {
            add(-GIVEN_UP.replace(0));
            let own = TAKEN.get() - before;
            add(-own);
            RUNS.set((0, before));
            self.parked.set(Some(own));
        }
    }

    /// Goes on with a run that was left.
    pub(super) fn resume(&self) {
        if let Some(own) = self.parked.take() {
            let (runs, before) = RUNS.get();
            RUNS.set((runs + 1, if runs == 0 { TAKEN.get() } else { before }));
            add(own);
        }
    }

    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Returns true if there is room for so many bytes more.
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        let (_, before) = RUNS.get();
        let taken = usize::try_from(TAKEN.get() - before).unwrap_or(0);
        taken.saturating_add(bytes) <= self.most
    }

    /// Returns true if something was too deep, or too much, to be gone through.
    pub(super) fn has_given_up(&self) -> bool {
        GIVEN_UP.get() > 0
    }

    fn make(&self, bytes: usize) {
        self.made.set(self.made.get() + bytes);
        add(bytes as i64);
    }

    /// A pattern was made of a text.
    pub(super) fn make_pattern(&self, bytes: usize) {
        self.make(bytes.saturating_mul(PATTERN));
    }

    /// Takes notice of what a method has changed or made.
    pub(super) fn weigh(&self, receiver: &Value, result: &Value) {
        receiver.weigh();
        match result {
            Value::Symbol(name) if name.len() > SHORT => self.make(name.len()),
            Value::Big(number) => self.make(number.bits() as usize / 8),
            _ => {}
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.resume();
        add(-(self.made.get() as i64));
        let (runs, before) = RUNS.get();
        RUNS.set((runs - 1, before));
        if runs == 1 {
            add(-GIVEN_UP.replace(0));
        }
    }
}

impl Value {
    /// Returns how many steps of the node's budget it takes to go through it once, but for what is in its items.
    pub(super) fn steps_to_see(&self) -> u64 {
        match self {
            Value::String(text) => text.bytes().len() as u64 / BYTES_OF_STEP,
            Value::Array(list) => list.items.borrow().len() as u64 / ELEMENTS_OF_STEP,
            Value::Hash(table) => table.len() as u64 / ELEMENTS_OF_STEP,
            // What is calculated with a number takes more than its length.
            Value::Big(number) => number.bits().saturating_mul(number.bits()) >> 16,
            _ => 0,
        }
    }

    /// Weighs again what may have grown.
    fn weigh(&self) {
        match self {
            Value::String(text) => text.weigh(),
            Value::Array(list) => list.weigh(),
            Value::Hash(table) => table.weigh(),
            Value::Object(object) => match &*object.data.borrow() {
                Data::Set(table) | Data::Open(table) => table.weigh(),
                Data::Stream(stream) => stream.text.weigh(),
                Data::Digest(digesting) => object.weight.set(OBJECT + digesting.bytes.len()),
                _ => {}
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lives_is_weighed_and_nothing_else() {
        let run = Run::begin(10_000);
        let before = TAKEN.get();
        let text = Value::text("x".repeat(1000));
        let list = Value::array(vec![text.clone(), Value::Nil]);
        assert_eq!(TAKEN.get() - before, (OBJECT + 1000 + OBJECT + 2 * ITEM) as i64);
        drop((text, list));
        assert_eq!(TAKEN.get(), before);
        assert!(run.has_room(10_000) && !run.has_room(10_001));
    }

    #[test]
    fn a_run_that_is_left_for_a_while_costs_others_nothing() {
        let before = TAKEN.get();
        let run = Run::begin(10_000);
        let text = Value::text("x".repeat(1000));
        run.park();
        assert_eq!((TAKEN.get(), RUNS.get().0), (before, 0));
        let other = Run::begin(2_000);
        assert!(other.has_room(2_000));
        drop(other);
        run.resume();
        assert!(!run.has_room(9_500) && run.has_room(8_000));
        run.park();
        drop((text, run));
        assert_eq!((TAKEN.get(), RUNS.get().0), (before, 0));
    }

    #[test]
    fn what_has_no_weight_counts_while_the_run_lasts() {
        let before = TAKEN.get();
        let run = Run::begin(10_000);
        run.weigh(&Value::Nil, &Value::symbol(&"s".repeat(100)));
        run.weigh(&Value::Nil, &Value::symbol("short"));
        assert_eq!(TAKEN.get() - before, 100);
        drop(run);
        assert_eq!(TAKEN.get(), before);
    }
}
