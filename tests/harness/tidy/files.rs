//! The texts of the repository that the checks read.

use std::path::Path;

/// Folders of texts, relative to the root; files beside them are read too.
const FOLDERS: [&str; 6] = ["src", "cache", "tests", "benches", "fuzz", ".ci"];

/// Folders in them that hold no sources of ours.
const NOT_OURS: [&str; 4] = ["target", "corpus", "artifacts", "seeds"];

pub(in crate::harness) struct File {
    /// Relative to the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

pub(super) fn read(root: &Path) -> Vec<File> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && path.file_name().is_some_and(|name| name != ".git") {
            take(root, &path, &mut files);
        }
    }
    for folder in FOLDERS {
        walk(root, &root.join(folder), &mut files);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<File>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !NOT_OURS.contains(&name.as_str()) {
            walk(root, &path, files);
        } else if path.is_file() {
            take(root, &path, files);
        }
    }
}

fn take(root: &Path, path: &Path, files: &mut Vec<File>) {
    // What is no text is a seed or a picture.
    if let Ok(text) = std::fs::read_to_string(path) {
        let path = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        files.push(File { path, text });
    }
}
