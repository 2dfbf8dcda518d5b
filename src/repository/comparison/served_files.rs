//! The contents of the files and folders of modules that sources such as `puppet:///modules/ntp/ntp.conf` name, on both sides.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use pantin_values::{Digest, Digester, Str};
use pantin_world::Disk;
use rustc_hash::FxHashMap;

use crate::Repository;

/// An agent would not go deeper either.
const DEEPEST_FOLDER: usize = 64;

/// What a source names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServedContent {
    Missing,
    File(Arc<[u8]>),
    /// So many files, and a digest of their names and contents.
    Folder {
        files: usize,
        digest: Digest,
    },
    /// Why it cannot be read.
    Unreadable(String),
}

/// Sources that were looked at, by the environments of both sides.
#[derive(Default)]
pub(crate) struct ServedFiles(Mutex<FxHashMap<(Str, Str, Str), Option<ServedChange>>>);

/// From what to what a content changed.
pub(crate) type ServedChange = (ServedContent, ServedContent);

impl ServedFiles {
    /// Returns what a source means on either side, where that differs; each side with the environment of the node.
    pub(crate) fn change(
        &self,
        from: (&Repository, &str),
        to: (&Repository, &str),
        source: &Str,
    ) -> Option<ServedChange> {
        let key = (Str::from(from.1), Str::from(to.1), source.clone());
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let contents = (ServedContent::find(from, source), ServedContent::find(to, source));
        let change = (contents.0 != contents.1).then_some(contents);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, change.clone());
        change
    }
}

impl ServedContent {
    /// Returns what a source means in an environment of a repository.
    fn find((repository, environment): (&Repository, &str), source: &str) -> ServedContent {
        let Ok(Some(path)) = repository.compiler.served_path(environment, source) else {
            return ServedContent::Missing;
        };
        ServedContent::read(&*repository.compiler.world.disk, &path)
    }

    fn read(disk: &dyn Disk, path: &Path) -> ServedContent {
        match disk.read_once(path) {
            Ok(Some(bytes)) => return ServedContent::File(bytes.into()),
            Ok(None) => {}
            Err(_) if disk.is_folder(path) => {}
            Err(error) => return ServedContent::Unreadable(error.to_string()),
        }
        let mut digester = Digester::new(b"served");
        let mut files = 0;
        add_folder(disk, path, DEEPEST_FOLDER, &mut files, &mut digester);
        match files {
            0 => ServedContent::Missing,
            files => ServedContent::Folder { files, digest: digester.finish() },
        }
    }
}

fn add_folder(disk: &dyn Disk, folder: &Path, depth: usize, files: &mut usize, digester: &mut Digester) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for entry in disk.list(folder).ok().flatten().unwrap_or_default() {
        let path = folder.join(&entry.name);
        digester.bytes(entry.name.as_encoded_bytes());
        if entry.is_folder && !entry.is_link {
            digester.number(1);
            add_folder(disk, &path, depth, files, digester);
            digester.number(2);
            continue;
        }
        *files += 1;
        match disk.read_once(&path) {
            Ok(content) => digester.bytes(&content.unwrap_or_default()),
            Err(error) => digester.text(&error.to_string()),
        };
    }
}
