//! What build scripts share: the digest of the code that decides something. Never fails a build.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Hands the digest of these sources, as seen from the folder of the crate, to its code as a variable. A change of them builds the crate again.
pub(crate) fn print(variable: &str, sources: &[&str]) {
    println!("cargo::rerun-if-changed=build.rs");
    let is_whole = sources.iter().all(|source| Path::new(source).exists());
    let identity = if is_whole {
        sources.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
        hash_of_sources(sources)
    } else {
        // Built from a registry, where the siblings are elsewhere: a version never changes there.
        format!("version {}", env!("CARGO_PKG_VERSION"))
    };
    let [target, profile] = ["TARGET", "PROFILE"].map(|name| std::env::var(name).unwrap_or_default());
    println!("cargo::rustc-env={variable}={identity} {target} {profile}");
}

fn hash_of_sources(sources: &[&str]) -> String {
    let mut files = BTreeSet::new();
    sources.iter().for_each(|source| collect_files(Path::new(source), &mut files));
    let mut hasher = blake3::Hasher::new();
    for file in files {
        for part in [file.as_os_str().as_encoded_bytes(), &std::fs::read(&file).unwrap_or_default()] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

fn collect_files(path: &Path, files: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(path) else {
        files.insert(path.to_owned());
        return;
    };
    entries.flatten().for_each(|entry| collect_files(&entry.path(), files));
}
