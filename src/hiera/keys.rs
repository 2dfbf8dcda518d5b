//! Which keys a request asks for, and what a file of data says of each: of the file, an answer depends on no more than that.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use indexmap::IndexSet;
use pantin_values::{Digest, Str, Value};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::backend;
use super::key::{Key, LOOKUP_OPTIONS};
use super::store::Format;

/// Stands for a key of data wherever many are kept, also on disk: of a proper hash, so that no key passes for another one.
pub type KeyHash = u128;

type FxIndexSet<T> = IndexSet<T, FxBuildHasher>;

/// The keys that one node's look-ups ask for.
#[derive(Default)]
pub(super) struct KeyLog {
    all: RefCell<FxHashSet<Str>>,
    /// Keys, and expressions, that others were come to by: behind each the hash of such a one.
    inner: RefCell<FxIndexSet<(Str, KeyHash)>>,
}

impl KeyLog {
    pub(super) fn note(&self, key: &Str) {
        let mut all = self.all.borrow_mut();
        if !all.contains(key) {
            all.insert(key.clone());
        }
    }

    /// A key, or an expression, was come to because of what another one says.
    pub(super) fn note_inner(&self, outer: &str, name: &str) {
        self.inner.borrow_mut().insert((outer.into(), hash_of_name(name)));
    }

    /// Returns the hashes of all keys, ascending.
    pub(super) fn hashes(&self, known: &KnownHashes) -> Vec<KeyHash> {
        let mut hashes = known.hashes_of(&self.all.borrow());
        hashes.sort_unstable();
        hashes
    }

    pub(super) fn inner(&self) -> Vec<(Str, KeyHash)> {
        self.inner.borrow().iter().cloned().collect()
    }
}

/// The hashes of keys that nodes have asked for: most nodes ask for the same ones.
#[derive(Default)]
pub(super) struct KnownHashes(RwLock<FxHashMap<Str, KeyHash>>);

impl KnownHashes {
    /// Returns the hashes of these keys, in no order.
    #[expect(clippy::iter_over_hash_type, reason = "who asks sorts what comes of it")]
    fn hashes_of(&self, keys: &FxHashSet<Str>) -> Vec<KeyHash> {
        let mut hashes = Vec::with_capacity(keys.len());
        let mut new = Vec::new();
        {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            for key in keys {
                match known.get(key) {
                    Some(hash) => hashes.push(*hash),
                    None => new.push(key),
                }
            }
        }
        if !new.is_empty() {
            let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
            hashes.extend(new.into_iter().map(|key| *known.entry(key.clone()).or_insert_with(|| hash_of_key(key))));
        }
        hashes
    }
}

/// By what a key is known, of which a name may name a part.
pub fn hash_of_name(name: &str) -> KeyHash {
    Key::parse(name).map_or_else(|_| hash_of_key(name), |key| hash_of_key(&key.root))
}

/// By what a key is known as it stands in data.
pub fn hash_of_key(key: &str) -> KeyHash {
    pantin_base::name_hash(key)
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

/// Returns what a file of data says: the hash of each key with the digest of its value, ascending. `None`: it is none,
/// or says more than the keys that are asked for would tell.
pub fn keys_of_data(path: &Path, text: &[u8]) -> Option<Vec<(KeyHash, Digest)>> {
    let Ok(Value::Hash(entries)) = backend::parse(format_by_name(path)?, text, "") else { return None };
    // A key that is no text is none that anybody can look up.
    let keys = entries.iter().filter_map(|(key, value)| Some((hash_of_key(key.as_str()?), value.digest())));
    let mut keys: Vec<(KeyHash, Digest)> = keys.collect();
    keys.sort_unstable();
    Some(keys)
}

/// The names of the keys of a file of data, but for how keys are looked up. `None`: it is no such file.
pub fn key_names(path: &Path, text: &[u8]) -> Option<Vec<Str>> {
    let Ok(Value::Hash(entries)) = backend::parse(format_by_name(path)?, text, "") else { return None };
    Some(entries.keys().filter_map(|key| key.as_str()).filter(|name| *name != LOOKUP_OPTIONS).map(Str::from).collect())
}

/// Returns the format of a file that can be told by its name alone.
pub(super) fn format_by_name(path: &Path) -> Option<Format> {
    match path.extension().and_then(OsStr::to_str)? {
        "yaml" | "yml" | "eyaml" => Some(Format::Yaml),
        "json" => Some(Format::Json),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::*;

    #[test]
    fn keys_that_collide_in_a_table_have_names_of_their_own() {
        let [one, other] = ["Xım8zeqY՚g0pls", "ήIᖐJDϿb랚CF"];
        let hasher = BuildHasherDefault::<rustc_hash::FxHasher>::default();
        assert_eq!(hasher.hash_one(one), hasher.hash_one(other), "another version of FxHash wants another pair");
        assert_ne!(hash_of_key(one), hash_of_key(other));
        let keys = |text: String| keys_of_data(Path::new("a.yaml"), text.as_bytes());
        assert_ne!(keys(format!("'{one}': 1\n'{other}': 2")), keys(format!("'{one}': 2\n'{other}': 1")));
    }
}
