//! Where nothing can be written or read, the caller's work goes on: misses and
//! lost writes, counted, and one line that says why.

use crate::support::*;
use pantin_cache::{PutOutcome, Store};
use std::fs::{self, File};
use std::time::{Duration, Instant};

fn must_degrade(store: &Store) {
    assert_eq!(store.put(&key(1), b"x"), PutOutcome::Lost);
    store.put_blob(b"blob");
    let merged = store.merge_bundle(&key(1), [named("a", "1")]);
    assert_eq!(merged, PutOutcome::Lost);
    assert_eq!(store.get(&key(1)), None);
    assert!(store.get_bundle(&key(1)).is_none());
    let counts = store.counts();
    assert_eq!((counts.lost, counts.misses, counts.hits), (3, 2, 0));
    assert!(store.trouble().is_some());
    store.clean();
    assert_eq!(store.size().bytes, 0);
    assert_eq!(store.verify().sound, 0);
    assert_eq!(store.clear().versions_removed, 0);
}

#[test]
fn a_file_in_the_place_of_the_root() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.root(), b"a file").unwrap();
    must_degrade(&sandbox.store());
    let below = sandbox.root().join("deeper");
    must_degrade(&Store::open(options_at(&below)));
    assert_eq!(fs::read(sandbox.root()).unwrap(), b"a file");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_system_that_takes_no_files() {
    must_degrade(&Store::open(options_at("/proc/self/cache".as_ref())));
}

#[test]
fn a_name_that_cannot_be() {
    must_degrade(&Store::open(options_at("cache\0".as_ref())));
    let long = "x".repeat(5000);
    must_degrade(&Store::open(options_at(long.as_ref())));
}

#[test]
fn a_root_removed_while_it_is_open_comes_back() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    store.put(&key(1), b"x");
    fs::remove_dir_all(sandbox.root()).unwrap();
    assert_eq!(store.get(&key(1)), None);
    assert_eq!(store.put(&key(1), b"y"), PutOutcome::Written);
    assert_eq!(store.get(&key(1)).as_deref(), Some(&b"y"[..]));
    assert_eq!((store.counts().damaged, store.counts().unreadable), (0, 0));
}

#[test]
fn after_failures_in_a_row_writing_is_mostly_not_tried_and_recovers() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.root(), b"a file").unwrap();
    let store = sandbox.store();
    for number in 0..8 {
        store.put(&key(number), b"x");
    }
    fs::remove_file(sandbox.root()).unwrap();
    let outcomes: Vec<_> = (0..100)
        .map(|number| store.put(&key(number), b"x"))
        .collect();
    assert_eq!(outcomes[0], PutOutcome::Lost);
    assert_eq!(outcomes[99], PutOutcome::Written);
    let lost = outcomes
        .iter()
        .filter(|outcome| **outcome == PutOutcome::Lost);
    assert_eq!(lost.count(), 63);
    assert_eq!(store.counts().lost, 8 + 63);
}

#[test]
fn a_value_beyond_the_limit_is_lost() {
    let sandbox = Sandbox::new();
    let mut options = sandbox.options();
    options.max_entry_bytes = 1000;
    let store = Store::open(options);
    assert_eq!(store.put(&key(1), &[0; 1000]), PutOutcome::Written);
    assert_eq!(store.put(&key(2), &[0; 1001]), PutOutcome::Lost);
    let large = vec![(b"a".to_vec(), vec![0; 1000])];
    assert_eq!(store.merge_bundle(&key(3), large), PutOutcome::Lost);
    let address = store.put_blob(&[0; 1001]);
    assert_eq!(store.get_blob(&address), None);
    // A limit is no failure: others are written still.
    for _ in 0..20 {
        store.put(&key(2), &[0; 1001]);
    }
    assert_eq!(store.put(&key(4), b"x"), PutOutcome::Written);
}

#[test]
fn a_bundle_that_grows_for_ever_loses_its_oldest_names() {
    let sandbox = Sandbox::new();
    let mut options = sandbox.options();
    options.max_entry_bytes = 10_000;
    let store = Store::open(options);
    for number in 0..50 {
        let name = number.to_string().into_bytes();
        store.merge_bundle(&key(1), [(name, noise(number, 900))]);
    }
    let bundle = store.get_bundle(&key(1)).unwrap();
    assert_eq!(bundle.len(), 10);
    assert!((40..50).all(|number: u64| bundle.get(number.to_string()).is_some()));
    assert_eq!(store.counts().trimmed, 40);
}

#[test]
fn a_lock_that_is_never_let_go_is_not_waited_for() {
    let sandbox = Sandbox::new();
    let mut options = sandbox.options();
    options.lock_patience = Duration::from_millis(100);
    let store = Store::open(options);
    store.merge_bundle(&key(1), [named("a", "1")]);
    let lock_path = path_of(&store, &key(1), "bundle").with_file_name("lock");
    let held = File::open(lock_path).unwrap();
    held.lock().unwrap();
    let start = Instant::now();
    let outcome = store.merge_bundle(&key(1), [named("b", "2")]);
    assert_eq!(outcome, PutOutcome::Lost);
    assert!(start.elapsed() >= Duration::from_millis(100));
    assert!(start.elapsed() < Duration::from_secs(10));
    // Reading needs no lock.
    assert_eq!(store.get_bundle(&key(1)).unwrap().len(), 1);
    held.unlock().unwrap();
    let outcome = store.merge_bundle(&key(1), [named("b", "2")]);
    assert_eq!(outcome, PutOutcome::Written);
}
