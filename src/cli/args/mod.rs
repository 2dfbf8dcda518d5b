//! Arguments that several commands share, and what becomes of them: the world they name, its nodes, the files.
//!
//! Knows no command.

pub(super) mod aliases;
pub(super) mod answers;
pub(super) mod cache;
pub(super) mod candidates;
pub(super) mod catalogs;
pub(super) mod encrypted;
pub(super) mod evaluation;
pub(super) mod exported;
pub(super) mod fence;
pub(super) mod fleet;
pub(super) mod format;
pub(super) mod gate;
pub(super) mod given_paths;
pub(super) mod jobs;
pub(super) mod language;
pub(super) mod memory;
pub(super) mod names;
pub(super) mod node;
pub(super) mod out_path;
pub(super) mod own_ruby;
pub(super) mod pipes;
pub(super) mod repository;
pub(super) mod settings_as_options;
pub(super) mod targets;
pub(super) mod timings;
pub(super) mod world;
