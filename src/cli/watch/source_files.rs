//! The files that a catalog's resources copy. An edit of one changes no catalog, and yet what the machine gets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_machine::{FileKind, Reading, Stamp};
use pantin_model::catalog::{Catalog, Resource};
use pantin_values::Value;
use pantin_world::Touched;

use crate::apply::ModuleFiles;

/// Of a folder that is copied with all below it, so many files are watched.
const MOST: usize = 10_000;

type Stamps = BTreeMap<PathBuf, Option<Stamp>>;

/// The files and folders that the last catalog's resources copy.
#[derive(Default)]
pub(super) struct SourceFiles {
    /// Each with the stamp that it had; `None`: nothing was there.
    paths: Stamps,
    /// Nobody was told of them yet.
    new: Vec<Arc<Path>>,
}

impl SourceFiles {
    /// Takes over what a catalog names.
    pub(super) fn take(&mut self, catalog: &Catalog, files: &ModuleFiles<'_>, machine: &dyn Reading) {
        let mut paths = Stamps::new();
        for resource in catalog.resources.iter().filter(|resource| resource.type_name == "File") {
            for path in sources_of(resource).filter_map(|source| local_path(source, files)) {
                add_below(machine, path, is_copied_whole(resource), &mut paths);
            }
        }
        let unknown = paths.keys().filter(|path| !self.paths.contains_key(*path));
        self.new.extend(unknown.map(|path| Arc::from(path.as_path())));
        self.paths = paths;
    }

    /// Returns those that nobody was told of before.
    pub(super) fn take_new(&mut self) -> Vec<Arc<Path>> {
        std::mem::take(&mut self.new)
    }

    /// Returns true if one of them is another now.
    pub(super) fn have_changed(&self, touched: &Touched, machine: &dyn Reading) -> bool {
        let concerned = self.paths.iter().filter(|(path, _)| touched.concerns(path));
        concerned.into_iter().any(|(path, stamp)| stamp_of(machine, path) != *stamp)
    }
}

fn stamp_of(machine: &dyn Reading, path: &Path) -> Option<Stamp> {
    Some(machine.stat(path, true).ok()??.stamp)
}

fn sources_of(resource: &Resource) -> impl Iterator<Item = &str> {
    let source = resource.parameters.iter().find(|(name, _)| *name == "source").map(|(_, value)| value);
    let listed: Vec<&Value> = match source {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    };
    listed.into_iter().filter_map(|value| match value {
        Value::String(text) => Some(text.as_str()),
        _ => None,
    })
}

fn local_path(source: &str, files: &ModuleFiles<'_>) -> Option<PathBuf> {
    match source.strip_prefix("puppet:///") {
        Some(path) => files.path(path),
        None => source.starts_with('/').then(|| PathBuf::from(source)),
    }
}

fn is_copied_whole(resource: &Resource) -> bool {
    let recurse = resource.parameters.iter().find(|(name, _)| *name == "recurse").map(|(_, value)| value);
    recurse.is_some_and(|value| *value != Value::Boolean(false))
}

/// Adds a path, and of a folder that is copied with all below it what is there.
fn add_below(machine: &dyn Reading, path: PathBuf, is_whole: bool, paths: &mut Stamps) {
    let mut open = vec![path];
    while let Some(path) = open.pop().filter(|_| paths.len() < MOST) {
        let is_folder = || matches!(machine.stat(&path, true), Ok(Some(stat)) if stat.kind == FileKind::Folder);
        if is_whole && is_folder() && !paths.contains_key(&path) {
            open.extend(machine.list(&path).unwrap_or_default().into_iter().map(|name| path.join(name)));
        }
        let stamp = stamp_of(machine, &path);
        paths.insert(path, stamp);
    }
}
