//! Recorded answers of the disk with stamps of the files: while a stamp is unchanged, the file is not read again.
//!
//! A file whose stamp is the same has the same content. Of a folder whose stamp is the same, what is in it is what was in
//! it: what was not there is not there now. Links are left out, for what they lead to changes without them; so is
//! whatever was changed so shortly before that its stamp might stay when it is changed again.
//!
//! Stamps mean something on one machine alone. Where they are others, in another checkout or a cache that was brought
//! from elsewhere, all is asked as if there were none.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pantin_values::Digest;
use pantin_world::{Disk, LeafKind, Stamp, Stamped};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::codec;

/// Fewer questions than these are put again as quickly as stamps are read.
const WORTH_IT: usize = 32;

/// So many are written at most; what has come together over time is left when there would be more.
const MOST: usize = 200_000;

#[derive(Default, Debug, Serialize, Deserialize)]
pub(super) struct Table {
    folders: FxHashMap<String, Stamp>,
    contents: FxHashMap<String, Content>,
    /// With the length of the part of the path that is a folder of the table.
    names: FxHashMap<String, (u32, Name)>,
}

/// What is known of a file as long as its stamp stays as it is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Content {
    stamp: Stamp,
    #[serde(with = "codec::digest")]
    digest: [u8; 16],
}

/// What is known of a path as long as the folder around it stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Name {
    Nothing,
    File,
    Folder,
}

pub(super) struct Stamps {
    contents: FxHashMap<String, Content>,
    names: FxHashMap<String, (u32, Name)>,
    /// With whether each has its stamp still; it is looked at once.
    folders: FxHashMap<String, (Stamp, OnceLock<bool>)>,
}

/// Something that was asked of the disk, with what it said.
pub(super) struct StampedAnswer<'a> {
    pub(super) kind: LeafKind,
    pub(super) path: &'a Path,
    pub(super) digest: [u8; 16],
}

impl Stamps {
    pub(super) fn from_table(table: Table) -> Stamps {
        let Table { folders, contents, names } = table;
        let folders = folders.into_iter().map(|(folder, stamp)| (folder, (stamp, OnceLock::new()))).collect();
        Stamps { contents, names, folders }
    }

    /// The digest of what the disk would say, if that is known.
    pub(super) fn digest(&self, disk: &dyn Disk, kind: LeafKind, path: &str) -> Option<[u8; 16]> {
        if kind.is_text()
            && let Some(known) = self.contents.get(path)
        {
            return (disk.stamp(Path::new(path), true) == Stamped::As(known.stamp)).then_some(known.digest);
        }
        let (length, name) = self.names.get(path)?;
        let answer = digest_of(kind, *name)?;
        self.is_unchanged(disk, path.get(..*length as usize)?).then(|| *answer.bytes())
    }

    fn is_unchanged(&self, disk: &dyn Disk, folder: &str) -> bool {
        self.folders.get(folder).is_some_and(|(stamp, known)| {
            *known.get_or_init(|| disk.stamp(Path::new(folder), true) == Stamped::As(*stamp))
        })
    }
}

/// Returns what the disk says of a name, where the name alone decides it.
fn digest_of(kind: LeafKind, name: Name) -> Option<Digest> {
    match (kind, name) {
        (LeafKind::Variable | LeafKind::Revealed, _) => None,
        (kind, Name::Nothing) => Some(kind.digest_of_nothing()),
        (LeafKind::Exists | LeafKind::Named | LeafKind::BindingsFile, _) => Some(kind.digest_of(true)),
        (LeafKind::Folder, name) => Some(kind.digest_of(name == Name::Folder)),
        _ => None,
    }
}

/// Looks at what was asked, and makes a table of it; `began`: before anything was asked, in nanoseconds since 1970.
/// `None`: it is not worth it.
pub(super) fn stamp_answers<'a>(
    disk: &dyn Disk,
    began: i128,
    answers: impl Iterator<Item = StampedAnswer<'a>>,
) -> Option<Table> {
    let answers: Vec<StampedAnswer<'_>> = answers.collect();
    if answers.len() < WORTH_IT {
        return None;
    }
    let mut look = Look { disk, began, folders: FxHashMap::default(), table: Table::default() };
    answers.iter().for_each(|answer| look.add_answer(answer));
    let is_worth_it = look.table.contents.len() + look.table.names.len() >= WORTH_IT;
    is_worth_it.then_some(look.table)
}

