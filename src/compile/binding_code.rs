//! Code of bindings and of `site` statements, lowered once for all nodes, and dropped when its text is gone.
//! It must not know what the code is for.

use std::any::Any;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use pantin_eval::Body;
use pantin_syntax::ast::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Lowered code by the address of the file that it stands in, and its place there.
#[derive(Default)]
pub(super) struct BindingCode {
    lowered: RwLock<FxHashMap<(usize, NodeId), LoweredCode>>,
}

struct LoweredCode {
    /// The file: no other one gets its address as long as this is kept, and it does not keep the file itself.
    file: Weak<dyn Any + Send + Sync>,
    body: Arc<Body>,
}

impl BindingCode {
    /// Returns the lowered code of an expression of a file, which is lowered when it is first wanted.
    pub(super) fn get<F: Send + Sync + 'static>(
        &self,
        file: &Arc<F>,
        node: NodeId,
        lower: impl FnOnce() -> Body,
    ) -> Arc<Body> {
        let key = (Arc::as_ptr(file) as usize, node);
        if let Some(known) = self.lowered.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(&known.body);
        }
        let body = Arc::new(lower());
        let file: Arc<dyn Any + Send + Sync> = Arc::<F>::clone(file);
        let mut lowered = self.lowered.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&lowered.entry(key).or_insert(LoweredCode { file: Arc::downgrade(&file), body }).body)
    }

    /// Drops the code of files that nobody has any more.
    pub(super) fn drop_unused(&self) {
        let mut lowered = self.lowered.write().unwrap_or_else(PoisonError::into_inner);
        lowered.retain(|_, code| code.file.strong_count() > 0);
    }

    /// Returns of how many files code is kept.
    pub(super) fn file_count(&self) -> usize {
        let lowered = self.lowered.read().unwrap_or_else(PoisonError::into_inner);
        lowered.keys().map(|(file, _)| *file).collect::<FxHashSet<usize>>().len()
    }
}
