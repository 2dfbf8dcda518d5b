//! A machine in memory, for tests: files, accounts, programs that are functions, and a clock that only moves when it is told.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::accounts::{Group, User, Who};
use crate::hardware::{FileSystemSize, Kernel, NetworkInterface};
use crate::process::{Command, Ended, Output, SpawnError, Stop};
use crate::query::SystemQuery;
use crate::system::{Change, FileKind, FileStat, Lock, NewFile, Reading, Stamp, System, UserWork};
use crate::time::{Date, Time};

/// What a program of this machine does.
pub type Program = Arc<dyn Fn(&InMemory, &Command) -> Output + Send + Sync>;

/// How many links are followed before it is a loop.
const MOST_LINKS: u32 = 40;

/// A machine in memory. Its user is root.
pub struct InMemory {
    state: Mutex<State>,
    programs: BTreeMap<String, Program>,
    variables: BTreeMap<String, OsString>,
    kernel: Kernel,
    interfaces: Vec<NetworkInterface>,
    file_systems: BTreeMap<PathBuf, FileSystemSize>,
}

#[derive(Clone, Debug)]
struct State {
    entries: BTreeMap<PathBuf, Entry>,
    now: Time,
    last_inode: u64,
    /// What ran, in order.
    commands: Vec<Command>,
    users: Vec<User>,
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Entry {
    content: Content,
    mode: u32,
    uid: u32,
    gid: u32,
    inode: u64,
    mtime: Time,
    ctime: Time,
}

#[derive(Clone, Debug)]
enum Content {
    File(Vec<u8>),
    Folder,
    Link(PathBuf),
}

impl Clone for InMemory {
    /// Makes a machine of its own that stands as this one does now.
    fn clone(&self) -> InMemory {
        InMemory {
            state: Mutex::new(self.lock().clone()),
            programs: self.programs.clone(),
            variables: self.variables.clone(),
            kernel: self.kernel.clone(),
            interfaces: self.interfaces.clone(),
            file_systems: self.file_systems.clone(),
        }
    }
}

impl fmt::Debug for InMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InMemory").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Default for InMemory {
    fn default() -> InMemory {
        InMemory::new()
    }
}

impl InMemory {
    /// A machine with a root folder, the user and group root, and the programs `true`, `false` and `echo` in `/bin`.
    pub fn new() -> InMemory {
        let (name, home) = ("root".to_owned(), "/root".to_owned());
        let root = User { name, uid: 0, gid: 0, home, shell: "/bin/sh".into(), comment: "root".into() };
        let state = State {
            entries: BTreeMap::new(),
            now: Time::new(1_795_799_390, 0),
            last_inode: 0,
            commands: Vec::new(),
            users: vec![root],
            groups: vec![Group { name: "root".into(), gid: 0, members: Vec::new() }],
        };
        let machine = InMemory {
            state: Mutex::new(state),
            programs: BTreeMap::new(),
            variables: BTreeMap::new(),
            kernel: Kernel {
                name: "Linux".into(),
                release: "6.1.0-18-amd64".into(),
                machine: "x86_64".into(),
                node: "localhost".into(),
            },
            interfaces: Vec::new(),
            file_systems: BTreeMap::new(),
        };
        machine.lock().put(Path::new("/"), Content::Folder, 0o755);
        machine
            .with_folder("/bin")
            .with_program("/bin/true", |_, _| said(0, ""))
            .with_program("/bin/false", |_, _| said(1, ""))
            .with_program("/bin/echo", |_, command| {
                let words: Vec<_> = command.arguments.iter().map(|word| word.to_string_lossy()).collect();
                said(0, &format!("{}\n", words.join(" ")))
            })
    }

    #[must_use]
    pub fn with_folder(self, path: &str) -> InMemory {
        self.lock().put(Path::new(path), Content::Folder, 0o755);
        self
    }

    #[must_use]
    pub fn with_file(self, path: &str, content: impl AsRef<[u8]>) -> InMemory {
        self.lock().put(Path::new(path), Content::File(content.as_ref().to_vec()), 0o644);
        self
    }

