//! From the paths a person gave to the list of sources to check, in order.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use pantin_syntax::SourceKind;
use pantin_world::{Argument, ReadError, Selection, WalkEntry, absolute_path, inspect_argument, walk};
use rayon::prelude::*;

/// One source to check.
#[derive(Debug)]
pub(crate) enum Target {
    File {
        path: PathBuf,
        kind: SourceKind,
    },
    StandardInput {
        kind: SourceKind,
    },
    /// A path behind which there is nothing to check.
    Unusable {
        path: PathBuf,
        reason: ReadError,
    },
}

const EXTENSIONS: [&str; 2] = ["pp", "epp"];

/// The sources behind `paths`: a file is taken whatever it is called, a folder stands for the
/// manifests and templates under it. A file that is named twice is checked once.
pub(crate) fn find_targets(paths: &[PathBuf], standard_input: SourceKind, selection: Selection) -> Vec<Target> {
    let mut targets = Vec::new();
    let is_standard_input = |path: &Path| path.as_os_str() == "-";
    // A shell's glob names thousands; a few are looked at quicker than threads are started.
    let inspect = |path: &PathBuf| if is_standard_input(path) { Ok(Argument::File) } else { inspect_argument(path) };
    let inspected: Vec<_> = match paths.len() {
        0..=64 => paths.iter().map(inspect).collect(),
        _ => paths.par_iter().map(inspect).collect(),
    };
    for (path, inspected) in paths.iter().zip(inspected) {
        if is_standard_input(path) {
            targets.push(Target::StandardInput { kind: standard_input });
            continue;
        }
        match inspected {
            Ok(Argument::File) => targets.push(file_target(path.clone())),
            Ok(Argument::Folder) => {
                let found = walk(path, &EXTENSIONS, selection);
                targets.extend(found.into_iter().map(|found| match found {
                    WalkEntry::File(path) => file_target(path),
                    WalkEntry::Failed(path, reason) => Target::Unusable { path, reason },
                }));
            }
            Err(reason) => targets.push(Target::Unusable { path: path.clone(), reason }),
        }
    }
    if paths.len() > 1 {
        let mut seen = HashSet::new();
        targets.retain(|target| match target {
            Target::File { path, .. } => seen.insert(absolute_path(path)),
            Target::StandardInput { .. } => seen.insert(PathBuf::from("-")),
            Target::Unusable { .. } => true,
        });
    }
    targets
}

fn file_target(path: PathBuf) -> Target {
    let kind = source_kind(&path);
    Target::File { path, kind }
}

pub(crate) fn source_kind(path: &Path) -> SourceKind {
    if path.extension() == Some(OsStr::new("epp")) { SourceKind::Template } else { SourceKind::Manifest }
}

/// A path as a person wants to read it: without the `./` that walking `.` puts before it.
pub(crate) fn display_path(path: &Path) -> String {
    let short = path.strip_prefix(".").ok().filter(|short| !short.as_os_str().is_empty()).unwrap_or(path);
    short.to_string_lossy().into_owned()
}
