//! What a put and a get cost, for values of 1 to 100 KB, compressible as the
//! text of a catalog is and not at all; and a merge into a bundle.
//!
//! Run with `cargo bench -p pantin-cache`.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use criterion::{BenchmarkId, Criterion, Throughput};
use pantin_cache::{Key, KeyBuilder, Store, StoreOptions};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

const SIZES: [usize; 4] = [1_000, 10_000, 30_000, 100_000];
/// Enough files that no folder stays in a processor's cache.
const FILES: u64 = 500;

/// A store in a new folder under `folder`.
fn store(folder: &Path) -> Store {
    let root = tempfile::tempdir_in(folder).unwrap().keep();
    Store::open(StoreOptions::new(root, 1, Key::of(b"bench")))
}

fn key(number: u64) -> Key {
    Key::of(&number.to_le_bytes())
}

/// Half of it repeats, half of it does not: LZ4 makes it about half as long.
fn half_noise(seed: u64, length: usize) -> Vec<u8> {
    let mut value = Vec::with_capacity(length + 64);
    let mut line = seed;
    while value.len() < length {
        value.extend_from_slice(b"  ensure => present, content => ");
        value.extend_from_slice(&Key::of(&line.to_le_bytes()).as_bytes()[..24]);
        line += 1 << 32;
    }
    value.truncate(length);
    value
}

fn put(criterion: &mut Criterion, folder: &Path) {
    let mut group = criterion.benchmark_group("put");
    for size in SIZES {
        let store = store(folder);
        let value = half_noise(1, size);
        let mut number = 0;
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(BenchmarkId::new("new file", size), |bencher| {
            bencher.iter(|| {
                number += 1;
                store.put(&key(number), &value)
            });
        });
        group.bench_function(BenchmarkId::new("blob there already", size), |bencher| {
            store.put_blob(&value);
            bencher.iter(|| store.put_blob(black_box(&value)));
        });
    }
    group.finish();
}

fn get(criterion: &mut Criterion, folder: &Path) {
    let mut group = criterion.benchmark_group("get");
    for size in SIZES {
        let store = store(folder);
        for number in 0..FILES {
            store.put(&key(number), &half_noise(number, size));
        }
        let mut number = 0;
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(BenchmarkId::new("hit", size), |bencher| {
            bencher.iter(|| {
                number = (number + 1) % FILES;
                store.get(&key(number)).unwrap()
            });
        });
    }
    let store = store(folder);
    store.put(&key(0), b"so that the folder is there");
    group.bench_function("miss", |bencher| bencher.iter(|| store.get(&key(1))));
    group.finish();
}

fn bundle(criterion: &mut Criterion, folder: &Path) {
    let mut group = criterion.benchmark_group("bundle");
    for names in [10_u64, 100] {
        let store = store(folder);
        let named = |number: u64| (number.to_le_bytes().to_vec(), half_noise(number, 300));
        store.merge_bundle(&key(1), (0..names).map(named));
        group.bench_function(BenchmarkId::new("get", names), |bencher| {
            bencher.iter(|| store.get_bundle(&key(1)).unwrap());
        });
        let mut round = 0;
        group.bench_function(BenchmarkId::new("merge one of", names), |bencher| {
            bencher.iter(|| {
                round += 1;
                let changed = (0_u64.to_le_bytes().to_vec(), half_noise(round, 300));
                store.merge_bundle(&key(1), [changed])
            });
        });
    }
    group.finish();
}

fn upkeep(criterion: &mut Criterion, folder: &Path) {
    let mut group = criterion.benchmark_group("upkeep");
    let store = store(folder);
    for number in 0..5_000 {
        store.put(&key(number), &half_noise(number, 2_000));
    }
    group.sample_size(10);
    group.bench_function("open", |bencher| {
        let options = store.options().clone();
        bencher.iter(|| Store::open(options.clone()));
    });
    group.bench_function("clean, 5000 entries, nothing to do", |bencher| {
        bencher.iter(|| store.clean());
    });
    group.bench_function("verify, 5000 entries", |bencher| {
        bencher.iter(|| store.verify());
    });
    group.finish();
}

fn hash(criterion: &mut Criterion) {
    criterion.bench_function("key of ten items", |bencher| {
        bencher.iter(|| {
            let mut builder = KeyBuilder::new("bench");
            for number in 0..5 {
                builder.text("/etc/app/file").unsigned(number);
            }
            builder.finish()
        });
    });
}

fn main() {
    // Deleted at the end and not between the groups: for minutes after, ext4
    // passes over the inodes of deleted files, and a new file costs ten times
    // as much.
    let folder = tempfile::tempdir().unwrap();
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30)
        .configure_from_args();
    put(&mut criterion, folder.path());
    get(&mut criterion, folder.path());
    bundle(&mut criterion, folder.path());
    upkeep(&mut criterion, folder.path());
    hash(&mut criterion);
    criterion.final_summary();
}
