//! What all nodes of a control repository are answered, and which of the answers an edit touches.
//!
//! `database` holds the in-process side as queries of salsa: its inputs are the questions that were put to the disk, its
//! answers the world of the repository, its environments, what is known of each node, and the catalogs. Bodies are not
//! its affair: they are shared between nodes by their traces, and a catalog that is made again walks those; most are
//! patched (`patch`).
//!
//! Knows nothing of arguments and of how anything is shown: whoever reads arguments hands in an [`Inventory`].

mod answer;
mod aside;
mod blocks;
mod database;
mod engine;
mod exported;
mod inventory;
mod patch;
mod pool;
mod ready;

pub use answer::{Answer, Failed};
pub use engine::{Engine, Told};
pub use inventory::{Inventory, NodeClock, Opened, Prepared};
pub use patch::Edited;
pub use ready::{Ready, Shelf};