struct Look<'d> {
    disk: &'d dyn Disk,
    began: i128,
    /// The nearest folder above each path that was met.
    folders: FxHashMap<PathBuf, Option<u32>>,
    table: Table,
}

impl Look<'_> {
    fn add_answer(&mut self, answer: &StampedAnswer<'_>) {
        let Some(path) = answer.path.to_str() else { return };
        if answer.kind.is_text()
            && let Stamped::As(stamp) = self.disk.stamp(answer.path, true)
        {
            if stamp.is_settled(self.began) && !stamp.is_folder() {
                self.table.contents.insert(path.to_owned(), Content { stamp, digest: answer.digest });
            }
            return;
        }
        let name = match self.disk.stamp(answer.path, false) {
            Stamped::Nothing => Name::Nothing,
            Stamped::As(stamp) if stamp.is_folder() => Name::Folder,
            Stamped::As(stamp) if !stamp.is_link() => Name::File,
            Stamped::As(_) | Stamped::Unknown => return,
        };
        // What is seen now must be what was said: something may have come between.
        if digest_of(answer.kind, name).is_some_and(|digest| *digest.bytes() == answer.digest)
            && let Some(length) = self.folder_around(answer.path)
        {
            self.table.names.insert(path.to_owned(), (length, name));
        }
    }

    /// The length of the nearest folder's path, if its stamp will show when something comes to it.
    fn folder_around(&mut self, path: &Path) -> Option<u32> {
        let above = path.parent()?;
        if let Some(known) = self.folders.get(above) {
            return *known;
        }
        let found = match self.disk.stamp(above, true) {
            Stamped::As(stamp) => self.add_settled_folder(above, stamp),
            // A link that leads nowhere now may lead somewhere tomorrow.
            Stamped::Nothing if self.disk.stamp(above, false) == Stamped::Nothing => self.folder_around(above),
            Stamped::Nothing | Stamped::Unknown => None,
        };
        self.folders.insert(above.to_owned(), found);
        found
    }

    fn add_settled_folder(&mut self, folder: &Path, stamp: Stamp) -> Option<u32> {
        let path = folder.to_str().filter(|_| stamp.is_settled(self.began))?;
        self.table.folders.insert(path.to_owned(), stamp);
        u32::try_from(path.len()).ok()
    }
}

impl Table {
    /// With what another one knows beside it. Of a folder that has changed since then it knows nothing any more.
    pub(super) fn beside(self, older: Table) -> Table {
        if self.len() + older.len() > MOST {
            return self;
        }
        let Table { mut folders, mut contents, mut names } = older;
        names.retain(|path, (length, _)| {
            let folder = path.get(..*length as usize).unwrap_or_default();
            folders.get(folder).is_some_and(|old| self.folders.get(folder).is_none_or(|new| new == old))
        });
        folders.extend(self.folders);
        contents.extend(self.contents);
        names.extend(self.names);
        Table { folders, contents, names }
    }

    fn len(&self) -> usize {
        self.folders.len() + self.contents.len() + self.names.len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::{Arc, Mutex};

    use super::super::{decoded, encoded};
    use super::*;
    use pantin_base::random::MersenneTwister;
    use pantin_world::{Entry, FileFacts, Leaves, ReadError, list_folder};

    #[derive(Clone, Default)]
    struct Made(Arc<Mutex<Tree>>);

    /// Files with the time of the last change of each and their contents, and folders with that of theirs.
    type Tree = (BTreeMap<PathBuf, (i64, String)>, BTreeMap<PathBuf, i64>);

    impl Made {
        fn put(&self, path: &str, content: Option<&str>, now: i64) {
            let (files, folders) = &mut *self.0.lock().unwrap();
            let path = PathBuf::from(path);
            let before: BTreeSet<PathBuf> = files.keys().cloned().collect();
            match content {
                Some(content) => drop(files.insert(path.clone(), (now, content.to_owned()))),
                None => drop(files.remove(&path)),
            }
            // Whatever folder has another name in it, or one less, has changed.
            if before != files.keys().cloned().collect() {
                folders.extend(path.ancestors().skip(1).map(|folder| (folder.to_owned(), now)));
            }
        }
    }

    impl Disk for Made {
        fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
            Ok(self.0.lock().unwrap().0.get(path).map(|(_, content)| content.clone().into_bytes()))
        }

        fn exists(&self, path: &Path) -> bool {
            self.0.lock().unwrap().0.keys().any(|file| file.starts_with(path))
        }

        fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
            Ok(list_folder(self.0.lock().unwrap().0.keys().map(PathBuf::as_path), folder))
        }

