//! Tells the binary which commit it was built from, where git can say. Never fails a build.
#![allow(clippy::disallowed_methods, reason = "a build script has no other room to ask")]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=PANTIN_COMMIT={}", commit().as_deref().unwrap_or("unknown"));
}

/// Returns the commit of this checkout. A tarball unpacked inside someone else's repository must not be given that
/// one's commit.
fn commit() -> Option<String> {
    let root = format!("{}/../..", env!("CARGO_MANIFEST_DIR"));
    if !git(&root, &["rev-parse", "--show-toplevel"]).is_some_and(|top| is_same_folder(&top, &root)) {
        return None;
    }
    let commit = git(&root, &["rev-parse", "--short=12", "HEAD"])?;
    // The log of HEAD grows with each commit and each checkout.
    for file in ["logs/HEAD", "HEAD"] {
        let Some(path) = git(&root, &["rev-parse", "--git-path", file]) else { continue };
        let path = Path::new(&root).join(path);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    Some(commit)
}

fn git(folder: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}

fn is_same_folder(one: &str, other: &str) -> bool {
    match (Path::new(one).canonicalize(), Path::new(other).canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
