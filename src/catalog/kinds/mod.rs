//! The native resource types as data: their attributes, what a title says, what makes two resources the same one, and
//! which others the agent orders them after by itself.
//!
//! One table serves Puppet 7.23 and 8.10, which agree on all of this. The types of Puppet itself are here, and those of
//! the `*_core` modules of the agent's package; a type that another module defines in Ruby is not. Knows no catalog:
//! what an automatic relationship asks for is handed out as data.

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
#[cfg(test)]
mod tests;
mod title;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::pcore::{Fault, Str, Value};
pub use automatic::{Relation, Rule, Subject, Wish};
use declaration::Declaration;
pub use declaration::METAPARAMETERS;
use title::TitlePattern;

/// A type that providers of the agent carry out.
#[derive(Debug)]
pub struct NativeType {
    declaration: &'static Declaration,
    /// `Ssh_authorized_key`: as references have it.
    capitalized: String,
    /// Properties and parameters by name.
    attributes: FxHashMap<&'static str, Attribute>,
    namevars: Vec<&'static str>,
    /// The same, by name.
    sorted_namevars: Vec<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// Something of the system that the agent brings into a state.
    Property,
    /// How it does that.
    Parameter,
}

/// The native type of this name, in any case, if there is one.
pub fn native(name: &str) -> Option<&'static NativeType> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return TYPES.get(name.to_ascii_lowercase().as_str());
    }
    TYPES.get(name)
}

/// Every native type, in the order of names.
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

static TYPES: LazyLock<FxHashMap<&'static str, NativeType>> = LazyLock::new(|| {
    FAMILIES.iter().copied().flatten().map(|declaration| (declaration.name, NativeType::of(declaration))).collect()
});

impl NativeType {
    fn of(declaration: &'static Declaration) -> NativeType {
        let mut capitalized = declaration.name.to_owned();
        capitalized[..1].make_ascii_uppercase();
        let properties = declaration.properties().map(|name| (name, Attribute::Property));
        let parameters = declaration.parameters().map(|(name, _)| (name, Attribute::Parameter));
        let namevars = declaration.parameters().filter(|(_, is_namevar)| *is_namevar).map(|(name, _)| name);
        let namevars: Vec<_> = namevars.collect();
        let mut sorted_namevars = namevars.clone();
        sorted_namevars.sort_unstable();
        NativeType {
            declaration,
            capitalized,
            attributes: properties.chain(parameters).collect(),
            namevars,
            sorted_namevars,
        }
    }

    /// In lower case.
    pub fn name(&self) -> &'static str {
        self.declaration.name
    }

    /// As references have it: `Ssh_authorized_key`.
    pub fn capitalized(&self) -> &str {
        &self.capitalized
    }

    /// What it manages, in a sentence.
    pub fn summary(&self) -> &'static str {
        self.declaration.summary
    }

    /// The module that brings it, which the agent's package has and a distribution's package may not have; `None` for
    /// a type of Puppet itself.
    pub fn module(&self) -> Option<&'static str> {
        self.declaration.module
    }

    /// In the order of their definition; `ensure` is first.
    pub fn properties(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.declaration.properties()
    }

    /// In the order of their definition.
    pub fn parameters(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.declaration.parameters().map(|(name, _)| name)
    }

    /// Whether a property or a parameter has this name; a metaparameter is neither.
    pub fn attribute(&self, name: &str) -> Option<Attribute> {
        self.attributes.get(name).copied()
    }

    /// Whether a resource may set it: a property, a parameter, a metaparameter, or `name`, which every type takes.
    pub fn is_attribute(&self, name: &str) -> bool {
        name == "name" || self.attributes.contains_key(name) || METAPARAMETERS.contains(&name)
    }

    pub fn is_ensurable(&self) -> bool {
        self.attributes.contains_key("ensure")
    }

    /// The parameters that name what is managed, in the order of their definition.
    pub fn namevars(&self) -> &[&'static str] {
        &self.namevars
    }

    /// The namevar, where there is only one: what `name` stands for.
    pub fn sole_namevar(&self) -> Option<&'static str> {
        match self.namevars[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether two resources with the same namevars are the same thing, so that a catalog holds one of them.
    pub fn is_isomorphic(&self) -> bool {
        self.declaration.is_isomorphic
    }

    pub fn title_patterns(&self) -> &'static [TitlePattern] {
        self.declaration.titles
    }

    /// The attributes that a title gives.
    pub fn parse_title(&self, title: &str) -> Result<Vec<(&'static str, Str)>, Fault> {
        match self.declaration.titles {
            [] => Ok(self.sole_namevar().map(|name| (name, Str::from(title))).into_iter().collect()),
            patterns => title::parse(patterns, title),
        }
    }

    /// What sets a resource apart from all others of its type: the values of the namevars, in the order of their
    /// names. `parameter` tells what a parameter was set to; for `name` it is not asked where another one is the namevar.
    pub fn uniqueness_key(
        &self,
        title: &str,
        parameter: impl Fn(&str) -> Option<Value>,
    ) -> Result<Vec<Option<Value>>, Fault> {
        let from_title = self.parse_title(title)?;
        let given = |name: &str| {
            let of_title = || from_title.iter().find(|(given, _)| *given == name).map(|(_, text)| text.clone());
            parameter(name).or_else(|| of_title().map(Value::String))
        };
        let main = self.sole_namevar().unwrap_or("name");
        let fallback = || Value::string(format!("{}/{title}", self.capitalized));
        // Where nothing says what the main one is, it is made of type and title.
        Ok(self.sorted_namevars.iter().map(|name| given(name).or_else(|| (*name == main).then(fallback))).collect())
    }

    /// Which others the agent orders it after or before by itself, in the order in which it looks.
    pub fn automatic(&self) -> &'static [Rule] {
        self.declaration.automatic
    }

    /// A name as the agent keeps it: without a slash at the end of a path, and the like.
    pub fn canonical_name(&self, name: &str) -> Str {
        self.declaration.canonical_name.map_or_else(|| name.into(), |canonical| canonical(name))
    }

    /// The title that the agent gives a resource of this type, where that is not the catalog's.
    pub fn agent_title(&self, resource: &Subject) -> Option<Str> {
        self.declaration.agent_title.map(|title| title(resource))
    }
}
