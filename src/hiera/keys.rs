//! Which keys a request asks for, and what a file of data says of each: of the file, an answer depends on no more than that.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::Path;

use indexmap::IndexSet;
use pantin_values::{Digest, Str, Value};
use rustc_hash::{FxBuildHasher, FxHashSet, FxHasher};

use super::backend;
use super::key::{Key, LOOKUP_OPTIONS};
use super::store::Format;

type FxIndexSet<T> = IndexSet<T, FxBuildHasher>;

/// By hashes, for there are many: two that have the same one are asked for together.
#[derive(Default)]
pub(super) struct KeyLog {
    all: RefCell<FxHashSet<u64>>,
    /// Keys, and expressions, that others were come to by: behind each the hash of such a one.
    inner: RefCell<FxIndexSet<(Str, u64)>>,
}

impl KeyLog {
    pub(super) fn note(&self, key: &str) {
        self.all.borrow_mut().insert(hash_of_key(key));
    }

    /// A key, or an expression, was come to because of what another one says.
    pub(super) fn note_inner(&self, outer: &str, name: &str) {
        self.inner.borrow_mut().insert((outer.into(), hash_of_name(name)));
    }

    /// In ascending order.
    pub(super) fn hashes(&self) -> Vec<u64> {
        let mut hashes: Vec<u64> = self.all.borrow().iter().copied().collect();
        hashes.sort_unstable();
        hashes
    }

    pub(super) fn inner(&self) -> Vec<(Str, u64)> {
        self.inner.borrow().iter().cloned().collect()
    }
}

/// By what a key is known, of which a name may name a part.
pub fn hash_of_name(name: &str) -> u64 {
    Key::parse(name).map_or_else(|_| hash_of_key(name), |key| hash_of_key(&key.root))
}

/// By what a key is known as it stands in data.
pub fn hash_of_key(key: &str) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// The keys that a file of data has other values for than it had. `None`: more than values of keys may be otherwise.
pub fn changed_keys(path: &Path, before: &[u8], now: &[u8]) -> Option<Vec<Str>> {
    let format = format_by_name(path)?;
    let entries = |text| match backend::parse(format, text, "") {
        Ok(Value::Hash(entries)) => Some(entries),
        _ => None,
    };
    let (before, now) = (entries(before)?, entries(now)?);
    let is_other = |key: &&Value| match (before.get(key), now.get(key)) {
        (Some(before), Some(now)) => before.digest() != now.digest(),
        _ => true,
    };
    let others = before.keys().chain(now.keys().filter(|key| before.get(key).is_none())).filter(is_other);
    // How keys are looked up is more than a value.
    others.map(|key| key.as_str().filter(|key| *key != LOOKUP_OPTIONS).map(Str::from)).collect()
}

/// What a file of data says: the hash of each key with the digest of its value, ascending. `None`: it is none, or says more
/// than the keys that are asked for would tell.
pub fn keys_of_data(path: &Path, text: &[u8]) -> Option<Vec<(u64, Digest)>> {
    let Ok(Value::Hash(entries)) = backend::parse(format_by_name(path)?, text, "") else { return None };
    let keys = entries.iter().filter_map(|(key, value)| Some((hash_of_key(key.as_str()?), value.digest())));
    let mut keys: Vec<(u64, Digest)> = keys.collect();
    keys.sort_unstable();
    Some(keys)
}

/// The names of the keys of a file of data, but for how keys are looked up. `None`: it is no such file.
pub fn key_names(path: &Path, text: &[u8]) -> Option<Vec<Str>> {
    let Ok(Value::Hash(entries)) = backend::parse(format_by_name(path)?, text, "") else { return None };
    Some(entries.keys().filter_map(|key| key.as_str()).filter(|name| *name != LOOKUP_OPTIONS).map(Str::from).collect())
}

/// The format of a file that can be told by its name alone.
pub(super) fn format_by_name(path: &Path) -> Option<Format> {
    match path.extension().and_then(OsStr::to_str)? {
        "yaml" | "yml" | "eyaml" => Some(Format::Yaml),
        "json" => Some(Format::Json),
        _ => None,
    }
}
