//! A machine on which something goes wrong: at the n-th call of the door, or at each call on a path. For tests that try every n.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use nix::errno::Errno;

use crate::leftover::temporary_name;
use crate::{
    Change, Command, Date, FileStat, FileSystemSize, Group, Kernel, Lock, NetworkInterface, NewFile, Output, Reading,
    SpawnError, Stop, System, SystemQuery, Time, User, UserWork, Who,
};

/// What goes wrong. Calls are counted from one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The process ends at the n-th step. Each change and each command has two: before anything of it is done, and when half of it is.
    EndAt(u64),
    /// The n-th change or command fails so, and does nothing.
    FailAt(u64, DiskError),
    /// The n-th look fails so.
    BlindAt(u64, DiskError),
    /// The n-th command hangs until its time is over; one without a limit until the run is stopped, for which this asks.
    HangAt(u64),
    /// Each change of this path, or below it, fails so.
    FailOn(PathBuf, DiskError),
    /// Each look at this path fails so.
    BlindOn(PathBuf, DiskError),
}

/// An error of a disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskError {
    NoSpace,
    ReadOnly,
    NoPermission,
    /// The hardware fails.
    Hardware,
}

impl DiskError {
    pub const ALL: [DiskError; 4] =
        [DiskError::NoSpace, DiskError::ReadOnly, DiskError::NoPermission, DiskError::Hardware];

    /// Returns the error as the system reports it.
    pub fn to_io(self) -> io::Error {
        match self {
            DiskError::NoSpace => Errno::ENOSPC,
            DiskError::ReadOnly => Errno::EROFS,
            DiskError::NoPermission => Errno::EACCES,
            DiskError::Hardware => Errno::EIO,
        }
        .into()
    }
}

/// Another machine, with a fault.
pub struct FaultyMachine<'m> {
    machine: &'m dyn System,
    fault: Fault,
    /// Steps, changes, looks or commands: whatever the fault counts.
    count: AtomicU64,
    has_struck: AtomicBool,
}

/// How much of a change is done.
enum Progress {
    All,
    /// The process ends in the middle of it.
    Half,
}

impl<'m> FaultyMachine<'m> {
    pub fn new(machine: &'m dyn System, fault: Fault) -> FaultyMachine<'m> {
        FaultyMachine { machine, fault, count: AtomicU64::new(0), has_struck: AtomicBool::new(false) }
    }

    /// Returns true if the fault came up.
    pub fn has_struck(&self) -> bool {
        self.has_struck.load(Ordering::SeqCst)
    }

    /// Counts, and returns true at the n-th time.
    fn is_at(&self, place: u64) -> bool {
        let is_at = self.count.fetch_add(1, Ordering::SeqCst) + 1 == place;
        if is_at {
            self.strike();
        }
        is_at
    }

    fn strike(&self) {
        self.has_struck.store(true, Ordering::SeqCst);
    }

    /// A process that has ended neither looks nor changes.
    fn check_alive(&self) -> io::Result<()> {
        match self.fault {
            Fault::EndAt(_) if self.has_struck() => Err(ended()),
            _ => Ok(()),
        }
    }

    fn before_change(&self, path: Option<&Path>) -> io::Result<Progress> {
        self.check_alive()?;
        match &self.fault {
            Fault::EndAt(end) if self.is_at(*end) => Err(ended()),
            Fault::EndAt(end) if self.is_at(*end) => Ok(Progress::Half),
            Fault::FailAt(place, error) if self.is_at(*place) => Err(error.to_io()),
            Fault::FailOn(on, error) if path.is_some_and(|path| path.starts_with(on)) => {
                self.strike();
                Err(error.to_io())
            }
            _ => Ok(Progress::All),
        }
    }

    fn before_look(&self, path: Option<&Path>) -> io::Result<()> {
        self.check_alive()?;
        match &self.fault {
            Fault::BlindAt(place, error) if self.is_at(*place) => Err(error.to_io()),
            Fault::BlindOn(on, error) if path == Some(on) => {
                self.strike();
                Err(error.to_io())
            }
            _ => Ok(()),
        }
    }

    /// Leaves behind what a change leaves that is ended in the middle.
    fn change_by_half(&self, path: &Path, change: &Change) -> io::Result<()> {
        match change {
            Change::Append(bytes, mode) | Change::AppendSynced(bytes, mode) => {
                self.machine.change(path, &Change::Append(bytes[..bytes.len() / 2].to_vec(), *mode))?;
            }
            Change::Folder(mode) => {
                self.machine.change(path, &Change::Folder(*mode & 0o777 & !self.machine.umask()))?
            }
            Change::RemoveTree => {
                if let Some(first) = self.machine.list(path)?.first() {
                    let first = path.join(first);
                    let is_folder =
                        self.machine.stat(&first, false)?.is_some_and(|stat| stat.kind == crate::FileKind::Folder);
                    let change = if is_folder { Change::RemoveTree } else { Change::RemoveFile };
                    self.machine.change(&first, &change)?;
                }
            }
            // What else there is is one call of the system.
            _ => {}
        }
        Err(ended())
    }
}

fn ended() -> io::Error {
    io::Error::other("the process has ended")
}

/// The number of a process that is not there any more.
const ENDED_PROCESS: u32 = 4_194_305;

impl Reading for FaultyMachine<'_> {
    fn stat(&self, path: &Path, follow: bool) -> io::Result<Option<FileStat>> {
        self.before_look(Some(path))?;
        self.machine.stat(path, follow)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.before_look(Some(path))?;
        self.machine.read(path, limit)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        self.before_look(Some(path))?;
        self.machine.list(path)
    }

