//! The common type of two types: the narrowest known one that admits both.

use std::sync::Arc;

use pantin_base::{budget, stack};

use super::{EnumType, FloatRange, IntegerRange, Size, Type};

impl Type {
    /// Returns the common type of two. `Undef` has no say in it: the other type is the answer.
    pub fn common(&self, other: &Type) -> Type {
        match (self, other) {
            (Type::Undef | Type::Unit, _) => return other.clone(),
            (_, Type::Undef | Type::Unit) => return self.clone(),
            _ => {}
        }
        if self.assignable(other) {
            return self.clone();
        }
        if other.assignable(self) {
            return other.clone();
        }
        common_of_same_kind(self, other).unwrap_or_else(|| umbrella(self, other))
    }
}

/// Of two types of one kind.
fn common_of_same_kind(this: &Type, other: &Type) -> Option<Type> {
    Some(match (this, other) {
        (Type::Array(a), Type::Array(b)) => stack::with_room(|| Type::array_of(a.element.common(&b.element))),
        (Type::Hash(a), Type::Hash(b)) => {
            stack::with_room(|| Type::hash_of(a.key.common(&b.key), a.value.common(&b.value)))
        }
        (Type::Class(_), Type::Class(_)) => Type::Class(None),
        (Type::Resource(Some(a)), Type::Resource(Some(b))) if a.type_name == b.type_name => {
            Type::resource(a.type_name.clone(), None)
        }
        (Type::Resource(_), Type::Resource(_)) => Type::Resource(None),
        (Type::Integer(a), Type::Integer(b)) => {
            Type::Integer(IntegerRange { from: a.from.min(b.from), to: a.to.max(b.to) })
        }
        (Type::Float(a), Type::Float(b)) => Type::Float(FloatRange { from: a.from.min(b.from), to: a.to.max(b.to) }),
        (Type::String(a), Type::String(b)) if a.is_stated() && b.is_stated() => {
            Type::String(Size { min: a.min.min(b.min), max: a.max.max(b.max) })
        }
        (Type::StringValue(a), Type::StringValue(b)) => Type::enumeration([a.clone(), b.clone()], false),
        (Type::String(_) | Type::StringValue(_), Type::String(_) | Type::StringValue(_)) => Type::STRING,
        (Type::StringValue(text), Type::Enum(of)) | (Type::Enum(of), Type::StringValue(text)) => {
            budget::spend(of.values.len() as u64);
            Type::enumeration(of.values.iter().chain([text]).cloned(), false)
        }
        (Type::String(_), Type::Enum(_)) | (Type::Enum(_), Type::String(_)) => Type::enumeration([], false),
        (Type::Enum(a), Type::Enum(b)) => union(a, b),
        (Type::Pattern(a), Type::Pattern(b)) => Type::pattern(a.iter().chain(b.iter()).cloned()),
        (Type::Variant(a), Type::Variant(b)) => Type::variant(a.iter().chain(b.iter()).cloned()),
        (Type::Regexp(_), Type::Regexp(_)) => Type::Regexp(None),
        (Type::Callable(_), Type::Callable(_)) => Type::callable(None, None, None),
        _ => return None,
    })
}

fn union(a: &EnumType, b: &EnumType) -> Type {
    budget::spend((a.values.len() + b.values.len()) as u64);
    Type::enumeration(a.values.iter().chain(&b.values).cloned(), false)
}

/// Returns the narrowest of the types that stand for many kinds.
fn umbrella(this: &Type, other: &Type) -> Type {
    let covers_both = |wide: &Type| wide.assignable(this) && wide.assignable(other);
    for wide in [Type::Numeric, Type::ScalarData, Type::Scalar, super::data()] {
        if covers_both(&wide) {
            return wide;
        }
    }
    if let (Type::Type(a), Type::Type(b)) = (this, other) {
        // One without parameters would have been assignable.
        return match (a, b) {
            (Some(a), Some(b)) => Type::Type(Some(Arc::new(stack::with_room(|| a.common(b))))),
            _ => Type::Type(None),
        };
    }
    let rich = super::rich_data();
    if covers_both(&rich) { rich } else { Type::Any }
}
