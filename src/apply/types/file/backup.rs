//! What is kept of a file before it is replaced or removed: a copy beside it, or in a local bucket.

use std::path::{Path, PathBuf};

use pantin_machine::{Change, FileKind, FileStat, NewFile, remove_all_leftovers};

use super::checksum::ChecksumType;
use super::fileset::{LARGEST_FILE, plain_words, ruby_words};
use super::source::kind_name;
use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::value::text;

/// Where copies go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Backup {
    /// Beside the file, with this behind its name.
    Beside(String),
    /// Into the bucket of this name.
    Bucket(String),
}

/// A folder of contents by their digests.
struct Bucket {
    name: String,
    path: PathBuf,
}

/// The bucket that is there without being declared.
pub(crate) const DEFAULT_BUCKET: &str = "puppet";

impl Backup {
    pub(crate) fn from_word(word: &str) -> Backup {
        if word.starts_with('.') { Backup::Beside(word.to_owned()) } else { Backup::Bucket(word.to_owned()) }
    }

    /// Copies what stands at a path. `recurses`: the resource looks after all below a folder itself.
    pub(crate) fn copy(&self, path: &Path, recurses: bool, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let Some(found) = stat(path, false, context)? else { return Ok(()) };
        let leads_nowhere = || !matches!(context.machine.stat(path, true), Ok(Some(_)));
        if found.kind == FileKind::Link && leads_nowhere() {
            return Ok(());
        }
        match self {
            Backup::Beside(suffix) => copy_beside(path, suffix, context),
            Backup::Bucket(name) => {
                let bucket = find_bucket(name, context)?;
                match found.kind {
                    FileKind::Folder if recurses => Ok(()),
                    FileKind::Folder => {
                        context.say(Level::Info, "Recursively backing up to filebucket");
                        files_below(path, context)?.iter().try_for_each(|file| bucket.take(file, context))
                    }
                    FileKind::File => bucket.take(path, context),
                    _ => Ok(()),
                }
            }
        }
    }
}

impl Backup {
    /// Returns the content that a bucket has under a digest.
    pub(crate) fn find(&self, digest: &str, context: &ApplyContext<'_>) -> Result<Vec<u8>, Failure> {
        let Backup::Bucket(name) = self else { return Err(Failure::new("Could not get filebucket from file")) };
        let contents = find_bucket(name, context)?.folder_of(digest).join("contents");
        context.machine.read(&contents, LARGEST_FILE).map_err(|_| Failure::new("File not found"))
    }

    /// Returns an error if the bucket is declared nowhere.
    pub(crate) fn check(&self, catalog: &AppliedCatalog) -> Result<(), Failure> {
        match self {
            Backup::Bucket(name) if name != DEFAULT_BUCKET && catalog.find("filebucket", name).is_none() => {
                Err(Failure::new(format!("Could not find filebucket {name} specified in backup")))
            }
            _ => Ok(()),
        }
    }
}

/// Keeps the content of a file in the bucket that is there without being declared, or in the one of its name.
pub(crate) fn keep_in_bucket(path: &Path, context: &ApplyContext<'_>) -> Result<(), Failure> {
    find_bucket(DEFAULT_BUCKET, context)?.keep(path, context).map(drop)
}

/// Returns the bucket that a file names.
fn find_bucket(name: &str, context: &ApplyContext<'_>) -> Result<Bucket, Failure> {
    let Some((_, values)) = context.catalog.find("filebucket", name) else {
        if name == DEFAULT_BUCKET {
            return Ok(Bucket { name: name.to_owned(), path: context.settings.bucket.clone() });
        }
        return Err(Failure::new(format!("Could not find filebucket {name} specified in backup")));
    };
    let path = values.get("path").map(|path| text(path).into_owned()).filter(|path| path != "false");
    match path {
        Some(path) => Ok(Bucket { name: name.to_owned(), path: PathBuf::from(path) }),
        None => Err(Failure::new(format!("the filebucket {name} is on a server: only local ones are written to"))),
    }
}

/// Looks at a path. What cannot be looked at cannot be kept, so nothing may take its place.
fn stat(path: &Path, follow: bool, context: &ApplyContext<'_>) -> Result<Option<FileStat>, Failure> {
    let looked = context.machine.stat(path, follow);
    looked.map_err(|error| Failure::new(ruby_words(&error, "rb_file_s_lstat", &path.display().to_string())))
}

/// Returns the files below a folder, each folder in order of names.
fn files_below(folder: &Path, context: &ApplyContext<'_>) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let kind = stat(&path, false, context)?.map(|stat| stat.kind);
        let leads_to_file =
            || matches!(context.machine.stat(&path, true), Ok(Some(stat)) if stat.kind == FileKind::File);
        if kind == Some(FileKind::File) || (kind == Some(FileKind::Link) && leads_to_file()) {
            found.push(path);
        } else if kind == Some(FileKind::Folder) {
            let listed = context.machine.list(&path);
            let names = listed
                .map_err(|error| Failure::new(ruby_words(&error, "dir_initialize", &path.display().to_string())))?;
            waiting.extend(names.iter().rev().map(|name| path.join(name)));
        }
    }
    Ok(found)
}

impl Bucket {
    /// Returns the folder of a content: eight levels of one digit each, then the digest.
    fn folder_of(&self, digest: &str) -> PathBuf {
        let mut folder = self.path.clone();
        folder.extend(digest.chars().take(8).map(String::from));
        folder.push(digest);
        folder
    }

