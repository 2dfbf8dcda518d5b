//! The watching of a repository: after each edit, what it changes on which nodes.
//!
//! `events` says that something may have happened in a folder; what did happen is decided by the engine, by content.
//! Knows nothing of arguments and of how anything is shown.

mod checks;
mod events;
mod followed;
mod places;
mod round;
mod session;
mod stored_start;
#[cfg(test)]
mod tests;
mod verdict;

pub use crate::node_groups::NodeGroup;
pub use checks::CheckChanges;
pub use events::{FileWatcher, Waited, Waker};
pub use round::{EnvironmentChange, GroupedChanges, Round};
pub use session::{Edit, Session, WatchOptions};
pub use verdict::Verdict;
