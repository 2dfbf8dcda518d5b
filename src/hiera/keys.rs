//! Which keys a request asks for, and what a file of data says of each: of the file, an answer rests on no more than that.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::Path;

use rustc_hash::{FxHashSet, FxHasher};

use super::backend;
use super::store::Format;
use crate::pcore::{Digest, Value};

/// By hashes, for there are many: two that have the same one are asked for together.
#[derive(Default)]
pub(super) struct AskedKeys(RefCell<FxHashSet<u64>>);

impl AskedKeys {
    pub(super) fn note(&self, key: &str) {
        self.0.borrow_mut().insert(hash_of_key(key));
    }

    /// In ascending order.
    pub(super) fn hashes(&self) -> Vec<u64> {
        let mut hashes: Vec<u64> = self.0.borrow().iter().copied().collect();
        hashes.sort_unstable();
        hashes
    }
}

fn hash_of_key(key: &str) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
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

/// The format of a file that can be told by its name alone.
pub(super) fn format_by_name(path: &Path) -> Option<Format> {
    match path.extension().and_then(OsStr::to_str)? {
        "yaml" | "yml" | "eyaml" => Some(Format::Yaml),
        "json" => Some(Format::Json),
        _ => None,
    }
}