    fn link_target(&self, path: &Path) -> io::Result<PathBuf> {
        self.before_look(Some(path))?;
        self.machine.link_target(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.before_look(Some(path))?;
        self.machine.resolve(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.machine.is_executable(path)
    }

    fn user(&self, who: Who<'_>) -> io::Result<Option<User>> {
        self.before_look(None)?;
        self.machine.user(who)
    }

    fn group(&self, who: Who<'_>) -> io::Result<Option<Group>> {
        self.before_look(None)?;
        self.machine.group(who)
    }

    fn memberships(&self, user: &User) -> io::Result<Vec<String>> {
        self.machine.memberships(user)
    }

    fn query(&self, query: &SystemQuery, stop: &Stop) -> Result<Output, SpawnError> {
        self.before_look(None).map_err(SpawnError::Start)?;
        self.machine.query(query, stop)
    }

    fn identity(&self) -> (u32, u32) {
        self.machine.identity()
    }

    fn variable(&self, name: &str) -> Option<OsString> {
        self.machine.variable(name)
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.machine.variables()
    }

    fn kernel(&self) -> Kernel {
        self.machine.kernel()
    }

    fn interfaces(&self) -> io::Result<Vec<NetworkInterface>> {
        self.machine.interfaces()
    }

    fn file_system_size(&self, path: &Path) -> io::Result<FileSystemSize> {
        self.before_look(Some(path))?;
        self.machine.file_system_size(path)
    }

    fn keeps_change_times(&self, path: &Path) -> bool {
        self.machine.keeps_change_times(path)
    }

    fn umask(&self) -> u32 {
        self.machine.umask()
    }

    fn entropy(&self) -> io::Result<[u8; 32]> {
        self.machine.entropy()
    }

    fn now(&self) -> Time {
        self.machine.now()
    }

    fn local(&self, time: Time) -> Date {
        self.machine.local(time)
    }

    fn zone_name(&self, time: Time) -> String {
        self.machine.zone_name(time)
    }
}

impl System for FaultyMachine<'_> {
    fn replace(&self, path: &Path, new: &NewFile<'_>) -> io::Result<()> {
        if let Progress::All = self.before_change(Some(path))? {
            return self.machine.replace(path, new);
        }
        // The temporary file is written, and not yet renamed.
        let folder = new.staging.or_else(|| path.parent()).unwrap_or(Path::new("/"));
        let name = temporary_name(path.file_name().unwrap_or_default(), 20_260_101, ENDED_PROCESS, 0);
        self.machine.replace(&folder.join(name), &NewFile { staging: None, check: None, ..*new })?;
        Err(ended())
    }

    fn change(&self, path: &Path, change: &Change) -> io::Result<()> {
        match self.before_change(Some(path))? {
            Progress::All => self.machine.change(path, change),
            Progress::Half => self.change_by_half(path, change),
        }
    }

    fn run(&self, command: &Command, stop: &Stop) -> Result<Output, SpawnError> {
        let progress = self.before_change(None).map_err(SpawnError::Start)?;
        if matches!(self.fault, Fault::HangAt(place) if self.is_at(place)) {
            if command.time_limit.is_some() {
                return Err(SpawnError::TimedOut);
            }
            stop.request(15);
            return Err(SpawnError::Stopped);
        }
        let output = self.machine.run(command, stop);
        match progress {
            Progress::All => output,
            // The command came to its end, and nobody heard of it.
            Progress::Half => Err(SpawnError::Start(ended())),
        }
    }

    fn act_as(&self, user: &User, work: UserWork<'_>) -> io::Result<()> {
        // What is done there is counted here.
        self.machine.act_as(user, &mut |_| work(self))
    }

    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        self.check_alive()?;
        self.machine.lock(path)
    }

    fn wait(&self, time: Duration, stop: &Stop) {
        self.machine.wait(time, stop);
    }

    fn sync_folders(&self) -> io::Result<()> {
        self.check_alive()?;
        self.machine.sync_folders()
    }
}
