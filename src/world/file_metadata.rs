//! The metadata of a file: what a file server serves beside its content.

use std::fs;
use std::io;
use std::path::Path;

use super::ReadError;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFacts {
    /// In Ruby's words: `file`, `directory`, `link`, `fifo` …
    pub kind: &'static str,
    pub owner: u32,
    pub group: u32,
    /// Permissions alone.
    pub mode: u32,
    /// Seconds since 1970: of the last change of what is known of it, and of its content.
    pub changed: i64,
    pub modified: i64,
    /// Where a link leads, as it says itself.
    pub target: Option<String>,
}

pantin_base::digestible!(
    struct FileFacts {
        1 = kind, 2 = owner, 3 = group, 4 = mode, 5 = changed, 6 = modified, 7 = target
    }
);

/// Of a file, or of what a link leads to; `None` where there is nothing.
pub(super) fn file_facts(path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
    let found = if follows { fs::metadata(path) } else { fs::symlink_metadata(path) };
    let found = match found {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let kind = found.file_type();
    let name = match () {
        () if kind.is_dir() => "directory",
        () if kind.is_symlink() => "link",
        () if kind.is_file() => "file",
        () => "unknown",
    };
    let target = kind.is_symlink().then(|| fs::read_link(path)).transpose()?;
    let mut facts = FileFacts {
        kind: name,
        owner: 0,
        group: 0,
        mode: 0o644,
        changed: 0,
        modified: 0,
        target: target.map(|target| target.to_string_lossy().into_owned()),
    };
    take_times_and_owner(&mut facts, &found);
    Ok(Some(facts))
}

#[cfg(unix)]
fn take_times_and_owner(facts: &mut FileFacts, found: &fs::Metadata) {
    use std::os::unix::fs::MetadataExt;
    (facts.owner, facts.group, facts.mode) = (found.uid(), found.gid(), found.mode() & 0o7777);
    (facts.changed, facts.modified) = (found.ctime(), found.mtime());
}

#[cfg(not(unix))]
fn take_times_and_owner(_: &mut FileFacts, _: &fs::Metadata) {}

/// Returns the user and the group that this process acts as.
#[cfg(unix)]
pub fn own_ids() -> (u32, u32) {
    (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw())
}

#[cfg(not(unix))]
pub fn own_ids() -> (u32, u32) {
    (0, 0)
}
