//! Generalized types: without values and ranges.

use std::sync::Arc;

use pantin_base::stack;

use super::{CallableType, Member, Size, TupleType, Type};

impl Type {
    /// Returns the type without values and ranges; an alias stays what it is.
    pub fn generalize(&self) -> Type {
        match self {
            Type::Integer(_) => Type::INTEGER,
            Type::Float(_) => Type::FLOAT,
            Type::Boolean(_) => Type::BOOLEAN,
            Type::String(_) | Type::StringValue(_) => Type::STRING,
            Type::Enum(of) => enum_in_general(&of.values),
            Type::Collection(_) => Type::COLLECTION,
            Type::Timespan(_) => Type::Timespan(None),
            Type::Timestamp(_) => Type::Timestamp(None),
            Type::Uri(_) => Type::Uri(None),
            Type::ObjectExtension(of) => Type::Object(of.0.clone()),
            Type::Array(_)
            | Type::Hash(_)
            | Type::Tuple(_)
            | Type::Struct(_)
            | Type::Variant(_)
            | Type::Optional(_)
            | Type::NotUndef(_)
            | Type::Type(_)
            | Type::Sensitive(_)
            | Type::Iterable(_)
            | Type::Iterator(_)
            | Type::Init(_)
            | Type::Callable(_) => stack::with_room(|| self.with_general_parts()),
            _ => self.clone(),
        }
    }

    fn with_general_parts(&self) -> Type {
        let inner = |of: &Option<Arc<Type>>| of.as_ref().map(|of| Arc::new(of.generalize()));
        match self {
            Type::Array(of) => Type::array_of(of.element.generalize()),
            Type::Hash(of) if of.size == Size::NONE => self.clone(),
            Type::Hash(of) => Type::hash_of(of.key.generalize(), of.value.generalize()),
            Type::Tuple(of) => Type::Tuple(Arc::new(of.with_each(Type::generalize))),
            Type::Struct(members) => Type::strukt(members.iter().map(|member| member.with(Type::generalize))),
            Type::Variant(types) => {
                let general: Vec<Type> = types.iter().map(Type::generalize).collect();
                if general[..] == types[..] { self.clone() } else { Type::variant(general) }
            }
            Type::Optional(of) => Type::Optional(inner(of)),
            Type::NotUndef(Some(of)) => Type::not_undef(of.generalize()),
            Type::Type(of) => Type::Type(inner(of)),
            Type::Sensitive(Some(of)) => match of.generalize() {
                general if general == **of => self.clone(),
                general => Type::sensitive(&general),
            },
            Type::Iterable(of) => Type::Iterable(inner(of)),
            Type::Iterator(of) => Type::Iterator(inner(of)),
            Type::Callable(of) => Type::Callable(Arc::new(of.with_each(Type::generalize))),
            _ => self.clone(),
        }
    }
}

fn enum_in_general(values: &[super::Str]) -> Type {
    let lengths = values.iter().map(|value| value.chars().count() as u64);
    match (lengths.clone().min(), lengths.max()) {
        (Some(min), Some(max)) => Type::String(Size { min, max }),
        _ => Type::STRING,
    }
}

impl TupleType {
    pub(super) fn with_each(&self, change: impl Fn(&Type) -> Type) -> TupleType {
        TupleType { types: self.types.iter().map(change).collect(), size: self.size }
    }
}

impl Member {
    pub(super) fn with(&self, change: impl Fn(&Type) -> Type) -> Member {
        Member { name: self.name.clone(), optional: self.optional, value: change(&self.value) }
    }
}

impl CallableType {
    pub(super) fn with_each(&self, change: impl Fn(&Type) -> Type) -> CallableType {
        CallableType {
            params: self.params.as_ref().map(|params| params.with_each(&change)),
            block: self.block.as_ref().map(&change),
            returns: self.returns.as_ref().map(&change),
        }
    }
}
