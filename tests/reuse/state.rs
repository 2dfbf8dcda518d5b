//! A control repository as a table of files, what edits make of it, and the folder in which it stands on the disk.
//!
//! A state is a value: what was before an edit is still there after it, so that every edit can be undone.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::{NamedTempFile, TempDir};

/// What is at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Thing {
    File {
        bytes: Arc<[u8]>,
        mode: u32,
    },
    Link(String),
    /// One with nothing in it; others are there because of what is in them.
    Folder,
}

const MODE: u32 = 0o644;

/// By their paths in the repository.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct State(BTreeMap<String, Thing>);

/// Paths are those of the repository.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    Write(String, Vec<u8>),
    /// The first place of a text in a file becomes another.
    Replace {
        path: String,
        old: String,
        new: String,
    },
    /// With all that is in it.
    Remove(String),
    Move(String, String),
    Link {
        path: String,
        target: String,
    },
    Folder(String),
    Mode(String, u32),
}

impl State {
    /// All files and links of a folder.
    pub(crate) fn of_folder(folder: &Path) -> State {
        let mut state = State::default();
        state.read(folder, "");
        state
    }

    fn read(&mut self, folder: &Path, before: &str) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let name = format!("{before}{}", entry.file_name().to_str().unwrap());
            if kind.is_symlink() {
                let target = fs::read_link(path).unwrap().to_str().unwrap().to_owned();
                self.0.insert(name, Thing::Link(target));
            } else if kind.is_dir() {
                self.read(&path, &format!("{name}/"));
            } else {
                self.0.insert(name, Thing::File { bytes: fs::read(path).unwrap().into(), mode: MODE });
            }
        }
    }

    /// The paths of all files and links, in their order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Without these paths.
    pub(crate) fn without(&self, paths: &[String]) -> State {
        State(
            self.0
                .iter()
                .filter(|(path, _)| !paths.contains(path))
                .map(|(path, thing)| (path.clone(), thing.clone()))
                .collect(),
        )
    }

    /// The edits that make another state of it.
    pub(crate) fn edits_to(&self, other: &State) -> Vec<Edit> {
        let gone = self.0.keys().filter(|path| !other.0.contains_key(*path)).map(|path| Edit::Remove(path.clone()));
        let new = other.0.iter().filter(|(path, thing)| self.0.get(*path) != Some(*thing)).flat_map(|(path, thing)| {
            let path = path.clone();
            match thing {
                Thing::File { bytes, mode } if *mode == MODE => vec![Edit::Write(path, bytes.to_vec())],
                Thing::File { bytes, mode } => vec![Edit::Write(path.clone(), bytes.to_vec()), Edit::Mode(path, *mode)],
                Thing::Link(target) => vec![Edit::Link { path, target: target.clone() }],
                Thing::Folder => vec![Edit::Folder(path)],
            }
        });
        gone.chain(new).collect()
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        str::from_utf8(self.bytes(path)?).ok()
    }

    pub(crate) fn bytes(&self, path: &str) -> Option<&[u8]> {
        match self.0.get(path) {
            Some(Thing::File { bytes, .. }) => Some(bytes),
            _ => None,
        }
    }

    /// What an edit makes of it. One of what is not there changes nothing.
    pub(crate) fn edit(&mut self, edit: &Edit) {
        match edit {
            Edit::Write(path, bytes) => self.put(path, Thing::File { bytes: bytes.as_slice().into(), mode: MODE }),
            Edit::Replace { path, old, new } => {
                if let Some(text) = self.text(path) {
                    let bytes = text.replacen(old, new, 1).into_bytes().into();
                    self.put(path, Thing::File { bytes, mode: MODE });
                }
            }
            Edit::Remove(path) => drop(self.take(path)),
            Edit::Move(from, to) => {
                for (path, thing) in self.take(from) {
                    self.put(&format!("{to}{}", &path[from.len()..]), thing);
                }
            }
            Edit::Link { path, target } => self.put(path, Thing::Link(target.clone())),
            Edit::Folder(path) => self.put(path, Thing::Folder),
            Edit::Mode(path, wanted) => {
                if let Some(Thing::File { mode, .. }) = self.0.get_mut(path) {
                    *mode = *wanted;
                }
            }
        }
    }

    /// A file takes the place of a folder, and a folder that of a file.
    fn put(&mut self, path: &str, thing: Thing) {
        self.take(path);
        for (at, _) in path.match_indices('/') {
            self.0.remove(&path[..at]);
        }
        self.0.insert(path.to_owned(), thing);
    }

    fn take(&mut self, path: &str) -> Vec<(String, Thing)> {
        let inside = format!("{path}/");
        self.0.extract_if(.., |known, _| known == path || known.starts_with(&inside)).collect()
    }
}

/// A folder of the disk that stands as a state says.
pub(crate) struct Folder {
    folder: TempDir,
    state: State,
}

impl Folder {
    pub(crate) fn of(state: &State) -> Folder {
        let mut folder = Folder { folder: TempDir::new().unwrap(), state: State::default() };
        folder.become_state(state);
        folder
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Touches nothing but what differs.
    pub(crate) fn become_state(&mut self, wanted: &State) {
        let root = self.path();
        let is_same_sort = |thing: &Thing, other: Option<&Thing>| {
            matches!((thing, other), (Thing::File { .. }, Some(Thing::File { .. }))) || other == Some(thing)
        };
        for (path, thing) in self.state.0.iter().filter(|(path, thing)| !is_same_sort(thing, wanted.0.get(*path))) {
            let place = root.join(path);
            match thing {
                Thing::Folder => fs::remove_dir(&place).unwrap(),
                _ => fs::remove_file(&place).unwrap(),
            }
            // Folders that hold nothing any more go with it, as they do in a working copy.
            let empty = |folder: &&Path| *folder != root && fs::remove_dir(folder).is_ok();
            place.ancestors().skip(1).take_while(empty).for_each(drop);
        }
        for (path, thing) in wanted.0.iter().filter(|(path, thing)| self.state.0.get(*path) != Some(*thing)) {
            let place = root.join(path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            match thing {
                Thing::File { bytes, mode } => {
                    // It comes whole: a watch that looks between two steps would tell of an empty file.
                    let mut staged = NamedTempFile::new_in(root.parent().unwrap()).unwrap();
                    staged.write_all(bytes).unwrap();
                    fs::set_permissions(staged.path(), fs::Permissions::from_mode(*mode)).unwrap();
                    staged.persist(&place).unwrap();
                }
                Thing::Link(target) => symlink(target, &place).unwrap(),
                Thing::Folder => fs::create_dir(&place).unwrap(),
            }
        }
        self.state = wanted.clone();
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::Write(path, bytes) => write!(f, "write {path}: {:?}", String::from_utf8_lossy(bytes)),
            Edit::Replace { path, old, new } => write!(f, "in {path}, {old:?} becomes {new:?}"),
            Edit::Remove(path) => write!(f, "remove {path}"),
            Edit::Move(from, to) => write!(f, "move {from} to {to}"),
            Edit::Link { path, target } => write!(f, "{path} leads to {target}"),
            Edit::Folder(path) => write!(f, "an empty folder {path}"),
            Edit::Mode(path, mode) => write!(f, "{path} has mode {mode:o}"),
        }
    }
}
