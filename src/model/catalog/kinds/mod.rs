//! The native resource types as data: their attributes, what a title says, what makes two resources the same one, and
//! which others the agent orders them after by itself.
//!
//! One table serves Puppet 7.23 and 8.10, which agree on all of this. The types of Puppet itself are here, and those of
//! the `*_core` modules of the agent's package. Of a type that another module defines in Ruby, the same table is made
//! elsewhere. Knows no catalog: what an automatic relationship asks for is handed out as data.

mod accounts;
mod automatic;
mod commands;
mod declaration;
mod files;
mod meta;
mod network;
mod security;
mod software;
mod solaris;
mod table;
#[cfg(test)]
mod tests;
mod title;

use std::ops::Deref;
use std::sync::LazyLock;

use pantin_base::Language;
use pantin_values::Str;
use rustc_hash::FxHashMap;

pub use automatic::{AutomaticTarget, Relation, Rule, Subject};
use declaration::Declaration;
pub use declaration::METAPARAMETERS;
pub use table::{NewTable, Titles, TypeRef, TypeTable};
pub use title::{TitleConverter, TitleGroup, TitlePattern};

/// A type that providers of the agent carry out.
#[derive(Debug)]
pub struct NativeType {
    declaration: &'static Declaration,
    table: TypeTable,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// Something of the system that the agent brings into a state.
    Property,
    /// How it does that.
    Parameter,
}

/// Returns the native type of this name, in any case, if there is one.
pub fn native(name: &str) -> Option<&'static NativeType> {
    let mut letters = [0; LONGEST_NAME];
    let lower = letters.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    TYPES.get(&*lower)
}

/// Returns the native type of this name as a version has it.
pub fn native_in(name: &str, language: Language) -> Option<&'static NativeType> {
    let native = native(name)?;
    let changed = (language >= Language::OpenVox8).then(|| OPENVOX8.iter().find(|each| each.name() == native.name()));
    changed.flatten().or(Some(native))
}

/// The types that OpenVox has changed.
static OPENVOX8: LazyLock<Vec<NativeType>> =
    LazyLock::new(|| software::TYPES_OF_OPENVOX8.iter().map(NativeType::from_declaration).collect());

/// No native type has a longer one.
const LONGEST_NAME: usize = 32;

/// Returns every native type, in the order of names.
pub fn all() -> Vec<&'static NativeType> {
    let mut types: Vec<_> = FAMILIES.iter().copied().flatten().filter_map(|each| native(each.name)).collect();
    types.sort_unstable_by_key(|each| each.name());
    types
}

const FAMILIES: &[&[Declaration]] = &[
    meta::TYPES,
    files::TYPES,
    commands::TYPES,
    accounts::TYPES,
    software::TYPES,
    network::TYPES,
    security::TYPES,
    solaris::TYPES,
];

/// By the bytes of their names.
static TYPES: LazyLock<FxHashMap<&'static [u8], NativeType>> = LazyLock::new(|| {
    FAMILIES
        .iter()
        .copied()
        .flatten()
        .map(|declaration| (declaration.name.as_bytes(), NativeType::from_declaration(declaration)))
        .collect()
});

impl Deref for NativeType {
    type Target = TypeTable;

    fn deref(&self) -> &TypeTable {
        &self.table
    }
}

impl NativeType {
    fn from_declaration(declaration: &'static Declaration) -> NativeType {
        let patterns = (declaration.titles)();
        let namevars = declaration.parameters().filter(|(_, is_namevar)| *is_namevar);
        let table = TypeTable::new(NewTable {
            name: declaration.name.into(),
            properties: declaration.properties().map(Str::from).collect(),
            parameters: declaration.parameters().map(|(name, _)| name.into()).collect(),
            namevars: namevars.map(|(name, _)| name.into()).collect(),
            is_isomorphic: declaration.is_isomorphic,
            titles: if patterns.is_empty() { Titles::Namevar } else { Titles::Patterns(patterns) },
        });
        NativeType { declaration, table }
    }

    /// In lower case.
    pub fn name(&self) -> &'static str {
        self.declaration.name
    }

    /// Returns what it manages, in a sentence.
    pub fn summary(&self) -> &'static str {
        self.declaration.summary
    }

    /// The module that brings it, which the agent's package has and a distribution's package may not have; `None` for
    /// a type of Puppet itself.
    pub fn module(&self) -> Option<&'static str> {
        self.declaration.module
    }

    /// Returns which others the agent orders it after or before by itself, in the order in which it looks.
    pub fn automatic(&self) -> &'static [Rule] {
        self.declaration.automatic
    }

    /// Returns a name as the agent keeps it: without a slash at the end of a path, and the like.
    pub fn canonical_name(&self, name: &str) -> Str {
        self.declaration.canonical_name.map_or_else(|| name.into(), |canonical| canonical(name))
    }

    /// The title that the agent gives a resource of this type, where that is not the catalog's.
    pub fn agent_title(&self, resource: &Subject) -> Option<Str> {
        self.declaration.agent_title.map(|title| title(resource))
    }
}
