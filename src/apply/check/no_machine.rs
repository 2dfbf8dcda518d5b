//! A door with no machine behind it: every question is answered with nothing. Checks of resources get this one.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use pantin_machine::{
    Date, FileStat, FileSystemSize, Group, Kernel, NetworkInterface, Output, Reading, SpawnError, Stop, SystemQuery,
    Time, User, Who,
};

/// Answers as a machine would on which nothing is; its process acts as root, as the agent's does.
pub(super) struct NoMachine;

fn nothing_there<T>() -> io::Result<T> {
    Err(io::ErrorKind::NotFound.into())
}

impl Reading for NoMachine {
    fn stat(&self, _: &Path, _: bool) -> io::Result<Option<FileStat>> {
        Ok(None)
    }

    fn read(&self, _: &Path, _: u64) -> io::Result<Vec<u8>> {
        nothing_there()
    }

    fn list(&self, _: &Path) -> io::Result<Vec<OsString>> {
        nothing_there()
    }

    fn link_target(&self, _: &Path) -> io::Result<PathBuf> {
        nothing_there()
    }

    fn resolve(&self, _: &Path) -> io::Result<PathBuf> {
        nothing_there()
    }

    fn keeps_change_times(&self, _: &Path) -> bool {
        false
    }

    fn is_executable(&self, _: &Path) -> bool {
        false
    }

    fn user(&self, _: Who<'_>) -> io::Result<Option<User>> {
        Ok(None)
    }

    fn group(&self, _: Who<'_>) -> io::Result<Option<Group>> {
        Ok(None)
    }

    fn memberships(&self, _: &User) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn query(&self, _: &SystemQuery, _: &Stop) -> Result<Output, SpawnError> {
        Err(SpawnError::Refused)
    }

    fn identity(&self) -> (u32, u32) {
        (0, 0)
    }

    fn variable(&self, _: &str) -> Option<OsString> {
        None
    }

    fn variables(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn kernel(&self) -> Kernel {
        let nothing = String::new;
        Kernel { name: nothing(), release: nothing(), machine: nothing(), node: nothing() }
    }

    fn interfaces(&self) -> io::Result<Vec<NetworkInterface>> {
        Ok(Vec::new())
    }

    fn file_system_size(&self, _: &Path) -> io::Result<FileSystemSize> {
        nothing_there()
    }

    fn umask(&self) -> u32 {
        0o022
    }

    fn entropy(&self) -> io::Result<[u8; 32]> {
        nothing_there()
    }

    fn now(&self) -> Time {
        Time::new(0, 0)
    }

    fn local(&self, _: Time) -> Date {
        Date { year: 1970, month: 1, day: 1, weekday: 4, hour: 0, minute: 0, second: 0, nanoseconds: 0, offset: 0 }
    }

    fn zone_name(&self, _: Time) -> String {
        String::new()
    }
}
