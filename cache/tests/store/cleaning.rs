//! Cleaning: within the limit, old versions first, then oldest use first.

use crate::support::*;
use pantin_cache::{CleanReport, Key, Store, StoreOptions};
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
const BLOCK: u64 = 4096;

/// Ten entries of one block each, the higher its number the longer ago its
/// use. (`last-opened` is empty and takes no block.)
fn ten_entries(store: &Store) {
    for number in 0..10 {
        store.put(&key(number), &noise(number, 1000));
        let hours = u32::try_from(number).unwrap() * 2;
        age(&answer_path(store, &key(number)), HOUR * hours);
    }
}

fn present(store: &Store) -> Vec<u64> {
    let is_there = |number: &u64| answer_path(store, &key(*number)).exists();
    (0..10).filter(is_there).collect()
}

fn limited(sandbox: &Sandbox, blocks: u64) -> StoreOptions {
    let mut options = sandbox.options();
    options.max_bytes = blocks * BLOCK;
    options
}

#[test]
fn within_the_limit_nothing_goes() {
    let sandbox = Sandbox::new();
    let store = Store::open(limited(&sandbox, 10));
    ten_entries(&store);
    let report = store.clean();
    let expected = CleanReport {
        ran: true,
        bytes_before: 10 * BLOCK,
        bytes_after: 10 * BLOCK,
        ..CleanReport::default()
    };
    assert_eq!(report, expected);
    assert_eq!(present(&store).len(), 10);
}

#[test]
fn the_longest_unused_go_first() {
    let sandbox = Sandbox::new();
    let store = Store::open(limited(&sandbox, 6));
    ten_entries(&store);
    let report = store.clean();
    // Down to nine tenths of six blocks: five.
    assert_eq!(present(&store), [0, 1, 2, 3, 4]);
    assert_eq!(report.entries_evicted, 5);
    assert_eq!(report.bytes_after, 5 * BLOCK);
    assert_eq!(store.counts().evicted, 5);
    assert_eq!(store.size().bytes, 5 * BLOCK);
}

#[test]
fn a_hit_makes_an_entry_young() {
    let sandbox = Sandbox::new();
    let store = Store::open(limited(&sandbox, 6));
    ten_entries(&store);
    assert!(store.get(&key(9)).is_some());
    store.clean();
    assert_eq!(present(&store), [0, 1, 2, 3, 9]);
}

#[test]
fn a_blob_put_again_and_a_bundle_read_are_used_too() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    let blob = store.put_blob(b"blob");
    store.merge_bundle(&key(1), [named("a", "1")]);
    let files = [
        path_of(&store, &blob, "blob"),
        path_of(&store, &key(1), "bundle"),
    ];
    for file in &files {
        age(file, DAY);
    }
    store.put_blob(b"blob");
    let _ = store.get_bundle(&key(1));
    for file in &files {
        assert!(time(file).elapsed().unwrap() < HOUR);
    }
}

#[test]
fn a_recent_mark_is_not_renewed() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    store.put(&key(1), b"answer");
    let file = answer_path(&store, &key(1));
    age(&file, HOUR / 2);
    let marked = time(&file);
    assert!(store.get(&key(1)).is_some());
    assert_eq!(time(&file), marked);
    age(&file, HOUR * 2);
    assert!(store.get(&key(1)).is_some());
    assert!(time(&file) > marked);
}

#[test]
fn an_entry_from_the_future_is_the_oldest_until_it_is_used() {
    let sandbox = Sandbox::new();
    let store = Store::open(limited(&sandbox, 6));
    ten_entries(&store);
    let future = SystemTime::now() + DAY;
    for number in [0, 1] {
        set_time(&answer_path(&store, &key(number)), future);
    }
    assert!(store.get(&key(1)).is_some());
    store.clean();
    assert_eq!(present(&store), [1, 2, 3, 4, 5]);
}

fn other_build(sandbox: &Sandbox, name: &str, opened: Duration) -> Store {
    let options = StoreOptions::new(sandbox.root(), 1, Key::of(name.as_bytes()));
    let store = Store::open(options);
    for number in 0..5 {
        store.put(&key(number), &noise(number, 1000));
    }
    age(&store.version_folder().join("last-opened"), opened);
    store
}

#[test]
fn other_versions_go_before_any_entry_and_the_longest_unopened_first() {
    let sandbox = Sandbox::new();
    let older = other_build(&sandbox, "older", DAY * 2);
    let newer = other_build(&sandbox, "newer", DAY);
    let store = Store::open(limited(&sandbox, 16));
    ten_entries(&store);
    let report = store.clean();
    assert_eq!((report.versions_removed, report.entries_evicted), (1, 0));
    assert_eq!(report.bytes_before, 20 * BLOCK);
    assert_eq!(report.bytes_after, 15 * BLOCK);
    assert!(!older.version_folder().exists());
    assert!(newer.version_folder().exists());

    let store = Store::open(limited(&sandbox, 6));
    let report = store.clean();
    assert_eq!((report.versions_removed, report.entries_evicted), (1, 5));
    assert!(!newer.version_folder().exists());
}

