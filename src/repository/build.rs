//! Computes the digest of the code that decides answers: an answer stored by other code is not read. Never fails a build.
#![allow(clippy::disallowed_methods, reason = "a build script has no other crate to ask")]

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Every place whose code can change an answer, as seen from this folder. What only `cli` does is not among them.
const SOURCES: [&str; 14] = [
    "../base",
    "../regex",
    "../syntax",
    "../values",
    "../model",
    "../world",
    "../ruby",
    "../eval",
    "../hiera",
    "../compile",
    "../repository",
    "../../cache/src",
    "../../Cargo.lock",
    "../../Cargo.toml",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_whole = SOURCES.iter().all(|source| Path::new(source).exists());
    let identity = if is_whole {
        SOURCES.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
        hash_of_sources()
    } else {
        // Built from a registry, where the siblings are elsewhere: a version never changes there.
        format!("version {}", env!("CARGO_PKG_VERSION"))
    };
    let [target, profile] = ["TARGET", "PROFILE"].map(|name| std::env::var(name).unwrap_or_default());
    println!("cargo::rustc-env=PANTIN_BUILD={identity} {target} {profile}");
}

fn hash_of_sources() -> String {
    let mut files = BTreeSet::new();
    SOURCES.iter().for_each(|source| collect_files(Path::new(source), &mut files));
    let mut hasher = DefaultHasher::new();
    for file in files {
        (&file, std::fs::read(&file).unwrap_or_default()).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

fn collect_files(path: &Path, files: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(path) else {
        files.insert(path.to_owned());
        return;
    };
    entries.flatten().for_each(|entry| collect_files(&entry.path(), files));
}
