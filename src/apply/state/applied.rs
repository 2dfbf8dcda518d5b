//! What this machine has of which catalog: a table that lasts, and a journal of the run under way, from which the table is mended
//! after a crash. Nothing in either is a secret: digests of secrets are keyed.

use std::io;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use pantin_machine::{Change, NewFile, System, remove_all_leftovers, remove_leftovers};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lock::make_folder;
use super::record::{Entry, Outcome, Row, TableHeader, read_lines, write_line};
use super::table::{LARGEST, read_table, write_table};

/// Nobody else is to read it: it names what a machine has.
const MODE: u32 = 0o600;

/// The table and the journal of one entry: a catalog of this machine, by what it is compiled from.
pub(crate) struct Applied<'m> {
    machine: &'m dyn System,
    folder: PathBuf,
    name: String,
    key: [u8; 32],
    rows: IndexMap<String, Row>,
    /// What the table says of the run that wrote it; `None` if there was none.
    header: Option<TableHeader>,
    /// What this run writes there.
    own_header: TableHeader,
    /// Nothing is written: somebody only wants to know.
    is_read_only: bool,
    /// As it was read.
    stored: Vec<u8>,
    /// The journal has records of this run.
    has_journal: bool,
    /// What is owed by this run, by who is to be refreshed.
    owed: IndexMap<String, Vec<String>>,
    /// Rows that another manifest, or another resource of this one, has made untrue.
    superseded: FxHashSet<String>,
    /// Who was refreshed by this run, or is not to be refreshed any more.
    settled: FxHashSet<String>,
}

impl<'m> Applied<'m> {
    /// Reads the table of an entry, and folds an unfinished journal into it. Returns what there is to be said of damage.
    pub(crate) fn open(
        machine: &'m dyn System,
        state: &Path,
        entry: &str,
        access: TableAccess,
    ) -> io::Result<(Applied<'m>, Vec<String>)> {
        let folder = state.join("pantin");
        let is_read_only = access == TableAccess::Read;
        if !is_read_only {
            make_folder(machine, &folder)?;
        }
        let name = blake3::hash(entry.as_bytes()).to_hex()[..16].to_owned();
        let key = read_key(machine, &folder, access)?;
        let mut said = Vec::new();
        let mut applied = Applied {
            machine,
            folder,
            name,
            key,
            rows: IndexMap::new(),
            header: None,
            own_header: TableHeader { build: CODE.to_owned(), boot: boot_id(machine), serial: 0 },
            is_read_only,
            stored: Vec::new(),
            has_journal: false,
            owed: IndexMap::new(),
            settled: FxHashSet::default(),
            superseded: FxHashSet::default(),
        };
        if !is_read_only {
            for folder in [state, applied.folder.as_path()] {
                remove_all_leftovers(machine, folder)?;
            }
        }
        applied.stored = applied.read_bytes("applied")?;
        match read_table::<StoredTable>(&applied.stored) {
            Some((header, rows)) => {
                applied.header = Some(header);
                applied.rows.extend(rows.into_iter().map(|row| (row.reference.clone(), row)));
            }
            None if applied.stored.is_empty() => {}
            None => {
                let file = applied.file("applied");
                said.push(format!("{} is damaged; everything counts as new", file.display()));
            }
        }
        applied.supersede()?;
        applied.fold_journal(&mut said)?;
        Ok((applied, said))
    }

