//! Paths whose folders are opened one by one and held while something is changed, so that nobody can slip in a link between.
//!
//! A link on the way is followed if it is root's or ours. One of another user is followed to what that user owns, and no
//! further: whoever may write in a folder must not choose which files of others we change.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Gid, Mode, OFlags, Stat, Uid, chmodat, chownat, fchmod, fstat, mkdirat, openat,
    readlinkat, renameat, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

/// How many links are followed before it is a loop.
const MOST_LINKS: u32 = 40;

/// A folder that is held, and a name in it.
pub(crate) struct HeldPath {
    folder: OwnedFd,
    name: OsString,
}

/// Returns a file of another user's choice.
fn refusal(name: &OsStr) -> io::Error {
    let message = format!("the link {} of another user leads to what is not that user's", name.display());
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

impl HeldPath {
    /// Opens the folder of a path; what stands at the path itself is not looked at.
    pub(crate) fn open(path: &Path) -> io::Result<HeldPath> {
        let (folder, name) = match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => (folder, name),
            // The root, or a folder by its parent.
            _ => (path, OsStr::new(".")),
        };
        let base = openat(CWD, if path.is_absolute() { "/" } else { "." }, FOLDER, Mode::empty())?;
        Ok(HeldPath { folder: walk(base, folder, &mut 0)?, name: name.to_owned() })
    }

    /// Like `open`, with another name in the same folder.
    pub(crate) fn beside(&self, name: OsString) -> io::Result<HeldPath> {
        Ok(HeldPath { folder: self.folder.try_clone()?, name })
    }

    /// Makes a new file; that something stands there is an error.
    pub(crate) fn create(&self, mode: u32) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.folder, &self.name, flags, Mode::from_raw_mode(mode))?.into())
    }

    /// Makes a file empty, or makes an empty one. A link there is followed if it is root's or ours.
    pub(crate) fn truncate(&self, mode: u32) -> io::Result<()> {
        let stat = statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW);
        let is_followed =
            stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink && is_trusted(&stat));
        let follow = if is_followed { OFlags::empty() } else { OFlags::NOFOLLOW };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC | follow;
        openat(&self.folder, &self.name, flags, Mode::from_raw_mode(mode))?;
        Ok(())
    }

    /// Writes another content into a file, and through no link.
    pub(crate) fn overwrite(&self, content: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file: File = openat(&self.folder, &self.name, flags, Mode::empty())?.into();
        file.write_all(content)?;
        file.sync_data()
    }

    /// Opens a file, and no link, to set what belongs to it.
    pub(crate) fn open_file(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(openat(&self.folder, &self.name, flags, Mode::empty())?.into())
    }

    pub(crate) fn rename(&self, new: &HeldPath) -> io::Result<()> {
        Ok(renameat(&self.folder, &self.name, &new.folder, &new.name)?)
    }

    pub(crate) fn make_link(&self, target: &Path) -> io::Result<()> {
        Ok(symlinkat(target, &self.folder, &self.name)?)
    }

    pub(crate) fn make_folder(&self, mode: u32) -> io::Result<()> {
        mkdirat(&self.folder, &self.name, Mode::from_raw_mode(mode & 0o777))?;
        self.set_mode(mode)
    }

    pub(crate) fn set_owner(&self, uid: Option<u32>, gid: Option<u32>) -> io::Result<()> {
        let (uid, gid) = (uid.map(Uid::from_raw_unchecked), gid.map(Gid::from_raw_unchecked));
        Ok(chownat(&self.folder, &self.name, uid, gid, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// Sets the mode of what stands there; a link has none.
    pub(crate) fn set_mode(&self, mode: u32) -> io::Result<()> {
        let mode = Mode::from_raw_mode(mode);
        match FileType::from_raw_mode(self.stat()?.st_mode) {
            FileType::Symlink => Ok(()),
            FileType::RegularFile | FileType::Directory => match self.open_file() {
                Ok(file) => Ok(fchmod(file, mode)?),
                // Its owner may set the mode of what nobody may read.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => self.set_mode_by_name(mode),
                Err(error) => Err(error),
            },
            _ => self.set_mode_by_name(mode),
        }
    }

    fn set_mode_by_name(&self, mode: Mode) -> io::Result<()> {
        Ok(chmodat(&self.folder, &self.name, mode, AtFlags::empty())?)
    }

    fn stat(&self) -> io::Result<Stat> {
        Ok(statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    pub(crate) fn remove_file(&self) -> io::Result<()> {
        Ok(unlinkat(&self.folder, &self.name, AtFlags::empty())?)
    }

    pub(crate) fn remove_folder(&self) -> io::Result<()> {
        Ok(unlinkat(&self.folder, &self.name, AtFlags::REMOVEDIR)?)
    }

    /// Removes a folder with all below it.
    pub(crate) fn remove_tree(&self) -> io::Result<()> {
        remove_tree(&self.folder, &self.name)
    }
}

const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens a folder from another one, part by part.
fn walk(mut folder: OwnedFd, path: &Path, links: &mut u32) -> io::Result<OwnedFd> {
    for component in path.components() {
        folder = match component {
            Component::Prefix(_) | Component::CurDir => folder,
            Component::RootDir => openat(CWD, "/", FOLDER, Mode::empty())?,
            Component::ParentDir => openat(&folder, "..", FOLDER, Mode::empty())?,
            Component::Normal(name) => enter(folder, name, links)?,
        };
    }
    Ok(folder)
}

fn enter(folder: OwnedFd, name: &OsStr, links: &mut u32) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let entry = openat(&folder, name, flags, Mode::empty())?;
    let stat = fstat(&entry)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Ok(entry),
        FileType::Symlink => {
            *links += 1;
            if *links > MOST_LINKS {
                return Err(Errno::LOOP.into());
            }
            let target = readlinkat(&entry, "", Vec::new())?;
            let reached = walk(folder, Path::new(OsStr::from_bytes(target.as_bytes())), links)?;
            if is_trusted(&stat) || fstat(&reached)?.st_uid == stat.st_uid { Ok(reached) } else { Err(refusal(name)) }
        }
        _ => Err(Errno::NOTDIR.into()),
    }
}

fn is_trusted(link: &Stat) -> bool {
    link.st_uid == 0 || link.st_uid == rustix::process::geteuid().as_raw()
}

fn remove_tree(folder: impl AsFd, name: &OsStr) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let inside = openat(&folder, name, flags, Mode::empty())?;
    for entry in Dir::read_from(&inside)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        match unlinkat(&inside, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::ISDIR) => remove_tree(&inside, name)?,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(unlinkat(&folder, name, AtFlags::REMOVEDIR)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown, symlink};

    /// Returns a folder of another user with a link of theirs, beside one of root's that they would like to write to.
    /// Needs root.
    fn tempting() -> Option<tempfile::TempDir> {
        if !nix::unistd::geteuid().is_root() {
            eprintln!("not run: only root can make files of other users");
            return None;
        }
        let base = tempfile::tempdir().unwrap();
        let path = |name: &str| base.path().join(name);
        fs::set_permissions(base.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for folder in ["theirs", "theirs/real", "roots"] {
            fs::create_dir(path(folder)).unwrap();
        }
        fs::write(path("roots/secret"), "secret").unwrap();
        fs::write(path("theirs/real/file"), "old").unwrap();
        symlink("../roots", path("theirs/bad")).unwrap();
        symlink("real", path("theirs/good")).unwrap();
        symlink("../roots/secret", path("theirs/to-secret")).unwrap();
        for own in ["theirs", "theirs/real", "theirs/real/file"] {
            std::os::unix::fs::chown(path(own), Some(1234), None).unwrap();
        }
        for link in ["theirs/bad", "theirs/good", "theirs/to-secret"] {
            lchown(path(link), Some(1234), None).unwrap();
        }
        Some(base)
    }

    #[test]
    fn a_link_of_another_user_is_followed_to_their_own_files_alone() {
        let Some(base) = tempting() else { return };
        let path = |name: &str| base.path().join(name);
        let refused = HeldPath::open(&path("theirs/bad/secret")).map(|_| ()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        HeldPath::open(&path("theirs/good/file")).unwrap().set_mode(0o600).unwrap();
        assert_eq!(fs::metadata(path("theirs/real/file")).unwrap().mode() & 0o777, 0o600);
        lchown(path("theirs/bad"), Some(0), None).unwrap();
        assert!(HeldPath::open(&path("theirs/bad/secret")).is_ok(), "root's own link is meant");
    }

    #[test]
    fn what_stands_at_the_path_itself_is_never_followed() {
        let Some(base) = tempting() else { return };
        let path = |name: &str| base.path().join(name);
        let held = HeldPath::open(&path("theirs/to-secret")).unwrap();
        held.set_mode(0o777).unwrap();
        held.set_owner(Some(1234), None).unwrap();
        assert!(held.open_file().is_err());
        let secret = fs::metadata(path("roots/secret")).unwrap();
        assert_eq!((secret.uid(), fs::read_to_string(path("roots/secret")).unwrap().as_str()), (0, "secret"));
        assert_ne!(secret.mode() & 0o777, 0o777);
    }

    #[test]
    fn a_tree_is_removed_without_what_its_links_lead_to() {
        let Some(base) = tempting() else { return };
        HeldPath::open(&base.path().join("theirs")).unwrap().remove_tree().unwrap();
        assert!(!base.path().join("theirs").exists());
        assert!(base.path().join("roots/secret").exists());
    }

    /// Somebody turns a folder into a link and back while files are put in it.
    #[test]
    fn a_folder_that_becomes_a_link_between_two_calls_leads_nowhere_else() {
        let Some(base) = tempting() else { return };
        let path = |name: &str| base.path().join(name);
        let is_over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    let _ = fs::rename(path("theirs/real"), path("theirs/away"));
                    let _ = fs::rename(path("theirs/bad"), path("theirs/real"));
                    let _ = fs::rename(path("theirs/real"), path("theirs/bad"));
                    let _ = fs::rename(path("theirs/away"), path("theirs/real"));
                }
            });
            let mut written = 0;
            for _ in 0..2000 {
                let new = crate::NewFile::new(b"new", 0o644);
                written += u32::from(crate::atomic_file::replace(&path("theirs/real/secret"), &new).is_ok());
            }
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(written > 0);
        });
        assert_eq!(fs::read_to_string(path("roots/secret")).unwrap(), "secret");
        assert_eq!(fs::read_dir(path("roots")).unwrap().count(), 1, "no temporary file either");
    }
}
