//! The state that an interactive session keeps between inputs.

use std::sync::Arc;

use indexmap::IndexMap;
use pantin_values::{Str, Value};
use rustc_hash::FxBuildHasher;

use super::code::CodeFile;
use super::program::Program;

/// The variables that were assigned, and the programs whose functions and types are known; a later one hides an
/// earlier one of its name.
#[derive(Debug, Default)]
pub struct Session {
    pub(super) variables: IndexMap<Str, Value, FxBuildHasher>,
    pub(super) programs: Vec<Arc<CodeFile>>,
}

impl Session {
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().map(Str::as_str)
    }

    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().flat_map(|file| &file.functions).map(|function| function.name.as_str())
    }

    pub fn type_names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().flat_map(|file| &file.aliases).map(|(name, _)| name.as_str())
    }

    /// An accepted input.
    pub(super) fn keep(&mut self, program: Program, assigned: Vec<(Str, Value)>) {
        self.variables.extend(assigned);
        let file = program.file;
        if !file.functions.is_empty() || !file.aliases.is_empty() || !file.definitions.is_empty() {
            self.programs.push(file);
        }
    }
}
