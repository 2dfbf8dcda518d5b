//! What Puppet's own Ruby code offers to templates and functions.

mod scope;
mod template;

use std::any::Any;

use super::native::Table;
pub use template::render;

/// What a file that was run has declared, and what has to be handed back to the outside.
#[derive(Default)]
pub(super) struct Declared {
    /// Of a failure that no Ruby code may rescue.
    pub(super) origin: Option<Box<dyn Any>>,
}

pub(super) const TABLES: &[Table] =
    &[scope::METHODS, template::METHODS, scope::MODULE, scope::SECRET, scope::SECRET_OBJECT];
