//! What a resource writes and reads on the machine, and whether a change of one can be seen by another.

use std::path::{Path, PathBuf};

use pantin_machine::{FileKind, Reading};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The part of a machine that a resource writes and reads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Footprint {
    Nothing,
    Files(FileFootprint),
    /// All users and groups, and these paths with all below them.
    Accounts(Vec<PathBuf>),
    Units,
    Anything,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct FileFootprint {
    pub writes: Vec<PathBuf>,
    /// All below these, too.
    pub writes_below: Vec<PathBuf>,
    pub reads: Vec<PathBuf>,
    /// Users and groups that it names.
    pub accounts: Vec<String>,
    /// True if it runs a command in order to look, which may read anything.
    pub reads_anything: bool,
    /// True if it runs a command that may write anything.
    pub writes_anything: bool,
}

/// The files in which accounts stand.
pub(crate) const ACCOUNT_FILES: [&str; 4] = ["/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow"];

impl Footprint {
    /// Returns true if one of the two writes what the other one reads or writes. Paths are compared as they are written: see
    /// [`ResolvedPaths`].
    pub(crate) fn meets(&self, other: &Footprint) -> bool {
        let (one, two) = (Reach::from_footprint(self), Reach::from_footprint(other));
        one.changes(&two) || two.changes(&one)
    }

    /// Returns true if a path that the other one writes is read or written by this one, or stands on the way to such a path.
    pub(crate) fn uses_path_of(&self, other: &Footprint) -> bool {
        let (own, other) = (Reach::from_footprint(self), Reach::from_footprint(other));
        other.writes.iter().any(|path| own.uses(path))
    }

    /// Joins what a resource reaches before and after its change.
    pub(crate) fn union(&self, other: &Footprint) -> Footprint {
        let joined = |one: &[PathBuf], two: &[PathBuf]| -> Vec<PathBuf> {
            one.iter().chain(two.iter().filter(|path| !one.contains(path))).cloned().collect()
        };
        match (self, other) {
            (Footprint::Files(one), Footprint::Files(two)) => Footprint::Files(FileFootprint {
                writes: joined(&one.writes, &two.writes),
                writes_below: joined(&one.writes_below, &two.writes_below),
                reads: joined(&one.reads, &two.reads),
                ..two.clone()
            }),
            (_, other) => other.clone(),
        }
    }
}

/// The number of links that a system follows.
const MOST_LINKS: usize = 40;

/// Resolves paths, and remembers which folders on the way are links: most paths lie in the same ones.
pub(crate) struct ResolvedPaths<'m> {
    machine: &'m dyn Reading,
    /// Where each folder that was looked at leads, if it is a link.
    folders: FxHashMap<PathBuf, Option<PathBuf>>,
}