        fn facts(&self, path: &Path, _: bool) -> Result<Option<FileFacts>, ReadError> {
            let Stamped::As(stamp) = self.stamp(path, true) else { return Ok(None) };
            let kind = if stamp.is_folder() { "directory" } else { "file" };
            let changed = self.0.lock().unwrap().0.get(path).map_or(0, |(changed, _)| *changed);
            Ok(Some(FileFacts { kind, owner: 0, group: 0, mode: 0o644, changed, modified: changed, target: None }))
        }

        /// Changes with every edit, whatever stamps stay the same.
        fn process_variable(&self, name: &str) -> Option<String> {
            let latest = self.0.lock().unwrap().0.values().map(|(changed, _)| *changed).max();
            latest.filter(|time| time % 3 > 0).map(|time| format!("{name} at {time}"))
        }

        fn stamp(&self, path: &Path, _: bool) -> Stamped {
            let (files, folders) = &*self.0.lock().unwrap();
            match files.get(path) {
                Some((changed, _)) => Stamped::As(Stamp::in_memory(false, *changed)),
                None if files.keys().any(|file| file.starts_with(path)) => {
                    Stamped::As(Stamp::in_memory(true, folders.get(path).copied().unwrap_or_default()))
                }
                None => Stamped::Nothing,
            }
        }
    }

    fn paths() -> Vec<String> {
        let names = ["a", "b", "c"];
        let deep = names.iter().flat_map(|one| names.map(|two| format!("/{one}/{two}")));
        let deeper = deep.clone().flat_map(|folder| names.map(|name| format!("{folder}/{name}")));
        deep.chain(deeper).collect()
    }

    /// Returns what the disk says to everything.
    fn all_answers(disk: &Made) -> Vec<(LeafKind, PathBuf, [u8; 16])> {
        let leaves = Leaves::new(Arc::new(disk.clone()));
        let answers = paths().into_iter().flat_map(|path| LeafKind::ALL.map(|kind| (kind, PathBuf::from(&path))));
        answers.map(|(kind, path)| (kind, path.clone(), *leaves.digest(kind, &path).bytes())).collect()
    }

    fn table(disk: &Made, answers: &[(LeafKind, PathBuf, [u8; 16])], began: i64) -> Option<Table> {
        let answers = answers.iter().map(|(kind, path, digest)| StampedAnswer { kind: *kind, path, digest: *digest });
        stamp_answers(disk, i128::from(began) * 1_000_000_000, answers)
    }

    #[test]
    fn whatever_is_edited_no_stamp_tells_what_is_not_so() {
        let mut twister = MersenneTwister::from_integer(20_261_122);
        let mut below = |limit: usize| twister.below(limit as u64).unwrap() as usize;
        let paths = paths();
        let disk = Made::default();
        let mut known = Table::default();
        let mut unchanged = 0;
        for now in 0..600 {
            let path = &paths[below(paths.len())];
            let is_folder =
                disk.stamp(Path::new(path), true) != Stamped::Nothing && disk.read(Path::new(path)).unwrap().is_none();
            let above = Path::new(path).parent().unwrap();
            if !is_folder && disk.read(above).unwrap().is_none() {
                let content = ["one", "two"][below(2)];
                disk.put(path, (below(3) > 0).then_some(content), now);
            }
            let answers = all_answers(&disk);
            let stamps = Stamps::from_table(decoded(&encoded(&known).unwrap()).unwrap());
            for (kind, path, digest) in &answers {
                if let Some(known) = stamps.digest(&disk, *kind, path.to_str().unwrap()) {
                    assert_eq!(known, *digest, "{now} {kind:?} {}", path.display());
                    unchanged += 1;
                }
            }
            if below(5) == 0
                && let Some(table) = table(&disk, &answers, now + 1)
            {
                known = table.beside(std::mem::take(&mut known));
            }
        }
        assert!(unchanged > 10_000, "{unchanged}");
    }

    #[test]
    fn what_was_just_changed_is_asked_again() {
        let disk = Made::default();
        paths().iter().filter(|path| path.len() > 4).for_each(|path| disk.put(path, Some("text"), 100));
        let answers = all_answers(&disk);
        assert!(table(&disk, &answers, 101).is_none_or(|table| table.len() == 0));
        let table = table(&disk, &answers, 103).unwrap();
        assert_eq!((table.contents.len(), table.names.len() > 30), (27, true));
        assert!(stamp_answers(&disk, i128::MAX, std::iter::empty()).is_none());
    }
}
