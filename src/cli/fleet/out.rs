//! The output of catalogs and logs: into a folder, or into one archive.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use pantin_world::{NewFile, absolute_path, remove_file, write_file};

use crate::args::out_path::is_archive;

pub(super) enum OutputTarget {
    Nowhere,
    Folder(PathBuf),
    Archive(Archive),
}

impl OutputTarget {
    pub(super) fn open(path: Option<&Path>) -> io::Result<OutputTarget> {
        let Some(path) = path else { return Ok(OutputTarget::Nowhere) };
        let path = absolute_path(path);
        if is_archive(&path) {
            return Ok(OutputTarget::Archive(Archive::create(path)?));
        }
        Ok(OutputTarget::Folder(path))
    }

    /// Writes the files of a node. `at`: its place in the fleet; what was written of it before counts no longer.
    /// `absent`: a file that it does not have, though an earlier run may have written one.
    pub(super) fn write(&mut self, at: usize, files: &[(PathBuf, Vec<u8>)], absent: Option<&Path>) -> io::Result<()> {
        match self {
            OutputTarget::Nowhere => Ok(()),
            OutputTarget::Folder(folder) => {
                files.iter().try_for_each(|(name, bytes)| {
                    let file = folder.join(name);
                    write_file(&file, bytes).map_err(|error| unwritten(&file, &error))
                })?;
                let Some(absent) = absent.map(|name| folder.join(name)) else { return Ok(()) };
                let reason = |error| io::Error::other(format!("cannot remove {}: {error}", absent.display()));
                remove_file(&absent).map_err(reason)
            }
            OutputTarget::Archive(archive) => archive.write(at, files),
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            OutputTarget::Nowhere | OutputTarget::Folder(_) => Ok(()),
            OutputTarget::Archive(archive) => archive.finish(),
        }
    }
}

fn unwritten(path: &Path, error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot write {}: {error}", path.display()))
}

/// A tar archive, in which a node may be written again.
pub(super) struct Archive {
    path: PathBuf,
    file: NewFile,
    length: u64,
    /// Where the last of each node stands, by its place in the fleet.
    nodes: BTreeMap<usize, Range<u64>>,
    /// Something in it counts no longer, or stands before what it comes after.
    is_in_disorder: bool,
}

/// What ends an archive.
const END: [u8; 1024] = [0; 1024];

impl Archive {
    fn create(path: PathBuf) -> io::Result<Archive> {
        let file = NewFile::create(&path).map_err(|error| unwritten(&path, &error))?;
        Ok(Archive { path, file, length: 0, nodes: BTreeMap::new(), is_in_disorder: false })
    }

    fn write(&mut self, at: usize, files: &[(PathBuf, Vec<u8>)]) -> io::Result<()> {
        let bytes = pack(files)?;
        self.file.write_all(&bytes).map_err(|error| unwritten(&self.path, &error))?;
        let end = self.length + bytes.len() as u64;
        self.is_in_disorder |= self.nodes.last_key_value().is_some_and(|(last, _)| *last >= at);
        self.nodes.insert(at, self.length..end);
        self.length = end;
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        let path = self.path.clone();
        self.finished().map_err(|error| unwritten(&path, &error))
    }

    fn finished(mut self) -> io::Result<()> {
        if self.is_in_disorder {
            let mut ordered = NewFile::create(&self.path)?;
            for range in self.nodes.values() {
                let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
                ordered.write_all(&self.file.written(range.start, length)?)?;
            }
            self.file = ordered;
        }
        self.file.write_all(&END)?;
        self.file.finish()
    }
}

/// Entries of an archive without its end. They say nothing of who wrote them, or when.
fn pack(files: &[(PathBuf, Vec<u8>)]) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_mtime(0);
        archive.append_data(&mut header, name, bytes.as_slice())?;
    }
    let mut bytes = archive.into_inner()?;
    bytes.truncate(bytes.len().saturating_sub(END.len()));
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> (PathBuf, Vec<u8>) {
        (name.into(), text.into())
    }

    #[test]
    fn an_archive_has_the_last_of_each_node_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalogs.tar");
        let mut out = OutputTarget::open(Some(&path)).unwrap();
        out.write(0, &[file("a.json", "first"), file("a.log", "")], None).unwrap();
        out.write(1, &[file(&format!("{}.json", "b".repeat(150)), "b")], None).unwrap();
        out.write(0, &[file("a.json", "second")], None).unwrap();
        assert!(!path.exists());
        out.finish().unwrap();
        let mut archive = tar::Archive::new(io::Cursor::new(std::fs::read(&path).unwrap()));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut text = String::new();
            io::Read::read_to_string(&mut entry, &mut text).unwrap();
            found.push((entry.path().unwrap().display().to_string(), text));
        }
        assert_eq!(found, [("a.json".into(), "second".into()), (format!("{}.json", "b".repeat(150)), "b".to_owned())]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