impl<'m> ResolvedPaths<'m> {
    pub(crate) fn new(machine: &'m dyn Reading) -> ResolvedPaths<'m> {
        ResolvedPaths { machine, folders: FxHashMap::default() }
    }

    /// Forgets what was resolved: something has changed.
    pub(crate) fn forget(&mut self) {
        self.folders.clear();
    }

    /// Adds to each path of a footprint those that links on the way lead to, so that two ways to one file meet.
    pub(crate) fn resolve(&mut self, footprint: &Footprint) -> Footprint {
        match footprint {
            Footprint::Files(files) => Footprint::Files(FileFootprint {
                writes: self.with_resolved(&files.writes),
                writes_below: self.with_resolved(&files.writes_below),
                reads: self.with_resolved(&files.reads),
                ..files.clone()
            }),
            Footprint::Accounts(homes) => Footprint::Accounts(self.with_resolved(homes)),
            Footprint::Nothing | Footprint::Units | Footprint::Anything => footprint.clone(),
        }
    }

    fn with_resolved(&mut self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let mut all = paths.to_vec();
        for path in paths {
            let mut next = self.follow_link(path);
            let mut followed = 0;
            while let Some(path) = next.take().filter(|path| followed < MOST_LINKS && !all.contains(path)) {
                followed += 1;
                next = self.follow_link(&path);
                all.push(path);
            }
        }
        all
    }

    /// Returns the path with the first link on the way replaced by what it leads to, or `None` if there is no link.
    fn follow_link(&mut self, path: &Path) -> Option<PathBuf> {
        let mut above: Vec<&Path> = path.ancestors().collect();
        above.reverse();
        let (link, target) = above.into_iter().find_map(|part| Some((part, self.link_target(part, part == path)?)))?;
        let rest = path.strip_prefix(link).ok()?;
        Some(if rest.as_os_str().is_empty() { target } else { target.join(rest) })
    }

    /// Returns where a link leads, as a path from the root.
    fn link_target(&mut self, path: &Path, is_last: bool) -> Option<PathBuf> {
        if let Some(known) = self.folders.get(path) {
            return known.clone();
        }
        let is_link = matches!(self.machine.stat(path, false), Ok(Some(stat)) if stat.kind == FileKind::Link);
        let target = is_link.then(|| self.machine.link_target(path).ok()).flatten();
        let target = target.map(|target| plain_path(&path.parent().unwrap_or(Path::new("/")).join(target)));
        if !is_last {
            self.folders.insert(path.to_owned(), target.clone());
        }
        target
    }
}

/// Takes `.` and `..` out of a path.
fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Where files of units lie, and links to them.
const UNIT_FOLDERS: [&str; 6] =
    ["/etc/systemd", "/run/systemd", "/usr/lib/systemd", "/lib/systemd", "/usr/local/lib/systemd", "/etc/init.d"];

/// A footprint in one form for all kinds.
#[derive(Default)]
pub(crate) struct Reach<'f> {
    pub writes: Vec<&'f Path>,
    /// All below these is looked at, or written.
    pub below: Vec<&'f Path>,
    pub writes_accounts: bool,
    pub reads_accounts: bool,
    pub is_of_units: bool,
    pub writes_anything: bool,
    pub reads_anything: bool,
}

