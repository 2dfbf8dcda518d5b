//! An array: shared by reference count, with its content hash worked out at most once.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use pantin_base::stack;

use super::{Digest, Value, Weight};

#[derive(Clone, Default)]
pub struct Array(Arc<Shared>);

#[derive(Default)]
struct Shared {
    items: Vec<Value>,
    digest: OnceLock<Digest>,
    weight: OnceLock<Weight>,
}

impl Shared {
    fn new(items: Vec<Value>) -> Arc<Shared> {
        Arc::new(Shared { items, digest: OnceLock::new(), weight: OnceLock::new() })
    }
}

/// What stands in many others is let go with the stack that it takes.
impl Drop for Shared {
    fn drop(&mut self) {
        if self.items.iter().any(Value::is_composite) {
            let items = std::mem::take(&mut self.items);
            stack::with_room(|| drop(items));
        }
    }
}

impl Array {
    pub fn new(items: Vec<Value>) -> Array {
        Array(Shared::new(items))
    }

    /// Returns the items, to be changed in place where nobody else holds them, else in a copy.
    pub fn make_mut(&mut self) -> &mut Vec<Value> {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Shared::new(self.0.items.clone());
        }
        match Arc::get_mut(&mut self.0) {
            Some(shared) => {
                (shared.digest, shared.weight) = Default::default();
                &mut shared.items
            }
            None => unreachable!("it was just made ours"),
        }
    }

    pub(super) fn cached_digest(&self, work_out: impl FnOnce() -> Digest) -> Digest {
        *self.0.digest.get_or_init(work_out)
    }

    /// Returns the weight, worked out when it is first asked for.
    pub fn weight(&self) -> Weight {
        *self.0.weight.get_or_init(|| stack::with_room(|| Weight::of_all(self.iter()).within(self.len())))
    }

    /// Says what the weight is, or what it is at most, of an array that was just made of others whose weights are known.
    pub fn set_weight(&self, weight: Weight) {
        // Where it is known, it is exact.
        let _ = self.0.weight.set(weight);
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
        self.ptr_eq(other) || stack::with_room(|| self.0.items == other.0.items)
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
        stack::with_room(|| f.debug_list().entries(self.iter()).finish())
    }
}
