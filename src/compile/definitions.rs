//! Which classes, defined types and types of resources there are.
//!
//! Knows nothing of what is declared: where there is no catalog, nothing is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::host::ProgramHost;
use crate::pcore::{Fault, Str, Type, Value, types};
use crate::syntax::Kind;
use crate::syntax::ast::{Ast, DefinitionKind, Node};

/// A class, defined type or plan, with its whole name.
pub(super) type Defined = (DefinitionKind, Str);

/// What the files of modules define, each looked into once.
pub(super) type KnownFiles = FxHashMap<PathBuf, Arc<[Defined]>>;

/// What a file defines, functions and types aside.
pub(super) fn defined_in(ast: &Ast) -> impl Iterator<Item = Defined> + '_ {
    ast.ids().filter_map(|id| match ast.node(id) {
        Node::Definition(definition) => {
            let definition = ast.definition(definition);
            let name = ast.text(definition.name).into();
            (definition.kind != DefinitionKind::Function).then_some((definition.kind, name))
        }
        _ => None,
    })
}

impl ProgramHost<'_> {
    /// A name may mean a type of resources or a class; a type of a class, whether it could be declared.
    pub(super) fn is_defined(&mut self, what: &Value) -> Result<bool, Fault> {
        match what {
            Value::String(name) if name == "main" => Ok(true),
            Value::String(name) => Ok(self.is_resource_type(name)? || self.is_class(name)?),
            Value::Type(of) => match of.resolved() {
                Type::Resource(Some(resource)) if resource.title.is_none() => {
                    self.is_resource_type(&resource.type_name)
                }
                Type::Type(Some(of)) => match of.resolved() {
                    Type::Class(Some(name)) => self.is_class(name),
                    _ => Ok(false),
                },
                _ => Ok(false),
            },
            _ => Ok(false),
        }
    }

    fn is_resource_type(&mut self, name: &str) -> Result<bool, Fault> {
        let is_built_in = !name.contains(':') && matches!(types::named(name), Some(Type::Resource(Some(_))));
        Ok(is_built_in || self.is_definition(DefinitionKind::Define, name)?)
    }

    pub(super) fn is_class(&mut self, name: &str) -> Result<bool, Fault> {
        Ok(name == "settings" || self.is_definition(DefinitionKind::Class, name)?)
    }

    fn is_definition(&mut self, kind: DefinitionKind, name: &str) -> Result<bool, Fault> {
        let name: Str = name.strip_prefix("::").unwrap_or(name).to_lowercase().into();
        let wanted = (kind, name);
        if self.programs().any(|program| program.definitions.contains(&wanted)) {
            return Ok(true);
        }
        for path in self.request.modules.manifest_files(&wanted.1) {
            if self.definitions_of(&path)?.contains(&wanted) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn definitions_of(&mut self, path: &Path) -> Result<Arc<[Defined]>, Fault> {
        if let Some(known) = self.known_files.get(path) {
            return Ok(known.clone());
        }
        let ast = self.parse_file(path, Kind::Manifest)?;
        let found: Arc<[Defined]> = defined_in(&ast).collect();
        self.known_files.insert(path.to_owned(), found.clone());
        Ok(found)
    }
}
