//! Works on many items in parallel and hands over the results in the order of the items.
//!
//! A result waits only for those before it. A worker that has run far ahead waits too, so that no
//! more than a window of results is ever held; where memory is tight, nobody runs ahead. What has to be prepared for many at once is prepared
//! in waves, so that no more than a wave of that is held either. Knows nothing of what the work is.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard};

use pantin_base::limits::STACK_BYTES;
use pantin_world::cores;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::MemoryBound;

/// How many results for each worker may wait for one before them.
const WINDOW: usize = 64;

/// How many items for each worker are prepared at once.
const WAVE: usize = 64;

struct Queue<Answer, Emit> {
    /// The next item that nobody has taken.
    next_to_take: usize,
    /// The next item to be handed over.
    next_to_emit: usize,
    waiting: BTreeMap<usize, Answer>,
    emit: Emit,
    /// How many workers wait for the rest to catch up; waking nobody costs a call of the system.
    waiters: usize,
    stopped: bool,
}

/// Threads that work together, for as long as there is something to do.
pub struct Crew<'a> {
    pool: ThreadPool,
    bound: Option<&'a MemoryBound>,
}

impl<'a> Crew<'a> {
    /// So many threads; 0: as many as `RAYON_NUM_THREADS` says, or as there are cores.
    pub fn new(threads: usize) -> io::Result<Crew<'a>> {
        let number = if threads == 0 { pantin_world::threads() } else { threads };
        let pool = ThreadPoolBuilder::new().num_threads(number).stack_size(STACK_BYTES).build().map_err(|error| {
            let what = match threads {
                0 => "threads".to_owned(),
                1 => "1 thread".to_owned(),
                many => format!("{many} threads"),
            };
            io::Error::other(format!("cannot start {what} of {} MB of stack: {error}", STACK_BYTES >> 20))
        })?;
        Ok(Crew { pool, bound: None })
    }

    /// The same for so many items: for a single one, one thread.
    pub fn for_items(threads: usize, items: usize) -> io::Result<Crew<'a>> {
        Crew::new(if items == 1 { 1 } else { threads })
    }

    /// Limits memory: while it is tight, one item at a time is worked on; where it is exceeded, the work ends.
    pub fn within(self, bound: Option<&'a MemoryBound>) -> Crew<'a> {
        Crew { bound, ..self }
    }

    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Calls `work` on each item, and `emit` on each result with the number of its item, in order, until it breaks. `Err`: it takes
    /// more memory than it may.
    pub fn in_order<Item: Sync, Answer: Send>(
        &self,
        items: &[Item],
        work: impl Fn(&Item) -> Answer + Sync,
        mut emit: impl FnMut(usize, Answer) -> ControlFlow<()> + Send,
    ) -> io::Result<ControlFlow<()>> {
        let mut exceeded = Ok(());
        let emit = |at, answer| {
            emit(at, answer)?;
            exceeded = self.bound.map_or(Ok(()), MemoryBound::check);
            if exceeded.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let queue = Mutex::new(Queue {
            next_to_take: 0,
            next_to_emit: 0,
            waiting: BTreeMap::new(),
            emit,
            waiters: 0,
            stopped: false,
        });
        let moved_on = Condvar::new();
        let is_tight = || self.bound.is_some_and(MemoryBound::is_tight);
        let window = || if is_tight() { 1 } else { self.threads() * WINDOW };
        self.pool.broadcast(|_| {
            let _guard = StopOnPanic { queue: &queue, moved_on: &moved_on };
            while let Some(taken) = take(&queue, &moved_on, items.len(), &window) {
                hand_over(&queue, &moved_on, taken, work(&items[taken]));
            }
        });
        let stopped = lock(&queue).stopped;
        drop(queue);
        exceeded?;
        Ok(if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Like [`Crew::in_order`], for items that are prepared a wave at a time, on these threads too. `emit` gets what was prepared as well.
    pub fn in_waves<Item: Sync, Prepared: Send + Sync, Answer: Send>(
        &self,
        items: &[Item],
        prepare: impl Fn(&[Item]) -> Vec<Prepared> + Sync,
        work: impl Fn(&Prepared) -> Answer + Sync,
        mut emit: impl FnMut(usize, &Prepared, Answer) -> ControlFlow<()> + Send,
    ) -> io::Result<ControlFlow<()>> {
        let mut begun = 0;
        for wave in items.chunks(self.threads() * WAVE) {
            let prepared = self.pool.install(|| prepare(wave));
            if self.in_order(&prepared, &work, |at, answer| emit(begun + at, &prepared[at], answer))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            begun += wave.len();
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Like [`Crew::in_waves`], for all items: `emit` cannot stop the work.
    pub fn each_in_waves<Item: Sync, Prepared: Send + Sync, Answer: Send>(
        &self,
        items: &[Item],
        prepare: impl Fn(&[Item]) -> Vec<Prepared> + Sync,
        work: impl Fn(&Prepared) -> Answer + Sync,
        mut emit: impl FnMut(usize, &Prepared, Answer) + Send,
    ) -> io::Result<()> {
        let emit = |at: usize, prepared: &Prepared, answer: Answer| {
            emit(at, prepared, answer);
            ControlFlow::Continue(())
        };
        self.in_waves(items, prepare, work, emit).map(|_| ())
    }
}

/// Returns the number of the thread that asks, among those of its crew.
pub fn worker() -> Option<usize> {
    rayon::current_thread_index()
}

/// [`Crew::in_order`] by a crew that has no other work, and is no larger than that.
pub fn work_in_order<Item: Sync, Answer: Send>(
    items: &[Item],
    workers: usize,
    work: impl Fn(&Item) -> Answer + Sync,
    mut emit: impl FnMut(Answer) -> ControlFlow<()> + Send,
) -> io::Result<()> {
    let workers = if workers == 0 { cores() } else { workers };
    let workers = workers.min(items.len());
    if workers == 0 {
        return Ok(());
    }
    Crew::new(workers)?.in_order(items, work, |_, answer| emit(answer)).map(|_| ())
}

/// A worker that panics will never hand over what it took: the others must not wait for it.
struct StopOnPanic<'a, Answer, Emit> {
    queue: &'a Mutex<Queue<Answer, Emit>>,
    moved_on: &'a Condvar,
}

impl<Answer, Emit> Drop for StopOnPanic<'_, Answer, Emit> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.queue).stopped = true;
            self.moved_on.notify_all();
        }
    }
}

/// Returns the next item to work on. It waits while it is a window ahead of what was handed over; the worker with the
/// item that all wait for never does.
fn take<Answer, Emit>(
    queue: &Mutex<Queue<Answer, Emit>>,
    moved_on: &Condvar,
    count: usize,
    window: &dyn Fn() -> usize,
) -> Option<usize> {
    let mut queue = lock(queue);
    loop {
        if queue.stopped || queue.next_to_take >= count {
            return None;
        }
        if queue.next_to_take < queue.next_to_emit + window() {
            let taken = queue.next_to_take;
            queue.next_to_take += 1;
            return Some(taken);
        }
        queue.waiters += 1;
        queue = moved_on.wait(queue).unwrap_or_else(|poisoned| poisoned.into_inner());
        queue.waiters -= 1;
    }
}

fn hand_over<Answer, Emit: FnMut(usize, Answer) -> ControlFlow<()>>(
    queue: &Mutex<Queue<Answer, Emit>>,
    moved_on: &Condvar,
    taken: usize,
    answer: Answer,
) {
    let queue = &mut *lock(queue);
    queue.waiting.insert(taken, answer);
    while !queue.stopped
        && let Some(answer) = queue.waiting.remove(&queue.next_to_emit)
    {
        let at = queue.next_to_emit;
        queue.next_to_emit += 1;
        queue.stopped = (queue.emit)(at, answer).is_break();
    }
    if queue.waiters > 0 {
        moved_on.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..5_000).collect();
        for workers in [1, 2, 8] {
            let mut seen = Vec::new();
            work_in_order(
                &items,
                workers,
                |&item| {
                    // Early items take longest, so later ones are done first.
                    (0..(5_000 - item)).fold(item, |sum, next| std::hint::black_box(sum ^ next ^ next))
                },
                |answer| {
                    seen.push(answer);
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
            assert_eq!(seen, items);
        }
    }

    #[test]
    fn a_break_ends_the_work() {
        let items: Vec<usize> = (0..100_000).collect();
        let mut seen = 0;
        work_in_order(
            &items,
            4,
            |&item| item,
            |_| {
                seen += 1;
                if seen == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )
        .unwrap();
        assert_eq!(seen, 10);
    }

    #[test]
    fn waves_are_prepared_when_their_time_has_come() {
        let items: Vec<usize> = (0..1_000).collect();
        for workers in [1, 3] {
            let crew = Crew::new(workers).unwrap();
            let most = std::sync::atomic::AtomicUsize::new(0);
            let prepare = |wave: &[usize]| {
                most.fetch_max(wave.len(), std::sync::atomic::Ordering::Relaxed);
                wave.iter().map(|item| item * 2).collect()
            };
            let mut seen = Vec::new();
            let ended = crew.in_waves(
                &items,
                prepare,
                |doubled: &usize| doubled + 1,
                |at, doubled, answer| {
                    seen.push((at, *doubled, answer));
                    if at == 700 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert!(ended.unwrap().is_break());
            assert_eq!(seen, (0..=700).map(|item| (item, item * 2, item * 2 + 1)).collect::<Vec<_>>());
            assert_eq!(most.into_inner(), workers * WAVE);
        }
    }

    #[test]
    fn where_memory_is_tight_one_is_worked_on_at_a_time() {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        let items: Vec<usize> = (0..300).collect();
        let (at_once, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |&item: &usize| {
            most.fetch_max(at_once.fetch_add(1, SeqCst) + 1, SeqCst);
            std::thread::yield_now();
            at_once.fetch_sub(1, SeqCst);
            item
        };
        let mut seen = Vec::new();
        let emit = |_, item| {
            seen.push(item);
            ControlFlow::Continue(())
        };
        let bound = MemoryBound::always_tight();
        let ended = Crew::new(4).unwrap().within(Some(&bound)).in_order(&items, work, emit);
        assert!(ended.unwrap().is_continue());
        assert_eq!((seen, most.into_inner()), (items, 1));
    }

    #[test]
    fn more_memory_than_may_be_taken_ends_the_work() {
        let items: Vec<usize> = (0..300).collect();
        let bound = MemoryBound::parse("1M").unwrap();
        let mut seen = Vec::new();
        let ended = Crew::new(4).unwrap().within(Some(&bound)).in_order(
            &items,
            |&item: &usize| item,
            |_, item| {
                seen.push(item);
                ControlFlow::Continue(())
            },
        );
        let said = ended.unwrap_err().to_string();
        assert!(said.contains("MB of memory, and --memory allows 1M"), "{said}");
        assert_eq!(seen, [0]);
    }

    #[test]
    fn a_panic_is_passed_on_and_nobody_waits_for_it() {
        let items: Vec<usize> = (0..10_000).collect();
        let work = |&item: &usize| assert_ne!(item, 3, "on purpose");
        let outcome =
            std::panic::catch_unwind(|| work_in_order(&items, 4, work, |()| ControlFlow::Continue(())).is_ok());
        assert!(outcome.is_err());
    }
}
