//! Many threads over one store, and over stores of their own: nothing merged
//! is lost, nothing read is wrong.

use crate::support::*;
use pantin_cache::Store;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const THREADS: u64 = 4;

#[test]
fn merges_by_many_threads_lose_no_name() {
    let sandbox = Sandbox::new();
    let mut options = sandbox.options();
    // The machine may be busy; here a name lost to impatience would be noise.
    options.lock_patience = std::time::Duration::from_secs(60);
    let shared = Store::open(options.clone());
    thread::scope(|scope| {
        for number in 0..THREADS {
            let store = if number % 2 == 0 {
                shared.clone()
            } else {
                Store::open(options.clone())
            };
            scope.spawn(move || {
                for round in 0..50 {
                    store.merge_bundle(&key(1), [named(&format!("{number}-{round}"), "x")]);
                }
            });
        }
    });
    let bundle = shared.get_bundle(&key(1)).unwrap();
    assert_eq!(bundle.len() as u64, THREADS * 50);
}

#[test]
fn readers_see_one_whole_value_or_another() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    let values: Vec<Vec<u8>> = (0..THREADS).map(|seed| noise(seed, 20_000)).collect();
    store.put(&key(1), &values[0]);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = values
            .iter()
            .map(|value| {
                let store = store.clone();
                scope.spawn(move || (0..200).for_each(|_| drop_outcome(store.put(&key(1), value))))
            })
            .collect();
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let value = store
                    .get(&key(1))
                    .expect("a replaced value is never absent");
                assert!(values.contains(&value));
            }
        });
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    let counts = store.counts();
    assert_eq!((counts.damaged, counts.misses, counts.lost), (0, 0, 0));
    assert_eq!(temporaries_under(&sandbox.root()), 0);
}

fn drop_outcome(_: pantin_cache::PutOutcome) {}

#[test]
fn cleaning_and_clearing_under_the_feet_of_others_is_only_misses() {
    let sandbox = Sandbox::new();
    let mut options = sandbox.options();
    options.max_bytes = 20 * 4096;
    let store = Store::open(options);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|worker| {
                let store = store.clone();
                scope.spawn(move || {
                    for round in 0..500 {
                        let number = (worker * 7 + round * 13) % 60;
                        if let Some(value) = store.get(&key(number)) {
                            assert_eq!(value, noise(number, 2000));
                        }
                        store.put(&key(number), &noise(number, 2000));
                        store.merge_bundle(&key(number), [named("n", &number.to_string())]);
                        if let Some(bundle) = store.get_bundle(&key(number)) {
                            assert_eq!(bundle.get("n"), Some(number.to_string().as_bytes()));
                        }
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            for round in 0_u64.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                if round % 10 == 9 {
                    store.clear();
                } else {
                    store.clean();
                }
            }
        });
        for worker in workers {
            worker.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    store.clean();
    assert!(store.size().bytes <= 20 * 4096);
    assert_eq!(store.counts().damaged, 0);
    assert!(store.counts().evicted > 0);
}