    /// Marks rows as unknown whose place on the machine a newer row takes, of this table or of another entry's.
    fn supersede(&mut self) -> io::Result<()> {
        let mut newest: FxHashMap<String, (u64, String)> = FxHashMap::default();
        let mut note = |row: &Row| {
            let known = newest.entry(row.identity.clone()).or_default();
            if row.serial > known.0 {
                *known = (row.serial, row.digest.clone());
            }
        };
        let mut serial = self.header.as_ref().map_or(0, |header| header.serial);
        self.rows.values().for_each(&mut note);
        let own = self.file("applied");
        for name in self.table_names()? {
            let file = self.folder.join(name);
            if file == own {
                continue;
            }
            let bytes = self.machine.read(&file, LARGEST)?;
            let Some((header, rows)) = read_table::<StoredTable>(&bytes) else { continue };
            serial = serial.max(header.serial);
            rows.iter().for_each(&mut note);
        }
        self.own_header.serial = serial + 1;
        for row in self.rows.values_mut().filter(|row| !row.identity.is_empty()) {
            let is_old = |(serial, digest): &(u64, String)| *serial > row.serial && *digest != row.digest;
            if newest.get(&row.identity).is_some_and(is_old) {
                row.outcome = Outcome::Unknown;
                self.superseded.insert(row.reference.clone());
            }
        }
        Ok(())
    }

    /// Returns the names of the files of all tables.
    fn table_names(&self) -> io::Result<Vec<String>> {
        let names = match self.machine.list(&self.folder) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let names = names.into_iter().filter_map(|name| name.into_string().ok());
        Ok(names.filter(|name| name.starts_with("applied-")).collect())
    }

    fn file(&self, kind: &str) -> PathBuf {
        self.folder.join(format!("{kind}-{}", self.name))
    }

    /// Returns where the checksums of the entry's files are kept.
    pub(crate) fn file_of_sums(&self) -> PathBuf {
        self.file("sums")
    }

    fn read_bytes(&self, kind: &str) -> io::Result<Vec<u8>> {
        match self.machine.read(&self.file(kind), LARGEST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read,
        }
    }

    /// A run that did not end left its journal: what it had begun and not done is unknown, and owes those that it would have told.
    fn fold_journal(&mut self, said: &mut Vec<String>) -> io::Result<()> {
        let bytes = self.read_bytes("journal")?;
        let text = String::from_utf8_lossy(&bytes);
        let entries = read_lines::<Entry>(&text).unwrap_or_else(|(entries, line)| {
            // The last record may have been written by half when the process ended.
            if line < text.lines().count() {
                let file = self.file("journal");
                said.push(format!("{} is damaged in line {line}; what follows is not known", file.display()));
            }
            entries
        });
        let mut open: IndexMap<String, Begun> = IndexMap::new();
        for entry in entries {
            match entry {
                Entry::Begin { reference, digest, tells, writes, time, is_refresh } => {
                    let serial = self.own_header.serial;
                    let row = self.row_mut(&reference);
                    let outcome = if is_refresh { Outcome::RefreshUnderWay } else { Outcome::UnderWay };
                    (row.outcome, row.digest, row.serial) = (outcome, digest, serial);
                    open.insert(reference, Begun { tells, writes, time });
                }
                Entry::Done { reference, outcome } => {
                    self.row_mut(&reference).outcome = outcome;
                    let begun = open.shift_remove(&reference);
                    if let Some(begun) = begun.filter(|_| outcome == Outcome::Changed) {
                        self.owe_all(&begun, &reference);
                    }
                }
                Entry::Owed { reference, because, time } => {
                    let row = self.row_mut(&reference);
                    add_new(&mut row.owed, &because);
                    row.owed_since.get_or_insert(time);
                }
                Entry::Refreshed { reference } => {
                    let row = self.row_mut(&reference);
                    row.owed.clear();
                    row.owed_since = None;
                }
            }
        }
        for (reference, begun) in open {
            self.owe_all(&begun, &reference);
            for path in begun.writes.iter().filter(|_| !self.is_read_only) {
                remove_leftovers(self.machine, path.as_ref())?;
            }
        }
        Ok(())
    }

    /// Records that everybody whom a change would have told is owed a refresh.
    fn owe_all(&mut self, begun: &Begun, because: &str) {
        for target in &begun.tells {
            let row = self.row_mut(target);
            add_new(&mut row.owed, &[because.to_owned()]);
            row.owed_since.get_or_insert(begun.time);
        }
    }

