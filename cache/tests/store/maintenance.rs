//! What a person asks for: size, verify, clear.

use crate::support::*;
use pantin_cache::{Access, Key, Store, StoreOptions, VerifyReport};
use std::fs;

#[test]
fn the_size_by_kind_and_version() {
    let sandbox = Sandbox::new();
    let other = StoreOptions::new(sandbox.root(), 1, Key::of(b"other"));
    Store::open(other).put(&key(1), b"x");
    let store = sandbox.store();
    store.put(&key(1), b"x");
    store.put(&key(2), &noise(2, 10_000));
    store.merge_bundle(&key(1), [named("a", "1")]);
    store.put_blob(b"blob");
    let size = store.size();
    assert_eq!((size.answers, size.bundles, size.blobs), (2, 1, 1));
    assert_eq!(size.bytes, 4096 * (1 + 3 + 1 + 1));
    assert_eq!((size.other_versions, size.other_versions_bytes), (1, 4096));
}

#[test]
fn verify_finds_damage_of_every_kind_and_removes_it() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    let mut files = Vec::new();
    for number in 0..10 {
        store.put(&key(number), &text(20));
        store.merge_bundle(&key(number), [named("a", "1")]);
        let blob = store.put_blob(&noise(number, 500));
        for (key, kind) in [
            (key(number), "answer"),
            (key(number), "bundle"),
            (blob, "blob"),
        ] {
            files.push(path_of(&store, &key, kind));
        }
    }
    let all_sound = VerifyReport {
        sound: 30,
        ..VerifyReport::default()
    };
    assert_eq!(store.verify(), all_sound);

    for file in &files[..3] {
        let mut bytes = fs::read(file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(file, bytes).unwrap();
    }
    fs::write(files[4].with_file_name("stray"), b"x").unwrap();
    let damaged = VerifyReport {
        sound: 27,
        damaged: 3,
        unreadable: 0,
        strays: 1,
    };
    let mut options = sandbox.options();
    options.access = Access::ReadOnly;
    assert_eq!(Store::open(options).verify(), damaged);
    assert_eq!(store.verify(), damaged);
    let mended = VerifyReport {
        sound: 27,
        damaged: 0,
        ..damaged
    };
    assert_eq!(store.verify(), mended);
    assert!(files[..3].iter().all(|file| !file.exists()));
}

#[test]
fn verify_finds_a_bundle_that_is_sealed_but_cannot_be_read() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    store.put(&key(1), b"not a bundle's payload");
    let answer = answer_path(&store, &key(1));
    let mut bytes = fs::read(&answer).unwrap();
    bytes[10] = 2;
    fs::remove_file(&answer).unwrap();
    fs::write(path_of(&store, &key(1), "bundle"), bytes).unwrap();
    assert_eq!(store.verify().damaged, 1);
}

#[test]
fn verify_is_no_use_of_an_entry() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    store.put(&key(1), b"answer");
    let file = answer_path(&store, &key(1));
    age(&file, std::time::Duration::from_hours(50));
    let marked = time(&file);
    store.verify();
    assert_eq!(time(&file), marked);
    assert_eq!(store.counts().hits, 0);
}

#[test]
fn clear_removes_every_version_and_nothing_else() {
    let sandbox = Sandbox::new();
    let other = StoreOptions::new(sandbox.root(), 9, Key::of(b"other"));
    Store::open(other).put(&key(1), b"x");
    let store = sandbox.store();
    store.put(&key(1), b"answer");
    let thesis = sandbox.root().join("thesis.txt");
    let letters = sandbox.root().join("v2-letters");
    fs::write(&thesis, b"x").unwrap();
    fs::create_dir(&letters).unwrap();
    let report = store.clear();
    assert_eq!((report.versions_removed, report.versions_left), (2, 0));
    assert_eq!(report.bytes_freed, 2 * 4096);
    assert!(thesis.exists() && letters.exists());
    assert!(!store.version_folder().exists());
    assert_eq!(store.get(&key(1)), None);
    store.put(&key(1), b"anew");
    assert_eq!(store.get(&key(1)).as_deref(), Some(&b"anew"[..]));
}

#[test]
fn a_read_only_store_changes_nothing() {
    let sandbox = Sandbox::new();
    let writer = sandbox.store();
    writer.put(&key(1), b"answer");
    age(
        &answer_path(&writer, &key(1)),
        std::time::Duration::from_hours(50),
    );
    let snapshot = || {
        let files = files_under(&sandbox.root()).into_iter();
        files
            .map(|file| (time(&file), fs::read(&file).unwrap(), file))
            .collect::<Vec<_>>()
    };
    let before = snapshot();
    let mut options = sandbox.options();
    options.access = Access::ReadOnly;
    options.max_bytes = 0;
    let store = Store::open(options);
    assert_eq!(store.get(&key(1)).as_deref(), Some(&b"answer"[..]));
    store.put(&key(2), b"x");
    store.put_blob(b"blob");
    store.merge_bundle(&key(1), [named("a", "1")]);
    assert!(!store.clean().ran && !store.clean_is_due());
    assert_eq!(store.clear().versions_removed, 0);
    assert_eq!(store.counts().lost, 3);
    assert_eq!(snapshot(), before);
}
