//! Results computed from files and shared by all nodes and threads while the files stay the same.

use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use pantin_world::CheckedDependencies;
use rustc_hash::FxHashMap;

use super::codebase::CodeBase;

/// Results by their keys, each with its dependencies.
pub(super) struct Memo<K, V> {
    results: RwLock<FxHashMap<K, (V, Arc<CheckedDependencies>)>>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo { results: RwLock::default() }
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// What is known, if it still holds; else it is worked out anew. Either way whoever asks depends on it.
    pub(super) fn get(&self, base: &CodeBase, key: K, work_out: impl FnOnce(&CodeBase) -> V) -> V {
        let results = self.results.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some((value, dependencies)) = results
            && base.modules.disk.uses(&dependencies)
        {
            return value;
        }
        let apart = base.with_own_reads();
        let value = work_out(&apart);
        let dependencies = Arc::new(CheckedDependencies::new(apart.modules.disk.dependencies()));
        base.modules.disk.uses(&dependencies);
        let mut results = self.results.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been quicker: what is shared has one identity.
        if let Some((value, _)) =
            results.get(&key).filter(|(_, theirs)| theirs.dependencies() == dependencies.dependencies())
        {
            return value.clone();
        }
        results.insert(key, (value.clone(), dependencies));
        value
    }
}
