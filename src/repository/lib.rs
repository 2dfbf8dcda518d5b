//! A repository and all its nodes: answers memoized in memory and on disk, nodes compiled in parallel, edits followed.
//!
//! Knows nothing of arguments or of terminals.

pub mod bridge;
pub mod fleet;
pub mod persist;
pub mod query;
pub mod watch;
