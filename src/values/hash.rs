//! A hash: in order of insertion, shared by reference count, with its content hash worked out at most once.

use std::sync::{Arc, LazyLock, OnceLock};

use pantin_base::stack;

use super::entries::Entries;
use super::{Digest, Value, Weight};

/// One without anything in it, as each scope has several, takes no memory of its own.
#[derive(Clone, Default)]
pub struct Hash(Option<Arc<Shared>>);

#[derive(Default)]
struct Shared {
    entries: Entries,
    digest: OnceLock<Digest>,
    holds_sensitive: OnceLock<bool>,
    weight: OnceLock<Weight>,
}

static NOTHING: LazyLock<Shared> = LazyLock::new(Shared::default);

/// What stands in many others is let go with the stack that it takes.
impl Drop for Shared {
    fn drop(&mut self) {
        if self.entries.iter().any(|(key, value)| key.is_composite() || value.is_composite()) {
            let entries = std::mem::take(&mut self.entries);
            stack::with_room(|| drop(entries));
        }
    }
}

impl Shared {
    fn new(entries: Entries) -> Arc<Shared> {
        Arc::new(Shared { entries, digest: OnceLock::new(), holds_sensitive: OnceLock::new(), weight: OnceLock::new() })
    }
}

impl Hash {
    fn shared(&self) -> &Shared {
        self.0.as_deref().unwrap_or_else(|| &NOTHING)
    }

    fn entries(&self) -> &Entries {
        &self.shared().entries
    }

    pub fn with_capacity(capacity: usize) -> Hash {
        Hash(Some(Shared::new(Entries::with_capacity(capacity))))
    }

    pub fn len(&self) -> usize {
        self.entries().len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries().len() == 0
    }

    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries().get(key)
    }

    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.entries().get_str(key)
    }

    pub fn contains_key(&self, key: &Value) -> bool {
        self.get(key).is_some()
    }

    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        self.entries().get_index(index)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> + ExactSizeIterator {
        self.entries().iter()
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the entries, to be changed in place where nobody else holds them, else in a copy.
    pub fn make_mut(&mut self) -> &mut Entries {
        if self.0.as_mut().and_then(Arc::get_mut).is_none() {
            self.0 = Some(Shared::new(self.entries().clone()));
        }
        match self.0.as_mut().and_then(Arc::get_mut) {
            Some(shared) => {
                (shared.digest, shared.holds_sensitive, shared.weight) = Default::default();
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
        *self.shared().digest.get_or_init(work_out)
    }

    /// Returns true if a secret is in it, at any depth.
    pub(super) fn holds_sensitive(&self) -> bool {
        let is_secret = |(key, value): (&Value, &Value)| key.holds_sensitive() || value.holds_sensitive();
        *self.shared().holds_sensitive.get_or_init(|| stack::with_room(|| self.iter().any(is_secret)))
    }

    /// Returns the weight, worked out when it is first asked for.
    pub fn weight(&self) -> Weight {
        let weigh = || Weight::of_all(self.iter().flat_map(|(key, value)| [key, value])).within(2 * self.len());
        *self.shared().weight.get_or_init(|| stack::with_room(weigh))
    }

    /// Says what the weight is, or what it is at most, of a hash that was just made of others whose weights are known.
    pub fn set_weight(&self, weight: Weight) {
        // Where it is known, it is exact.
        let _ = self.shared().weight.set(weight);
    }

    /// The same for the same hash, as long as it lives.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self.shared()).cast::<()>() as usize
    }

    pub fn ptr_eq(&self, other: &Hash) -> bool {
        std::ptr::eq(self.shared(), other.shared())
    }
}

/// Order does not count.
impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        self.ptr_eq(other) || stack::with_room(|| self.entries() == other.entries())
    }
}

impl Eq for Hash {}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Hash {
        Hash(Some(Shared::new(entries.into_iter().collect())))
    }
}

impl std::fmt::Debug for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        stack::with_room(|| f.debug_map().entries(self.iter()).finish())
    }
}
