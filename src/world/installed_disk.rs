//! A disk on which modules stand in the folders that a Puppetfile names, and are read from where they were installed. Code sees no
//! path of that place, so that two sides of a comparison have the same paths.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Breach, Disk, Entry, FileFacts, MachineDisk, ReadError, Stamped};

/// Where the modules of a Puppetfile are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModuleMounts {
    /// The folders in which code sees modules, each with the one that it is read from.
    pub modules: BTreeMap<PathBuf, PathBuf>,
    /// A folder of which nothing else is seen.
    pub emptied: Option<PathBuf>,
    /// What is seen of it all the same.
    pub kept: Vec<PathBuf>,
}

/// A disk with modules in the folders that a Puppetfile names.
pub struct InstalledDisk {
    under: Arc<dyn Disk>,
    machine: MachineDisk,
    mounts: ModuleMounts,
}

/// Where a path is read.
enum Place {
    Under,
    /// In an installed module.
    Installed(PathBuf),
    /// Nothing is seen there; of a folder around modules, these.
    Nothing,
}

impl InstalledDisk {
    pub fn new(under: Arc<dyn Disk>, mounts: ModuleMounts) -> InstalledDisk {
        InstalledDisk { under, machine: MachineDisk::default(), mounts }
    }

    fn place(&self, path: &Path) -> Place {
        let ModuleMounts { modules, emptied, kept } = &self.mounts;
        for folder in path.ancestors() {
            if let Some(module) = modules.get(folder) {
                let inside = path.strip_prefix(folder).unwrap_or(Path::new(""));
                return installed_place(module, inside);
            }
        }
        let is_emptied = emptied.as_ref().is_some_and(|emptied| path != emptied && path.starts_with(emptied));
        let is_kept = kept.iter().any(|kept| path.starts_with(kept));
        if is_emptied && !is_kept { Place::Nothing } else { Place::Under }
    }

    /// The names of modules, and of folders around them, that a folder holds.
    fn names_in(&self, folder: &Path) -> BTreeSet<OsString> {
        let inside = self.mounts.modules.keys().filter_map(|module| module.strip_prefix(folder).ok());
        inside.filter_map(|rest| rest.iter().next()).map(OsString::from).collect()
    }

    /// Asks whether something is at a path; a folder around modules is there wherever nobody else knows of it.
    fn is(&self, path: &Path, ask: impl Fn(&dyn Disk, &Path) -> bool) -> bool {
        match self.place(path) {
            Place::Under => ask(&*self.under, path) || !self.names_in(path).is_empty(),
            Place::Installed(path) => ask(&self.machine, &path),
            Place::Nothing => !self.names_in(path).is_empty(),
        }
    }

    /// Asks the disk on which a path is; of nothing there is nothing.
    fn ask<T>(
        &self,
        path: &Path,
        ask: impl Fn(&dyn Disk, &Path) -> Result<Option<T>, ReadError>,
    ) -> Result<Option<T>, ReadError> {
        match self.place(path) {
            Place::Under => ask(&*self.under, path),
            Place::Installed(path) => ask(&self.machine, &path),
            Place::Nothing => Ok(None),
        }
    }
}

/// A link of a module leads nowhere but into the module: what lies around it belongs to others.
fn installed_place(module: &Path, inside: &Path) -> Place {
    let path = module.join(inside);
    let is_inside = match (fs::canonicalize(module), fs::canonicalize(&path)) {
        (Ok(module), Ok(path)) => path.starts_with(module),
        // A link that leads nowhere has a name.
        (Ok(module), Err(_)) => {
            path.parent().and_then(|parent| fs::canonicalize(parent).ok()).is_some_and(|it| it.starts_with(module))
        }
        (Err(_), _) => false,
    };
    if is_inside { Place::Installed(path) } else { Place::Nothing }
}

impl Disk for InstalledDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.ask(path, |disk, path| disk.read(path))
    }

    fn read_once(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.ask(path, |disk, path| disk.read_once(path))
    }

    fn read_node_facts(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.ask(path, |disk, path| disk.read_node_facts(path))
    }

    fn read_puppetfile(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.ask(path, |disk, path| disk.read_puppetfile(path))
    }

    fn exists(&self, path: &Path) -> bool {
        self.is(path, |disk, path| disk.exists(path))
    }

    fn is_named(&self, path: &Path) -> bool {
        self.is(path, |disk, path| disk.is_named(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.is(path, |disk, path| disk.is_folder(path))
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        match self.place(path) {
            Place::Under => self.under.link_target(path),
            Place::Installed(path) => self.machine.link_target(&path),
            Place::Nothing => None,
        }
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
        self.ask(path, |disk, path| disk.facts(path, follows))
    }

    fn stamp(&self, path: &Path, follows: bool) -> Stamped {
        match self.place(path) {
            Place::Under if self.names_in(path).is_empty() => self.under.stamp(path, follows),
            _ => Stamped::Unknown,
        }
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        let listed = self.ask(folder, |disk, path| disk.list(path))?;
        let names = self.names_in(folder);
        if names.is_empty() && self.mounts.emptied.as_deref() != Some(folder) {
            return Ok(listed);
        }
        let is_seen = |entry: &Entry| {
            !names.contains(&entry.name) && !matches!(self.place(&folder.join(&entry.name)), Place::Nothing)
        };
        let mut entries: Vec<Entry> = listed.unwrap_or_default().into_iter().filter(is_seen).collect();
        entries.extend(names.iter().cloned().map(|name| Entry { name, is_folder: true, is_link: false }));
        entries.sort();
        Ok(Some(entries))
    }

    fn read_key(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.ask(path, |disk, path| disk.read_key(path))
    }

    fn breach(&self, path: &Path) -> Option<Breach> {
        match self.place(path) {
            Place::Under => self.under.breach(path),
            Place::Installed(_) | Place::Nothing => None,
        }
    }

    fn forget(&self) {
        self.under.forget();
        self.machine.forget();
    }

    fn process_variable(&self, name: &str) -> Option<String> {
        self.under.process_variable(name)
    }
}
