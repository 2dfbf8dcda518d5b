//! A disk that records what it is asked: each question is put to the real disk once, and each answer has a digest.
//!
//! Whoever works something out through a [`TrackedDisk`] of their own can say afterwards on which answers it rests, and
//! ask later whether they are still the same. Knows nothing of what is worked out.

mod absent;
mod leaves;
mod reads;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Breach, Disk, Entry, FileFacts, ReadError};
use leaves::LeafAnswer;
pub use leaves::{ChangedLeaf, Leaf, LeafId, LeafKind, Leaves};
use reads::Reads;
pub use reads::{CheckedDependencies, Dependencies};

/// A view of the disk that records what is read through it. Clones share one record.
#[derive(Clone)]
pub struct TrackedDisk {
    leaves: Arc<Leaves>,
    reads: Arc<Reads>,
}

impl TrackedDisk {
    pub fn new(leaves: Arc<Leaves>) -> TrackedDisk {
        TrackedDisk { leaves, reads: Arc::default() }
    }

    /// The same disk with a record of its own.
    pub fn with_own_reads(&self) -> TrackedDisk {
        TrackedDisk::new(Arc::clone(&self.leaves))
    }

    pub fn leaves(&self) -> &Arc<Leaves> {
        &self.leaves
    }

    /// The leaves read so far, with the digests of their answers.
    pub fn dependencies(&self) -> Dependencies {
        self.leaves.dependencies(&self.reads)
    }

    /// Takes over the dependencies of a shared result that is about to be used; false if they no longer hold.
    pub fn uses(&self, dependencies: &CheckedDependencies) -> bool {
        let holds = self.leaves.still_hold(dependencies);
        if holds {
            self.reads.record_all(dependencies);
        }
        holds
    }

    /// Returns the content of a file, shared; `None` where there is none.
    pub fn content(&self, path: &Path) -> Result<Option<Arc<[u8]>>, ReadError> {
        self.text(LeafKind::Content, path)
    }

    /// The same, for a file that is read as code or as data.
    pub fn text(&self, kind: LeafKind, path: &Path) -> Result<Option<Arc<[u8]>>, ReadError> {
        match self.ask(kind, path) {
            LeafAnswer::Content(content) => content.map_err(|error| error.duplicate()),
            _ => Ok(None),
        }
    }

    /// Records that a text which may contain a path is handed to code: results of that hold only in this checkout.
    pub fn reveal(&self, text: &str) {
        self.ask(LeafKind::Revealed, Path::new(text));
    }

    /// The same disk for whoever looks for files of bindings: that is known apart from all other looks at their names.
    pub fn for_bindings(&self) -> BindingsDisk<'_> {
        BindingsDisk(self)
    }

    fn listed(&self, kind: LeafKind, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        match self.ask(kind, folder) {
            LeafAnswer::List(list) => {
                list.map(|list| list.map(|list| list.to_vec())).map_err(|error| error.duplicate())
            }
            _ => Ok(None),
        }
    }

    fn ask(&self, kind: LeafKind, path: &Path) -> LeafAnswer {
        let (id, answer) = self.leaves.ask(kind, path);
        self.reads.note(id);
        answer
    }
}

impl From<Arc<dyn Disk>> for TrackedDisk {
    fn from(disk: Arc<dyn Disk>) -> TrackedDisk {
        TrackedDisk::new(Arc::new(Leaves::new(disk)))
    }
}

impl<D: Disk + 'static> From<Arc<D>> for TrackedDisk {
    fn from(disk: Arc<D>) -> TrackedDisk {
        let disk: Arc<dyn Disk> = disk;
        disk.into()
    }
}

impl Disk for TrackedDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.content(path)?.map(|bytes| bytes.to_vec()))
    }

    fn read_once(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        let content = self.read(path);
        self.leaves.let_go(LeafKind::Content, path);
        content
    }

    fn read_node_facts(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        let content = self.text(LeafKind::NodeFacts, path)?.map(|bytes| bytes.to_vec());
        self.leaves.let_go(LeafKind::NodeFacts, path);
        Ok(content)
    }

    fn read_puppetfile(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.text(LeafKind::Puppetfile, path)?.map(|bytes| bytes.to_vec()))
    }

    fn exists(&self, path: &Path) -> bool {
        matches!(self.ask(LeafKind::Exists, path), LeafAnswer::Is(true))
    }

    fn is_named(&self, path: &Path) -> bool {
        matches!(self.ask(LeafKind::Named, path), LeafAnswer::Is(true))
    }

    fn is_folder(&self, path: &Path) -> bool {
        matches!(self.ask(LeafKind::Folder, path), LeafAnswer::Is(true))
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        match self.ask(LeafKind::Link, path) {
            LeafAnswer::Link(target) => target,
            _ => None,
        }
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
        match self.ask(if follows { LeafKind::Facts } else { LeafKind::LinkFacts }, path) {
            LeafAnswer::Facts(facts) => facts.map_err(|error| error.duplicate()),
            _ => Ok(None),
        }
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        self.listed(LeafKind::List, folder)
    }

    fn breach(&self, path: &Path) -> Option<Breach> {
        self.leaves.disk().breach(path)
    }

    fn process_variable(&self, name: &str) -> Option<String> {
        match self.ask(LeafKind::Variable, Path::new(name)) {
            LeafAnswer::Variable(value) => value,
            _ => None,
        }
    }
}

/// A view of the disk for whoever looks for files of bindings.
#[derive(Debug)]
pub struct BindingsDisk<'d>(&'d TrackedDisk);

impl Disk for BindingsDisk<'_> {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.0.read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        matches!(self.0.ask(LeafKind::BindingsFile, path), LeafAnswer::Is(true))
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        self.0.link_target(path)
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        self.0.listed(LeafKind::BindingsList, folder)
    }
}

impl std::fmt::Debug for TrackedDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrackedDisk").field("leaves", &self.leaves).finish_non_exhaustive()
    }
}