    /// Returns the row of a resource, which is one of an unknown resource if there was none.
    fn row_mut(&mut self, reference: &str) -> &mut Row {
        self.rows.entry(reference.to_owned()).or_insert_with(|| Row::unknown(reference))
    }

    /// Returns who is owed a refresh from earlier runs, each with those because of whom.
    pub(crate) fn owed(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.rows.values().filter(|row| !row.owed.is_empty()).map(|row| (row.reference.as_str(), row.owed.as_slice()))
    }

    pub(crate) fn row(&self, reference: &str) -> Option<&Row> {
        self.rows.get(reference)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    /// Returns what the table says of the run that wrote it, and what this run would say.
    pub(crate) fn headers(&self) -> (Option<&TableHeader>, &TableHeader) {
        (self.header.as_ref(), &self.own_header)
    }

    pub(crate) fn has_row(&self, reference: &str) -> bool {
        self.rows.contains_key(reference)
    }

    /// Forgets that a refresh is owed because of some of its sources.
    pub(crate) fn retain_owed(&mut self, reference: &str, is_owed: impl FnMut(&String) -> bool) {
        if let Some(row) = self.rows.get_mut(reference) {
            row.owed.retain(is_owed);
            row.owed_since = row.owed_since.filter(|_| !row.owed.is_empty());
        }
    }

    /// Returns true if this run has recorded a step.
    pub(crate) fn has_journal(&self) -> bool {
        self.has_journal
    }

    /// Returns the key of digests of secrets.
    pub(crate) fn key(&self) -> &[u8; 32] {
        &self.key
    }

    /// Writes a step to the journal. One that could not be found out by looking is synced.
    pub(crate) fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let line = write_line(entry).into_bytes();
        let is_synced = matches!(entry, Entry::Begin { tells, .. } if !tells.is_empty());
        let change = if is_synced { Change::AppendSynced(line, MODE) } else { Change::Append(line, MODE) };
        let file = self.file("journal");
        if !self.has_journal {
            // What an earlier run left is in the table by now.
            self.store_table()?;
            self.remove_journal()?;
            self.has_journal = true;
        }
        if let Entry::Refreshed { reference } = entry {
            self.settled.insert(reference.clone());
            self.owed.shift_remove(reference);
        }
        self.machine.change(&file, &change)
    }

    /// Remembers that a resource is owed a refresh.
    pub(crate) fn note_owed(&mut self, reference: &str, because: Vec<String>) -> io::Result<()> {
        let time = self.machine.now().seconds;
        self.write(&Entry::Owed { reference: reference.to_owned(), because: because.clone(), time })?;
        add_new(self.owed.entry(reference.to_owned()).or_default(), &because);
        Ok(())
    }

    /// Ends a run: its rows become the table, and the journal is emptied. Resources that were left alone keep their rows, at the
    /// places that they have in the walk now.
    pub(crate) fn finish(&mut self, end: RunEnd) -> io::Result<()> {
        for reference in &end.removed {
            self.rows.shift_remove(reference);
        }
        for (reference, number) in end.places {
            if let Some(row) = self.rows.get_mut(&reference) {
                row.number = number;
            }
        }
        for reference in end.unknown {
            if let Some(row) = self.rows.get_mut(&reference).filter(|row| !row.outcome.is_out_of_step()) {
                row.outcome = Outcome::Unknown;
            }
        }
        let owed: Vec<String> = self.owed.keys().cloned().collect();
        for row in end.rows {
            self.put_row(row);
        }
        // Who is owed something and was left alone.
        for reference in owed {
            let because = self.owed.shift_remove(&reference).unwrap_or_default();
            let now = self.machine.now().seconds;
            let row = self.row_mut(&reference);
            add_new(&mut row.owed, &because);
            row.owed_since.get_or_insert(now);
        }
        let settled = std::mem::take(&mut self.settled);
        for row in self.rows.values_mut().filter(|row| settled.contains(&row.reference)) {
            row.owed.clear();
            row.owed_since = None;
        }
        self.store_table()?;
        self.remove_journal()
    }

