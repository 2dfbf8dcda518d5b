//! The machine that this process runs on.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::fs::Mode;

use crate::accounts::{Group, User, Who, find_group, find_memberships, find_user};
use crate::hardware::{self, FileSystemSize, Kernel, NetworkInterface};
use crate::held_path::HeldPath;
use crate::process::{Command, Errors, Output, SpawnError, Stop};
use crate::query::SystemQuery;
use crate::system::{Change, FileKind, FileStat, Lock, NewFile, Reading, Stamp, System, UserWork};
use crate::time::{Date, Time};
use crate::zone::Zone;
use crate::{atomic_file, spawn, user_thread};

/// The machine that this process runs on.
#[derive(Debug)]
pub struct RealSystem {
    zone: Zone,
    umask: u32,
    /// Folders in which files were renamed, and which are synced at the end.
    touched: Mutex<BTreeSet<PathBuf>>,
}

impl RealSystem {
    pub fn new() -> RealSystem {
        let zone = std::env::var_os("TZ");
        // There is no other way to ask: it is set back at once.
        let umask = rustix::process::umask(Mode::from_raw_mode(0o022));
        rustix::process::umask(umask);
        RealSystem {
            zone: Zone::read(zone.as_deref().map(|zone| zone.to_string_lossy()).as_deref()),
            umask: umask.as_raw_mode(),
            touched: Mutex::new(BTreeSet::new()),
        }
    }

    fn touch_folder_of(&self, path: &Path) {
        if let Some(folder) = path.parent() {
            self.touched.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned());
        }
    }
}

impl Default for RealSystem {
    fn default() -> RealSystem {
        RealSystem::new()
    }
}

impl Reading for RealSystem {
    fn stat(&self, path: &Path, follow: bool) -> io::Result<Option<FileStat>> {
        let found = if follow { fs::metadata(path) } else { fs::symlink_metadata(path) };
        match found {
            Ok(found) => Ok(Some(file_stat(&found))),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        // A pipe must not hang us.
        let file = OpenOptions::new().read(true).custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits()).open(path)?;
        let size = file.metadata()?.len();
        let mut bytes = Vec::with_capacity(size.min(limit) as usize);
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {limit} bytes")));
        }
        Ok(bytes)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let mut names =
            fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<Vec<_>>>()?;
        names.sort_unstable();
        Ok(names)
    }

    fn link_target(&self, path: &Path) -> io::Result<PathBuf> {
        fs::read_link(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
    }

    fn user(&self, who: Who<'_>) -> io::Result<Option<User>> {
        find_user(who)
    }

    fn group(&self, who: Who<'_>) -> io::Result<Option<Group>> {
        find_group(who)
    }

    fn memberships(&self, user: &User) -> io::Result<Vec<String>> {
        find_memberships(user)
    }

    fn query(&self, query: &SystemQuery, stop: &Stop) -> Result<Output, SpawnError> {
        match query {
            SystemQuery::Difference { program, arguments, old, new } => {
                let (mut file, path) =
                    atomic_file::create(&std::env::temp_dir(), OsStr::new("diff"), 0o600).map_err(SpawnError::Start)?;
                let output = file.write_all(new).map_err(SpawnError::Start).and_then(|()| {
                    let mut arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
                    arguments.extend([old.clone().into_os_string(), path.clone().into_os_string()]);
                    let command = Command { errors: Errors::Discarded, ..Command::new(program, arguments) };
                    spawn::run(&command, stop)
                });
                let removed = fs::remove_file(&path).map_err(SpawnError::Start);
                output.and_then(|output| removed.map(|()| output))
            }
            other => match other.command() {
                Some(command) => spawn::run(&command, stop),
                None => Err(SpawnError::Refused),
            },
        }
    }

    fn identity(&self) -> (u32, u32) {
        (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw())
    }

    fn variable(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }

    fn variables(&self) -> Vec<(String, String)> {
        let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
        std::env::vars_os().filter_map(text).collect()
    }

    fn kernel(&self) -> Kernel {
        hardware::kernel()
    }

    fn interfaces(&self) -> io::Result<Vec<NetworkInterface>> {
        hardware::interfaces()
    }

    fn file_system_size(&self, path: &Path) -> io::Result<FileSystemSize> {
        hardware::file_system_size(path)
    }

    fn keeps_change_times(&self, path: &Path) -> bool {
        hardware::keeps_change_times(path)
    }

    fn umask(&self) -> u32 {
        self.umask
    }

    fn entropy(&self) -> io::Result<[u8; 32]> {
        let mut bytes = [0; 32];
        // So few come at once. A tree need not have /dev/urandom.
        let count = rustix::rand::getrandom(&mut bytes[..], rustix::rand::GetRandomFlags::empty())?;
        if count < bytes.len() {
            return Err(io::Error::other("the system gives too little that is random"));
        }
        Ok(bytes)
    }

    fn now(&self) -> Time {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => Time::new(since.as_secs() as i64, since.subsec_nanos()),
            Err(before) => Time::new(-(before.duration().as_secs() as i64), 0),
        }
    }

    fn local(&self, time: Time) -> Date {
        time.date(self.zone.offset(time))
    }

    fn zone_name(&self, time: Time) -> String {
        self.zone.name(time).to_owned()
    }
}