    #[must_use]
    pub fn with_link(self, path: &str, target: &str) -> InMemory {
        self.lock().put(Path::new(path), Content::Link(target.into()), 0o777);
        self
    }

    /// Adds an executable file that does this when it is run.
    #[must_use]
    pub fn with_program(
        mut self,
        path: &str,
        program: impl Fn(&InMemory, &Command) -> Output + Send + Sync + 'static,
    ) -> InMemory {
        self.lock().put(Path::new(path), Content::File(Vec::new()), 0o755);
        self.programs.insert(path.to_owned(), Arc::new(program));
        self
    }

    #[must_use]
    pub fn with_user(self, name: &str, uid: u32) -> InMemory {
        let home = format!("/home/{name}");
        let comment = String::new();
        let user = User { name: name.into(), uid, gid: uid, home, shell: "/bin/sh".into(), comment };
        self.change_accounts(|users, groups| {
            users.push(user);
            groups.push(Group { name: name.into(), gid: uid, members: Vec::new() });
        });
        self
    }

    /// Changes users and groups, as programs do.
    pub fn change_accounts<R>(&self, change: impl FnOnce(&mut Vec<User>, &mut Vec<Group>) -> R) -> R {
        let State { users, groups, .. } = &mut *self.lock();
        change(users, groups)
    }

    #[must_use]
    pub fn with_group(self, name: &str, gid: u32, members: &[&str]) -> InMemory {
        let members = members.iter().map(|&member| member.to_owned()).collect();
        self.change_accounts(|_, groups| groups.push(Group { name: name.into(), gid, members }));
        self
    }

    #[must_use]
    pub fn with_variable(mut self, name: &str, value: &str) -> InMemory {
        self.variables.insert(name.to_owned(), value.into());
        self
    }

    #[must_use]
    pub fn with_interface(mut self, interface: NetworkInterface) -> InMemory {
        self.interfaces.push(interface);
        self
    }

    #[must_use]
    pub fn with_file_system(mut self, path: &str, size: FileSystemSize) -> InMemory {
        self.file_systems.insert(path.into(), size);
        self
    }

    /// Moves the clock.
    pub fn pass(&self, seconds: i64) {
        self.lock().now.seconds += seconds;
    }

    /// Returns the content of a file, for assertions.
    pub fn text(&self, path: &str) -> Option<String> {
        match &self.lock().entries.get(Path::new(path))?.content {
            Content::File(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            Content::Folder | Content::Link(_) => None,
        }
    }

    /// Returns all paths, for assertions.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.lock().entries.keys().cloned().collect()
    }

    /// Returns what stands at each path, as a line, for assertions: kind, mode, owner, and content or target.
    pub fn tree(&self) -> BTreeMap<PathBuf, String> {
        let line = |entry: &Entry| {
            let Entry { mode, uid, gid, .. } = entry;
            match &entry.content {
                Content::File(bytes) => format!("file {mode:o} {uid}:{gid} {}", String::from_utf8_lossy(bytes)),
                Content::Folder => format!("folder {mode:o} {uid}:{gid}"),
                Content::Link(target) => format!("link {uid}:{gid} {}", target.display()),
            }
        };
        self.lock().entries.iter().map(|(path, entry)| (path.clone(), line(entry))).collect()
    }

