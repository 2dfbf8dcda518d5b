//! Results computed from files and shared by all nodes and threads while the files stay the same.

use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use pantin_values::Digest;
use pantin_world::CheckedDependencies;
use rustc_hash::FxHashMap;

use super::codebase::CodeBase;

/// Results by their keys, each with its dependencies.
pub(super) struct Memo<K, V> {
    results: RwLock<FxHashMap<K, MemoEntry<V>>>,
}

#[derive(Clone)]
struct MemoEntry<V> {
    value: V,
    dependencies: Arc<CheckedDependencies>,
    /// The list of modules that it was worked out with, where it depends on that.
    modules: Option<Digest>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo { results: RwLock::default() }
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// Returns what is known, if it still holds; else it is worked out anew. Either way whoever asks depends on it. It must
    /// not depend on which modules there are, but for the files that it looks for.
    pub(super) fn get(&self, base: &CodeBase, key: K, work_out: impl FnOnce(&CodeBase) -> V) -> V {
        self.get_or_work_out(base, key, None, work_out)
    }

    /// Like `get`, for what depends on the list of modules: what is known holds for that list alone.
    pub(super) fn get_for_modules(&self, base: &CodeBase, key: K, work_out: impl FnOnce(&CodeBase) -> V) -> V {
        self.get_or_work_out(base, key, base.modules.digest(), work_out)
    }

    fn get_or_work_out(
        &self,
        base: &CodeBase,
        key: K,
        modules: Option<Digest>,
        work_out: impl FnOnce(&CodeBase) -> V,
    ) -> V {
        let known = self.results.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(known) = known
            && known.modules == modules
            && base.modules.disk.uses(&known.dependencies)
        {
            return known.value;
        }
        let apart = base.with_own_reads();
        let value = work_out(&apart);
        let dependencies = Arc::new(CheckedDependencies::new(apart.modules.disk.dependencies()));
        base.modules.disk.uses(&dependencies);
        let mut results = self.results.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been quicker: what is shared has one identity.
        if let Some(known) = results.get(&key)
            && known.modules == modules
            && known.dependencies.dependencies() == dependencies.dependencies()
        {
            return known.value.clone();
        }
        results.insert(key, MemoEntry { value: value.clone(), dependencies, modules });
        value
    }
}
