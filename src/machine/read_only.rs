//! A machine whose other half refuses: what runs without permission to change anything gets this one.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{
    Change, Command, Date, FileStat, FileSystemSize, Group, Kernel, Lock, NetworkInterface, NewFile, Output, Reading,
    SpawnError, Stop, System, SystemQuery, Time, User, UserWork, Who,
};

/// Looks through to a machine and refuses every change.
pub struct ReadOnly<'m>(pub &'m dyn Reading);

impl Reading for ReadOnly<'_> {
    fn stat(&self, path: &Path, follow: bool) -> io::Result<Option<FileStat>> {
        self.0.stat(path, follow)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.0.read(path, limit)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        self.0.list(path)
    }

    fn link_target(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.link_target(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.resolve(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.0.is_executable(path)
    }

    fn user(&self, who: Who<'_>) -> io::Result<Option<User>> {
        self.0.user(who)
    }

    fn group(&self, who: Who<'_>) -> io::Result<Option<Group>> {
        self.0.group(who)
    }

    fn memberships(&self, user: &User) -> io::Result<Vec<String>> {
        self.0.memberships(user)
    }

    fn query(&self, query: &SystemQuery, stop: &Stop) -> Result<Output, SpawnError> {
        self.0.query(query, stop)
    }

    fn identity(&self) -> (u32, u32) {
        self.0.identity()
    }

    fn variable(&self, name: &str) -> Option<OsString> {
        self.0.variable(name)
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.0.variables()
    }

    fn kernel(&self) -> Kernel {
        self.0.kernel()
    }

    fn interfaces(&self) -> io::Result<Vec<NetworkInterface>> {
        self.0.interfaces()
    }

    fn file_system_size(&self, path: &Path) -> io::Result<FileSystemSize> {
        self.0.file_system_size(path)
    }

    fn keeps_change_times(&self, path: &Path) -> bool {
        self.0.keeps_change_times(path)
    }

    fn umask(&self) -> u32 {
        self.0.umask()
    }

    fn entropy(&self) -> io::Result<[u8; 32]> {
        self.0.entropy()
    }

    fn now(&self) -> Time {
        self.0.now()
    }

    fn local(&self, time: Time) -> Date {
        self.0.local(time)
    }

    fn zone_name(&self, time: Time) -> String {
        self.0.zone_name(time)
    }
}

impl System for ReadOnly<'_> {
    fn replace(&self, path: &Path, _new: &NewFile<'_>) -> io::Result<()> {
        Err(refusal(path))
    }

    fn change(&self, path: &Path, _change: &Change) -> io::Result<()> {
        Err(refusal(path))
    }

    fn run(&self, _command: &Command, _stop: &Stop) -> Result<Output, SpawnError> {
        Err(SpawnError::Refused)
    }

    fn act_as(&self, user: &User, _work: UserWork<'_>) -> io::Result<()> {
        let message = format!("nothing is done as {} where nothing may be changed", user.name);
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    }

    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        Err(refusal(path))
    }

    fn wait(&self, _time: Duration, _stop: &Stop) {}

    fn sync_folders(&self) -> io::Result<()> {
        Ok(())
    }
}

fn refusal(path: &Path) -> io::Error {
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!("{} is not changed where nothing may be changed", path.display()),
    )
}
