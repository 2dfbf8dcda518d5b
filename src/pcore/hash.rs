//! A hash: in order of insertion, shared by reference count, with its content hash worked out at most once.

use std::sync::{Arc, OnceLock};

use super::entries::Entries;
use super::{Digest, Value};

#[derive(Clone, Default)]
pub struct Hash(Arc<Shared>);

#[derive(Default)]
struct Shared {
    entries: Entries,
    digest: OnceLock<Digest>,
    holds_sensitive: OnceLock<bool>,
}

impl Hash {
    fn new(entries: Entries) -> Hash {
        Hash(Arc::new(Shared { entries, ..Shared::default() }))
    }

    pub fn with_capacity(capacity: usize) -> Hash {
        Hash::new(Entries::with_capacity(capacity))
    }

    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.entries.len() == 0
    }

    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.0.entries.get(key)
    }

    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.0.entries.get_str(key)
    }

    pub fn contains_key(&self, key: &Value) -> bool {
        self.get(key).is_some()
    }

    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        self.0.entries.get_index(index)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> + ExactSizeIterator {
        self.0.entries.iter()
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator {
        self.iter().map(|(_, value)| value)
    }

    /// The entries, to be changed in place where nobody else holds them, else in a copy.
    pub fn make_mut(&mut self) -> &mut Entries {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(Shared { entries: self.0.entries.clone(), ..Shared::default() });
        }
        match Arc::get_mut(&mut self.0) {
            Some(shared) => {
                (shared.digest, shared.holds_sensitive) = Default::default();
                &mut shared.entries
            }
            None => unreachable!("it was just made ours"),
        }
    }

    /// Adds an entry, or gives a present key its new value, in the key's place.
    pub fn insert(&mut self, key: Value, value: Value) {
        self.make_mut().insert(key, value);
    }

    pub(super) fn cached_digest(&self, work_out: impl FnOnce() -> Digest) -> Digest {
        *self.0.digest.get_or_init(work_out)
    }

    /// Whether a secret is in it, at any depth.
    pub(super) fn holds_sensitive(&self) -> bool {
        let is_secret = |(key, value): (&Value, &Value)| key.holds_sensitive() || value.holds_sensitive();
        *self.0.holds_sensitive.get_or_init(|| self.iter().any(is_secret))
    }

    pub fn same(&self, other: &Hash) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Order does not count.
impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        self.same(other) || self.0.entries == other.0.entries
    }
}

impl Eq for Hash {}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Hash {
        Hash::new(entries.into_iter().collect())
    }
}

impl std::fmt::Debug for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
