//! Files as they were parsed, shared by all nodes: each content once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::Strict;
use pantin_values::{Hash, Str, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::backend;
use super::config::Config;
use super::interpolate::has_expression;
use super::keys::{KnownHashes, format_by_name};
use super::layer::Place;
use super::outside::{FileUse, WarningKind};
use super::search::Search;
use super::trouble::Trouble;
use super::undefs::{holds_undef, is_data};

/// What look-ups of all nodes share.
#[derive(Default)]
pub struct Hiera {
    files: Mutex<FxHashMap<(PathBuf, Format), Arc<Loaded>>>,
    pub(super) key_hashes: KnownHashes,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Format {
    Yaml,
    Json,
    Hocon,
}

/// One content of a file.
#[derive(Debug)]
pub(super) struct Loaded {
    bytes: Arc<[u8]>,
    pub(super) content: Content,
    /// As a configuration, where it is one.
    configs: Mutex<FxHashMap<Place, Result<Arc<Config>, Trouble>>>,
}

#[derive(Debug)]
pub(super) enum Content {
    Table(Table),
    /// No hash.
    Other(Value),
    /// Why it cannot be parsed.
    Broken(BrokenData),
}

#[derive(Clone, Debug)]
pub(super) struct BrokenData {
    pub(super) message: String,
    /// From one, where the parser can tell.
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
}

/// A hash of data, with what is known of its values.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) entries: Hash,
    /// Keys with expressions in their values.
    filled_in: FxHashSet<Str>,
    /// Keys whose values are no data.
    odd: FxHashSet<Str>,
    /// Keys with `:undef` in their values.
    with_undef: FxHashSet<Str>,
}

impl Table {
    pub(super) fn new(entries: Hash) -> Table {
        let keys_where = |test: &dyn Fn(&Value) -> bool| {
            let keys = entries.iter().filter(|(_, value)| test(value)).filter_map(|(key, _)| match key {
                Value::String(key) => Some(key.clone()),
                _ => None,
            });
            keys.collect()
        };
        let filled_in = keys_where(&has_expression);
        let odd = keys_where(&|value| !is_data(value));
        let with_undef = keys_where(&holds_undef);
        Table { entries, filled_in, odd, with_undef }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.entries.get_str(key)
    }

    pub(super) fn has_expression(&self, key: &str) -> bool {
        !self.filled_in.is_empty() && self.filled_in.contains(key)
    }

    pub(super) fn has_undef(&self, key: &str) -> bool {
        !self.with_undef.is_empty() && self.with_undef.contains(key)
    }

    pub(super) fn is_odd(&self, key: &str) -> bool {
        !self.odd.is_empty() && self.odd.contains(key)
    }
}

impl Hiera {
    /// The content, parsed unless it is known.
    fn load(&self, key: &(PathBuf, Format), bytes: Arc<[u8]>) -> Arc<Loaded> {
        let known = self.files.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        if let Some(known) = known.filter(|known| Arc::ptr_eq(&known.bytes, &bytes) || known.bytes == bytes) {
            return known;
        }
        let (path, format) = key;
        let content = match backend::parse(*format, &bytes, &path.display().to_string()) {
            Ok(Value::Hash(entries)) => Content::Table(Table::new(entries)),
            Ok(other) => Content::Other(other),
            Err(broken) => Content::Broken(broken),
        };
        let loaded = Arc::new(Loaded { bytes, content, configs: Mutex::default() });
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), loaded.clone());
        loaded
    }
}

impl std::fmt::Debug for Hiera {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hiera").finish_non_exhaustive()
    }
}

impl Search<'_> {
    /// Returns a file of this request; `None` where there is none. `is_first` tells whether this request sees it first.
    pub(super) fn load(&mut self, path: &Path, format: Format) -> Result<Option<(Arc<Loaded>, bool)>, Trouble> {
        self.load_as(FileUse::Whole, path, format)
    }

    /// The same of one from which nothing is taken but the values of keys that are asked for.
    pub(super) fn load_data(&mut self, path: &Path, format: Format) -> Result<Option<(Arc<Loaded>, bool)>, Trouble> {
        let file_use = if format_by_name(path) == Some(format) { FileUse::Keys } else { FileUse::Whole };
        self.load_as(file_use, path, format)
    }

    fn load_as(
        &mut self,
        file_use: FileUse,
        path: &Path,
        format: Format,
    ) -> Result<Option<(Arc<Loaded>, bool)>, Trouble> {
        let key = (path.to_owned(), format, file_use);
        if let Some(known) = self.lookups.files.borrow().get(&key) {
            return Ok(Some((known.clone(), false)));
        }
        let read = self.outside.read_as(file_use, path).map_err(Trouble::outside)?;
        let Some(bytes) = read else { return Ok(None) };
        let loaded = self.lookups.hiera.load(&(path.to_owned(), format), bytes);
        self.lookups.files.borrow_mut().insert(key, loaded.clone());
        Ok(Some((loaded, true)))
    }

    /// Returns a hiera.yaml; `None` where there is none.
    pub(super) fn configuration(&mut self, path: &Path, place: &Place) -> Result<Option<Arc<Config>>, Trouble> {
        // A link that leads nowhere is none.
        if !self.outside.exists(path) {
            return Ok(None);
        }
        let Some((loaded, is_first)) = self.load(path, Format::Yaml)? else { return Ok(None) };
        let data = match &loaded.content {
            Content::Table(table) => Some(&table.entries),
            Content::Broken(broken) => {
                let trouble = Trouble::puppet(broken.message.clone());
                return Err(trouble.seen_at(path, &loaded.bytes, broken.line, broken.column));
            }
            Content::Other(_) => {
                if is_first {
                    self.warn(format!(
                        "{}: File exists but does not contain a valid YAML hash. Falling back to Hiera version 3 \
                         default config",
                        path.display()
                    ));
                }
                None
            }
        };
        let version = Config::format_version(data)?;
        if matches!(version, 3 | 4) && self.lookups.settings.strict != Strict::Off {
            let message = format!(
                "{}: Use of 'hiera.yaml' version {version} is deprecated. It should be converted to version 5",
                path.display()
            );
            self.warn_once(WarningKind::Deprecation, "hiera.yaml".to_owned(), message, Some(path));
        }
        let mut configs = loaded.configs.lock().unwrap_or_else(PoisonError::into_inner);
        let config = configs
            .entry(place.clone())
            .or_insert_with(|| Config::read(path, loaded.bytes.clone(), data, place).map(Arc::new));
        config.clone().map(Some)
    }
}
