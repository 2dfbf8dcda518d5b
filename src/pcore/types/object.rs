//! `Object` types and type sets as data.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Type;
use crate::pcore::{Str, Value};

type Named<T> = IndexMap<Str, T, FxBuildHasher>;

/// A class of objects. Equal by name where it has one, as in Puppet's loader there is one of each name.
#[derive(Debug, Default)]
pub struct ObjectType {
    /// `None`: anonymous, `Object[{…}]` written in place.
    pub name: Option<Str>,
    pub parent: Option<Type>,
    pub type_parameters: Named<Attribute>,
    /// Of this type alone, in the order they were declared.
    pub attributes: Named<Attribute>,
    pub constants: Named<Constant>,
    pub functions: Named<ObjectFunction>,
    /// Names of the attributes that make two objects equal; `None`: all.
    pub equality: Option<Vec<Str>>,
    pub equality_include_type: bool,
    pub serialization: Option<Vec<Str>>,
    /// Everything settable, parents' first: what an [`Object`](crate::pcore::Object) holds values of.
    pub all_attributes: Vec<(Str, Attribute)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AttributeKind {
    #[default]
    Normal,
    Constant,
    Derived,
    GivenOrDerived,
    Reference,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    pub of: Type,
    pub kind: AttributeKind,
    /// The default.
    pub value: Option<Value>,
    pub is_final: bool,
    pub is_override: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    pub of: Type,
    pub value: Value,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectFunction {
    pub of: Type,
    pub is_final: bool,
    pub is_override: bool,
}

impl ObjectType {
    pub fn attribute_index(&self, name: &str) -> Option<usize> {
        self.all_attributes.iter().position(|(known, _)| known == name)
    }
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &ObjectType) -> bool {
        std::ptr::eq(self, other)
            || match (&self.name, &other.name) {
                (Some(a), Some(b)) => a == b,
                (None, None) => {
                    self.parent == other.parent
                        && self.attributes == other.attributes
                        && self.constants == other.constants
                        && self.functions == other.functions
                        && self.equality == other.equality
                        && self.equality_include_type == other.equality_include_type
                }
                _ => false,
            }
    }
}

impl Eq for ObjectType {}

impl std::hash::Hash for ObjectType {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.all_attributes.len().hash(state);
    }
}

/// A library of types under one name.
#[derive(Debug, Default)]
pub struct TypeSet {
    pub name: Option<Str>,
    pub version: Str,
    pub name_authority: Option<Str>,
    pub types: Named<Type>,
    pub references: Named<(Arc<TypeSet>, Str)>,
}

impl PartialEq for TypeSet {
    fn eq(&self, other: &TypeSet) -> bool {
        std::ptr::eq(self, other) || (self.name == other.name && self.version == other.version)
    }
}

impl Eq for TypeSet {}

impl std::hash::Hash for TypeSet {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.version.hash(state);
    }
}