#[test]
fn a_version_long_unopened_goes_even_when_there_is_room() {
    let sandbox = Sandbox::new();
    let old = other_build(&sandbox, "old", DAY * 15);
    let recent = other_build(&sandbox, "recent", DAY * 13);
    let report = sandbox.store().clean();
    assert_eq!(report.versions_removed, 1);
    assert!(!old.version_folder().exists());
    assert!(recent.version_folder().exists());
}

#[test]
fn opening_a_version_makes_it_young() {
    let sandbox = Sandbox::new();
    let old = other_build(&sandbox, "old", DAY * 15);
    let _opened = Store::open(old.options().clone());
    assert_eq!(sandbox.store().clean().versions_removed, 0);
}

#[test]
fn a_store_whose_version_was_removed_writes_on() {
    let sandbox = Sandbox::new();
    let old = other_build(&sandbox, "old", DAY * 15);
    sandbox.store().clean();
    assert_eq!(old.get(&key(1)), None);
    old.put(&key(1), b"again");
    old.merge_bundle(&key(1), [named("a", "1")]);
    assert_eq!(old.get(&key(1)).as_deref(), Some(&b"again"[..]));
    assert_eq!(old.get_bundle(&key(1)).unwrap().len(), 1);
}

#[test]
fn strays_and_abandoned_temporaries_go_and_nothing_of_others() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    store.put(&key(1), b"answer");
    store.merge_bundle(&key(1), [named("a", "1")]);
    let shard = answer_path(&store, &key(1)).parent().unwrap().to_path_buf();
    let stays = [
        sandbox.root().join("thesis.txt"),
        sandbox.root().join("v1-notours"),
        shard.join(".tmp-1-recent"),
    ];
    let goes = [
        shard.join("notes.txt"),
        store.version_folder().join("notes.txt"),
        shard.join(".tmp-1-old"),
        sandbox.root().join(".tmp-1-old"),
    ];
    for path in stays.iter().chain(&goes) {
        fs::write(path, b"x").unwrap();
    }
    for abandoned in &goes[2..] {
        age(abandoned, HOUR * 2);
    }
    let folder = store.version_folder().join("zz");
    fs::create_dir(&folder).unwrap();
    let report = store.clean();
    assert_eq!(report.strays_removed, 5);
    assert!(stays.iter().all(|path| path.exists()));
    assert!(!goes.iter().any(|path| path.exists()) && !folder.exists());
    assert!(shard.join("lock").exists());
    assert!(store.get(&key(1)).is_some() && store.get_bundle(&key(1)).is_some());
}

#[test]
fn one_cleans_at_a_time() {
    let sandbox = Sandbox::new();
    let store = Store::open(limited(&sandbox, 6));
    ten_entries(&store);
    let held = File::create(sandbox.root().join("clean.lock")).unwrap();
    held.lock().unwrap();
    assert_eq!(store.clean(), CleanReport::default());
    assert_eq!(present(&store).len(), 10);
    held.unlock().unwrap();
    assert!(store.clean().ran);
    assert_eq!(present(&store).len(), 5);
}

#[test]
fn cleaning_is_due_at_first_after_a_day_and_after_much_writing() {
    let sandbox = Sandbox::new();
    let store = Store::open(limited(&sandbox, 100));
    let mark = sandbox.root().join("last-cleaned");
    assert!(store.clean_is_due());
    let report = store.clean_in_background().unwrap().join().unwrap();
    assert!(report.ran);
    assert!(!store.clean_is_due());
    assert!(store.clean_in_background().is_none());
    age(&mark, DAY);
    assert!(store.clean_is_due());
    set_time(&mark, SystemTime::now() + DAY);
    assert!(store.clean_is_due());
    set_time(&mark, SystemTime::now());
    store.put(&key(1), &noise(1, 30_000));
    assert!(!store.clean_is_due());
    store.put(&key(2), &noise(2, 30_000));
    assert!(store.clean_is_due());
    store.clean();
    assert!(!store.clean_is_due());
}

#[test]
fn a_limit_of_nothing_empties_the_store() {
    let sandbox = Sandbox::new();
    let store = Store::open(limited(&sandbox, 0));
    ten_entries(&store);
    assert_eq!(store.clean().bytes_after, 0);
    assert_eq!(present(&store), [0; 0]);
}