    /// Returns the commands that ran, each as one text.
    pub fn commands(&self) -> Vec<String> {
        let text = |command: &Command| {
            let mut words = vec![command.program.to_string_lossy().into_owned()];
            words.extend(command.arguments.iter().map(|word| word.to_string_lossy().into_owned()));
            words.join(" ")
        };
        self.lock().commands.iter().map(text).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the output of a program that ended with this code.
fn said(code: i32, text: &str) -> Output {
    Output { ended: Ended::Code(code), text: text.as_bytes().to_vec(), is_cut: false }
}

fn error(kind: io::ErrorKind) -> io::Error {
    kind.into()
}

impl State {
    fn put(&mut self, path: &Path, content: Content, mode: u32) {
        self.last_inode += 1;
        let entry = Entry { content, mode, uid: 0, gid: 0, inode: self.last_inode, mtime: self.now, ctime: self.now };
        self.entries.insert(path.to_owned(), entry);
    }

    /// Returns a path without links: those on the way to it, and the last one too if it is to be followed.
    fn resolve(&self, path: &Path, follow: bool) -> io::Result<PathBuf> {
        let mut pending: Vec<OsString> = parts(path);
        let mut resolved = PathBuf::from("/");
        let mut links = 0;
        while let Some(part) = pending.pop() {
            if part == ".." {
                resolved.pop();
                continue;
            }
            let next = resolved.join(&part);
            match self.entries.get(&next).map(|entry| &entry.content) {
                Some(Content::Link(target)) if follow || !pending.is_empty() => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(nix::errno::Errno::ELOOP.into());
                    }
                    if target.is_absolute() {
                        resolved = PathBuf::from("/");
                    }
                    pending.extend(parts(target));
                }
                Some(Content::File(_)) if !pending.is_empty() => return Err(error(io::ErrorKind::NotADirectory)),
                _ => resolved = next,
            }
        }
        Ok(resolved)
    }

    fn entry(&self, path: &Path, follow: bool) -> io::Result<&Entry> {
        let resolved = self.resolve(path, follow)?;
        self.entries.get(&resolved).ok_or_else(|| error(io::ErrorKind::NotFound))
    }

    fn entry_mut(&mut self, path: &Path, follow: bool) -> io::Result<&mut Entry> {
        let resolved = self.resolve(path, follow)?;
        let now = self.now;
        let entry = self.entries.get_mut(&resolved).ok_or_else(|| error(io::ErrorKind::NotFound))?;
        entry.ctime = now;
        Ok(entry)
    }

    /// Returns where a new entry goes: its folder has to be there.
    fn new_place(&self, path: &Path) -> io::Result<PathBuf> {
        let resolved = self.resolve(path, false)?;
        match resolved.parent().map(|folder| self.entries.get(folder).map(|entry| &entry.content)) {
            None | Some(Some(Content::Folder)) => Ok(resolved),
            Some(Some(_)) => Err(error(io::ErrorKind::NotADirectory)),
            Some(None) => Err(error(io::ErrorKind::NotFound)),
        }
    }

    fn below(&self, path: &Path) -> Vec<PathBuf> {
        self.entries.keys().filter(|other| *other != path && other.starts_with(path)).cloned().collect()
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.entries.get(path).is_some_and(|entry| matches!(entry.content, Content::Folder))
    }

    fn overwrite(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        match &mut self.entry_mut(path, false)?.content {
            Content::File(content) => {
                *content = bytes.to_vec();
                Ok(())
            }
            _ => Err(error(io::ErrorKind::IsADirectory)),
        }
    }

