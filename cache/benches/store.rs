//! What a put and a get cost, for values of 1 to 100 KB, compressible as the
//! text of a catalog is and not at all; and a merge into a bundle.
//!
//! Run with `cargo bench -p pantin-cache`.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pantin_cache::{Key, KeyBuilder, Store, StoreOptions};
use std::hint::black_box;
use std::time::Duration;
use tempfile::TempDir;

const SIZES: [usize; 4] = [1_000, 10_000, 30_000, 100_000];
/// Enough files that no folder stays in a processor's cache.
const FILES: u64 = 500;

fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let options = StoreOptions::new(folder.path(), 1, Key::of(b"bench"));
    (folder, Store::open(options))
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

fn put(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("put");
    for size in SIZES {
        let (_folder, store) = store();
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

fn get(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("get");
    for size in SIZES {
        let (_folder, store) = store();
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
    let (_folder, store) = store();
    store.put(&key(0), b"so that the folder is there");
    group.bench_function("miss", |bencher| bencher.iter(|| store.get(&key(1))));
    group.finish();
}

fn bundle(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bundle");
    for names in [10_u64, 100] {
        let (_folder, store) = store();
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

fn upkeep(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("upkeep");
    let (folder, store) = store();
    for number in 0..5_000 {
        store.put(&key(number), &half_noise(number, 2_000));
    }
    group.sample_size(10);
    group.bench_function("open", |bencher| {
        let options = StoreOptions::new(folder.path(), 1, Key::of(b"bench"));
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

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    targets = put, get, bundle, upkeep, hash
}
criterion_main!(benches);