    /// Keeps the content of a file under its digest, with the path of the file.
    fn take(&self, file: &Path, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let digest = self.keep(file, context)?;
        context.say(Level::Info, format!("Filebucketed {} to {} with sum {digest}", file.display(), self.name));
        Ok(())
    }

    /// Keeps the content, and returns its digest.
    fn keep(&self, file: &Path, context: &ApplyContext<'_>) -> Result<String, Failure> {
        let shown = file.display();
        context.say_bare(Level::Info, format!("Computing checksum on file {shown}"));
        let read = context.machine.read(file, LARGEST_FILE);
        let content =
            read.map_err(|error| self.failure(file, &ruby_words(&error, "rb_sysopen", &shown.to_string()), context))?;
        let name = context.settings.digest_algorithm.as_str();
        let digest = ChecksumType::from_name(name).unwrap_or(ChecksumType::Sha256).digest(&content);
        self.store(file, &content, &digest, context).map_err(|error| {
            let call = if error.kind() == std::io::ErrorKind::StorageFull { " - sendfile" } else { "" };
            self.failure(file, &format!("{}{call}", plain_words(&error)), context)
        })?;
        Ok(digest)
    }

    fn failure(&self, file: &Path, detail: &str, context: &ApplyContext<'_>) -> Failure {
        let message = format!("Could not back up {}: {detail}", file.display());
        context.say_bare(Level::Err, &message);
        Failure::new(message)
    }

    fn store(&self, file: &Path, content: &[u8], digest: &str, context: &ApplyContext<'_>) -> std::io::Result<()> {
        let (machine, algorithm) = (context.machine, &context.settings.digest_algorithm);
        let folder = self.folder_of(digest);
        let (contents, paths) = (folder.join("contents"), folder.join("paths"));
        make_folders(&folder, context)?;
        // The folder is the bucket's alone.
        remove_all_leftovers(machine, &folder)?;
        let known = match machine.stat(&paths, true)? {
            Some(_) => machine.read(&paths, LARGEST_FILE)?,
            None => Vec::new(),
        };
        let line = file.display().to_string();
        let is_known = String::from_utf8_lossy(&known).lines().any(|known| known == line);
        match machine.stat(&contents, true)? {
            Some(_) if is_known => return Ok(()),
            Some(_) if machine.read(&contents, LARGEST_FILE)? == content => {
                context.say_bare(Level::Info, format!("FileBucket got a duplicate file {{{algorithm}}}{digest}"));
            }
            Some(_) => {
                let warning = format!(
                    "Existing backup does not match its expected sum, {{{algorithm}}}{digest}. Overwriting corrupted backup."
                );
                context.say_bare(Level::Warning, warning);
                machine.replace(&contents, &NewFile::new(content, 0o440))?;
            }
            None => machine.replace(&contents, &NewFile::new(content, 0o440))?,
        }
        if is_known {
            return Ok(());
        }
        let mut lines = known;
        lines.extend(format!("{line}\n").bytes());
        machine.replace(&paths, &NewFile::new(&lines, 0o640))
    }
}

/// Makes a folder and those above it, which only owner and group may enter.
fn make_folders(folder: &Path, context: &ApplyContext<'_>) -> std::io::Result<()> {
    if context.machine.stat(folder, true)?.is_some() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        make_folders(parent, context)?;
    }
    context.machine.change(folder, &Change::Folder(0o770))
}

/// Copies a file, or a folder with all below it, to a name beside it.
fn copy_beside(path: &Path, suffix: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    let copy = PathBuf::from(name);
    remove_older(&copy, context)?;
    copy_tree(path, &copy, context)
        .map_err(|error| Failure::new(format!("Could not back {} up: {}", path.display(), plain_words(&error))))
}

fn remove_older(copy: &Path, context: &ApplyContext<'_>) -> Result<(), Failure> {
    let Some(stat) = stat(copy, false, context)? else { return Ok(()) };
    if stat.kind == FileKind::Folder {
        return Err(Failure::new(format!("Will not remove directory backup {}; use a filebucket", copy.display())));
    }
    context.say(Level::Info, format!("Removing old backup of type {}", kind_name(stat.kind)));
    context.machine.change(copy, &Change::RemoveFile).map_err(|error| {
        Failure::new(format!(
            "Could not remove old backup: {}",
            ruby_words(&error, "apply2files", &copy.display().to_string())
        ))
    })
}

fn copy_tree(from: &Path, to: &Path, context: &ApplyContext<'_>) -> std::io::Result<()> {
    let machine = context.machine;
    let Some(stat) = machine.stat(from, false)? else { return Ok(()) };
    match stat.kind {
        FileKind::Link => return machine.change(to, &Change::Link(machine.link_target(from)?)),
        FileKind::File => {
            let content = machine.read(from, LARGEST_FILE)?;
            let owner = (Some(stat.uid), Some(stat.gid));
            machine.replace(to, &NewFile { owner, ..NewFile::new(&content, stat.mode) })?;
        }
        FileKind::Folder => {
            machine.change(to, &Change::Folder(stat.mode | 0o700))?;
            for name in machine.list(from)? {
                copy_tree(&from.join(&name), &to.join(&name), context)?;
            }
        }
        _ => return Ok(()),
    }
    keep_attributes(to, &stat, context)
}

fn keep_attributes(to: &Path, stat: &FileStat, context: &ApplyContext<'_>) -> std::io::Result<()> {
    let machine = context.machine;
    machine.change(to, &Change::Owner { uid: Some(stat.uid), gid: Some(stat.gid) })?;
    machine.change(to, &Change::Mode(stat.mode))?;
    machine.change(to, &Change::Times(stat.atime, stat.stamp.mtime))
}
