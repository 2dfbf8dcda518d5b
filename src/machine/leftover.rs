//! Temporary files: their names, and those that a process left behind that ended while it wrote them.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::system::{Change, FileKind, System};

/// Returns the name of a temporary file: hidden, with the day, the process that writes it and a number.
pub(crate) fn temporary_name(name: &OsStr, day: u32, process: u32, number: u32) -> OsString {
    let mut hidden = prefix(name);
    hidden.push(format!("{day:08}-{process}-{number}"));
    hidden
}

/// A name has at most 255 bytes, and the end must be ours.
fn prefix(name: &OsStr) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(if name.len() > 200 { OsStr::new("file") } else { name });
    hidden
}

/// Returns the process that wrote a temporary file for a name, or for a name that begins so: a backup beside it.
fn writer_of(temporary: &OsStr, name: &OsStr) -> Option<u32> {
    let rest = temporary.as_bytes().strip_prefix(prefix(name).as_bytes())?;
    let rest = std::str::from_utf8(rest).ok()?;
    let mut parts = rest.rsplitn(3, '-');
    let (number, process, day) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let ends_with_day = day.len() >= 8 && is_number(day.get(day.len() - 8..)?);
    if ends_with_day && is_number(number) && is_number(process) { process.parse().ok() } else { None }
}

/// Removes the temporary files of a path whose processes have ended. Returns their paths.
pub fn remove_leftovers(machine: &dyn System, path: &Path) -> io::Result<Vec<PathBuf>> {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => remove_from(machine, folder, name),
        _ => Ok(Vec::new()),
    }
}

/// Removes all temporary files of ended processes from a folder that nobody else writes to. Returns their paths.
pub fn remove_all_leftovers(machine: &dyn System, folder: &Path) -> io::Result<Vec<PathBuf>> {
    remove_from(machine, folder, OsStr::new(""))
}

fn remove_from(machine: &dyn System, folder: &Path, name: &OsStr) -> io::Result<Vec<PathBuf>> {
    let names = match machine.list(folder) {
        Ok(names) => names,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let mut removed = Vec::new();
    for temporary in names {
        let Some(process) = writer_of(&temporary, name) else { continue };
        let is_alive = machine.stat(Path::new(&format!("/proc/{process}")), true)?.is_some();
        let path = folder.join(&temporary);
        let stat = machine.stat(&path, false)?;
        let is_ours = stat.is_some_and(|stat| matches!(stat.kind, FileKind::File | FileKind::Link));
        if is_ours && !is_alive {
            machine.change(&path, &Change::RemoveFile)?;
            removed.push(path);
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InMemory, Reading};

    #[test]
    fn files_of_ended_processes_are_removed_and_others_stay() {
        let machine = InMemory::new()
            .with_folder("/proc")
            .with_folder("/proc/7")
            .with_folder("/d")
            .with_file("/d/.conf20260101-9-0", "")
            .with_file("/d/.conf.bak20260101-9-12", "")
            .with_file("/d/.conf20260101-7-0", "of a living process")
            .with_file("/d/.conf2026-9-0", "")
            .with_file("/d/.other20260101-9-0", "")
            .with_file("/d/conf", "");
        let removed = remove_leftovers(&machine, Path::new("/d/conf")).unwrap();
        assert_eq!(removed, [Path::new("/d/.conf.bak20260101-9-12"), Path::new("/d/.conf20260101-9-0")]);
        assert_eq!(machine.list(Path::new("/d")).unwrap().len(), 4);
        assert!(remove_leftovers(&machine, Path::new("/nowhere/conf")).unwrap().is_empty());
        let removed = remove_all_leftovers(&machine, Path::new("/d")).unwrap();
        assert_eq!(removed, [Path::new("/d/.other20260101-9-0")]);
    }

    #[test]
    fn a_temporary_name_is_known_again() {
        for name in ["conf", "a-b", &"long".repeat(60)] {
            let temporary = temporary_name(OsStr::new(name), 20_261_129, 42, 3);
            assert_eq!(writer_of(&temporary, OsStr::new(name)), Some(42), "{name}");
        }
    }
}
