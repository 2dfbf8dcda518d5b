//! Making types: what their constructors put right.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{ArrayType, CallableType, EnumType, HashType, IntegerRange, Member, ResourceType, Size, TupleType, Type};
use crate::{Regexp, Str};

impl Type {
    pub const INTEGER: Type = Type::Integer(IntegerRange::ALL);
    pub const FLOAT: Type = Type::Float(super::FloatRange::ALL);
    pub const STRING: Type = Type::String(Size::ANY);
    pub const BOOLEAN: Type = Type::Boolean(None);
    pub const COLLECTION: Type = Type::Collection(Size::ANY);

    /// An array that can hold nothing has elements of no certain type.
    pub fn array(element: Type, size: Size) -> Type {
        let element = if size == Size::NONE { Type::Unit } else { element };
        Type::Array(Arc::new(ArrayType { element, size }))
    }

    pub fn array_of(element: Type) -> Type {
        Type::array(element, Size::ANY)
    }

    pub fn any_array() -> Type {
        Type::array(Type::Any, Size::ANY)
    }

    pub fn hash(key: Type, value: Type, size: Size) -> Type {
        let (key, value) = if size == Size::NONE { (Type::Unit, Type::Unit) } else { (key, value) };
        Type::Hash(Arc::new(HashType { key, value, size }))
    }

    pub fn hash_of(key: Type, value: Type) -> Type {
        Type::hash(key, value, Size::ANY)
    }

    pub fn any_hash() -> Type {
        Type::hash(Type::Any, Type::Any, Size::ANY)
    }

    pub fn tuple(types: Vec<Type>, size: Option<Size>) -> Type {
        Type::Tuple(Arc::new(TupleType { types, size }))
    }

    pub fn strukt(members: impl IntoIterator<Item = Member>) -> Type {
        Type::Struct(members.into_iter().collect())
    }

    pub fn optional(of: Type) -> Type {
        Type::Optional(Some(Arc::new(of)))
    }

    /// `NotUndef[Any]` is `NotUndef`.
    pub fn not_undef(of: Type) -> Type {
        Type::NotUndef(Type::unless_any(of))
    }

    /// What a secret is of is kept in general terms; `Sensitive[Any]` is `Sensitive`.
    pub fn sensitive(of: &Type) -> Type {
        Type::Sensitive(Type::unless_any(of.generalize()))
    }

    fn unless_any(of: Type) -> Option<Arc<Type>> {
        if matches!(of, Type::Any) { None } else { Some(Arc::new(of)) }
    }

    /// `Type[T]`
    pub fn type_of(of: Type) -> Type {
        Type::Type(Some(Arc::new(of)))
    }

    pub fn iterable(of: Type) -> Type {
        Type::Iterable(Some(Arc::new(of)))
    }

    /// Alternatives of alternatives become alternatives, each stands once, and one alone is no choice.
    pub fn variant(types: impl IntoIterator<Item = Type>) -> Type {
        let mut flat: IndexSet<Type, FxBuildHasher> = IndexSet::default();
        for of in types {
            match of {
                Type::Variant(inner) => flat.extend(inner.iter().cloned()),
                of => drop(flat.insert(of)),
            }
        }
        match <[Type; 1]>::try_from(flat.into_iter().collect::<Vec<Type>>()) {
            Ok([only]) => only,
            Err(several) => Type::Variant(several.into()),
        }
    }

    pub fn enumeration(values: impl IntoIterator<Item = Str>, case_insensitive: bool) -> Type {
        let mut values: Vec<Str> = values.into_iter().collect();
        values.sort();
        values.dedup();
        Type::Enum(Arc::new(EnumType { values, case_insensitive }))
    }

    pub fn pattern(patterns: impl IntoIterator<Item = Arc<Regexp>>) -> Type {
        let mut each_once: Vec<Arc<Regexp>> = Vec::new();
        for pattern in patterns {
            if !each_once.contains(&pattern) {
                each_once.push(pattern);
            }
        }
        Type::Pattern(each_once.into())
    }

    pub fn callable(params: Option<TupleType>, block: Option<Type>, returns: Option<Type>) -> Type {
        let returns = returns.filter(|returns| !matches!(returns, Type::Any));
        Type::Callable(Arc::new(CallableType { params, block, returns }))
    }

    pub fn resource(type_name: impl Into<Str>, title: Option<Str>) -> Type {
        Type::Resource(Some(Arc::new(ResourceType { type_name: type_name.into(), title })))
    }

    /// Returns what it stands for, through aliases; an alias that is not worked out yet is itself.
    pub fn resolved(&self) -> &Type {
        let mut found = self;
        // A chain longer than this is a circle, which nothing defines.
        for _ in 0..1000 {
            match found {
                Type::Alias(alias) => match alias.resolved() {
                    Some(next) => found = next,
                    None => return found,
                },
                _ => return found,
            }
        }
        found
    }

    /// Returns true if undef may be assigned.
    pub fn accepts_undef(&self) -> bool {
        match self {
            Type::Undef | Type::Any | Type::Optional(_) | Type::Unit => true,
            Type::Integer(_) | Type::String(_) | Type::Boolean(_) | Type::Array(_) | Type::Hash(_) => false,
            _ => self.assignable(&Type::Undef),
        }
    }
}
