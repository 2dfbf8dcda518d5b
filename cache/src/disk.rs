//! The file system, one operation at a time: bounded reads, writes that appear
//! at once or not at all, marks of use.
//!
//! It must not know what the bytes are, nor count anything. It trusts nothing
//! that it finds: a pipe, a device or a folder may lie where a file should.

use crate::layout::TEMPORARY_PREFIX;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// What lies at a path.
#[derive(Debug)]
pub(crate) enum Found {
    Absent,
    /// Something that no store puts there: not a plain file, or a larger one
    /// than any entry is.
    Stray,
    /// The system would not say.
    Refused(io::Error),
    File {
        bytes: Vec<u8>,
        used: Option<SystemTime>,
    },
}

pub(crate) fn read(path: &Path, max_bytes: u64) -> Found {
    match try_read(path, max_bytes) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => Found::Absent,
        Err(error) => Found::Refused(error),
    }
}

fn try_read(path: &Path, max_bytes: u64) -> io::Result<Found> {
    // Asked before opening: to open a pipe is to wait for its other end.
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() || metadata.len() > max_bytes {
        return Ok(Found::Stray);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    let file = File::open(path)?;
    // Bounded again: the file may be another by now.
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Ok(Found::Stray);
    }
    Ok(Found::File {
        bytes,
        used: metadata.modified().ok(),
    })
}

/// Writes `bytes` under a temporary name beside `path`, then renames. A reader
/// sees the old content or the new, whole. Without sync: after a power cut the
/// content may be gone, which the reader's check turns into a miss.
pub(crate) fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = create_temporary(path)?;
    let written = file.write_all(bytes);
    drop(file);
    let placed = written.and_then(|()| rename_over(&temporary, path));
    if placed.is_err() {
        // Best effort: the cleaning finds what stays behind.
        let _ = fs::remove_file(&temporary);
    }
    placed
}

fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    const ATTEMPTS: u32 = 16;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut last_error = io::Error::from(ErrorKind::AlreadyExists);
    for _ in 0..ATTEMPTS {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{TEMPORARY_PREFIX}{}-{number}", std::process::id());
        let temporary = folder.join(name);
        let created = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary);
        match created {
            Ok(file) => return Ok((temporary, file)),
            Err(error) => {
                match error.kind() {
                    // Another process may remove the folder at any time.
                    ErrorKind::NotFound => make_folder(folder)?,
                    // Two containers may share the folder and a process id.
                    ErrorKind::AlreadyExists => {}
                    _ => return Err(error),
                }
                last_error = error;
            }
        }
    }
    Err(last_error)
}

/// Gives `temporary` the name `path`, atomically, whatever lies there.
fn rename_over(temporary: &Path, path: &Path) -> io::Result<()> {
    let Ok(there) = fs::symlink_metadata(path) else {
        return fs::rename(temporary, path);
    };
    if exchange(temporary, path) {
        // What was there has the temporary name now. If it stays, the
        // cleaning finds it.
        let _ = remove(temporary);
        return Ok(());
    }
    if there.is_dir() {
        remove(path)?;
    }
    fs::rename(temporary, path)
}

/// Exchanges two names, where the system can. ext4 writes a file out when it is
/// renamed over another, to save careless programs from a power cut; this store
/// is not careless but does not care, and an exchange is not made to wait.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

/// Makes a folder and those above it, for this user alone: what is cached may
/// be nobody else's to read.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Removes whatever lies at `path`; a link, not what it points to.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// Sets the time of a file to now. That it fails does not matter: an entry
/// that looks older than it is may go earlier than it should.
pub(crate) fn touch(path: &Path) -> bool {
    set_time(path, SystemTime::now())
}

pub(crate) fn set_time(path: &Path, time: SystemTime) -> bool {
    OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|file| file.set_modified(time))
        .is_ok()
}

/// The time of a plain file.
pub(crate) fn time_of(path: &Path) -> Option<SystemTime> {
    let metadata = fs::symlink_metadata(path).ok()?;
    metadata.is_file().then(|| metadata.modified().ok())?
}

/// Makes an empty file whose time is now, or renews the time of the one there.
pub(crate) fn mark(path: &Path) -> io::Result<()> {
    if time_of(path).is_some() && touch(path) {
        return Ok(());
    }
    write_beside(path, b"")
}
