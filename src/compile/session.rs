//! What stays from one input of an interactive session to the next.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::program::Program;
use crate::pcore::{Str, Value};
use crate::syntax::ast::{Ast, NodeId};

/// The variables that were assigned, and the programs whose functions and types are known; a later one hides an
/// earlier one of its name.
#[derive(Debug, Default)]
pub struct Session {
    pub(super) variables: IndexMap<Str, Value, FxBuildHasher>,
    pub(super) programs: Vec<Program>,
}

impl Session {
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().map(Str::as_str)
    }

    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().flat_map(|program| &program.functions).map(|(name, _)| name.as_str())
    }

    pub fn type_names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().flat_map(|program| &program.aliases).map(|(name, _)| name.as_str())
    }

    /// An accepted input.
    pub(super) fn keep(&mut self, program: Program, assigned: Vec<(Str, Value)>) {
        self.variables.extend(assigned);
        if !program.functions.is_empty() || !program.aliases.is_empty() || !program.definitions.is_empty() {
            self.programs.push(program);
        }
    }
}

impl Program {
    pub(super) fn function(&self, name: &str) -> Option<(&Ast, NodeId)> {
        self.functions.iter().find(|(known, _)| known == name).map(|(_, id)| (&*self.ast, *id))
    }
}
