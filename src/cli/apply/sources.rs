//! What `puppet:///` leads to: the files of the modules of an environment, and mounts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use pantin_apply::Sources;
use pantin_machine::{FileKind, FileStat, Reading};
use pantin_model::catalog::Catalog;
use pantin_values::Value;

/// No file of a module is larger.
const LARGEST: u64 = 4 << 30;

/// The files of modules, found by asking the repository where one is.
pub(crate) struct ModuleFiles<'m> {
    machine: &'m dyn Reading,
    /// The folder of each module, by its name.
    modules: Vec<(String, PathBuf)>,
    /// The folder of each mount of `fileserver.conf`, by its name.
    mounts: Vec<(String, PathBuf)>,
}

impl<'m> ModuleFiles<'m> {
    pub(crate) fn new(machine: &'m dyn Reading, modules: Vec<(String, PathBuf)>) -> ModuleFiles<'m> {
        ModuleFiles { machine, modules, mounts: Vec::new() }
    }

    /// Adds the mounts of a `fileserver.conf`, if there is one.
    pub(super) fn with_mounts(self, configuration: &Path) -> ModuleFiles<'m> {
        let text = self.machine.read(configuration, LARGEST).unwrap_or_default();
        let mut mounts: Vec<(String, PathBuf)> = Vec::new();
        let mut section = None;
        for line in String::from_utf8_lossy(&text).lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = Some(name.to_owned());
            } else if let (Some(name), Some(path)) = (&section, line.strip_prefix("path")) {
                let path = path.trim_start_matches([' ', '\t', '=']);
                mounts.push((name.clone(), PathBuf::from(path.trim())));
            }
        }
        ModuleFiles { mounts, ..self }
    }

    /// Returns the path of a file of a module or mount. A path that would leave it leads nowhere.
    pub(crate) fn path(&self, path: &str) -> Option<PathBuf> {
        let Some(rest) = path.strip_prefix("modules/") else {
            let (mount, inside) = path.split_once('/').unwrap_or((path, ""));
            let (_, folder) = self.mounts.iter().find(|(name, _)| name == mount)?;
            let stays = !inside.split('/').any(|part| part == "..");
            return stays.then(|| if inside.is_empty() { folder.clone() } else { folder.join(inside) });
        };
        let (module, inside) = rest.split_once('/').unwrap_or((rest, ""));
        if inside.split('/').any(|part| part == "..") {
            return None;
        }
        let (_, folder) = self.modules.iter().find(|(name, _)| name == module)?;
        let files = folder.join("files");
        Some(if inside.is_empty() { files } else { files.join(inside) })
    }

    fn found(&self, path: &str) -> io::Result<PathBuf> {
        self.path(path).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Sources for ModuleFiles<'_> {
    fn stat(&self, path: &str, follow: bool) -> io::Result<Option<FileStat>> {
        match self.path(path) {
            Some(path) => self.machine.stat(&path, follow),
            None => Ok(None),
        }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.machine.read(&self.found(path)?, LARGEST)
    }

    fn list(&self, path: &str) -> io::Result<Vec<OsString>> {
        self.machine.list(&self.found(path)?)
    }

    fn link_target(&self, path: &str) -> io::Result<PathBuf> {
        self.machine.link_target(&self.found(path)?)
    }

    fn keeps_change_times(&self, path: &str) -> bool {
        self.found(path).is_ok_and(|path| self.machine.keeps_change_times(&path))
    }
}

/// Returns the modules in folders of modules, each by the first folder that has it.
pub(crate) fn modules_in(machine: &dyn Reading, folders: &[PathBuf]) -> Vec<(String, PathBuf)> {
    let mut modules: Vec<(String, PathBuf)> = Vec::new();
    for folder in folders {
        for name in machine.list(folder).unwrap_or_default() {
            let Some(name) = name.to_str() else { continue };
            let is_folder =
                |path: &Path| matches!(machine.stat(path, true), Ok(Some(found)) if found.kind == FileKind::Folder);
            if !modules.iter().any(|(known, _)| known == name) && is_folder(&folder.join(name)) {
                modules.push((name.to_owned(), folder.join(name)));
            }
        }
    }
    modules
}

/// Files of modules that were read before the root was changed.
pub(super) struct ReadFiles {
    entries: BTreeMap<String, ReadEntry>,
}

struct ReadEntry {
    stat: FileStat,
    /// Of what a link leads to.
    followed: Option<FileStat>,
    target: Option<PathBuf>,
    content: Vec<u8>,
    names: Vec<OsString>,
}

impl ReadFiles {
    /// Reads every file that a catalog copies from a module, with all below a folder.
    pub(super) fn of_catalog(catalog: &Catalog, files: &ModuleFiles<'_>) -> io::Result<ReadFiles> {
        let mut read = ReadFiles { entries: BTreeMap::new() };
        for resource in &catalog.resources {
            let sources: Vec<&str> = match resource.parameter("source") {
                Some(Value::String(source)) => vec![source],
                Some(Value::Array(sources)) => sources.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            for source in sources {
                // `puppet://SERVER/modules/…`
                let path = source.strip_prefix("puppet://").and_then(|rest| rest.split_once('/'));
                if let Some((_, path)) = path {
                    read.add(path, files)?;
                }
            }
        }
        Ok(read)
    }

    fn add(&mut self, path: &str, files: &ModuleFiles<'_>) -> io::Result<()> {
        let Some(stat) = files.stat(path, false)? else { return Ok(()) };
        let followed = files.stat(path, true)?;
        let kind = followed.as_ref().map_or(stat.kind, |followed| followed.kind);
        let entry = ReadEntry {
            target: if stat.kind == FileKind::Link { Some(files.link_target(path)?) } else { None },
            content: if kind == FileKind::File { files.read(path)? } else { Vec::new() },
            names: if kind == FileKind::Folder { files.list(path)? } else { Vec::new() },
            stat,
            followed,
        };
        let names = entry.names.clone();
        if self.entries.insert(path.to_owned(), entry).is_some() {
            return Ok(());
        }
        for name in names.iter().filter_map(|name| name.to_str()) {
            self.add(&format!("{path}/{name}"), files)?;
        }
        Ok(())
    }

    fn found(&self, path: &str) -> io::Result<&ReadEntry> {
        self.entries.get(path).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Sources for ReadFiles {
    fn stat(&self, path: &str, follow: bool) -> io::Result<Option<FileStat>> {
        let entry = self.entries.get(path);
        Ok(entry.and_then(|entry| if follow { entry.followed.clone() } else { Some(entry.stat.clone()) }))
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.found(path).map(|entry| entry.content.clone())
    }

    fn list(&self, path: &str) -> io::Result<Vec<OsString>> {
        self.found(path).map(|entry| entry.names.clone())
    }

    fn link_target(&self, path: &str) -> io::Result<PathBuf> {
        self.found(path)?.target.clone().ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }
}
