//! What Puppet's own Ruby code offers to templates, functions, and files that declare types of resources.

mod any_type;
mod binary;
mod catalog;
mod checks;
mod commands;
mod data_type;
mod declare;
mod declared;
mod errors;
mod facter;
mod file_system;
mod files;
mod function;
mod libraries;
mod lookup_context;
mod newer_only;
mod own_call;
mod provider;
mod recording_outside;
mod rendered;
mod resource;
mod resource_api;
mod scalars;
mod scope;
mod semantic;
mod surroundings;
mod template;
mod type_table;
mod types;
mod util;
mod variables;

use std::any::Any;

use super::native::Table;
pub use checks::{CheckedResource, TypeChecker};
pub use data_type::{DataType, call_member, data_type, load_error};
pub use function::{
    Declaration, DeclaredBlock, DeclaredParam, Dispatch, FunctionFile, RubySignature, call_function, declaration,
    wrong_count,
};
pub(super) use libraries::is_own_library;
pub use newer_only::is_older_function;
pub(super) use rendered::Rendered;
pub(super) use template::TemplateWrapper;
pub use template::render;
pub use type_table::{TypeFile, convert_title, type_table};
use types::DeclaredType;

/// What a file that was run has declared, and what has to be handed back to the outside.
#[derive(Default)]
pub(super) struct Declarations {
    /// Of a failure that no Ruby code may rescue.
    pub(super) origin: Option<Box<dyn Any>>,
    newer: Option<declare::Declaring>,
    /// What the function says of itself that runs by a method `call` of its own.
    called: Option<std::rc::Rc<Declaration>>,
    /// Functions of the older kind, of which a file may have several.
    older: Vec<declare::Older>,
    data_type: Option<data_type::DeclaredDataType>,
    /// Types of resources, in the order of their declaration.
    pub(super) types: Vec<DeclaredType>,
    /// Where resources are checked: what attributes take.
    checks: Option<Box<checks::Checks>>,
}

impl Declarations {
    /// Returns true where resources are checked.
    pub(super) fn has_checks(&self) -> bool {
        self.checks.is_some()
    }
}

pub(super) fn tables() -> Vec<Table> {
    let types = [types::TYPE, types::PARAMETER, types::ENSURE, provider::OF_PROVIDERS, resource_api::METHODS];
    [
        &declare::TABLES[..],
        &any_type::TABLES,
        &binary::TABLES,
        &catalog::TABLES,
        &checks::TABLES,
        &checks::MORE_TABLES,
        &commands::TABLES,
        &data_type::TABLES,
        &errors::TABLES,
        &facter::TABLES,
        &own_call::TABLES,
        &scope::TABLES,
        &semantic::TABLES,
        &surroundings::TABLES,
        &template::TABLES,
        &types,
        &files::TABLES,
        &[
            file_system::TABLE,
            lookup_context::METHODS,
            lookup_context::CONFIG,
            resource::METHODS,
            resource::TYPE_METHODS,
            scalars::TABLE,
        ],
        &util::TABLES,
        &variables::TABLES,
    ]
    .concat()
}
