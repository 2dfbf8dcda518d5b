//! Atomic writes: a file is written under a temporary name beside its place, and then renamed.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Writes a file in the place of what is there, making its folder if need be. What is no plain file, such as a terminal,
/// is written to.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return fs::write(path, bytes);
    }
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Removes a file, or a link, if it is there. What is anything else stays.
pub fn remove_file(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(known) if known.is_file() || known.is_symlink() => fs::remove_file(path),
        Ok(_) => Ok(()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Writes a file that nobody but its owner may read, where there is none yet.
pub fn write_secret(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    file.write_all(bytes)?;
    // Unlike a rename, a second name takes the place of nothing; the first one goes with the file.
    fs::hard_link(&file.beside, path)
}

/// A file that is being written. Dropped before it is finished, it leaves nothing.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    beside: PathBuf,
    target: PathBuf,
    is_finished: bool,
}

/// Two threads may write files of the same name.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

impl NewFile {
    /// Begins a file; its folder is made if need be. A link stays one: what it points to is written.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = target.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)?;
        if target.file_name().is_none() || target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Whatever the length of the name, there is room for this one.
        let beside = folder.join(format!(".{}-{number}.new", std::process::id()));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&beside)?;
        let new = NewFile { file, beside, target, is_finished: false };
        if let Ok(known) = fs::metadata(&new.target) {
            new.file.set_permissions(known.permissions())?;
        }
        Ok(new)
    }

    /// Puts it in its place.
    pub fn finish(mut self) -> io::Result<()> {
        fs::rename(&self.beside, &self.target)?;
        self.is_finished = true;
        Ok(())
    }

    /// Returns what was written before, from here on so many bytes.
    pub fn written(&mut self, from: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.seek(SeekFrom::Start(from))?;
        self.file.read_exact(&mut bytes)?;
        self.file.seek(SeekFrom::End(0))?;
        Ok(bytes)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_finished {
            // Nothing more can be done about it.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.json");
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"one two").unwrap();
        assert!(!path.exists());
        assert_eq!(file.written(4, 3).unwrap(), b"two");
        file.write_all(b".").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one two.");
        drop(NewFile::create(&path).unwrap());
        assert_eq!((names(path.parent().unwrap()), fs::read(&path).unwrap().len()), (vec!["b.json".to_owned()], 8));
        write_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(write_file(folder.path(), b"x").is_err());
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_there_keeps_its_kind() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        write_file(Path::new("/dev/null"), b"gone").unwrap();
    }
}
