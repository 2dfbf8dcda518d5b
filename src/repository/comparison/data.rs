//! What differs in the data of both sides: each key of each file that a hiera.yaml can lead to, whether a node looks it up or not;
//! and each key of files of bindings (`bindings.rs`).
//!
//! Nothing is decrypted: a value that is encrypted on a side, or that `lookup_options` makes Sensitive, is a secret.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pantin_hiera::{DataFile, DataLevels};
use pantin_model::catalog::diff::{ParameterChange, ShownValue};
use pantin_values::data::eyaml::is_encrypted;
use pantin_values::regex::{Options, Regex};
use pantin_values::{Hash, Str, Value};
use pantin_world::Disk;

use super::bindings::compare_bindings;
use super::side::Side;
use crate::Repository;

/// Folders below this depth are not looked at.
const DEEPEST: usize = 32;

/// Stands for an encrypted text within a longer value.
const ENCRYPTED: &str = "[encrypted]";

const LOOKUP_OPTIONS: &str = "lookup_options";

/// What differs in the data.
#[derive(Default, Debug)]
pub struct DataDifferences {
    /// In the order of their files.
    pub files: Vec<DataFileDifference>,
    /// What cannot be compared, and why.
    pub unreadable: Vec<UnreadableData>,
}

/// The keys of one file that differ.
#[derive(Clone, PartialEq, Debug)]
pub struct DataFileDifference {
    pub file: PathBuf,
    /// The level of the hierarchy; of a hiera.yaml itself none.
    pub level: Option<Str>,
    pub keys: Vec<ParameterChange>,
}

/// A file that a side cannot read, or that is no data.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnreadableData {
    pub file: PathBuf,
    /// The side after the change, not the one before it.
    pub is_new: bool,
    pub reason: String,
}

/// A place of data: the environment, or a module of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Layer {
    Environment,
    Module(String),
}

/// The files of one layer on one side.
struct LayerFiles<'a> {
    disk: &'a dyn Disk,
    folder: PathBuf,
    levels: Option<DataLevels>,
    /// By their paths below the folder; what lies elsewhere by its whole path.
    files: BTreeSet<PathBuf>,
}

/// Compares the data of the environment that both repositories are opened with. `Err`: a side has none.
pub fn compare_data(sides: [&Side; 2]) -> Result<DataDifferences, String> {
    let [from, to] =
        sides.map(|side| side.repository().ok_or("saved catalogs have no data: --data compares repositories"));
    let (from, to) = (layers(from?)?, layers(to?)?);
    let mut found = DataDifferences::default();
    let names: BTreeSet<&Layer> = from.keys().chain(to.keys()).collect();
    for name in names {
        let mut old = from.get(name).map(|(disk, folder)| LayerFiles::read(*disk, folder, false, &mut found));
        let mut new = to.get(name).map(|(disk, folder)| LayerFiles::read(*disk, folder, true, &mut found));
        compare_layer(old.as_mut(), new.as_mut(), &mut found);
    }
    let repositories = sides.map(Side::repository);
    if let [Some(from), Some(to)] = repositories {
        compare_bindings([from, to], &mut found)?;
    }
    found.files.sort_by(|one, other| one.file.cmp(&other.file));
    found.unreadable.sort();
    Ok(found)
}

/// Returns the folders in which a hiera.yaml may be.
fn layers(repository: &Repository) -> Result<BTreeMap<Layer, (&dyn Disk, PathBuf)>, String> {
    let world = &repository.compiler.world;
    let disk: &dyn Disk = &*world.disk;
    let loaded = world.environment(&world.environment).map_err(|error| error.to_string())?;
    let environment = &loaded.environment;
    let mut layers = BTreeMap::new();
    if let Some(folder) = &environment.folder {
        layers.insert(Layer::Environment, (disk, folder.clone()));
    }
    for modules in &environment.modulepath {
        for entry in disk.list(modules).ok().flatten().unwrap_or_default() {
            let folder = modules.join(&entry.name);
            if entry.is_folder && disk.exists(&folder.join("hiera.yaml")) {
                // Of two modules of one name the first one counts.
                let name = Layer::Module(entry.name.to_string_lossy().into_owned());
                layers.entry(name).or_insert((disk, folder));
            }
        }
    }
    Ok(layers)
}

