//! One file lock, had for a while or not at all.
//!
//! It must not know what it guards. It never waits for ever: another process
//! may be stopped while it holds the lock.

use crate::disk;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

const FIRST_PAUSE: Duration = Duration::from_micros(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

pub(crate) enum Lock {
    /// Held until this is dropped.
    Held(#[allow(dead_code, reason = "held for its drop")] Guard),
    /// Another holder did not let go in time.
    Busy,
    /// There are no locks to be had here (some network file systems, a folder
    /// that cannot be written). Whoever goes on without one may lose an entry
    /// to another writer, no more: an entry still appears whole or not at all.
    Unavailable,
}

pub(crate) struct Guard(File);

impl Drop for Guard {
    fn drop(&mut self) {
        // To close the file is not enough: a process that another thread is
        // just starting has it open too, until it runs its own program.
        let _ = self.0.unlock();
    }
}

impl Lock {
    pub(crate) fn acquire(path: &Path, patience: Duration) -> Self {
        let Ok(file) = open(path) else {
            return Self::Unavailable;
        };
        let start = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match file.try_lock() {
                Ok(()) => return Self::Held(Guard(file)),
                Err(TryLockError::WouldBlock) if start.elapsed() >= patience => return Self::Busy,
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(TryLockError::Error(_)) => return Self::Unavailable,
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    match open_once(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            disk::make_folder(path.parent().unwrap_or(Path::new(".")))?;
            open_once(path)
        }
        opened => opened,
    }
}

fn open_once(path: &Path) -> io::Result<File> {
    // To open a pipe may wait for ever, so what is not a file is put away.
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        disk::remove(path)?;
    }
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_let_go_though_the_file_is_open_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let Lock::Held(guard) = Lock::acquire(&path, Duration::ZERO) else {
            panic!("nobody else holds it");
        };
        // As in a process that was just forked.
        let inherited = guard.0.try_clone().unwrap();
        let other = Lock::acquire(&path, Duration::ZERO);
        assert!(matches!(other, Lock::Busy));
        drop(guard);
        let other = Lock::acquire(&path, Duration::ZERO);
        assert!(matches!(other, Lock::Held(_)));
        drop(inherited);
    }
}
