//! CPU seconds and allocations of one run of each program of `benches/programs`: the counterpart of
//! `tests/oracle/bench_eval.rb`.
//!
//! `cargo bench --bench eval_cpu [-- NAME]` prints a line of JSON for each program; `benches/eval-against-oracle` sets
//! them beside the real Puppet's.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a bench reads files and clocks"
)]
#![allow(unsafe_code, reason = "an allocator that counts, and the clock of the system")]

use std::alloc::{GlobalAlloc, Layout};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use pantin::values::format;

mod programs;

/// The allocator of the program, and how often it was asked.
struct Counting(mimalloc::MiMalloc);

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

impl Counting {
    /// One thread runs the programs, so that nothing has to be locked: that would cost more than an allocation does.
    fn count(bytes: usize) {
        ALLOCATIONS.store(ALLOCATIONS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        BYTES.store(BYTES.load(Ordering::Relaxed) + bytes as u64, Ordering::Relaxed);
    }
}

// SAFETY: every method is that of the allocator inside.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counting::count(layout.size());
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Counting::count(layout.size());
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Counting::count(size);
        unsafe { self.0.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting(mimalloc::MiMalloc);

/// CPU seconds that a round takes at least, and how many rounds there are.
const ROUND: f64 = 0.05;
const ROUNDS: usize = 7;

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    for program in programs::all("benches/programs", &["benches/programs/modules".into()]) {
        if wanted.as_ref().is_some_and(|wanted| *wanted != program.name) {
            continue;
        }
        let value = program.run();
        let seconds = seconds(&program);
        let before = (ALLOCATIONS.load(Ordering::Relaxed), BYTES.load(Ordering::Relaxed));
        black_box(program.run());
        let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before.0;
        let bytes = BYTES.load(Ordering::Relaxed) - before.1;
        let value = serde_json::to_string(format::literal(&value).as_str()).expect("JSON");
        let name = &program.name;
        println!(
            r#"{{"name":"{name}","seconds":{seconds:e},"allocations":{allocations},"bytes":{bytes},"value":{value}}}"#
        );
    }
}

/// CPU seconds of one run: the best of several rounds.
fn seconds(program: &programs::Measured) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let before = cpu_seconds();
        let mut runs = 0;
        let mut spent = 0.0;
        while spent < ROUND {
            for _ in 0..8 {
                black_box(program.run());
            }
            runs += 8;
            spent = cpu_seconds() - before;
        }
        best = best.min(spent / f64::from(runs));
    }
    best
}

/// CPU seconds of this thread.
fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes to the timespec alone.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "a clock of CPU time");
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
