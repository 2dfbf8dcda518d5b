//! An array: shared by reference count, with its content hash worked out at most once.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::{Digest, Value};

#[derive(Clone, Default)]
pub struct Array(Arc<Shared>);

#[derive(Default)]
struct Shared {
    items: Vec<Value>,
    digest: OnceLock<Digest>,
}

impl Array {
    pub fn new(items: Vec<Value>) -> Array {
        Array(Arc::new(Shared { items, digest: OnceLock::new() }))
    }

    /// The items, to be changed in place where nobody else holds them, else in a copy.
    pub fn make_mut(&mut self) -> &mut Vec<Value> {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(Shared { items: self.0.items.clone(), digest: OnceLock::new() });
        }
        match Arc::get_mut(&mut self.0) {
            Some(shared) => {
                shared.digest = OnceLock::new();
                &mut shared.items
            }
            None => unreachable!("it was just made ours"),
        }
    }

    pub(super) fn cached_digest(&self, work_out: impl FnOnce() -> Digest) -> Digest {
        *self.0.digest.get_or_init(work_out)
    }

    /// The same for the same array, as long as it lives.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }

    pub fn ptr_eq(&self, other: &Array) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Array {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.items
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.ptr_eq(other) || self.0.items == other.0.items
    }
}

impl Eq for Array {}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Array {
        Array::new(items.into_iter().collect())
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Array {
        Array::new(items)
    }
}

impl std::fmt::Debug for Array {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
