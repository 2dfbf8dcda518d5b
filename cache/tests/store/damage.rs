//! Every kind of damage is a counted miss, and is gone afterwards: never an
//! error, a panic, a wait or a wrong value.

use crate::support::*;
use pantin_cache::{Access, Key, PutOutcome, Store};
use std::fs;
use std::path::{Path, PathBuf};

/// A store with one entry of each kind, and their files.
struct Three {
    _sandbox: Sandbox,
    store: Store,
    blob: Key,
}

impl Three {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let store = sandbox.store();
        store.put(&key(1), &text(4));
        store.merge_bundle(&key(1), [named("a", "1"), named("b", "22")]);
        let blob = store.put_blob(&noise(1, 100));
        Self {
            _sandbox: sandbox,
            store,
            blob,
        }
    }

    fn files(&self) -> [PathBuf; 3] {
        [
            path_of(&self.store, &key(1), "answer"),
            path_of(&self.store, &key(1), "bundle"),
            path_of(&self.store, &self.blob, "blob"),
        ]
    }

    /// Reads the entry with this index in `files`: is it a hit? A hit must be
    /// what was put.
    fn hits(&self, index: usize) -> bool {
        match index {
            0 => self
                .store
                .get(&key(1))
                .map(|value| assert_eq!(value, text(4)))
                .is_some(),
            1 => self
                .store
                .get_bundle(&key(1))
                .map(|bundle| {
                    assert_eq!(bundle.get("a"), Some(&b"1"[..]));
                    assert_eq!(bundle.get("b"), Some(&b"22"[..]));
                    assert_eq!(bundle.len(), 2);
                })
                .is_some(),
            _ => self
                .store
                .get_blob(&self.blob)
                .map(|value| assert_eq!(value, noise(1, 100)))
                .is_some(),
        }
    }

    /// Reads the damaged entry: a miss, counted, and the file is gone.
    fn must_miss(&self, index: usize, what: &str) {
        let before = self.store.counts();
        assert!(!self.hits(index), "{what}");
        let after = self.store.counts();
        assert_eq!(after.misses, before.misses + 1, "{what}");
        assert_eq!(after.damaged, before.damaged + 1, "{what}");
        assert!(self.files()[index].symlink_metadata().is_err(), "{what}");
    }
}

#[test]
fn each_bit_flipped() {
    let three = Three::new();
    for (index, file) in three.files().iter().enumerate() {
        let sound = fs::read(file).unwrap();
        for offset in 0..sound.len() {
            for bit in 0..8 {
                let mut bytes = sound.clone();
                bytes[offset] ^= 1 << bit;
                fs::write(file, &bytes).unwrap();
                // Two compressed payloads may stand for one value, so beyond
                // the header a hit is allowed: `hits` compares it.
                if offset < 128 || !three.hits(index) {
                    fs::write(file, &bytes).unwrap();
                    three.must_miss(index, &format!("{} at {offset}", file.display()));
                }
            }
        }
        fs::write(file, &sound).unwrap();
        assert!(three.hits(index));
    }
}

#[test]
fn truncated_at_each_length() {
    let three = Three::new();
    for (index, file) in three.files().iter().enumerate() {
        let sound = fs::read(file).unwrap();
        for length in 0..sound.len() {
            fs::write(file, &sound[..length]).unwrap();
            three.must_miss(index, &format!("{length} bytes"));
        }
        let longer = [&sound[..], b"x"].concat();
        fs::write(file, longer).unwrap();
        three.must_miss(index, "a byte too many");
    }
}

#[test]
fn foreign_and_zeroed_files() {
    let three = Three::new();
    for (index, file) in three.files().iter().enumerate() {
        let length = fs::read(file).unwrap().len();
        for bytes in [
            b"#!/bin/sh\n".repeat(50),
            vec![0; length],
            vec![0xff; length],
        ] {
            fs::write(file, bytes).unwrap();
            three.must_miss(index, "foreign");
        }
    }
}

#[test]
fn the_entry_of_another_key_or_kind() {
    let three = Three::new();
    three.store.put(&key(2), b"another answer");
    let [answer, bundle, blob] = three.files();
    fs::copy(answer_path(&three.store, &key(2)), &answer).unwrap();
    three.must_miss(0, "another key");
    fs::copy(&bundle, &blob).unwrap();
    three.must_miss(2, "another kind");
}

