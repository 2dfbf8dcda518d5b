//! The programs of `benches/programs`, parsed and lowered before: what a run costs.
//!
//! `cargo bench --bench eval -- NAME`; `benches/eval-against-oracle` sets them beside the real Puppet.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used, reason = "a bench reads files")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

mod programs;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn eval(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("eval");
    for program in programs::all("benches/programs", &["benches/programs/modules".into()]) {
        group.bench_function(&program.name, |bencher| bencher.iter(|| black_box(program.run())));
    }
    group.finish();
}

criterion_group!(benches, eval);
criterion_main!(benches);
