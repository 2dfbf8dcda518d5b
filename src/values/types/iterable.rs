//! The types that can be iterated, and the types of their elements.

use super::{IntegerRange, Size, Type};

/// What an iteration gives.
pub(super) enum Elements {
    /// Something, of a type that is not told.
    Unknown,
    Of(Type),
}

impl Type {
    /// Returns true if an instance can be iterated over.
    pub fn is_iterable(&self) -> bool {
        match self.resolved() {
            Type::Type(Some(of)) => match of.as_ref() {
                Type::Enum(_) => true,
                Type::Integer(range) => range.is_finite(),
                _ => false,
            },
            Type::Enum(_)
            | Type::Integer(_)
            | Type::Collection(_)
            | Type::Array(_)
            | Type::Hash(_)
            | Type::Tuple(_)
            | Type::Struct(_)
            | Type::Iterable(_)
            | Type::Iterator(_)
            | Type::String(_)
            | Type::StringValue(_) => true,
            Type::Runtime(Some(runtime)) => runtime.is_iterator(),
            _ => false,
        }
    }

    /// Returns what comes of an iteration over an instance; `None` where there is none, or nobody knows.
    pub(super) fn iterated(&self) -> Option<Elements> {
        let of = match self.resolved() {
            Type::Type(Some(of)) => match of.as_ref() {
                Type::Enum(_) => of.as_ref().clone(),
                Type::Integer(range) if range.is_finite() => of.as_ref().clone(),
                _ => return None,
            },
            Type::Enum(_) | Type::String(_) | Type::StringValue(_) => Type::String(Size::exactly(1)),
            Type::Integer(_) => Type::INTEGER,
            Type::Array(array) if matches!(array.element, Type::Any) => return Some(Elements::Unknown),
            Type::Array(array) => array.element.clone(),
            Type::Hash(hash) => {
                let any = hash.size == Size::ANY && matches!((&hash.key, &hash.value), (Type::Any, Type::Any));
                if any { pair(Type::Unit, Type::Unit) } else { pair(hash.key.clone(), hash.value.clone()) }
            }
            Type::Struct(members) if members.is_empty() => pair(Type::Unit, Type::Unit),
            Type::Struct(members) => pair(
                Type::variant(members.iter().map(|member| {
                    let key = Type::StringValue(member.name.clone());
                    if member.optional { Type::optional(key) } else { key }
                })),
                Type::variant(members.iter().map(|member| member.value.clone())),
            ),
            Type::Tuple(tuple) => Type::variant(tuple.types.iter().cloned()),
            Type::Iterable(Some(of)) | Type::Iterator(Some(of)) => of.as_ref().clone(),
            Type::Iterable(None) | Type::Iterator(None) => return Some(Elements::Unknown),
            // The real one says so, whatever it gives.
            Type::Runtime(Some(runtime)) if runtime.is_iterator() => Type::Runtime(Some(runtime.clone())),
            _ => return None,
        };
        Some(Elements::Of(of))
    }
}

fn pair(key: Type, value: Type) -> Type {
    Type::tuple(vec![key, value], Some(Size::exactly(2)))
}

impl IntegerRange {
    pub fn is_finite(self) -> bool {
        self.from != i64::MIN && self.to != i64::MAX
    }
}
