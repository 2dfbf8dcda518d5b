//! A table of shared values: equal values are found by a key, and the table does not keep them alive.

use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, Weak};

use rustc_hash::{FxBuildHasher, FxHashMap};

#[derive(Debug)]
pub struct Shared<K, T: ?Sized> {
    known: FxHashMap<K, Weak<T>>,
    /// So many there were when those that nobody has any more were last taken out.
    swept_at: usize,
}

impl<K, T: ?Sized> Default for Shared<K, T> {
    fn default() -> Shared<K, T> {
        Shared { known: FxHashMap::default(), swept_at: 0 }
    }
}

impl<K: Eq + Hash, T: ?Sized> Shared<K, T> {
    pub fn get(&self, key: &K) -> Option<Arc<T>> {
        self.known.get(key).and_then(Weak::upgrade)
    }

    pub fn insert(&mut self, key: K, what: &Arc<T>) {
        self.known.insert(key, Arc::downgrade(what));
    }

    pub fn values(&self) -> impl Iterator<Item = &Weak<T>> {
        self.known.values()
    }

    /// Takes out what nobody has any more, where there are more than a few, and twice as many as the last time. Whether it did.
    pub fn sweep(&mut self, few: usize) -> bool {
        let is_due = self.known.len() > few.max(self.swept_at * 2);
        if is_due {
            self.known.retain(|_, what| what.strong_count() > 0);
            self.swept_at = self.known.len();
        }
        is_due
    }
}

/// By a hash: of two with the same one is known.
impl<T: ?Sized> Shared<u64, T> {
    /// Takes what is known, if it is the same, or makes this known.
    pub fn share(&mut self, hash: u64, what: &mut Arc<T>, is_same: impl Fn(&T, &T) -> bool) {
        match self.get(&hash).filter(|known| is_same(known, what)) {
            Some(known) => *what = known,
            None => self.insert(hash, what),
        }
    }

    pub fn share_equal(&mut self, what: &mut Arc<T>)
    where
        T: Eq + Hash,
    {
        self.share(FxBuildHasher.hash_one(&**what), what, |known, what| known == what);
    }
}
