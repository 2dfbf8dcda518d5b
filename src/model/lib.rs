//! Catalogs, the traces of what bodies of code did, and relationship graphs, all of them as data.
//!
//! Knows nothing of how a catalog is compiled or applied, nor where a trace is stored.

pub mod catalog;
pub mod graph;
pub mod trace;