impl System for RealSystem {
    fn replace(&self, path: &Path, new: &NewFile<'_>) -> io::Result<()> {
        atomic_file::replace(path, new)?;
        self.touch_folder_of(path);
        Ok(())
    }

    fn change(&self, path: &Path, change: &Change) -> io::Result<()> {
        match change {
            Change::Mode(mode) => HeldPath::open(path)?.set_mode(*mode),
            Change::ModeFollowed(mode) => fs::set_permissions(path, Permissions::from_mode(*mode)),
            Change::Owner { uid, gid } => HeldPath::open(path)?.set_owner(*uid, *gid),
            Change::OwnerFollowed { uid, gid } => chown(path, *uid, *gid),
            Change::Folder(mode) => HeldPath::open(path)?.make_folder(*mode),
            Change::Link(target) => HeldPath::open(path)?.make_link(target),
            Change::ReplaceByLink(target) => atomic_file::replace_by_link(path, target),
            Change::Rename(new) => {
                HeldPath::open(path)?.rename(&HeldPath::open(new)?)?;
                self.touch_folder_of(new);
                Ok(())
            }
            Change::Times(atime, mtime) => {
                let times = FileTimes::new().set_accessed(system_time(*atime)).set_modified(system_time(*mtime));
                HeldPath::open(path)?.open_file()?.set_times(times)
            }
            Change::Truncate(mode) => HeldPath::open(path)?.truncate(*mode),
            Change::Overwrite(bytes) => HeldPath::open(path)?.overwrite(bytes),
            Change::Append(bytes, mode) => {
                OpenOptions::new().append(true).create(true).mode(*mode).open(path)?.write_all(bytes)
            }
            Change::AppendSynced(bytes, mode) => {
                let mut file = OpenOptions::new().append(true).create(true).mode(*mode).open(path)?;
                file.write_all(bytes)?;
                file.sync_data()
            }
            Change::RemoveFile => HeldPath::open(path)?.remove_file(),
            Change::RemoveFolder => HeldPath::open(path)?.remove_folder(),
            Change::RemoveTree => HeldPath::open(path)?.remove_tree(),
        }
    }

    fn run(&self, command: &Command, stop: &Stop) -> Result<Output, SpawnError> {
        spawn::run(command, stop)
    }

    fn act_as(&self, user: &User, work: UserWork<'_>) -> io::Result<()> {
        user_thread::run(user, &mut || work(self))
    }

    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        use rustix::fs::{FlockOperation, flock};
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Lock { _file: Some(file) })),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn wait(&self, time: Duration, stop: &Stop) {
        let until = Instant::now() + time;
        while stop.signal().is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(Duration::from_millis(100)));
        }
    }

    fn sync_folders(&self) -> io::Result<()> {
        let touched = std::mem::take(&mut *self.touched.lock().unwrap_or_else(PoisonError::into_inner));
        for folder in touched {
            match File::open(&folder) {
                Ok(folder) => folder.sync_all()?,
                // It may be gone by now.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn system_time(time: Time) -> SystemTime {
    match u64::try_from(time.seconds) {
        Ok(seconds) => UNIX_EPOCH + Duration::new(seconds, time.nanoseconds),
        Err(_) => UNIX_EPOCH - Duration::from_secs(time.seconds.unsigned_abs()),
    }
}

fn file_stat(found: &fs::Metadata) -> FileStat {
    let kind = found.file_type();
    let kind = match () {
        () if kind.is_file() => FileKind::File,
        () if kind.is_dir() => FileKind::Folder,
        () if kind.is_symlink() => FileKind::Link,
        () if kind.is_fifo() => FileKind::Fifo,
        () if kind.is_socket() => FileKind::Socket,
        () if kind.is_block_device() => FileKind::BlockDevice,
        () if kind.is_char_device() => FileKind::CharacterDevice,
        () => FileKind::Other,
    };
    FileStat {
        kind,
        size: found.size(),
        mode: found.mode() & 0o7777,
        uid: found.uid(),
        gid: found.gid(),
        links: found.nlink(),
        atime: Time::new(found.atime(), found.atime_nsec() as u32),
        stamp: Stamp {
            device: found.dev(),
            inode: found.ino(),
            size: found.size(),
            ctime: Time::new(found.ctime(), found.ctime_nsec() as u32),
            mtime: Time::new(found.mtime(), found.mtime_nsec() as u32),
        },
    }
}