    /// Takes over what a run has found out about a resource. What was owed before and is not settled stays so.
    fn put_row(&mut self, mut row: Row) {
        let is_settled = self.settled.remove(&row.reference);
        let owed = self.owed.shift_remove(&row.reference).unwrap_or_default();
        let old = self.rows.get(&row.reference);
        if let Some(old) = old {
            if !is_settled {
                (row.owed, row.owed_since) = (old.owed.clone(), old.owed_since);
            }
            row.is_created |= old.is_created;
            if row.left.is_none() {
                row.left = old.left.clone();
            }
        }
        if !owed.is_empty() {
            add_new(&mut row.owed, &owed);
            row.owed_since.get_or_insert(self.machine.now().seconds);
        }
        if row.outcome == Outcome::KeptAway {
            // What keeps it away changes nothing of what else is known.
            if row.owed.is_empty() && old.is_none() {
                return;
            }
            let (owed, since, number) = (row.owed, row.owed_since, row.number);
            let kept = self.row_mut(&row.reference);
            (kept.owed, kept.owed_since, kept.number) = (owed, since, number);
            return;
        }
        row.serial = self.own_header.serial;
        let is_superseded = self.superseded.contains(&row.reference);
        if let Some(old) = old.filter(|_| !is_superseded) {
            let of_that_run = Row { serial: old.serial, ..row.clone() };
            if of_that_run == *old {
                return;
            }
        }
        self.rows.insert(row.reference.clone(), row);
    }

    fn store_table(&mut self) -> io::Result<()> {
        let serial = self.rows.values().map(|row| row.serial).max().unwrap_or_default();
        let serial = serial.max(self.header.as_ref().map_or(0, |header| header.serial));
        let header = TableHeader { serial, ..self.own_header.clone() };
        let rows: Vec<&Row> = self.rows.values().collect();
        let table = write_table(&(&header, rows))?;
        if table == self.stored {
            return Ok(());
        }
        self.machine.replace(&self.file("applied"), &NewFile::new(&table, MODE))?;
        self.stored = table;
        Ok(())
    }

    fn remove_journal(&self) -> io::Result<()> {
        match self.machine.change(&self.file("journal"), &Change::RemoveFile) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// What a run has found out, for the next one.
#[derive(Default)]
pub(crate) struct RunEnd {
    /// Of the resources that were applied.
    pub rows: Vec<Row>,
    /// Where all of the catalog stand in the walk.
    pub places: Vec<(String, u32)>,
    /// What was left alone and is out of step by now.
    pub unknown: Vec<String>,
    /// What was removed from the machine.
    pub removed: Vec<String>,
}

/// May a table be written?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableAccess {
    Write,
    Read,
}

/// A change that a run had begun.
struct Begun {
    tells: Vec<String>,
    writes: Vec<String>,
    time: i64,
}

/// The content of a table: what it says of the run that wrote it, and its rows.
type StoredTable = (TableHeader, Vec<Row>);

/// The code that carries resources out.
pub(crate) const CODE: &str = env!("PANTIN_APPLY_BUILD");

/// Returns the name that the kernel gives to the start of the machine; nothing where it says none.
fn boot_id(machine: &dyn System) -> String {
    let read = machine.read(Path::new("/proc/sys/kernel/random/boot_id"), 64);
    read.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()).unwrap_or_default()
}

/// Adds what is not there yet.
fn add_new(known: &mut Vec<String>, new: &[String]) {
    for text in new {
        if !known.contains(text) {
            known.push(text.clone());
        }
    }
}

