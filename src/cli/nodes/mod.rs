//! The catalogs of nodes, as commands come by them: compiled, or kept from an earlier run; how long that took, and why it
//! was done.
//!
//! Knows no command.

pub(super) mod catalogs;
pub(super) mod graph_check;
mod graph_report;
pub(super) mod inventory;
pub(super) mod made;
pub(super) mod memory;
pub(super) mod movable;
pub(super) mod moved_files;
pub(super) mod reasons;
pub(super) mod timings;
