//! Checksums of files, each with the stamp that its file had when it was read: while the stamp stays as it is, nobody reads the file
//! again. They are kept from one run to the next, beside the table of what was applied.
//!
//! A stamp says nothing of a file that changed less than two seconds before it was looked at, for it may change once more in the same
//! moment of the clock; nor on file systems that others write to. Of what must not be known to others nothing is kept.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pantin_machine::{FileStat, NewFile, Reading, Stamp, System, Time};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::state::{LARGEST, read_table, write_table};

const MODE: u32 = 0o600;

/// Seconds after which another change of a file shows as another stamp.
const SETTLED_AFTER: i64 = 2;

/// A checksum that is asked for: of which file, by which algorithm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedSum<'a> {
    /// A path of the machine, or an address of a source.
    pub name: &'a str,
    pub checksum: &'static str,
    /// The file holds a secret: its checksum is not kept for the next run.
    pub is_secret: bool,
}

/// The checksums that are known of files.
pub(crate) struct KnownSums {
    /// Where they are kept.
    file: Option<PathBuf>,
    /// Nothing that an earlier run knew is used.
    reads_all: bool,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    /// Checksums by name and algorithm.
    sums: FxHashMap<(String, String), KnownSum>,
    /// Devices, each with whether its times of change can be relied on.
    devices: FxHashMap<u64, bool>,
    has_new: bool,
}

struct KnownSum {
    stamp: Stamp,
    sum: String,
    is_secret: bool,
    /// Somebody asked for it in this run.
    is_used: bool,
}

/// A checksum as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: String,
    checksum: String,
    sum: String,
    device: u64,
    inode: u64,
    size: u64,
    /// The time of change, then that of the content: seconds and nanoseconds.
    times: [(i64, u32); 2],
}

impl Kept {
    fn new((name, checksum): &(String, String), known: &KnownSum) -> Kept {
        let Stamp { device, inode, size, ctime, mtime } = known.stamp;
        let times = [ctime, mtime].map(|time| (time.seconds, time.nanoseconds));
        let (name, checksum, sum) = (name.clone(), checksum.clone(), known.sum.clone());
        Kept { name, checksum, sum, device, inode, size, times }
    }

    fn known(self) -> ((String, String), KnownSum) {
        let Kept { name, checksum, sum, device, inode, size, times } = self;
        let [ctime, mtime] = times.map(|(seconds, nanoseconds)| Time::new(seconds, nanoseconds));
        let stamp = Stamp { device, inode, size, ctime, mtime };
        ((name, checksum), KnownSum { stamp, sum, is_secret: false, is_used: false })
    }
}

impl KnownSums {
    /// Knows nothing, and keeps nothing.
    pub(crate) fn nothing() -> KnownSums {
        KnownSums { file: None, reads_all: false, table: Mutex::default() }
    }

    /// Reads what earlier runs kept in a file. A damaged one says nothing.
    pub(crate) fn open(machine: &dyn Reading, file: PathBuf, reads_all: bool) -> KnownSums {
        let kept = if reads_all { Vec::new() } else { machine.read(&file, LARGEST).unwrap_or_default() };
        let kept = read_table::<Vec<Kept>>(&kept).unwrap_or_default();
        let sums = kept.into_iter().map(Kept::known).collect();
        KnownSums { file: Some(file), reads_all, table: Mutex::new(Table { sums, ..Table::default() }) }
    }

    /// Returns the checksum of a file that has this stamp now, if it was read with the same one.
    pub(crate) fn find(&self, wanted: WantedSum<'_>, stamp: &Stamp) -> Option<String> {
        let key = (wanted.name.to_owned(), wanted.checksum.to_owned());
        let mut table = self.lock();
        let known = table.sums.get_mut(&key).filter(|known| known.stamp == *stamp)?;
        known.is_used = true;
        known.is_secret |= wanted.is_secret;
        Some(known.sum.clone())
    }

    /// Returns true if anything is known of a file, whatever stamp it has now.
    pub(crate) fn has(&self, wanted: WantedSum<'_>) -> bool {
        self.lock().sums.contains_key(&(wanted.name.to_owned(), wanted.checksum.to_owned()))
    }

    /// Remembers the checksum of a file that had this stamp before it was read at `now`, if that says something of later times.
    /// `keeps_times` is asked once for each device.
    pub(crate) fn note(
        &self,
        wanted: WantedSum<'_>,
        sum: &str,
        (stat, now): (&FileStat, Time),
        keeps_times: impl FnOnce() -> bool,
    ) {
        let stamp = stat.stamp;
        if stamp.ctime.seconds + SETTLED_AFTER >= now.seconds {
            return;
        }
        let mut table = self.lock();
        if !*table.devices.entry(stamp.device).or_insert_with(keeps_times) {
            return;
        }
        let known = KnownSum { stamp, sum: sum.to_owned(), is_secret: wanted.is_secret, is_used: true };
        table.sums.insert((wanted.name.to_owned(), wanted.checksum.to_owned()), known);
        table.has_new |= !wanted.is_secret;
    }

