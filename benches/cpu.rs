//! CPU seconds of one thread for a list of manifests: the counterpart of `tests/oracle/bench.rb`.
//!
//! `cargo bench --bench cpu -- LIST` prints one line of JSON; `benches/against-oracle` sets it
//! beside the real Puppet's.
#![allow(clippy::disallowed_methods, reason = "a bench reads files and clocks")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use pantin::base::{Location, Source};
use pantin::syntax;
use pantin::syntax::{MessageLimits, Settings, SourceKind};

const PASSES: usize = 20;

fn main() {
    let Some(list) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("usage: cargo bench --bench cpu -- LIST");
        return;
    };
    let list = std::fs::read_to_string(&list).unwrap_or_default();
    let sources: Vec<Arc<Source>> = list
        .lines()
        .filter_map(|file| Source::from_bytes(Some(file), std::fs::read(file).ok()?).ok())
        .map(Arc::new)
        .collect();
    let settings = Settings::default();
    let lex = best(&sources, |source| {
        black_box(syntax::count_tokens(source, SourceKind::Manifest, settings));
    });
    let parse = best(&sources, |source| {
        black_box(syntax::parse(Arc::clone(source), SourceKind::Manifest, settings).result.is_ok());
    });
    let validate = best(&sources, |source| {
        let limits = MessageLimits::default();
        let location = Location::Anywhere;
        black_box(syntax::check(Arc::clone(source), SourceKind::Manifest, &location, settings, limits).accepted());
    });
    let bytes: usize = sources.iter().map(|source| source.text().len()).sum();
    let tree: usize = sources
        .iter()
        .filter_map(|source| syntax::parse(Arc::clone(source), SourceKind::Manifest, settings).result.ok())
        .map(|ast| ast.heap_bytes())
        .sum();
    println!(
        r#"{{"version":"Pantin","files":{},"bytes":{bytes},"lex":{lex:.5},"parse":{parse:.5},"validate":{validate:.5},"tree_bytes":{tree}}}"#,
        sources.len(),
    );
}

/// The CPU seconds of the best of several passes.
fn best(sources: &[Arc<Source>], mut work: impl FnMut(&Arc<Source>)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..PASSES {
        let before = cpu_seconds();
        sources.iter().for_each(&mut work);
        best = best.min(cpu_seconds() - before);
    }
    best
}

/// CPU seconds of this thread, as Linux counts them; elsewhere the time of the clock.
fn cpu_seconds() -> f64 {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = counted.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |ns| ns / 1e9)
}

thread_local! {
    static START: Instant = Instant::now();
}
