//! Catalogs, traces of bodies, and relationship graphs, all of them as data. Must not know how code is evaluated, nor any file.
//!
//! Knows nothing of how a catalog is compiled or applied, nor where a trace is stored.

pub mod catalog;
pub mod evaluation;
pub mod graph;
pub mod trace;