#[test]
fn a_folder_in_the_place_of_a_file() {
    let three = Three::new();
    for (index, file) in three.files().iter().enumerate() {
        let place_folder = || {
            let _ = fs::remove_file(file);
            fs::create_dir_all(file.join("inner")).unwrap();
            fs::write(file.join("inner/file"), b"x").unwrap();
        };
        place_folder();
        three.must_miss(index, "a folder");
        // And a write puts it out of the way.
        place_folder();
        match index {
            0 => assert_eq!(three.store.put(&key(1), &text(4)), PutOutcome::Written),
            1 => {
                let both = [named("a", "1"), named("b", "22")];
                let outcome = three.store.merge_bundle(&key(1), both);
                assert_eq!(outcome, PutOutcome::Written);
            }
            _ => assert_eq!(three.store.put_blob(&noise(1, 100)), three.blob),
        }
        assert!(three.hits(index));
    }
}

#[test]
fn a_merge_over_a_damaged_bundle_starts_anew() {
    let three = Three::new();
    fs::write(&three.files()[1], b"damaged").unwrap();
    three.store.merge_bundle(&key(1), [named("c", "3")]);
    let bundle = three.store.get_bundle(&key(1)).unwrap();
    assert_eq!((bundle.len(), bundle.get("c")), (1, Some(&b"3"[..])));
    assert_eq!(three.store.counts().damaged, 1);
}

#[test]
fn a_damaged_blob_is_mended_by_the_next_put_after_its_miss() {
    let three = Three::new();
    let file = &three.files()[2];
    let mut bytes = fs::read(file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(file, bytes).unwrap();
    three.must_miss(2, "damaged");
    three.store.put_blob(&noise(1, 100));
    assert!(three.hits(2));
    // One that is too short to be it is mended at once.
    fs::write(file, b"").unwrap();
    three.store.put_blob(&noise(1, 100));
    assert!(three.hits(2));
}

#[test]
fn a_huge_declared_length() {
    let three = Three::new();
    let file = &three.files()[0];
    let sound = fs::read(file).unwrap();
    for (offset, claim) in [
        (80, u64::MAX),
        (88, u64::MAX),
        (88, 1 << 40),
        (88, 60 << 20),
    ] {
        let mut bytes = sound.clone();
        bytes[offset..offset + 8].copy_from_slice(&u64::to_le_bytes(claim));
        fs::write(file, bytes).unwrap();
        three.must_miss(0, "a huge length");
    }
}

#[test]
fn what_would_decompress_beyond_the_limit() {
    let sandbox = Sandbox::new();
    sandbox.store().put(&key(1), &vec![0; 1 << 20]);
    let mut options = sandbox.options();
    options.max_entry_bytes = (1 << 20) - 1;
    let strict = Store::open(options);
    assert!(answer_path(&strict, &key(1)).metadata().unwrap().len() < 10_000);
    assert_eq!(strict.get(&key(1)), None);
    assert_eq!(strict.counts().damaged, 1);
}

#[test]
fn a_file_longer_than_any_entry_is_not_read() {
    let three = Three::new();
    let file = fs::File::create(&three.files()[0]).unwrap();
    file.set_len(1 << 40).unwrap();
    let read_before = three.store.counts().bytes_read;
    three.must_miss(0, "a terabyte of nothing");
    assert_eq!(three.store.counts().bytes_read, read_before);
}

#[test]
fn a_read_only_store_leaves_damage_where_it_is() {
    let sandbox = Sandbox::new();
    let file = answer_path(&sandbox.store(), &key(1));
    sandbox.store().put(&key(1), b"answer");
    fs::write(&file, b"damaged").unwrap();
    let mut options = sandbox.options();
    options.access = Access::ReadOnly;
    let store = Store::open(options);
    assert_eq!(store.get(&key(1)), None);
    assert_eq!(store.counts().damaged, 1);
    assert!(file.exists());
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let three = Three::new();
    let [answer, ..] = three.files();
    let elsewhere = answer.with_file_name("elsewhere");
    fs::rename(&answer, &elsewhere).unwrap();
    for target in [
        elsewhere.as_path(),
        Path::new("/dev/zero"),
        Path::new("nowhere"),
    ] {
        std::os::unix::fs::symlink(target, &answer).unwrap();
        three.must_miss(0, "a link");
    }
    assert!(elsewhere.exists());
}

#[cfg(unix)]
#[test]
fn a_pipe_does_not_make_anyone_wait() {
    use std::process::Command;
    use std::sync::mpsc;
    use std::time::Duration;
    let three = Three::new();
    let [answer, bundle, _] = three.files();
    let lock = bundle.with_file_name("lock");
    for place in [&answer, &lock] {
        let _ = fs::remove_file(place);
        let made = Command::new("mkfifo").arg(place).status().unwrap();
        assert!(made.success());
    }
    let (done, finished) = mpsc::channel();
    std::thread::spawn(move || {
        three.must_miss(0, "a pipe");
        let outcome = three.store.merge_bundle(&key(1), [named("c", "3")]);
        done.send(outcome).unwrap();
    });
    let outcome = finished.recv_timeout(Duration::from_secs(20));
    assert_eq!(outcome, Ok(PutOutcome::Written));
}