/// Reads the key of this machine, or makes one.
fn read_key(machine: &dyn System, folder: &Path, access: TableAccess) -> io::Result<[u8; 32]> {
    let file = folder.join("key");
    match machine.read(&file, 64) {
        Ok(bytes) => {
            if let Ok(key) = <[u8; 32]>::try_from(bytes.as_slice()) {
                return Ok(key);
            }
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::FileTooLarge) => {}
        // Another key would make everything new that is recorded.
        Err(error) => return Err(error),
    }
    if access == TableAccess::Read {
        // Without a key there is no table to compare with.
        return Ok([0; 32]);
    }
    let key = machine.entropy()?;
    machine.replace(&file, &NewFile::new(&key, MODE))?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pantin_machine::{InMemory, Reading};

    fn row(reference: &str) -> Row {
        Row { digest: "d".to_owned(), outcome: Outcome::InStep, number: 1, ..Row::unknown(reference) }
    }

    fn ended(rows: Vec<Row>) -> RunEnd {
        RunEnd { rows, ..RunEnd::default() }
    }

    fn open<'m>(machine: &'m InMemory) -> (Applied<'m>, Vec<String>) {
        Applied::open(machine, Path::new("/s"), "site.pp", TableAccess::Write).unwrap()
    }

    #[test]
    fn what_a_killed_run_had_begun_is_unknown_and_owes_its_refreshes() {
        let machine = InMemory::new().with_folder("/s");
        open(&machine).0.finish(ended(vec![row("File[/a]"), row("Exec[b]")])).unwrap();
        let begin = Entry::Begin {
            reference: "File[/a]".into(),
            digest: "e".into(),
            tells: vec!["Exec[b]".into()],
            writes: vec!["/a".into()],
            time: 7,
            is_refresh: false,
        };
        open(&machine).0.write(&begin).unwrap();
        let (applied, said) = open(&machine);
        assert!(said.is_empty());
        assert_eq!(applied.rows["File[/a]"].outcome, Outcome::UnderWay);
        assert_eq!(applied.rows["File[/a]"].digest, "e");
        assert_eq!(applied.rows["Exec[b]"].owed, ["File[/a]"]);
        assert_eq!(applied.rows["Exec[b]"].owed_since, Some(7));
    }

    #[test]
    fn a_damaged_table_is_told_and_counts_for_nothing() {
        let machine = InMemory::new().with_folder("/s");
        let mut applied = open(&machine).0;
        applied.finish(ended(vec![row("File[/a]")])).unwrap();
        let file = applied.file("applied");
        let mut damaged = machine.read(&file, LARGEST).unwrap();
        *damaged.last_mut().unwrap() ^= 1;
        System::replace(&machine, &file, &NewFile::new(&damaged, 0o600)).unwrap();
        let (applied, said) = open(&machine);
        assert!(applied.rows.is_empty());
        assert!(said[0].ends_with("is damaged; everything counts as new"), "{said:?}");
    }

    #[test]
    fn a_newer_row_of_another_entry_makes_a_row_unknown_until_it_is_applied_again() {
        let machine = InMemory::new().with_folder("/s");
        let of = |entry: &str| Applied::open(&machine, Path::new("/s"), entry, TableAccess::Write).unwrap().0;
        let row = |digest: &str| Row { identity: "file /a".into(), digest: digest.into(), ..row("File[/a]") };
        of("one").finish(ended(vec![row("1")])).unwrap();
        of("two").finish(ended(vec![row("2")])).unwrap();
        assert_eq!(of("one").rows["File[/a]"].outcome, Outcome::Unknown);
        assert_eq!(of("two").rows["File[/a]"].outcome, Outcome::InStep);
        of("one").finish(ended(vec![row("1")])).unwrap();
        assert_eq!(of("one").rows["File[/a]"].outcome, Outcome::InStep);
        assert_eq!(of("two").rows["File[/a]"].outcome, Outcome::Unknown);
    }
}
