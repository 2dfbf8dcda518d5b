//! The output of commands about catalogs: the catalogs as text, and the findings of the graph check.
//!
//! Knows no command.

pub(super) mod catalog_output;
pub(super) mod graph_check;
pub(super) mod graph_report;
