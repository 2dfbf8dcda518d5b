//! What differs in the bindings of both sides: each key of each file of bindings, whether a node injects it or not.
//! It must not know which layers a node has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pantin_compile::{WrittenBinding, written_bindings};
use pantin_model::catalog::diff::{ParameterChange, ShownValue};
use pantin_values::Str;
use pantin_world::Disk;

use super::data::{DataDifferences, DataFileDifference, UnreadableData, add_files};
use crate::Repository;

/// Folders below this depth are not looked at.
const DEEPEST: usize = 32;

/// A folder of bindings: where it lies on one side, and whose it is.
type Folders = BTreeMap<String, PathBuf>;

/// Adds the keys of files of bindings that differ.
pub(super) fn compare_bindings(sides: [&Repository; 2], found: &mut DataDifferences) -> Result<(), String> {
    let [from, to] = sides;
    let (old, new) = (folders(from)?, folders(to)?);
    let (from, to): (&dyn Disk, &dyn Disk) = (&*from.compiler.world.disk, &*to.compiler.world.disk);
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let [before, after] = [(from, old.get(name)), (to, new.get(name))].map(|(disk, folder)| files(disk, folder));
        let mut all: Vec<&PathBuf> = before.keys().chain(after.keys()).collect();
        all.sort();
        all.dedup();
        for file in all {
            let shown = new.get(name).or(old.get(name)).map(|folder| folder.join(file)).unwrap_or_default();
            compare_file((&shown, name), [before.get(file), after.get(file)], found);
        }
    }
    Ok(())
}

/// Returns the folders of bindings, by whose they are.
fn folders(repository: &Repository) -> Result<Folders, String> {
    let world = &repository.compiler.world;
    let loaded = world.environment(&world.environment).map_err(|error| error.to_string())?;
    let environment = &loaded.environment;
    let mut folders = Folders::new();
    if let Some(confdir) = &environment.bindings.confdir {
        folders.insert("bindings of the site".to_owned(), confdir.join("bindings"));
    }
    if let Some(own) = &environment.bindings.folder {
        folders.insert("bindings of the environment".to_owned(), own.clone());
    }
    for modules in &environment.modulepath {
        for entry in world.disk.list(modules).ok().flatten().unwrap_or_default() {
            let folder = modules.join(&entry.name).join("bindings");
            if entry.is_folder && world.disk.is_folder(&folder) {
                // Of two modules of one name the first one counts.
                folders.entry(format!("bindings of the module {}", entry.name.to_string_lossy())).or_insert(folder);
            }
        }
    }
    Ok(folders)
}

/// The files below a folder, by their paths there, with what they hold.
fn files(disk: &dyn Disk, folder: Option<&PathBuf>) -> BTreeMap<PathBuf, Result<Vec<u8>, String>> {
    let Some(folder) = folder else { return BTreeMap::new() };
    let mut paths = std::collections::BTreeSet::new();
    add_files(disk, folder, DEEPEST, &mut paths);
    let is_code = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "pp");
    let read = |path: PathBuf| {
        let bytes = disk.read_once(&path).map(Option::unwrap_or_default).map_err(|error| error.to_string());
        Some((path.strip_prefix(folder).ok()?.to_owned(), bytes))
    };
    paths.into_iter().filter(is_code).filter_map(read).collect()
}

fn compare_file(
    (shown, layer): (&Path, &str),
    sides: [Option<&Result<Vec<u8>, String>>; 2],
    found: &mut DataDifferences,
) {
    if sides[0] == sides[1] {
        return;
    }
    let mut read = Vec::new();
    for (side, is_new) in sides.into_iter().zip([false, true]) {
        let bindings = match side {
            None => Ok(Vec::new()),
            Some(Err(reason)) => Err(reason.clone()),
            Some(Ok(bytes)) => written_bindings(shown, bytes).ok_or_else(|| "it is no file of bindings".to_owned()),
        };
        match bindings {
            Ok(bindings) => read.push(bindings),
            Err(reason) => found.unreadable.push(UnreadableData { file: shown.to_owned(), is_new, reason }),
        }
    }
    let [before, after] = &read[..] else { return };
    let keys = key_changes(before, after);
    if !keys.is_empty() {
        found.files.push(DataFileDifference { file: shown.to_owned(), level: Some(layer.into()), keys });
    }
}

fn key_changes(before: &[WrittenBinding], after: &[WrittenBinding]) -> Vec<ParameterChange> {
    let find = |all: &[WrittenBinding], name: &str| -> ShownValue {
        match all.iter().find(|one| one.name == name) {
            None => ShownValue::Absent,
            Some(one) if one.is_secret => ShownValue::Secret,
            Some(one) => ShownValue::Value(one.value.clone()),
        }
    };
    let mut names: Vec<&str> = before.iter().chain(after).map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let digest = |all: &[WrittenBinding], name: &str| all.iter().find(|one| one.name == name).map(|one| one.digest);
    let changed = names.into_iter().filter(|name| digest(before, name) != digest(after, name));
    changed
        .map(|name| ParameterChange { name: Str::from(name), old: find(before, name), new: find(after, name) })
        .collect()
}
