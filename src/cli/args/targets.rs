//! From the paths a person gave to the list of sources to check, in order.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use pantin_repository::file_check::FileKind;
use pantin_syntax::SourceKind;
use pantin_world::{Argument, Disk, ReadError, Selection, WalkEntry, absolute_path, inspect_argument, walk};
use rayon::prelude::*;

/// What a target is checked as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TargetKind {
    /// Puppet code.
    Puppet(SourceKind),
    Other(FileKind),
}

impl TargetKind {
    /// Tells by its name what a file is checked as; one of no known name holds a manifest.
    fn from_path(path: &Path) -> TargetKind {
        match (puppet_kind(path), FileKind::from_path(path)) {
            (None, Some(kind)) => TargetKind::Other(kind),
            (kind, _) => TargetKind::Puppet(kind.unwrap_or(SourceKind::Manifest)),
        }
    }
}

/// One source to check.
#[derive(Debug)]
pub(crate) enum Target {
    File {
        path: PathBuf,
        kind: TargetKind,
    },
    StandardInput(StandardInput),
    /// A path behind which there is nothing to check.
    Unusable {
        path: PathBuf,
        reason: ReadError,
    },
}

impl Target {
    /// Makes it unusable if it is a link to where code may not read.
    pub(crate) fn hold_to(&mut self, disk: &dyn Disk) {
        if let Target::File { path, .. } = self
            && let Some(breach) = disk.breach(&absolute_path(path))
        {
            *self = Target::Unusable { path: std::mem::take(path), reason: ReadError::Fenced(breach) };
        }
    }
}

/// What is piped in.
#[derive(Clone, Debug)]
pub(crate) struct StandardInput {
    pub(crate) kind: TargetKind,
    /// The file that it is the content of, or will be.
    pub(crate) path: Option<PathBuf>,
}

/// What stands behind the paths that a person gave.
pub(crate) struct Targets {
    pub(crate) checked: Vec<Target>,
    /// Files of other languages, which nobody checks.
    pub(crate) others: Vec<PathBuf>,
    /// How many files that would be checked were left out.
    pub(crate) ignored: usize,
    /// Named folders in which nothing was found, nor left out.
    pub(crate) empty: Vec<PathBuf>,
}

/// Files of a repository that hold nothing that is checked.
const OTHERS: [&str; 3] = ["rb", "md", "toml"];

fn is_other(path: &Path) -> bool {
    FileKind::from_path(path).is_none()
        && path.extension().is_some_and(|extension| OTHERS.iter().any(|other| extension.eq_ignore_ascii_case(other)))
}

/// Returns true for a file of a walked folder that is checked.
fn is_checked(path: &Path) -> bool {
    puppet_kind(path).is_some() || FileKind::from_walked_path(path).is_some()
}

/// Returns the sources behind `paths`: a file is taken whatever it is called, a folder stands for what is checked under
/// it. A file that is named twice is checked once.
pub(crate) fn find_targets(paths: &[PathBuf], standard_input: &StandardInput, selection: &Selection) -> Targets {
    let (mut targets, mut others, mut empty) = (Vec::new(), Vec::new(), Vec::new());
    let mut ignored = 0;
    let is_standard_input = |path: &Path| path.as_os_str() == "-";
    // A shell's glob names thousands; a few are looked at quicker than threads are started.
    let inspect = |path: &PathBuf| if is_standard_input(path) { Ok(Argument::File) } else { inspect_argument(path) };
    let inspected: Vec<_> = match paths.len() {
        0..=64 => paths.iter().map(inspect).collect(),
        _ => paths.par_iter().map(inspect).collect(),
    };
    for (path, inspected) in paths.iter().zip(inspected) {
        if is_standard_input(path) {
            targets.push(Target::StandardInput(standard_input.clone()));
            continue;
        }
        match inspected {
            Ok(Argument::File) if is_other(path) => others.push(path.clone()),
            Ok(Argument::File) => targets.push(file_target(path.clone())),
            Ok(Argument::Folder) => {
                let found = walk(path, &is_checked, selection);
                let left_out = count_ignored(path, selection, found.len());
                if found.is_empty() && left_out == 0 {
                    empty.push(path.clone());
                }
                ignored += left_out;
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
            Target::StandardInput(_) => seen.insert(PathBuf::from("-")),
            Target::Unusable { .. } => true,
        });
    }
    Targets { checked: targets, others, ignored, empty }
}

/// Returns how many files a walk would find that leaves nothing out by `.gitignore` or by patterns.
fn count_ignored(folder: &Path, selection: &Selection, found: usize) -> usize {
    if !selection.honour_gitignore && selection.ignored.is_empty() {
        return 0;
    }
    let all = Selection { honour_gitignore: false, ignored: Vec::new(), ..selection.clone() };
    walk(folder, &is_checked, &all).len().saturating_sub(found)
}

fn file_target(path: PathBuf) -> Target {
    let kind = TargetKind::from_path(&path);
    Target::File { path, kind }
}

/// What standard input is checked as that is, or will be, the content of a file.
pub(crate) fn kind_of_input(path: Option<&Path>) -> TargetKind {
    path.map_or(TargetKind::Puppet(SourceKind::Manifest), TargetKind::from_path)
}

fn puppet_kind(path: &Path) -> Option<SourceKind> {
    match path.extension()?.to_str()? {
        "pp" => Some(SourceKind::Manifest),
        "epp" => Some(SourceKind::Template),
        _ => None,
    }
}

pub(crate) fn source_kind(path: &Path) -> SourceKind {
    puppet_kind(path).unwrap_or(SourceKind::Manifest)
}

/// Returns a path as a person wants to read it: without the `./` that walking `.` puts before it.
pub(crate) fn display_path(path: &Path) -> String {
    let short = path.strip_prefix(".").ok().filter(|short| !short.as_os_str().is_empty()).unwrap_or(path);
    short.to_string_lossy().into_owned()
}
