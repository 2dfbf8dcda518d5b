//! What Puppet's own Ruby code offers to templates and functions.

mod declare;
mod function;
mod scope;
mod template;

use std::any::Any;

use super::native::Table;
pub use function::{Api, Declaration, DeclaredBlock, DeclaredParam, Dispatch, FunctionFile, call_function};
pub use template::render;

/// What a file that was run has declared, and what has to be handed back to the outside.
#[derive(Default)]
pub(super) struct Declared {
    /// Of a failure that no Ruby code may rescue.
    pub(super) origin: Option<Box<dyn Any>>,
    newer: Option<declare::Declaring>,
    older: Option<declare::Older>,
}

pub(super) fn tables() -> Vec<Table> {
    [&declare::TABLES[..], &scope::TABLES, &[template::METHODS]].concat()
}
