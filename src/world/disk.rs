//! The trait `Disk`: files and folders by absolute path, absent ones included.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use pantin_base::limits;

use super::fenced_disk::Breach;
use super::file_metadata::{FileFacts, file_facts};
use super::files::read_file_unless_link;
use super::stamp::Stamped;
use super::{ReadError, clean_path, read_file};

/// Where files come from: the machine's disk, or a test's table.
pub trait Disk: Send + Sync {
    /// Returns the content of a file, or `None` where there is none.
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError>;

    /// The same of a file that nobody else reads, whose content nobody need keep.
    fn read_once(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.read(path)
    }

    /// The content of a file whose name is no link, or that there is none; `None`: it is a link, or this disk cannot say.
    fn read_unless_link(&self, _path: &Path) -> Option<Result<Option<Vec<u8>>, ReadError>> {
        None
    }

    /// The same of the file with the facts of one node.
    fn read_node_facts(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.read_once(path)
    }

    /// The same of a Puppetfile.
    fn read_puppetfile(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.read(path)
    }

    /// Returns true if there is a file, or a folder, of this name.
    fn exists(&self, path: &Path) -> bool;

    /// Returns true if a folder has this name in it: also that of a link that leads nowhere.
    fn is_named(&self, path: &Path) -> bool {
        self.exists(path) || self.link_target(path).is_some()
    }

    /// Returns true if there is a folder of this name.
    fn is_folder(&self, path: &Path) -> bool {
        matches!(self.list(path), Ok(Some(_)))
    }

    /// Returns the folder or file that a link of this name leads to, by one step.
    fn link_target(&self, _path: &Path) -> Option<PathBuf> {
        None
    }

    /// Returns what is to be seen of a file from outside; where nothing more is known, that it is one.
    fn facts(&self, path: &Path, _follows: bool) -> Result<Option<FileFacts>, ReadError> {
        let kind = match (self.is_folder(path), self.exists(path)) {
            (true, _) => "directory",
            (_, true) => "file",
            _ => return Ok(None),
        };
        Ok(Some(FileFacts { kind, owner: 0, group: 0, mode: 0o644, changed: 0, modified: 0, target: None }))
    }

    /// By what the state of a file, or of what is in a folder, is told from every other; `follows`: of a link, that of
    /// what it leads to.
    fn stamp(&self, _path: &Path, _follows: bool) -> Stamped {
        Stamped::Unknown
    }

    /// Returns what is in a folder, in the order of the bytes of the names; `None` where there is no folder.
    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError>;

    /// The content of a file that holds a key, which only decrypts and is never a value.
    fn read_key(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.read(path)
    }

    /// Returns why a path that is there may not be read by code; `None`: it may.
    fn breach(&self, _path: &Path) -> Option<Breach> {
        None
    }

    /// Forgets what is known of folders: they may be others now.
    fn forget(&self) {}

    /// A variable of the process, which stands for a file where a key for encrypted data is not to lie on a disk.
    fn process_variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// One name in a folder; of a link, what it leads to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    pub name: OsString,
    pub is_folder: bool,
    /// Who goes down a tree leaves links alone: they may lead back up.
    pub is_link: bool,
}

/// The disk of this machine.
#[derive(Debug)]
pub struct MachineDisk {
    pub limit: u64,
}

impl Default for MachineDisk {
    /// Reads files up to the size of the largest source.
    fn default() -> MachineDisk {
        MachineDisk { limit: limits::SOURCE_BYTES as u64 }
    }
}

fn unless_missing(read: Result<Vec<u8>, ReadError>) -> Result<Option<Vec<u8>>, ReadError> {
    match read {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::Missing) => Ok(None),
        Err(other) => Err(other),
    }
}

impl Disk for MachineDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        unless_missing(read_file(path, self.limit))
    }

    fn read_unless_link(&self, path: &Path) -> Option<Result<Option<Vec<u8>>, ReadError>> {
        read_file_unless_link(path, self.limit).map(unless_missing)
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn is_named(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
        file_facts(path, follows)
    }

    fn stamp(&self, path: &Path, follows: bool) -> Stamped {
        super::stamp::stamp(path, follows)
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        let target = fs::read_link(path).ok()?;
        // What stands before `..` may be a link itself: only the system knows where that comes out.
        if target.components().skip_while(|part| *part == Component::ParentDir).any(|part| part == Component::ParentDir)
        {
            return fs::canonicalize(path).ok();
        }
        Some(clean_path(&path.parent()?.join(target)).into_owned())
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let entry = |entry: io::Result<fs::DirEntry>| -> io::Result<Entry> {
            let entry = entry?;
            let kind = entry.file_type()?;
            let is_link = kind.is_symlink();
            let is_folder = kind.is_dir() || (is_link && entry.path().is_dir());
            Ok(Entry { name: entry.file_name(), is_folder, is_link })
        };
        let mut entries = entries.map(entry).collect::<io::Result<Vec<Entry>>>()?;
        entries.sort();
        Ok(Some(entries))
    }

    fn process_variable(&self, name: &str) -> Option<String> {
        // The system's own function gives up on such names.
        let is_name = !name.is_empty() && !name.contains(['=', '\0']);
        is_name.then(|| std::env::var(name).ok()).flatten()
    }
}

/// Returns the entries of a folder among the paths of a table of files.
pub fn list_folder<'p>(files: impl Iterator<Item = &'p Path>, folder: &Path) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    for file in files {
        let Ok(rest) = file.strip_prefix(folder) else { continue };
        let mut parts = rest.components();
        let Some(first) = parts.next() else { continue };
        let entry = Entry { name: first.as_os_str().to_owned(), is_folder: parts.next().is_some(), is_link: false };
        entries.push(entry);
    }
    entries.sort();
    entries.dedup();
    (!entries.is_empty()).then_some(entries)
}
