//! An unpredictable number. It must not become part of anything that is stored.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns the standard library seeds each hasher from the system's own source of randomness.
pub fn entropy() -> i64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_i128(super::nanoseconds_since_1970());
    hasher.finish() as i64
}