impl<'f> Reach<'f> {
    pub(crate) fn from_footprint(footprint: &'f Footprint) -> Reach<'f> {
        let paths = |paths: &'f [PathBuf]| paths.iter().map(PathBuf::as_path);
        match footprint {
            Footprint::Nothing => Reach::default(),
            Footprint::Anything => Reach { writes_anything: true, reads_anything: true, ..Reach::default() },
            Footprint::Units => Reach {
                writes: UNIT_FOLDERS.into_iter().map(Path::new).collect(),
                below: UNIT_FOLDERS.into_iter().map(Path::new).collect(),
                is_of_units: true,
                ..Reach::default()
            },
            Footprint::Accounts(homes) => Reach {
                writes: ACCOUNT_FILES.into_iter().map(Path::new).chain(paths(homes)).collect(),
                below: paths(homes).collect(),
                writes_accounts: true,
                reads_accounts: true,
                ..Reach::default()
            },
            Footprint::Files(files) => Reach {
                writes: paths(&files.writes).chain(paths(&files.writes_below)).collect(),
                // A source may be a folder that is read with all below it.
                below: paths(&files.writes_below).chain(paths(&files.reads)).collect(),
                reads_accounts: !files.accounts.is_empty(),
                writes_anything: files.writes_anything,
                reads_anything: files.reads_anything,
                ..Reach::default()
            },
        }
    }

    fn writes_something(&self) -> bool {
        self.writes_anything || self.writes_accounts || self.is_of_units || !self.writes.is_empty()
    }

    pub(crate) fn is_something(&self) -> bool {
        self.writes_something() || self.reads_anything || self.reads_accounts || !self.below.is_empty()
    }

    /// Returns true if this one writes what the other one reads or writes. Whoever uses a path reads the folders on the way to it.
    fn changes(&self, other: &Reach<'_>) -> bool {
        let is_account_file = |path: &&Path| ACCOUNT_FILES.iter().any(|file| Path::new(file).starts_with(path));
        (self.writes_anything && other.is_something())
            || (other.reads_anything && self.writes_something())
            || (self.is_of_units && other.is_of_units)
            || (other.reads_accounts && (self.writes_accounts || self.writes.iter().any(is_account_file)))
            || self.writes.iter().any(|path| other.uses(path))
    }

    fn uses(&self, path: &Path) -> bool {
        self.writes.iter().chain(&self.below).any(|own| own.starts_with(path))
            || self.below.iter().any(|own| path.starts_with(own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pantin_machine::InMemory;

    fn file(path: &str) -> Footprint {
        Footprint::Files(FileFootprint { writes: vec![path.into()], ..FileFootprint::default() })
    }

    fn tree(path: &str) -> Footprint {
        Footprint::Files(FileFootprint { writes_below: vec![path.into()], ..FileFootprint::default() })
    }

    fn reading(path: &str) -> Footprint {
        Footprint::Files(FileFootprint { reads: vec![path.into()], ..FileFootprint::default() })
    }

    #[test]
    fn paths_meet_where_one_is_on_the_way_to_the_other() {
        for (one, two, meets) in [
            (file("/a"), file("/a"), true),
            (file("/a"), file("/a/b"), true),
            (file("/a"), file("/ab"), false),
            (tree("/a"), file("/a/b/c"), true),
            (file("/a/b"), reading("/a"), true),
            (reading("/a"), reading("/a"), false),
            (reading("/a/b"), file("/a"), true),
        ] {
            assert_eq!(one.meets(&two), meets, "{one:?} {two:?}");
            assert_eq!(two.meets(&one), meets, "{two:?} {one:?}");
        }
    }

    #[test]
    fn accounts_units_and_commands_meet_what_they_can_reach() {
        let owned = Footprint::Files(FileFootprint { accounts: vec!["web".into()], ..FileFootprint::default() });
        let accounts = Footprint::Accounts(vec!["/home/web".into()]);
        for (one, two, meets) in [
            (&accounts, &owned, true),
            (&accounts, &file("/home/web/.profile"), true),
            (&accounts, &file("/srv"), false),
            (&accounts, &file("/etc/passwd"), true),
            (&file("/etc/group"), &owned, true),
            (&Footprint::Units, &Footprint::Units, true),
            (&Footprint::Units, &accounts, false),
            (&Footprint::Units, &file("/etc/systemd/system/web.service"), true),
            (&Footprint::Units, &file("/etc/motd"), false),
            (&Footprint::Anything, &Footprint::Units, true),
            (&Footprint::Anything, &reading("/a"), true),
            (&Footprint::Anything, &Footprint::Nothing, false),
        ] {
            assert_eq!(one.meets(two), meets, "{one:?} {two:?}");
            assert_eq!(two.meets(one), meets, "{two:?} {one:?}");
        }
    }

    #[test]
    fn two_ways_to_one_file_meet_when_they_are_resolved() {
        let machine = InMemory::new().with_folder("/srv").with_link("/link", "/srv");
        let (one, two) = (file("/link/x"), file("/srv/x"));
        assert!(!one.meets(&two));
        let mut resolved = ResolvedPaths::new(&machine);
        assert!(resolved.resolve(&one).meets(&resolved.resolve(&two)));
        let (link, target) = (file("/link"), tree("/srv"));
        assert!(resolved.resolve(&link).meets(&resolved.resolve(&target)));
        let machine = InMemory::new().with_folder("/srv").with_link("/second", "srv").with_link("/first", "/second");
        let mut resolved = ResolvedPaths::new(&machine);
        assert!(resolved.resolve(&file("/first/x")).meets(&file("/second")), "a link on the way");
    }
}
