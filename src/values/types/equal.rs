//! The equality of types, whatever the order of their alternatives.

use std::hash::{BuildHasher, Hash, Hasher};
use std::mem::discriminant;

use rustc_hash::FxBuildHasher;

use super::{ResourceType, Type};

/// As Ruby's `eql?` of types: alternatives in any order, all else as it was written.
impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Integer(a), Type::Integer(b)) => a == b,
            (Type::Float(a), Type::Float(b)) => a == b,
            (Type::Boolean(a), Type::Boolean(b)) => a == b,
            (Type::String(a), Type::String(b)) | (Type::Collection(a), Type::Collection(b)) => a == b,
            (Type::StringValue(a), Type::StringValue(b)) => a == b,
            (Type::Enum(a), Type::Enum(b)) => a == b,
            (Type::Pattern(a), Type::Pattern(b)) => same_set(a, b),
            (Type::Regexp(a), Type::Regexp(b)) => a == b,
            (Type::Array(a), Type::Array(b)) => a == b,
            (Type::Hash(a), Type::Hash(b)) => a == b,
            (Type::Tuple(a), Type::Tuple(b)) => a == b,
            (Type::Struct(a), Type::Struct(b)) => a == b,
            (Type::Variant(a), Type::Variant(b)) => same_set(a, b),
            (Type::Optional(a), Type::Optional(b))
            | (Type::NotUndef(a), Type::NotUndef(b))
            | (Type::Type(a), Type::Type(b))
            | (Type::Sensitive(a), Type::Sensitive(b))
            | (Type::Iterable(a), Type::Iterable(b))
            | (Type::Iterator(a), Type::Iterator(b)) => a == b,
            _ => self.rare_eq(other),
        }
    }
}

impl Eq for Type {}

impl Type {
    fn rare_eq(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Init(a), Type::Init(b)) => a == b,
            (Type::Callable(a), Type::Callable(b)) => a == b,
            (Type::Runtime(a), Type::Runtime(b)) => a == b,
            (Type::Timespan(a), Type::Timespan(b)) => a == b,
            (Type::Timestamp(a), Type::Timestamp(b)) => a == b,
            (Type::SemVer(a), Type::SemVer(b)) => a == b,
            (Type::Uri(a), Type::Uri(b)) => a == b,
            (Type::Object(a), Type::Object(b)) => a == b,
            (Type::ObjectExtension(a), Type::ObjectExtension(b)) => a == b,
            (Type::TypeSet(a), Type::TypeSet(b)) => a == b,
            (Type::Alias(a), Type::Alias(b)) => a == b,
            (Type::Reference(a), Type::Reference(b)) | (Type::Class(a), Type::Class(b)) => a == b,
            (Type::Resource(a), Type::Resource(b)) => a == b,
            // What is left has no parameters.
            _ => discriminant(self) == discriminant(other),
        }
    }
}

/// Of alternatives in any order: many of as many would be as good as one in a table.
fn hash_of_set(types: &[Type]) -> u64 {
    types.iter().fold(types.len() as u64, |sum, of| sum.wrapping_add(FxBuildHasher.hash_one(of)))
}

fn same_set<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().all(|item| b.contains(item))
}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        match self {
            Type::Integer(range) => range.hash(state),
            Type::Float(range) => range.hash(state),
            Type::Boolean(value) => value.hash(state),
            Type::String(size) | Type::Collection(size) => size.hash(state),
            Type::StringValue(text) => text.hash(state),
            Type::Enum(of) => of.hash(state),
            Type::Pattern(of) => of.len().hash(state),
            Type::Variant(of) => hash_of_set(of).hash(state),
            Type::Regexp(of) => of.hash(state),
            Type::Array(of) => of.hash(state),
            Type::Hash(of) => of.hash(state),
            Type::Tuple(of) => of.hash(state),
            Type::Struct(of) => of.hash(state),
            Type::Optional(of)
            | Type::NotUndef(of)
            | Type::Type(of)
            | Type::Sensitive(of)
            | Type::Iterable(of)
            | Type::Iterator(of) => of.hash(state),
            _ => self.rare_hash(state),
        }
    }
}

impl Type {
    fn rare_hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Type::Init(of) => of.hash(state),
            Type::Callable(of) => of.hash(state),
            Type::Runtime(of) => of.hash(state),
            Type::Timespan(of) => of.hash(state),
            Type::Timestamp(of) => of.hash(state),
            Type::SemVer(of) => of.hash(state),
            Type::Uri(of) => of.hash(state),
            Type::Object(of) => of.hash(state),
            Type::ObjectExtension(of) => of.hash(state),
            Type::TypeSet(of) => of.hash(state),
            Type::Alias(of) => of.hash(state),
            Type::Reference(of) | Type::Class(of) => of.hash(state),
            Type::Resource(of) => of.hash(state),
            _ => {}
        }
    }
}

impl PartialEq for ResourceType {
    fn eq(&self, other: &ResourceType) -> bool {
        self.type_name.eq_ignore_ascii_case(&other.type_name) && self.title == other.title
    }
}

impl Eq for ResourceType {}

impl Hash for ResourceType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.type_name.bytes().for_each(|byte| byte.to_ascii_lowercase().hash(state));
        self.title.hash(state);
    }
}
