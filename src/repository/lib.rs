//! A repository and all its nodes: answers memoized in memory and on disk, nodes compiled in parallel, edits followed.
//!
//! Knows nothing of arguments or of terminals.

pub mod answer;
pub mod bridge;
pub mod fleet;
pub mod graph_check;
pub mod inventory;
pub mod node_compiler;
pub mod node_sources;
pub mod options;
pub mod persist;
pub mod query;
mod reasons;
mod repository;
mod stored_answers;
pub mod timings;
pub mod watch;
pub mod world;

pub use repository::{AnswerNeeds, Repository};
