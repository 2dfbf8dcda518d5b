//! Files that are there whole or not at all: written beside their place, synced, renamed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::held_path::HeldPath;
use crate::leftover::temporary_name;
use crate::system::NewFile;
use crate::time::Time;

/// How many names are tried for a temporary file.
const ATTEMPTS: u32 = 100;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// Replaces what stands at a path. An error leaves it as it was, and no temporary file.
pub(crate) fn replace(path: &Path, new: &NewFile<'_>) -> io::Result<()> {
    let place = HeldPath::open(path)?;
    let folder = new.staging.or_else(|| path.parent()).unwrap_or(Path::new("/"));
    let name = path.file_name().unwrap_or_default();
    let staging = match new.staging {
        Some(folder) => HeldPath::open(&folder.join(name))?,
        None => place.beside(name.to_owned())?,
    };
    let (mut file, temporary, temporary_name) = try_names(&staging, name, |held| held.create(0o600))?;
    let shown = folder.join(temporary_name);
    let written = write(&mut file, new).and_then(|()| new.check.map_or(Ok(()), |check| check(&shown)));
    drop(file);
    let placed = written.and_then(|()| put_in_place(&temporary, &place, path, new));
    if placed.is_err() {
        // The first error is the one to tell.
        let _ = temporary.remove_file();
    }
    placed
}

/// Puts a link in the place of whatever file or link stands at a path.
pub(crate) fn replace_by_link(path: &Path, target: &Path) -> io::Result<()> {
    let place = HeldPath::open(path)?;
    match place.make_link(target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made,
    }
    let name = path.file_name().unwrap_or_default();
    let ((), temporary, _) = try_names(&place, name, |held| held.make_link(target))?;
    let placed = temporary.rename(&place);
    if placed.is_err() {
        let _ = temporary.remove_file();
    }
    placed
}

/// Makes a temporary file in a folder. Nobody else can have made it, and no link is followed.
pub(crate) fn create(folder: &Path, name: &OsStr, mode: u32) -> io::Result<(File, PathBuf)> {
    let (file, _, name) = try_names(&HeldPath::open(&folder.join(name))?, name, |held| held.create(mode))?;
    Ok((file, folder.join(name)))
}

/// Makes something beside a path, under a temporary name that nobody has.
fn try_names<T>(
    path: &HeldPath,
    name: &OsStr,
    make: impl Fn(&HeldPath) -> io::Result<T>,
) -> io::Result<(T, HeldPath, OsString)> {
    for _ in 0..ATTEMPTS {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary_name = temporary_name(name, day(), process::id(), number);
        let temporary = path.beside(temporary_name.clone())?;
        match make(&temporary) {
            Ok(made) => return Ok((made, temporary, temporary_name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no name is left for a temporary file"))
}

/// Returns today's date as one number.
fn day() -> u32 {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let date = Time::new(seconds as i64, 0).date(0);
    date.year as u32 * 10_000 + date.month * 100 + date.day
}

/// Owner and mode are set before a byte is there.
fn write(file: &mut File, new: &NewFile<'_>) -> io::Result<()> {
    let (uid, gid) = new.owner;
    if uid.is_some() || gid.is_some() {
        fchown(&*file, uid, gid)?;
    }
    file.set_permissions(fs::Permissions::from_mode(new.mode))?;
    file.write_all(new.content)?;
    file.sync_data()
}

fn put_in_place(temporary: &HeldPath, place: &HeldPath, path: &Path, new: &NewFile<'_>) -> io::Result<()> {
    match temporary.rename(place) {
        // A staging folder may lie on another disk.
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices && new.staging.is_some() => {
            replace(path, &NewFile { staging: None, check: None, ..*new })?;
            temporary.remove_file()
        }
        renamed => renamed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_replaced_and_its_target_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        replace(&link, &NewFile::new(b"new", 0o640)).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(fs::read(&link).unwrap(), b"new");
        assert_eq!(fs::symlink_metadata(&link).unwrap().permissions().mode() & 0o7777, 0o640);
    }

    #[test]
    fn a_link_takes_the_place_of_a_file_but_not_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "old").unwrap();
        replace_by_link(&path, Path::new("new")).unwrap();
        assert_eq!(fs::read_link(&path).unwrap(), Path::new("new"));
        fs::create_dir(folder.path().join("d")).unwrap();
        assert!(replace_by_link(&folder.path().join("d"), Path::new("new")).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_a_check_refuses_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let check = |_: &Path| Err(io::Error::other("refused"));
        let refused = replace(&path, &NewFile { check: Some(&check), ..NewFile::new(b"new", 0o644) });
        assert_eq!(refused.unwrap_err().to_string(), "refused");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
