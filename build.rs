//! Tells the binary which commit it was built from, where git can say, and which sources; never fails a build.
#![allow(clippy::disallowed_methods, reason = "a build script has no room to ask")]

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// All that the meaning of an answer depends on.
const SOURCES: [&str; 4] = ["src", "cache/src", "Cargo.lock", "Cargo.toml"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let here = env!("CARGO_MANIFEST_DIR");
    // A tarball unpacked inside someone else's repository must not be given that one's commit.
    let is_ours = git(here, &["rev-parse", "--show-toplevel"]).is_some_and(|top| same_folder(&top, here));
    let commit = is_ours.then(|| git(here, &["rev-parse", "--short=12", "HEAD"])).flatten();
    if commit.is_some() {
        // The log of HEAD grows with each commit and each checkout.
        for file in ["logs/HEAD", "HEAD"] {
            let Some(path) = git(here, &["rev-parse", "--git-path", file]) else { continue };
            if Path::new(here).join(&path).exists() {
                println!("cargo::rerun-if-changed={path}");
            }
        }
    }
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    println!("cargo::rustc-env=PANTIN_BUILD={}", build());
    println!("cargo::rustc-env=PANTIN_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

/// One name for all that is in the sources: another build never reads what this one keeps.
fn build() -> String {
    let mut files = BTreeSet::new();
    SOURCES.iter().for_each(|source| collect(Path::new(source), &mut files));
    let mut hasher = DefaultHasher::new();
    for file in files {
        (&file, std::fs::read(&file).unwrap_or_default()).hash(&mut hasher);
    }
    let of_target = ["TARGET", "PROFILE"].map(|name| std::env::var(name).unwrap_or_default());
    format!("{:016x} {}", hasher.finish(), of_target.join(" "))
}

fn collect(path: &Path, files: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(path) else {
        files.insert(path.to_owned());
        return;
    };
    entries.flatten().for_each(|entry| collect(&entry.path(), files));
}

fn git(folder: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}

fn same_folder(one: &str, other: &str) -> bool {
    match (Path::new(one).canonicalize(), Path::new(other).canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
