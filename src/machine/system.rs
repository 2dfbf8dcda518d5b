//! The two halves of the door to a machine: what looks, and what changes.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::accounts::{Group, User, Who};
use crate::hardware::{FileSystemSize, Kernel, NetworkInterface};
use crate::process::{Command, Output, SpawnError, Stop};
use crate::query::SystemQuery;
use crate::time::{Date, Time};

/// Looks at a machine and changes nothing.
pub trait Reading: Send + Sync {
    /// Returns what stands at a path, or `None` if nothing does. `follow`: of a link, what it leads to.
    fn stat(&self, path: &Path, follow: bool) -> io::Result<Option<FileStat>>;

    /// Reads a file whole; one with more than `limit` bytes is an error.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;

    /// Returns the names in a folder, sorted by their bytes.
    fn list(&self, path: &Path) -> io::Result<Vec<OsString>>;

    /// Returns what a link says.
    fn link_target(&self, path: &Path) -> io::Result<PathBuf>;

    /// Returns a path without links in it, as the machine resolves it today.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// Returns true if this process may execute a file.
    fn is_executable(&self, path: &Path) -> bool;

    /// Asks the system's name service.
    fn user(&self, who: Who<'_>) -> io::Result<Option<User>>;

    /// Asks the system's name service.
    fn group(&self, who: Who<'_>) -> io::Result<Option<Group>>;

    /// Returns the names of the groups that list a user as their member.
    fn memberships(&self, user: &User) -> io::Result<Vec<String>>;

    /// Runs one of the programs that are known to read only.
    fn query(&self, query: &SystemQuery, stop: &Stop) -> Result<Output, SpawnError>;

    /// Returns the user and the group that this process acts as.
    fn identity(&self) -> (u32, u32);

    /// Returns a variable of this process's environment.
    fn variable(&self, name: &str) -> Option<OsString>;

    /// Returns the variables of this process's environment that are text.
    fn variables(&self) -> Vec<(String, String)>;

    fn kernel(&self) -> Kernel;

    /// Returns the network interfaces of this process's name space.
    fn interfaces(&self) -> io::Result<Vec<NetworkInterface>>;

    /// Returns the size of the file system that a path is on.
    fn file_system_size(&self, path: &Path) -> io::Result<FileSystemSize>;

    /// Returns true if the file system that a path is on gives a file another time of change whenever somebody writes to it.
    fn keeps_change_times(&self, path: &Path) -> bool;

    /// Returns the bits that this process takes from the modes of new files.
    fn umask(&self) -> u32;

    /// Returns bytes that nobody can guess.
    fn entropy(&self) -> io::Result<[u8; 32]>;

    fn now(&self) -> Time;

    /// Returns the time of day and the date here.
    fn local(&self, time: Time) -> Date;

    /// Returns what the zone here calls itself at a time: `CET`.
    fn zone_name(&self, time: Time) -> String;
}

/// A machine: what looks at it, and what changes it.
pub trait System: Reading {
    /// Puts a new file in the place of whatever file or link stands there: written beside it, synced, renamed.
    fn replace(&self, path: &Path, new: &NewFile<'_>) -> io::Result<()>;

    fn change(&self, path: &Path, change: &Change) -> io::Result<()>;

    /// Runs a command to its end.
    fn run(&self, command: &Command, stop: &Stop) -> Result<Output, SpawnError>;

    /// Does something with the rights of a user alone, for files in folders that are theirs.
    fn act_as(&self, user: &User, work: UserWork<'_>) -> io::Result<()>;

    /// Takes a lock that ends with the process, or gives `None` if another process has it. Makes the file.
    fn lock(&self, path: &Path) -> io::Result<Option<Lock>>;

    /// Lets time pass, unless the run is stopped.
    fn wait(&self, time: std::time::Duration, stop: &Stop);

    /// Makes the folders that files were renamed in last over a crash.
    fn sync_folders(&self) -> io::Result<()>;
}

/// What is done with the rights of a user.
pub type UserWork<'a> = &'a mut (dyn FnMut(&dyn System) -> io::Result<()> + Send);

/// A lock, which ends with this value.
#[derive(Debug)]
pub struct Lock {
    pub(crate) _file: Option<std::fs::File>,
}

/// What stands at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileStat {
    pub kind: FileKind,
    pub size: u64,
    /// The lower twelve bits.
    pub mode: u32,
    pub uid: u32,
    pub gid: u32,
    pub links: u64,
    pub atime: Time,
    pub stamp: Stamp,
}

/// What tells two states of a file apart without reading it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    pub device: u64,
    pub inode: u64,
    pub size: u64,
    pub ctime: Time,
    pub mtime: Time,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileKind {
    File,
    Folder,
    Link,
    Fifo,
    Socket,
    BlockDevice,
    CharacterDevice,
    Other,
}

/// Looks at a file that was written and refuses it, or lets it be put in place.
pub type FileCheck<'a> = dyn Fn(&Path) -> io::Result<()> + 'a;

/// A file to be put in place.
pub struct NewFile<'a> {
    pub content: &'a [u8],
    pub mode: u32,
    /// Those of this process where none is given.
    pub owner: (Option<u32>, Option<u32>),
    /// Where the file is written first, if not beside its place.
    pub staging: Option<&'a Path>,
    /// Asked with the path of the written file before it is renamed; what it refuses leaves everything as it was.
    pub check: Option<&'a FileCheck<'a>>,
}

impl<'a> NewFile<'a> {
    pub fn new(content: &'a [u8], mode: u32) -> NewFile<'a> {
        NewFile { content, mode, owner: (None, None), staging: None, check: None }
    }
}

/// A change of one path. A link at the path is never followed, but where the name says so; one on the way to it only if it is root's
/// or ours, or leads to what its owner owns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    Mode(u32),
    /// Of what a link leads to.
    ModeFollowed(u32),
    Owner {
        uid: Option<u32>,
        gid: Option<u32>,
    },
    OwnerFollowed {
        uid: Option<u32>,
        gid: Option<u32>,
    },
    /// Makes a folder with this mode.
    Folder(u32),
    /// Makes a link that says this. That something stands there is an error.
    Link(PathBuf),
    /// Makes a link that says this, in the place of whatever file or link stands there.
    ReplaceByLink(PathBuf),
    /// Gives the file another name, in the place of whatever file stands there.
    Rename(PathBuf),
    /// Sets the times of access and of change.
    Times(Time, Time),
    /// Makes a file empty, following a link; makes one with this mode if it is not there.
    Truncate(u32),
    /// Writes another content into a file that is there, and keeps all else: it shows wherever the file is mounted or has another name.
    /// A program that ends in the middle leaves a part of it.
    Overwrite(Vec<u8>),
    /// Appends to a file; makes it with this mode if it is not there.
    Append(Vec<u8>, u32),
    /// The same, and on the disk when it returns.
    AppendSynced(Vec<u8>, u32),
    RemoveFile,
    /// Removes an empty folder.
    RemoveFolder,
    /// Removes a folder with all below it.
    RemoveTree,
}
