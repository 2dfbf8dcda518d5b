//! Reads one file, or standard input, within a limit. Never blocks on anything but a regular file.

use std::fmt;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::fenced_disk::Breach;

/// Why there are no bytes.
#[derive(Debug)]
pub enum ReadError {
    Missing,
    Folder,
    /// A pipe, a socket or a device, by its name. Reading one could wait for ever.
    NotAFile(&'static str),
    TooLarge {
        bytes: u64,
        limit: u64,
    },
    System(io::Error),
    /// It lies where code may not read.
    Fenced(Breach),
}

impl fmt::Display for ReadError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Missing => write!(to, "no such file or directory"),
            ReadError::Folder => write!(to, "is a directory"),
            ReadError::NotAFile(what) => write!(to, "is {what}, not a file"),
            ReadError::TooLarge { bytes, limit } => write!(to, "has {bytes} bytes, more than the limit of {limit}"),
            ReadError::System(error) => write!(to, "{}", system_text(error)),
            ReadError::Fenced(breach) => write!(to, "{breach}"),
        }
    }
}

impl ReadError {
    /// Returns what helps where a path may also be `-`.
    pub fn hint(&self) -> &'static str {
        match self {
            ReadError::NotAFile(_) => "; use - to read standard input",
            _ => "",
        }
    }

    /// In the words of Ruby, as the real one passes them on.
    pub fn in_ruby(&self, path: &Path) -> String {
        let path = path.display();
        match self {
            ReadError::Missing => format!("No such file or directory @ rb_sysopen - {path}"),
            ReadError::Folder => format!("Is a directory @ io_fread - {path}"),
            ReadError::System(error) => format!("{} @ rb_sysopen - {path}", system_words(error)),
            ReadError::NotAFile(_) | ReadError::TooLarge { .. } => format!("{path}: {self}"),
            ReadError::Fenced(breach) => format!("'{path}' {breach}"),
        }
    }

    /// The same of a folder: what is done to it when it is opened.
    pub fn ruby_folder_message(&self, folder: &Path, doing: &str) -> String {
        match self {
            ReadError::System(error) => format!("{}{doing} - {}", system_words(error), folder.display()),
            _ => self.in_ruby(folder),
        }
    }

    /// Returns true if it is the system that refuses.
    pub fn is_refused(&self) -> bool {
        matches!(self, ReadError::System(error) if error.kind() == io::ErrorKind::PermissionDenied)
    }

    /// Returns a copy; an error of the system has none of its own, but its number says it all.
    pub fn duplicate(&self) -> ReadError {
        match self {
            ReadError::Missing => ReadError::Missing,
            ReadError::Folder => ReadError::Folder,
            ReadError::NotAFile(what) => ReadError::NotAFile(what),
            ReadError::TooLarge { bytes, limit } => ReadError::TooLarge { bytes: *bytes, limit: *limit },
            ReadError::Fenced(breach) => ReadError::Fenced(breach.clone()),
            ReadError::System(error) => ReadError::System(match error.raw_os_error() {
                Some(number) => io::Error::from_raw_os_error(number),
                None => io::Error::new(error.kind(), error.to_string()),
            }),
        }
    }

    /// Returns a stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            ReadError::Missing => "FILE_MISSING",
            ReadError::Folder | ReadError::NotAFile(_) => "NOT_A_FILE",
            ReadError::TooLarge { .. } => "SOURCE_TOO_LARGE",
            ReadError::System(_) => "FILE_UNREADABLE",
            ReadError::Fenced(_) => "FILE_FENCED",
        }
    }
}

/// Returns the system's words without its error number: `Permission denied`.
fn system_words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// The same in lower case.
fn system_text(error: &io::Error) -> String {
    let text = system_words(error);
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.kind() {
            io::ErrorKind::NotFound => ReadError::Missing,
            _ => ReadError::System(error),
        }
    }
}

/// What a path given by a person is.
#[derive(Debug)]
pub enum Argument {
    File,
    Folder,
}

/// Looks at a path, through links, before anything opens it.
pub fn inspect_argument(path: &Path) -> Result<Argument, ReadError> {
    let facts = fs::metadata(path)?;
    if facts.is_dir() {
        return Ok(Argument::Folder);
    }
    check_readable(&facts).map(|()| Argument::File)
}

/// The bytes of a file, read only if it is one (or `/dev/null`) and is no larger than `limit`.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_opened(open_without_waiting(path, 0)?, limit)
}

/// Like [`read_file`], of a file whose name is no link; `None`: it is one, or the system cannot say.
#[cfg(unix)]
pub(super) fn read_file_unless_link(path: &Path, limit: u64) -> Option<Result<Vec<u8>, ReadError>> {
    match open_without_waiting(path, libc::O_NOFOLLOW) {
        Ok(file) => Some(read_opened(file, limit)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Err(ReadError::Missing)),
        Err(_) => None,
    }
}

#[cfg(not(unix))]
pub(super) fn read_file_unless_link(_path: &Path, _limit: u64) -> Option<Result<Vec<u8>, ReadError>> {
    None
}

fn read_opened(file: File, limit: u64) -> Result<Vec<u8>, ReadError> {
    let facts = file.metadata()?;
    check_readable(&facts)?;
    if facts.len() > limit {
        return Err(ReadError::TooLarge { bytes: facts.len(), limit });
    }
    let length = usize::try_from(facts.len()).unwrap_or_default();
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    bytes.resize(length, 0);
    let read = fill(&file, &mut bytes)?;
    bytes.truncate(read);
    if length > 0 {
        return Ok(bytes);
    }
    // Some files of a kernel say they are empty.
    read_limited(file, limit)
}

/// Opens a file. What turns out to be a pipe does not make us wait for its other end. `flags`: more of them, of the system.
#[cfg_attr(not(unix), expect(unused_variables, reason = "flags are those of Unix"))]
fn open_without_waiting(path: &Path, flags: i32) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY | flags);
    options.open(path)
}

/// Reads until `bytes` is full or the file ends, without a last look for the end: one call of the
/// system for most files.
fn fill(mut from: &File, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match from.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Returns the bytes of standard input up to its end, or an error once they exceed `limit`.
pub fn read_standard_input(limit: u64) -> Result<Vec<u8>, ReadError> {
    read_limited(io::stdin().lock(), limit)
}

fn read_limited(from: impl Read, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    let read = bytes.len() as u64;
    if read > limit {
        return Err(ReadError::TooLarge { bytes: read, limit });
    }
    Ok(bytes)
}

fn check_readable(facts: &Metadata) -> Result<(), ReadError> {
    let kind = facts.file_type();
    if kind.is_file() || is_null_device(facts) {
        return Ok(());
    }
    if kind.is_dir() {
        return Err(ReadError::Folder);
    }
    Err(ReadError::NotAFile(special_kind(kind)))
}

/// Of all devices this one is known to end at once: it is an empty file.
#[cfg(unix)]
fn is_null_device(facts: &Metadata) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let is_same = |null: Metadata| null.file_type().is_char_device() && null.rdev() == facts.rdev();
    facts.file_type().is_char_device() && fs::metadata("/dev/null").is_ok_and(is_same)
}

#[cfg(not(unix))]
fn is_null_device(_facts: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn special_kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "something special"
    }
}

#[cfg(not(unix))]
fn special_kind(_kind: FileType) -> &'static str {
    "something special"
}
