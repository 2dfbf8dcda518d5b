//! What commands show of the catalogs of nodes: as text, and what their graphs have to say.
//!
//! Knows no command.

pub(super) mod catalog_output;
pub(super) mod graph_check;
mod graph_report;