    fn change(&mut self, path: &Path, change: &Change) -> io::Result<()> {
        match change {
            Change::Mode(mode) => self.entry_mut(path, false)?.mode = *mode,
            Change::ModeFollowed(mode) => self.entry_mut(path, true)?.mode = *mode,
            Change::Owner { uid, gid } => own(self.entry_mut(path, false)?, *uid, *gid),
            Change::OwnerFollowed { uid, gid } => own(self.entry_mut(path, true)?, *uid, *gid),
            Change::Folder(mode) => {
                let place = self.vacant(path)?;
                self.put(&place, Content::Folder, *mode);
            }
            Change::Link(target) => {
                let place = self.vacant(path)?;
                self.put(&place, Content::Link(target.clone()), 0o777);
            }
            Change::ReplaceByLink(target) => {
                let place = self.new_place(path)?;
                if self.is_folder(&place) {
                    return Err(error(io::ErrorKind::AlreadyExists));
                }
                self.put(&place, Content::Link(target.clone()), 0o777);
            }
            Change::Rename(new) => {
                let (old, new) = (self.resolve(path, false)?, self.new_place(new)?);
                let entry = self.entries.remove(&old).ok_or_else(|| error(io::ErrorKind::NotFound))?;
                for below in self.below(&old) {
                    if let (Some(entry), Ok(rest)) = (self.entries.remove(&below), below.strip_prefix(&old)) {
                        self.entries.insert(new.join(rest), entry);
                    }
                }
                self.entries.insert(new, entry);
            }
            Change::Times(_, mtime) => self.entry_mut(path, true)?.mtime = *mtime,
            Change::Truncate(mode) => match self.entry_mut(path, true) {
                Ok(Entry { content: Content::File(content), .. }) => content.clear(),
                Ok(_) => return Err(error(io::ErrorKind::IsADirectory)),
                Err(_) => {
                    let place = self.new_place(path)?;
                    self.put(&place, Content::File(Vec::new()), *mode);
                }
            },
            Change::Overwrite(bytes) => self.overwrite(path, bytes)?,
            Change::Append(bytes, mode) | Change::AppendSynced(bytes, mode) => match self.entry_mut(path, true) {
                Ok(Entry { content: Content::File(content), .. }) => content.extend_from_slice(bytes),
                Ok(_) => return Err(error(io::ErrorKind::IsADirectory)),
                Err(_) => {
                    let place = self.new_place(path)?;
                    self.put(&place, Content::File(bytes.clone()), *mode);
                }
            },
            Change::RemoveFile => {
                let place = self.resolve(path, false)?;
                if self.is_folder(&place) {
                    return Err(error(io::ErrorKind::IsADirectory));
                }
                self.entries.remove(&place).ok_or_else(|| error(io::ErrorKind::NotFound))?;
            }
            Change::RemoveFolder | Change::RemoveTree => {
                let place = self.resolve(path, false)?;
                let below = self.below(&place);
                if !self.is_folder(&place) {
                    return Err(error(io::ErrorKind::NotADirectory));
                }
                if *change == Change::RemoveFolder && !below.is_empty() {
                    return Err(error(io::ErrorKind::DirectoryNotEmpty));
                }
                below.iter().for_each(|path| drop(self.entries.remove(path)));
                self.entries.remove(&place);
            }
        }
        Ok(())
    }

    fn vacant(&self, path: &Path) -> io::Result<PathBuf> {
        let place = self.new_place(path)?;
        if self.entries.contains_key(&place) { Err(error(io::ErrorKind::AlreadyExists)) } else { Ok(place) }
    }
}

/// Returns the parts of a path, the last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let part = |component: Component<'_>| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    let mut parts: Vec<OsString> = path.components().filter_map(part).collect();
    parts.reverse();
    parts
}

fn own(entry: &mut Entry, uid: Option<u32>, gid: Option<u32>) {
    entry.uid = uid.unwrap_or(entry.uid);
    entry.gid = gid.unwrap_or(entry.gid);
}

