//! Looks at a machine, or at a tree that is to be one, for the sources of core facts. What several facts stand on is read once.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use pantin_base::Language;
use pantin_machine::{FileKind, Reading};

use crate::core::dmi::Dmi;
use crate::core::host_name::HostName;
use crate::core::mountpoints::Mount;
use crate::core::networking::Network;
use crate::core::os_release::OsRelease;
use crate::core::virtualization::Virtualization;

/// No file that is read here is larger.
const LARGEST: u64 = 4 << 20;

/// What the kernel tells as files. A tree has none of it: its kernel is this machine's.
const KERNEL_FOLDERS: [&str; 4] = ["/proc", "/sys", "/dev", "/run"];

/// The files of a machine, or of a tree that is to be one.
#[derive(Clone, Copy)]
pub struct Tree<'m> {
    pub machine: &'m dyn Reading,
    /// Where the tree is; none if it is the machine itself.
    pub root: Option<&'m Path>,
}

impl<'m> Tree<'m> {
    pub fn whole_machine(machine: &'m dyn Reading) -> Tree<'m> {
        Tree { machine, root: None }
    }

    pub(crate) fn path(self, path: &str) -> PathBuf {
        let is_of_kernel = KERNEL_FOLDERS.iter().any(|folder| Path::new(path).starts_with(folder));
        match self.root {
            Some(root) if !is_of_kernel => root.join(path.trim_start_matches('/')),
            _ => PathBuf::from(path),
        }
    }

    /// Reads a file as text. `None` if it is not there, cannot be read, or is too large.
    pub(crate) fn read(self, path: &str) -> Option<String> {
        let bytes = self.machine.read(&self.path(path), LARGEST).ok()?;
        Some(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// Reads a file as text without the blanks around it. `None` also if there is nothing else.
    pub(crate) fn read_trimmed(self, path: &str) -> Option<String> {
        self.read(path).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// Returns the names in a folder, sorted; none if there is no such folder.
    pub(crate) fn list(self, path: &str) -> Vec<String> {
        let names = self.machine.list(&self.path(path)).unwrap_or_default();
        names.into_iter().filter_map(|name| name.into_string().ok()).collect()
    }

    pub(crate) fn kind(self, path: &str) -> Option<FileKind> {
        self.machine.stat(&self.path(path), true).ok().flatten().map(|found| found.kind)
    }

    pub(crate) fn exists(self, path: &str) -> bool {
        self.kind(path).is_some()
    }

    pub(crate) fn is_folder(self, path: &str) -> bool {
        self.kind(path) == Some(FileKind::Folder)
    }

    /// Returns the last part of what a link says.
    pub(crate) fn link_name(self, path: &str) -> Option<String> {
        let target = self.machine.link_target(&self.path(path)).ok()?;
        target.file_name()?.to_str().map(str::to_owned)
    }

    /// Returns true if a program of this name is on the path of this process.
    pub(crate) fn has_program(self, name: &str) -> bool {
        let path = self.machine.variable("PATH").unwrap_or_default();
        let path = path.to_string_lossy();
        let is_program = |folder: &str| {
            let program = format!("{folder}/{name}");
            self.kind(&program) == Some(FileKind::File) && self.machine.is_executable(&self.path(&program))
        };
        path.split(':').filter(|folder| folder.starts_with('/')).any(is_program)
    }
}

/// A tree, and what was read of it already.
pub(crate) struct Probe<'m> {
    pub tree: Tree<'m>,
    pub language: Language,
    os_release: OnceCell<OsRelease>,
    host_name: OnceCell<HostName>,
    network: OnceCell<Network>,
    mounts: OnceCell<Vec<Mount>>,
    dmi: OnceCell<Dmi>,
    virtualization: OnceCell<Virtualization>,
}

impl<'m> Probe<'m> {
    pub(crate) fn new(tree: Tree<'m>, language: Language) -> Probe<'m> {
        Probe {
            tree,
            language,
            os_release: OnceCell::new(),
            host_name: OnceCell::new(),
            network: OnceCell::new(),
            mounts: OnceCell::new(),
            dmi: OnceCell::new(),
            virtualization: OnceCell::new(),
        }
    }

    pub(crate) fn os_release(&self) -> &OsRelease {
        self.os_release.get_or_init(|| OsRelease::read(self.tree))
    }

    pub(crate) fn host_name(&self) -> &HostName {
        self.host_name.get_or_init(|| HostName::read(self.tree))
    }

    pub(crate) fn network(&self) -> &Network {
        self.network.get_or_init(|| Network::read(self.tree))
    }

    pub(crate) fn mounts(&self) -> &[Mount] {
        self.mounts.get_or_init(|| Mount::read_all(self.tree))
    }

    pub(crate) fn dmi(&self) -> &Dmi {
        self.dmi.get_or_init(|| Dmi::read(self.tree))
    }

    pub(crate) fn virtualization(&self) -> &Virtualization {
        self.virtualization.get_or_init(|| Virtualization::detect(self.tree, self.dmi()))
    }
}