    /// Keeps what is known for the next run. After a full run it forgets what nobody asked for.
    pub(crate) fn store(&self, machine: &dyn System, is_full: bool) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let table = self.lock();
        let is_kept = |known: &KnownSum| !known.is_secret && (known.is_used || !is_full);
        if !table.has_new && !self.reads_all && table.sums.values().all(is_kept) {
            return Ok(());
        }
        let mut kept: Vec<(&(String, String), &KnownSum)> =
            table.sums.iter().filter(|(_, known)| is_kept(known)).collect();
        kept.sort_unstable_by_key(|(key, _)| *key);
        let kept: Vec<Kept> = kept.into_iter().map(|(key, known)| Kept::new(key, known)).collect();
        machine.replace(file, &NewFile::new(&write_table(&kept)?, MODE))
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use pantin_machine::InMemory;

    const NAME: WantedSum<'static> = WantedSum { name: "/a", checksum: "md5", is_secret: false };

    fn stat(machine: &InMemory) -> FileStat {
        machine.stat(Path::new("/a"), true).unwrap().unwrap()
    }

    fn noted(machine: &InMemory, wanted: WantedSum<'_>) -> KnownSums {
        let sums = KnownSums::open(machine, "/s".into(), false);
        sums.note(wanted, "{md5}1", (&stat(machine), machine.now()), || true);
        sums
    }

    #[test]
    fn a_checksum_is_known_while_the_stamp_of_its_file_stays() {
        let machine = InMemory::new().with_file("/a", "one");
        machine.pass(3);
        noted(&machine, NAME).store(&machine, true).unwrap();
        let later = KnownSums::open(&machine, "/s".into(), false);
        assert_eq!(later.find(NAME, &stat(&machine).stamp).as_deref(), Some("{md5}1"));
        assert_eq!(later.find(WantedSum { checksum: "sha256", ..NAME }, &stat(&machine).stamp), None);
        System::replace(&machine, Path::new("/a"), &NewFile::new(b"two", 0o644)).unwrap();
        assert_eq!(later.find(NAME, &stat(&machine).stamp), None);
        assert_eq!(KnownSums::open(&machine, "/s".into(), true).find(NAME, &stat(&machine).stamp), None);
    }

    #[test]
    fn a_file_that_has_just_changed_is_not_known() {
        let machine = InMemory::new().with_file("/a", "one");
        machine.pass(2);
        assert_eq!(noted(&machine, NAME).find(NAME, &stat(&machine).stamp), None);
        let sums = KnownSums::nothing();
        machine.pass(60);
        sums.note(NAME, "{md5}1", (&stat(&machine), machine.now()), || false);
        assert_eq!(sums.find(NAME, &stat(&machine).stamp), None, "on a file system of a server");
    }

    #[test]
    fn a_secret_and_what_a_full_run_has_not_asked_for_are_not_kept() {
        let machine = InMemory::new().with_file("/a", "one");
        machine.pass(3);
        let sums = noted(&machine, WantedSum { is_secret: true, ..NAME });
        sums.note(WantedSum { name: "/b", ..NAME }, "{md5}2", (&stat(&machine), machine.now()), || true);
        sums.store(&machine, false).unwrap();
        let stamp = stat(&machine).stamp;
        let later = KnownSums::open(&machine, "/s".into(), false);
        assert_eq!(later.find(NAME, &stamp), None);
        later.store(&machine, false).unwrap();
        let later = KnownSums::open(&machine, "/s".into(), false);
        assert!(later.find(WantedSum { name: "/b", ..NAME }, &stamp).is_some());
        KnownSums::open(&machine, "/s".into(), false).store(&machine, true).unwrap();
        assert!(KnownSums::open(&machine, "/s".into(), false).find(WantedSum { name: "/b", ..NAME }, &stamp).is_none());
    }

    #[test]
    fn a_damaged_table_says_nothing() {
        let machine = InMemory::new().with_file("/a", "one");
        machine.pass(3);
        noted(&machine, NAME).store(&machine, true).unwrap();
        let bytes = machine.read(Path::new("/s"), LARGEST).unwrap();
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            machine.replace(Path::new("/s"), &NewFile::new(&damaged, MODE)).unwrap();
            let later = KnownSums::open(&machine, "/s".into(), false);
            assert_eq!(later.find(NAME, &stat(&machine).stamp), None, "{place}");
        }
    }
}