impl<'a> LayerFiles<'a> {
    fn read(disk: &'a dyn Disk, folder: &Path, is_new: bool, found: &mut DataDifferences) -> LayerFiles<'a> {
        let mut layer = LayerFiles { disk, folder: folder.to_owned(), levels: None, files: BTreeSet::new() };
        let file = folder.join("hiera.yaml");
        let text = match disk.read_once(&file) {
            Ok(text) => text,
            Err(error) => {
                found.unreadable.push(UnreadableData { file, is_new, reason: error.to_string() });
                return layer;
            }
        };
        match DataLevels::read(text.as_deref().unwrap_or(b"version: 5"), folder) {
            Ok(levels) => {
                for inside in levels.folders() {
                    add_files(disk, inside, DEEPEST, &mut layer.files);
                }
                layer.files = layer.files.iter().map(|path| layer.relative(path)).collect();
                layer.levels = Some(levels);
            }
            Err(reason) => found.unreadable.push(UnreadableData { file, is_new, reason }),
        }
        layer
    }

    fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.folder).unwrap_or(path).to_owned()
    }

    fn bytes(&self, file: &Path) -> Result<Option<Vec<u8>>, String> {
        self.disk.read_once(&self.folder.join(file)).map_err(|error| error.to_string())
    }

    /// `None`: there is no such file of data.
    fn parse(&self, file: &Path, bytes: Option<&[u8]>) -> Option<Result<DataFile, String>> {
        self.levels.as_ref()?.parse(&self.folder.join(file), bytes?)
    }

    /// Keys that look-ups make Sensitive, as any file of the layer says.
    fn sensitive_keys(&self) -> Vec<KeyPattern> {
        let mut keys = Vec::new();
        for file in &self.files {
            let Ok(Some(bytes)) = self.bytes(file) else { continue };
            if !contains(&bytes, b"Sensitive") {
                continue;
            }
            let Some(Ok(parsed)) = self.parse(file, Some(&bytes)) else { continue };
            let Some(Value::Hash(options)) = parsed.entries.get_str(LOOKUP_OPTIONS) else { continue };
            let sensitive = options.iter().filter(|(_, options)| makes_sensitive(options));
            keys.extend(sensitive.filter_map(|(key, _)| KeyPattern::parse(key.as_str()?)));
        }
        keys
    }
}

/// A key of `lookup_options`: a name, or a pattern where it begins with `^`.
enum KeyPattern {
    Name(String),
    Regex(Box<Regex>),
}

impl KeyPattern {
    fn parse(text: &str) -> Option<KeyPattern> {
        match text.starts_with('^') {
            true => Some(KeyPattern::Regex(Box::new(Regex::new(text, Options::default()).ok()?))),
            false => Some(KeyPattern::Name(text.to_owned())),
        }
    }

    fn fits(&self, key: &str) -> bool {
        match self {
            KeyPattern::Name(name) => name == key,
            // A pattern that takes too long hides rather than shows.
            KeyPattern::Regex(regex) => regex.is_match(key).unwrap_or(true),
        }
    }
}

/// Returns true if `convert_to` of a key's options names Sensitive.
fn makes_sensitive(options: &Value) -> bool {
    let Value::Hash(options) = options else { return false };
    match options.get_str("convert_to") {
        Some(Value::Array(items)) => items.iter().any(|item| item.as_str().is_some_and(names_sensitive)),
        Some(one) => one.as_str().is_some_and(names_sensitive),
        None => false,
    }
}

fn names_sensitive(text: &str) -> bool {
    text.contains("Sensitive")
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|part| part == wanted)
}

pub(super) fn add_files(disk: &dyn Disk, folder: &Path, depth: usize, files: &mut BTreeSet<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for entry in disk.list(folder).ok().flatten().unwrap_or_default() {
        let path = folder.join(&entry.name);
        match entry.is_folder {
            true => add_files(disk, &path, depth, files),
            false => drop(files.insert(path)),
        }
    }
}