impl Reading for InMemory {
    fn stat(&self, path: &Path, follow: bool) -> io::Result<Option<FileStat>> {
        let state = self.lock();
        let entry = match state.entry(path, follow) {
            Ok(entry) => entry,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let (kind, size) = match &entry.content {
            Content::File(bytes) => (FileKind::File, bytes.len() as u64),
            Content::Folder => (FileKind::Folder, 0),
            Content::Link(target) => (FileKind::Link, target.as_os_str().len() as u64),
        };
        let Entry { mode, uid, gid, inode, mtime, ctime, .. } = *entry;
        let stamp = Stamp { device: 1, inode, size, ctime, mtime };
        Ok(Some(FileStat { kind, size, mode, uid, gid, links: 1, atime: mtime, stamp }))
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        match &self.lock().entry(path, true)?.content {
            Content::File(bytes) if bytes.len() as u64 > limit => Err(error(io::ErrorKind::FileTooLarge)),
            Content::File(bytes) => Ok(bytes.clone()),
            Content::Folder | Content::Link(_) => Err(error(io::ErrorKind::IsADirectory)),
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let state = self.lock();
        let folder = state.resolve(path, true)?;
        match state.entries.get(&folder).map(|entry| &entry.content) {
            Some(Content::Folder) => {}
            Some(_) => return Err(error(io::ErrorKind::NotADirectory)),
            None => return Err(error(io::ErrorKind::NotFound)),
        }
        let inside = state.entries.keys().filter(|path| path.parent() == Some(&folder));
        Ok(inside.filter_map(|path| path.file_name()).map(ToOwned::to_owned).collect())
    }

    fn link_target(&self, path: &Path) -> io::Result<PathBuf> {
        match &self.lock().entry(path, false)?.content {
            Content::Link(target) => Ok(target.clone()),
            Content::File(_) | Content::Folder => Err(error(io::ErrorKind::InvalidInput)),
        }
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let state = self.lock();
        let resolved = state.resolve(path, true)?;
        state.entries.get(&resolved).map(|_| resolved.clone()).ok_or_else(|| error(io::ErrorKind::NotFound))
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.lock().entry(path, true).is_ok_and(|entry| entry.mode & 0o111 != 0)
    }

    fn user(&self, who: Who<'_>) -> io::Result<Option<User>> {
        let is_meant = |user: &&User| match who {
            Who::Name(name) => user.name == name,
            Who::Id(id) => user.uid == id,
        };
        Ok(self.lock().users.iter().find(is_meant).cloned())
    }

    fn group(&self, who: Who<'_>) -> io::Result<Option<Group>> {
        let is_meant = |group: &&Group| match who {
            Who::Name(name) => group.name == name,
            Who::Id(id) => group.gid == id,
        };
        Ok(self.lock().groups.iter().find(is_meant).cloned())
    }

    fn memberships(&self, user: &User) -> io::Result<Vec<String>> {
        let state = self.lock();
        let listing = state.groups.iter().filter(|group| group.members.contains(&user.name));
        Ok(listing.map(|group| group.name.clone()).collect())
    }

    fn query(&self, query: &SystemQuery, stop: &Stop) -> Result<Output, SpawnError> {
        match query {
            SystemQuery::Accounts { database, name } => {
                let is_meant = |entry: &str| name.as_deref().is_none_or(|name| name == entry);
                let state = self.lock();
                let users = state.users.iter().filter(|user| *database == "passwd" && is_meant(&user.name));
                let lines = users.map(|user| {
                    let User { name, uid, gid, comment, home, shell } = user;
                    format!("{name}:x:{uid}:{gid}:{comment}:{home}:{shell}\n")
                });
                let groups = state.groups.iter().filter(|group| *database == "group" && is_meant(&group.name));
                let groups =
                    groups.map(|group| format!("{}:x:{}:{}\n", group.name, group.gid, group.members.join(",")));
                Ok(said(0, &lines.chain(groups).collect::<String>()))
            }
            SystemQuery::Difference { old, new, .. } => {
                let old = self.read(old, u64::MAX).unwrap_or_default();
                let lines = |sign: char, bytes: &[u8]| {
                    String::from_utf8_lossy(bytes).lines().map(|line| format!("{sign}{line}\n")).collect::<String>()
                };
                Ok(said(1, &format!("{}{}", lines('-', &old), lines('+', new))))
            }
            other => match other.command() {
                Some(command) => self.run(&command, stop),
                None => Err(SpawnError::Refused),
            },
        }
    }

    fn identity(&self) -> (u32, u32) {
        (0, 0)
    }

    fn variable(&self, name: &str) -> Option<OsString> {
        self.variables.get(name).cloned()
    }

    fn variables(&self) -> Vec<(String, String)> {
        let text = |(name, value): (&String, &OsString)| Some((name.clone(), value.to_str()?.to_owned()));
        self.variables.iter().filter_map(text).collect()
    }

    fn kernel(&self) -> Kernel {
        self.kernel.clone()
    }

    fn interfaces(&self) -> io::Result<Vec<NetworkInterface>> {
        Ok(self.interfaces.clone())
    }

    fn file_system_size(&self, path: &Path) -> io::Result<FileSystemSize> {
        self.file_systems.get(path).copied().ok_or_else(|| error(io::ErrorKind::NotFound))
    }

    fn keeps_change_times(&self, path: &Path) -> bool {
        let _ = path;
        true
    }

    fn umask(&self) -> u32 {
        0o022
    }

    fn entropy(&self) -> io::Result<[u8; 32]> {
        Ok([7; 32])
    }

    fn now(&self) -> Time {
        self.lock().now
    }

    fn local(&self, time: Time) -> Date {
        time.date(0)
    }

    fn zone_name(&self, _time: Time) -> String {
        "UTC".to_owned()
    }
}

impl System for InMemory {
    fn replace(&self, path: &Path, new: &NewFile<'_>) -> io::Result<()> {
        let place = self.lock().new_place(path)?;
        if self.lock().is_folder(&place) {
            return Err(error(io::ErrorKind::IsADirectory));
        }
        if let Some(check) = new.check {
            let temporary = place.with_file_name(".temporary");
            self.lock().put(&temporary, Content::File(new.content.to_vec()), 0o600);
            let checked = check(&temporary);
            self.lock().entries.remove(&temporary);
            checked?;
        }
        let mut state = self.lock();
        state.put(&place, Content::File(new.content.to_vec()), new.mode);
        if let Some(entry) = state.entries.get_mut(&place) {
            own(entry, new.owner.0, new.owner.1);
        }
        Ok(())
    }

    fn change(&self, path: &Path, change: &Change) -> io::Result<()> {
        self.lock().change(path, change)
    }

    fn run(&self, command: &Command, _stop: &Stop) -> Result<Output, SpawnError> {
        self.lock().commands.push(command.clone());
        let name = command.program.to_string_lossy().into_owned();
        let found = self.programs.get(&name).or_else(|| {
            let is_of_name = |path: &&String| path.rsplit('/').next() == Some(&name);
            self.programs.keys().find(is_of_name).and_then(|path| self.programs.get(path))
        });
        match found {
            Some(program) => Ok(program(self, command)),
            None => Err(SpawnError::Start(error(io::ErrorKind::NotFound))),
        }
    }

    fn act_as(&self, _user: &User, work: UserWork<'_>) -> io::Result<()> {
        work(self)
    }

    fn lock(&self, _path: &Path) -> io::Result<Option<Lock>> {
        Ok(Some(Lock { _file: None }))
    }

    fn wait(&self, time: Duration, _stop: &Stop) {
        self.lock().now.seconds += time.as_secs() as i64;
    }

    fn sync_folders(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_where_they_are_meant_to_be() {
        let machine = InMemory::new().with_folder("/a").with_file("/a/f", "x").with_link("/l", "a");
        assert_eq!(machine.read(Path::new("/l/f"), 10).unwrap(), b"x");
        assert_eq!(machine.stat(Path::new("/l"), false).unwrap().unwrap().kind, FileKind::Link);
        assert_eq!(machine.stat(Path::new("/l"), true).unwrap().unwrap().kind, FileKind::Folder);
        let machine = machine.with_link("/loop", "/loop");
        assert!(machine.stat(Path::new("/loop"), true).is_err());
    }

    #[test]
    fn changes_are_those_of_a_disk() {
        let machine = InMemory::new().with_folder("/d").with_file("/d/f", "x");
        let remove = machine.change(Path::new("/d"), &Change::RemoveFolder).unwrap_err();
        assert_eq!(remove.kind(), io::ErrorKind::DirectoryNotEmpty);
        machine.change(Path::new("/d/f"), &Change::Mode(0o600)).unwrap();
        machine.replace(Path::new("/d/f"), &NewFile::new(b"new", 0o640)).unwrap();
        assert_eq!(machine.text("/d/f").unwrap(), "new");
        machine.change(Path::new("/d"), &Change::RemoveTree).unwrap();
        assert_eq!(machine.stat(Path::new("/d/f"), true).unwrap(), None);
        let missing = machine.replace(Path::new("/d/f"), &NewFile::new(b"", 0o644)).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn programs_are_functions() {
        let machine = InMemory::new();
        let output = machine.run(&Command::new("/bin/echo", ["a", "b"]), &Stop::default()).unwrap();
        assert_eq!(output.lossy(), "a b\n");
        assert_eq!(machine.commands(), ["/bin/echo a b"]);
    }
}
