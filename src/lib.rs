//! Pantin, a compiler for the Puppet language, built like a build system.
//!
//! The rooms, from the ground up; a room imports from below alone (`tests/harness/tidy/layers.rs` holds it).

pub mod base;
pub mod bridge;
pub mod builtins;
pub mod catalog;
pub mod cli;
pub mod compile;
pub mod data;
pub mod eval;
pub mod fleet;
pub mod graph;
pub mod hiera;
pub mod kept;
pub mod load;
pub mod pcore;
pub mod query;
pub mod ruby;
pub mod syntax;
pub mod trace;
pub mod watch;
pub mod world;
