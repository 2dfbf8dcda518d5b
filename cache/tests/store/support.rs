//! What the tests share: a store in a folder of its own, contents, times, and
//! a look at the files behind the store's back.

use pantin_cache::{Key, Store, StoreOptions};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

pub(crate) struct Sandbox {
    pub(crate) folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    pub(crate) fn options(&self) -> StoreOptions {
        options_at(&self.root())
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(self.options())
    }
}

pub(crate) fn options_at(root: &Path) -> StoreOptions {
    StoreOptions::new(root, 1, Key::of(b"a build"))
}

/// The key of the test value with this number.
pub(crate) fn key(number: u64) -> Key {
    Key::of(&number.to_le_bytes())
}

/// Bytes that no compression makes smaller, the same for the same seed.
pub(crate) fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    hasher.finalize_xof().fill(&mut bytes);
    bytes
}

/// Text that compresses well.
pub(crate) fn text(lines: usize) -> Vec<u8> {
    let line = |number| format!("file {{ '/etc/app/{number}': ensure => file }}\n");
    (0..lines).map(line).collect::<String>().into_bytes()
}

pub(crate) fn named(name: &str, value: &str) -> (Vec<u8>, Vec<u8>) {
    (name.as_bytes().to_vec(), value.as_bytes().to_vec())
}

pub(crate) fn answer_path(store: &Store, key: &Key) -> PathBuf {
    path_of(store, key, "answer")
}

pub(crate) fn path_of(store: &Store, key: &Key, kind: &str) -> PathBuf {
    let digits = key.to_hex();
    let folder = store.version_folder().join(&digits[..2]);
    folder.join(format!("{digits}.{kind}"))
}

pub(crate) fn set_time(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}

pub(crate) fn age(path: &Path, by: Duration) {
    set_time(path, SystemTime::now() - by);
}

pub(crate) fn time(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

/// Every file under a folder, by path.
pub(crate) fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).unwrap() {
            let item = item.unwrap();
            if item.file_type().unwrap().is_dir() {
                folders.push(item.path());
            } else {
                files.push(item.path());
            }
        }
    }
    files.sort();
    files
}

pub(crate) fn temporaries_under(folder: &Path) -> usize {
    let is_temporary = |path: &PathBuf| {
        path.file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with(".tmp-")
    };
    files_under(folder)
        .iter()
        .filter(|path| is_temporary(path))
        .count()
}
