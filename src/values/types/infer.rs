//! The type of a value.

use std::sync::Arc;

use num_bigint::Sign;
use pantin_base::{budget, stack};

use super::{FloatRange, IntegerRange, Member, Size, Type};
use crate::{Items, SemVerRange, SpanEnd, Value};

/// A type takes more memory than the value that it is of.
const STEPS_OF_PART: u64 = 8;

impl Type {
    /// Returns the type that says all about a value: what each element of an array is, each entry of a hash.
    pub fn infer(value: &Value) -> Type {
        match value {
            Value::Array(items) if items.is_empty() => Type::array(Type::Unit, Size::NONE),
            Value::Array(items) if !budget::spend(STEPS_OF_PART * items.len() as u64) => Type::any_array(),
            Value::Array(items) => stack::with_room(|| Type::tuple(items.iter().map(Type::infer).collect(), None)),
            Value::Hash(entries) if entries.is_empty() => Type::hash(Type::Unit, Type::Unit, Size::NONE),
            Value::Hash(entries) if !budget::spend(2 * STEPS_OF_PART * entries.len() as u64) => Type::any_hash(),
            Value::Hash(entries) => stack::with_room(|| hash_in_detail(entries)),
            Value::SemVer(version) => Type::SemVer(Arc::new([Arc::new(SemVerRange::exactly(version))])),
            _ => Type::reduced(value),
        }
    }

    /// Returns the one type that all elements of an array, all keys and all values of a hash have in common.
    pub fn reduced(value: &Value) -> Type {
        match value {
            Value::Undef => Type::Undef,
            Value::Default => Type::Default,
            Value::Symbol(_) => super::nominal::ruby_class(&"Symbol".into()),
            Value::Boolean(value) => Type::Boolean(Some(*value)),
            Value::Integer(value) => Type::Integer(IntegerRange::exactly(*value)),
            Value::Large(value) => Type::Integer(IntegerRange::beyond(value.sign() == Sign::Minus)),
            Value::Float(value) => Type::Float(FloatRange::exactly(*value)),
            Value::String(text) | Value::Unencoded(text) => Type::StringValue(text.clone()),
            Value::Regexp(regexp) => Type::Regexp(Some(regexp.clone())),
            Value::Array(items) if items.is_empty() => Type::array(Type::Unit, Size::NONE),
            Value::Array(items) => {
                stack::with_room(|| Type::array(Type::common_of(items.iter()), Size::exactly(items.len())))
            }
            Value::Hash(entries) if entries.is_empty() => Type::hash(Type::Unit, Type::Unit, Size::NONE),
            Value::Hash(entries) => stack::with_room(|| {
                let (key, value) = (Type::common_of(entries.keys()), Type::common_of(entries.values()));
                Type::hash(key, value, Size::exactly(entries.len()))
            }),
            Value::Type(of) => Type::type_of(of.clone()),
            Value::Resource(resource) => Type::type_of(resource.reference()),
            Value::Sensitive(secret) => Type::sensitive(&Type::reduced(secret)),
            Value::Timespan(span) => {
                let end = Some(SpanEnd::from(*span));
                Type::Timespan(Some(Arc::new((end, end))))
            }
            Value::Timestamp(time) => Type::Timestamp(Some(Arc::new((Some(*time), Some(*time))))),
            Value::SemVer(_) => Type::SemVer(Arc::new([])),
            Value::SemVerRange(_) => Type::SemVerRange,
            Value::Uri(uri) => super::uri::type_of(uri),
            Value::Binary(_) => Type::Binary,
            Value::Object(object) => super::nominal::type_of(object),
            Value::Iterator(sequence) => match sequence.items {
                Items::Tree { .. } => super::nominal::ruby_class(&sequence.ruby_class().into()),
                _ => Type::Iterator(Some(Arc::new(sequence.element.clone()))),
            },
        }
    }

    fn common_of<'a>(values: impl Iterator<Item = &'a Value>) -> Type {
        values
            // Who counts the steps sees that there were too many, whatever the type.
            .take_while(|_| budget::spend(1))
            .map(Type::reduced)
            .reduce(|so_far, next| if so_far == next { so_far } else { so_far.common(&next) })
            .unwrap_or(Type::Unit)
    }
}

fn hash_in_detail(entries: &crate::Hash) -> Type {
    if entries.keys().all(|key| key.as_str().is_some_and(|name| !name.is_empty())) {
        return Type::strukt(entries.iter().filter_map(|(key, value)| match key {
            Value::String(name) | Value::Unencoded(name) => {
                Some(Member { name: name.clone(), optional: false, value: Type::infer(value) })
            }
            _ => None,
        }));
    }
    let (key, value) =
        (Type::variant(entries.keys().map(Type::infer)), Type::variant(entries.values().map(Type::infer)));
    Type::hash(key, value, Size::exactly(entries.len()))
}