fn compare_layer(old: Option<&mut LayerFiles<'_>>, new: Option<&mut LayerFiles<'_>>, found: &mut DataDifferences) {
    let (old, new) = (old.as_deref(), new.as_deref());
    let either = || [old, new].into_iter().flatten();
    let files: BTreeSet<PathBuf> = either().flat_map(|layer| layer.files.iter().cloned()).collect();
    let mut differing = Vec::new();
    for file in files.into_iter().chain([PathBuf::from("hiera.yaml")]) {
        let [before, after] = [old, new].map(|layer| layer.map_or(Ok(None), |layer| layer.bytes(&file)));
        if before != after {
            differing.push((file, before, after));
        }
    }
    if differing.is_empty() {
        return;
    }
    let sensitive: Vec<KeyPattern> = either().flat_map(LayerFiles::sensitive_keys).collect();
    for (file, before, after) in differing {
        let shown = new.or(old).map_or_else(|| file.clone(), |layer| layer.folder.join(&file));
        let mut side = |layer: Option<&LayerFiles<'_>>, bytes: Result<Option<Vec<u8>>, String>, is_new: bool| {
            let parsed = bytes.map(|bytes| match file.as_os_str() == "hiera.yaml" {
                true => bytes.and_then(|bytes| configuration(&bytes)),
                false => layer.and_then(|layer| layer.parse(&file, bytes.as_deref())),
            });
            match parsed {
                Ok(None) => Some(None),
                Ok(Some(Ok(parsed))) => Some(Some(parsed)),
                Ok(Some(Err(reason))) | Err(reason) => {
                    found.unreadable.push(UnreadableData { file: shown.clone(), is_new, reason });
                    None
                }
            }
        };
        let (before, after) = (side(old, before, false), side(new, after, true));
        let (Some(before), Some(after)) = (before, after) else { continue };
        let level = after.as_ref().or(before.as_ref()).map(|file| file.level.clone()).filter(|name| !name.is_empty());
        let [before, after] = [before, after].map(|file| file.map(|file| file.entries).unwrap_or_default());
        let keys = key_changes(&before, &after, &sensitive);
        if !keys.is_empty() {
            found.files.push(DataFileDifference { file: shown, level, keys });
        }
    }
}

/// A hiera.yaml has keys too. What is wrong with it is said of its levels.
fn configuration(bytes: &[u8]) -> Option<Result<DataFile, String>> {
    let levels =
        DataLevels::read(b"{version: 5, hierarchy: [{name: '', datadir: /, path: hiera.yaml}]}", Path::new("/"));
    let parsed = levels.ok()?.parse(Path::new("/hiera.yaml"), bytes)?;
    parsed.ok().map(Ok)
}

fn key_changes(old: &Hash, new: &Hash, sensitive: &[KeyPattern]) -> Vec<ParameterChange> {
    let gone = old.iter().map(|(key, _)| key).filter(|key| new.get(key).is_none());
    let mut changes = Vec::new();
    for key in new.iter().map(|(key, _)| key).chain(gone) {
        let (before, after) = (old.get(key), new.get(key));
        if before.map(Value::digest) == after.map(Value::digest) {
            continue;
        }
        let name: Str = key.as_str().map_or_else(|| pantin_values::format::literal(key), Str::from);
        let is_sensitive = sensitive.iter().any(|pattern| pattern.fits(&name));
        let [before, after] = [before, after].map(|value| match value {
            None => ShownValue::Absent,
            Some(_) if is_sensitive => ShownValue::Secret,
            Some(value) => shown(value),
        });
        // Where they differ in nothing that is shown, the secret differs.
        let is_hidden = before == after;
        let hide = |value: ShownValue| if is_hidden { ShownValue::Secret } else { value };
        changes.push(ParameterChange { name, old: hide(before), new: hide(after) });
    }
    changes
}

fn shown(value: &Value) -> ShownValue {
    match value.as_str() {
        Some(text) if is_encrypted(text) => ShownValue::Secret,
        _ => ShownValue::Value(without_encrypted(value)),
    }
}

/// The value, with signs in the place of what is encrypted.
fn without_encrypted(value: &Value) -> Value {
    match value {
        Value::String(text) if is_encrypted(text) => ENCRYPTED.into(),
        Value::Array(items) => pantin_base::stack::with_room(|| Value::array(items.iter().map(without_encrypted))),
        Value::Hash(entries) => pantin_base::stack::with_room(|| {
            Value::hash(entries.iter().map(|(key, value)| (key.clone(), without_encrypted(value))))
        }),
        other => other.clone(),
    }
}
