//! `Object` types and type sets as data.

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Type;
use crate::new::Constructor;
use crate::{Hash, SemVer, SemVerRange, Str, Value};

pub type NamedMembers<T> = IndexMap<Str, T, FxBuildHasher>;

/// A class of objects. Equal by name where it has one, as in Puppet's loader there is one of each name.
#[derive(Debug, Default)]
pub struct ObjectType {
    /// `None`: anonymous, `Object[{…}]` written in place.
    pub name: Option<Str>,
    pub parent: Option<Type>,
    pub type_parameters: NamedMembers<Attribute>,
    /// Of this type alone, in the order they were declared; constants among them, those of `constants` last.
    pub attributes: NamedMembers<Attribute>,
    pub functions: NamedMembers<ObjectFunction>,
    /// Names of the attributes that make two objects equal; `None`: all but constants.
    pub equality: Option<Vec<Str>>,
    pub equality_include_type: bool,
    pub checks: Option<Value>,
    pub annotations: Option<Value>,
    /// Everything settable, parents' first: what an [`Object`](crate::Object) holds values of.
    pub all_attributes: Vec<(Str, Attribute)>,
    /// The file of Ruby that has the methods of its objects, where one has.
    pub implementation: Option<Str>,
    /// Worked out when the first instance is made.
    pub constructor: OnceLock<Constructor>,
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
    pub attribute_type: Type,
    pub kind: AttributeKind,
    /// The default, or what a constant is.
    pub value: Option<Value>,
    pub is_final: bool,
    pub is_override: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectFunction {
    pub function_type: Type,
    pub is_final: bool,
    pub is_override: bool,
}

impl AttributeKind {
    /// As it is written; a normal attribute's kind is not.
    pub fn name(self) -> Option<&'static str> {
        match self {
            AttributeKind::Normal => None,
            AttributeKind::Constant => Some("constant"),
            AttributeKind::Derived => Some("derived"),
            AttributeKind::GivenOrDerived => Some("given_or_derived"),
            AttributeKind::Reference => Some("reference"),
        }
    }

    pub fn from_name(name: &str) -> AttributeKind {
        match name {
            "constant" => AttributeKind::Constant,
            "derived" => AttributeKind::Derived,
            "given_or_derived" => AttributeKind::GivenOrDerived,
            "reference" => AttributeKind::Reference,
            _ => AttributeKind::Normal,
        }
    }

    /// Returns true if an instance has a value of its own.
    pub fn is_settable(self) -> bool {
        !matches!(self, AttributeKind::Constant | AttributeKind::Derived)
    }
}

impl Attribute {
    /// Returns true if it is a constant of the type that its value alone would give it.
    pub fn is_plain_constant(&self) -> bool {
        self.kind == AttributeKind::Constant
            && self.value.as_ref().is_some_and(|value| Type::reduced(value).generalize() == self.attribute_type)
    }

    /// Returns true if a constructor can do without it.
    pub fn is_optional(&self) -> bool {
        self.value.is_some() || self.attribute_type.accepts_undef()
    }
}

impl ObjectType {
    /// As messages call it.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or("Object")
    }

    /// Returns true if it is `Object` itself, the ancestor of all.
    pub fn is_root(&self) -> bool {
        self.name.is_none()
            && self.parent.is_none()
            && self.attributes.is_empty()
            && self.functions.is_empty()
            && self.type_parameters.is_empty()
    }

    pub fn attribute_index(&self, name: &str) -> Option<usize> {
        self.all_attributes.iter().position(|(known, _)| known == name)
    }

    /// Returns the parent where that is an object type.
    pub fn parent_class(&self) -> Option<&Arc<ObjectType>> {
        match self.parent.as_ref()?.resolved() {
            Type::Object(parent) => Some(parent),
            _ => None,
        }
    }

    /// This type and its ancestors, nearest first. Nothing defines a circle; a longer line is taken for one.
    pub fn line(&self) -> impl Iterator<Item = &ObjectType> {
        std::iter::successors(Some(self), |class| class.parent_class().map(Arc::as_ref)).take(1000)
    }

    /// Returns the attributes of this type alone that make two objects equal.
    pub fn names_of_equality(&self) -> Vec<&Str> {
        match &self.equality {
            Some(names) => names.iter().collect(),
            None => self.attributes.iter().filter(|(_, of)| of.kind.is_settable()).map(|(name, _)| name).collect(),
        }
    }

    /// Returns the type parameters with those of its ancestors, theirs first.
    pub fn all_type_parameters(&self) -> NamedMembers<Attribute> {
        let mut all = NamedMembers::default();
        let line: Vec<&ObjectType> = self.line().collect();
        for class in line.into_iter().rev() {
            all.extend(class.type_parameters.iter().map(|(name, parameter)| (name.clone(), parameter.clone())));
        }
        all
    }
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &ObjectType) -> bool {
        std::ptr::eq(self, other)
            || match (&self.name, &other.name) {
                (Some(a), Some(b)) => a == b,
                (None, None) => {
                    self.parent == other.parent
                        && self.type_parameters == other.type_parameters
                        && self.attributes == other.attributes
                        && self.functions == other.functions
                        && self.equality == other.equality
                        && self.checks == other.checks
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
    pub name_authority: Option<Str>,
    pub pcore_uri: Option<Str>,
    pub pcore_version: Option<Arc<SemVer>>,
    pub version: Option<Arc<SemVer>>,
    /// By the last segment of their names.
    pub types: NamedMembers<TypeSetMember>,
    pub references: NamedMembers<TypeSetReference>,
    pub annotations: Option<Value>,
}

/// A type of a type set: worked out, or as it was written where nobody has to resolve it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeSetMember {
    Type(Type),
    InitHash(Hash),
}

/// The types of another type set, made known under a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeSetReference {
    pub name: Str,
    pub name_authority: Option<Str>,
    pub version_range: Arc<SemVerRange>,
}

impl PartialEq for TypeSet {
    fn eq(&self, other: &TypeSet) -> bool {
        std::ptr::eq(self, other)
            || (self.name_authority == other.name_authority && self.name == other.name && self.version == other.version)
    }
}

impl Eq for TypeSet {}

impl std::hash::Hash for TypeSet {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
