//! Pantin, a compiler for the Puppet language, built like a build system.
//!
//! This package only names the crates that do the work; each has a folder of its own here in `src`, and its first lines
//! say what it does and what it must not know. Its `Cargo.toml` says which of the others it may use.
//!
//! What versions promise is the command line: options, exit codes, and formats for programs. The interfaces of the crates are for each
//! other, and may change in any release.

pub use pantin_apply as apply;
pub use pantin_base as base;
pub use pantin_bindings as bindings;
pub use pantin_cli as cli;
pub use pantin_compile as compile;
pub use pantin_eval as eval;
pub use pantin_hiera as hiera;
pub use pantin_model as model;
pub use pantin_regex as regex;
pub use pantin_repository as repository;
pub use pantin_ruby as ruby;
pub use pantin_syntax as syntax;
pub use pantin_values as values;
pub use pantin_world as world;
