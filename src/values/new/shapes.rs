//! Short ways to write down the types of parameters and of initialization hashes.

use std::sync::Arc;

use pantin_regex::Options;

use crate::types::{Alias, ArrayType, CallableType, EnumType, HashType, IntegerRange, Member, Size, TupleType, Type};
use crate::{Regexp, Str};

pub(crate) fn any_integer() -> Type {
    Type::Integer(IntegerRange::ALL)
}

pub(crate) fn integer(from: i64, to: i64) -> Type {
    Type::Integer(IntegerRange { from, to })
}

pub(crate) fn boolean() -> Type {
    Type::Boolean(None)
}

pub(crate) fn string() -> Type {
    Type::String(Size::ANY)
}

/// `String[min]`
pub(crate) fn text_of(min: u64) -> Type {
    Type::String(at_least(min))
}

pub(crate) fn any_type() -> Type {
    Type::Type(None)
}

pub(crate) fn variant<const N: usize>(types: [Type; N]) -> Type {
    Type::Variant(Arc::from(types))
}

pub(crate) fn optional(of: Type) -> Type {
    Type::Optional(Some(Arc::new(of)))
}

pub(crate) fn type_of(of: Type) -> Type {
    Type::Type(Some(Arc::new(of)))
}

pub(crate) fn pattern(source: &str) -> Type {
    Type::Pattern(Arc::from([Arc::new(Regexp::new(source, Options::default()))]))
}

/// The values must come sorted.
pub(crate) fn enumeration(values: &[&str], case_insensitive: bool) -> Type {
    Type::Enum(Arc::new(EnumType { values: values.iter().map(|&value| Str::from(value)).collect(), case_insensitive }))
}

/// Returns every array.
pub(crate) fn any_array() -> Type {
    array(Type::Any, 0)
}

/// Returns every hash.
pub(crate) fn any_hash() -> Type {
    hash(Type::Any, Type::Any, 0)
}

pub(crate) fn array(element: Type, min: u64) -> Type {
    Type::Array(Arc::new(ArrayType { element, size: at_least(min) }))
}

pub(crate) fn hash(key: Type, value: Type, min: u64) -> Type {
    Type::Hash(Arc::new(HashType { key, value, size: at_least(min) }))
}

pub(crate) fn tuple(types: Vec<Type>) -> Type {
    Type::Tuple(Arc::new(TupleType { types, size: None }))
}

/// A name with `?` at its end is of an `Optional` key.
pub(crate) fn structure<const N: usize>(members: [(&str, Type); N]) -> Type {
    let member = |(name, value): (&str, Type)| match name.strip_suffix('?') {
        Some(name) => Member { name: name.into(), optional: true, value },
        None => Member { name: name.into(), optional: value.accepts_undef(), value },
    };
    Type::Struct(members.into_iter().map(member).collect())
}

/// Returns a type with a name of its own, which messages show.
pub(crate) fn named(name: &str, of: Type) -> Type {
    let alias = Alias::new(name);
    alias.resolve(of);
    Type::Alias(Arc::new(alias))
}

fn at_least(min: u64) -> Size {
    Size { min, max: u64::MAX }
}

pub(crate) fn any_callable() -> Type {
    Type::Callable(Arc::new(CallableType { params: None, block: None, returns: None }))
}
