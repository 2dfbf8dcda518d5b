//! A hash of entries in whatever order they stand. It never leaves the memory of the process.
//!
//! Must not write: what is stored is named by a digest.

use std::hash::BuildHasher;

use pantin_base::stack;
use rustc_hash::FxBuildHasher;

use crate::Value;

/// Returns the same number for the same entries in any order.
pub(crate) fn hash_in_any_order<'v>(entries: impl Iterator<Item = (&'v Value, &'v Value)>) -> u64 {
    let entry_hash = |entry: (&Value, &Value)| FxBuildHasher.hash_one(entry);
    stack::with_room(|| entries.map(entry_hash).fold(0, u64::wrapping_add))
}
