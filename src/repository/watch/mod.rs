//! What an edit changes on which nodes, as soon as it is made.
//!
//! `events` says that something may have happened in a folder; what did happen is decided by the engine, by content.
//! Knows nothing of arguments and of how anything is shown.

mod events;
mod followed;
mod places;
mod round;
mod session;
#[cfg(test)]
mod tests;

pub use events::{Waker, Watching};
pub use round::{Grouped, Round, Ways};
pub use session::{Edit, Session};
