//! The weight of a value: how much there is to go through, where it stands in several places as often as it stands there.
//!
//! An array that holds the same array twice takes hardly any memory, and sixty of these in each other have no end for whoever
//! prints or compares them. Whoever makes values asks for their weight, and refuses what is too heavy.

use std::sync::Arc;

use pantin_base::stack;

use super::{Items, Sequence, Type, Value};

/// All counts stop at their largest number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Weight {
    /// Values within.
    pub elements: u32,
    /// Bytes of texts, and what types take.
    pub bytes: u32,
    /// How deep containers stand in each other; 0: it is none.
    pub depth: u32,
}

/// What a part of a type takes, about.
const TYPE_BYTES: u64 = 16;

/// Parts of a type that are counted; of one with more it is known that there are too many.
const MOST_TYPE_PARTS: u64 = 1 << 24;

impl Weight {
    /// The weight of a text, or of other bytes.
    fn from_bytes(bytes: usize) -> Weight {
        Weight { bytes: u32::try_from(bytes).unwrap_or(u32::MAX), ..Weight::default() }
    }

    /// Both beside each other.
    #[must_use]
    pub fn and(self, other: Weight) -> Weight {
        Weight {
            elements: self.elements.saturating_add(other.elements),
            bytes: self.bytes.saturating_add(other.bytes),
            depth: self.depth.max(other.depth),
        }
    }

    /// Returns the weight of a container of so many values that together have this weight.
    #[must_use]
    pub(super) fn within(self, count: usize) -> Weight {
        Weight {
            elements: self.elements.saturating_add(u32::try_from(count).unwrap_or(u32::MAX)),
            depth: self.depth.saturating_add(1),
            ..self
        }
    }

    /// Returns the weight that a value adds to an array as an item of it.
    #[must_use]
    pub fn as_item(self) -> Weight {
        Weight { elements: self.elements.saturating_add(1), depth: self.depth.saturating_add(1), ..self }
    }

    pub(super) fn of_all<'v>(values: impl Iterator<Item = &'v Value>) -> Weight {
        values.fold(Weight::default(), |sum, value| if value.is_light() { sum } else { sum.and(value.weight()) })
    }
}

impl Value {
    /// Returns true if it weighs nothing: most values of most containers.
    #[inline]
    fn is_light(&self) -> bool {
        matches!(self, Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Float(_))
    }

    /// Returns true if it holds other values, or is a type.
    #[inline]
    pub fn is_composite(&self) -> bool {
        matches!(
            self,
            Value::Array(_)
                | Value::Hash(_)
                | Value::Type(_)
                | Value::Sensitive(_)
                | Value::Object(_)
                | Value::Iterator(_)
        )
    }

    /// Returns the weight, which arrays and hashes know once it was asked for.
    pub fn weight(&self) -> Weight {
        match self {
            Value::String(text) | Value::Unencoded(text) | Value::Symbol(text) => Weight::from_bytes(text.len()),
            Value::Large(number) => Weight::from_bytes((number.bits() / 8) as usize),
            Value::Binary(binary) => Weight::from_bytes(binary.bytes().len()),
            Value::Array(items) => items.weight(),
            Value::Hash(entries) => entries.weight(),
            Value::Type(of) => of.weight(),
            Value::Sensitive(secret) => stack::with_room(|| secret.weight()).within(1),
            Value::Object(object) => object.values.weight(),
            Value::Iterator(sequence) => sequence_weight(sequence),
            _ => Weight::default(),
        }
    }
}

fn sequence_weight(sequence: &Arc<Sequence>) -> Weight {
    match &sequence.items {
        Items::Numbers { .. } => Weight::default().within(0),
        Items::Values(items) | Items::Pairs(items) | Items::Tree { pairs: items, .. } => items.weight().within(0),
        Items::Steps { source, .. } => stack::with_room(|| sequence_weight(source)).within(0),
    }
}

/// How large a type is; aliases are not looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeSize {
    /// The types that it is made of, itself among them.
    pub parts: u64,
    pub depth: u32,
}

impl Type {
    fn weight(&self) -> Weight {
        match self.size(MOST_TYPE_PARTS).parts {
            0 | 1 => Weight::default(),
            parts => Weight::from_bytes(usize::try_from(parts * TYPE_BYTES).unwrap_or(usize::MAX)),
        }
    }

    /// Returns the size. Of one with more parts than `most` it is only known that they are more.
    pub fn size(&self, most: u64) -> TypeSize {
        let mut size = TypeSize { parts: 0, depth: 0 };
        let mut pending = vec![(self, 1)];
        while let Some((of, depth)) = pending.pop() {
            size.parts += 1 + values_within(of);
            size.depth = size.depth.max(depth);
            if size.parts > most {
                break;
            }
            pending.extend(of.parts().into_iter().map(|part| (part, depth + 1)));
        }
        size
    }

    /// The types that it is made of, with those that aliases stand for, each wherever it stands: as large it is where each is written
    /// out. Of one with more than `most` it is only known that they are more.
    pub fn expanded_parts(&self, most: u64) -> u64 {
        let mut parts = 0;
        let mut pending = vec![self];
        while let Some(of) = pending.pop() {
            parts += 1 + values_within(of);
            if parts > most {
                break;
            }
            match of {
                Type::Alias(alias) if alias.is_recursive() => {}
                Type::Alias(alias) => pending.extend(alias.resolved()),
                _ => pending.extend(of.parts()),
            }
        }
        parts
    }
}

/// Returns how many values stand in a type itself.
fn values_within(of: &Type) -> u64 {
    let elements = |value: &Value| u64::from(value.weight().elements);
    match of {
        Type::ObjectExtension(extension) => extension.1.iter().map(|(_, value)| elements(value)).sum(),
        Type::Init(Some(init)) => init.args.iter().map(elements).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_several_places_weighs_as_often() {
        let mut value = Value::array(["a text of twenty by.".into()]);
        for _ in 0..10 {
            value = Value::array([value.clone(), value]);
        }
        assert_eq!(value.weight(), Weight { elements: 3 * 1024 - 2, bytes: 20 * 1024, depth: 11 });
        for _ in 0..60 {
            value = Value::hash([(1.into(), value.clone()), (2.into(), Value::sensitive(value))]);
        }
        let Weight { elements, bytes, depth } = value.weight();
        assert_eq!((elements, bytes, depth), (u32::MAX, u32::MAX, 11 + 2 * 60));
    }

    #[test]
    fn a_change_in_place_is_weighed_again() {
        let mut array = crate::Array::new(vec![Value::Undef]);
        assert_eq!(array.weight().elements, 1);
        array.make_mut().push("text".into());
        assert_eq!(array.weight(), Weight { elements: 2, bytes: 4, depth: 1 });
        let mut hash = crate::Hash::default();
        assert_eq!(hash.weight(), Weight { depth: 1, ..Weight::default() });
        hash.insert("key".into(), Value::Array(array));
        assert_eq!(hash.weight(), Weight { elements: 4, bytes: 7, depth: 2 });
    }

    #[test]
    fn values_in_many_others_come_and_go() {
        let deep = || (0..1_000_000).fold(Value::Undef, |inner, _| Value::array([inner]));
        let (one, other) = (deep(), deep());
        assert_eq!(one.weight().depth, 1_000_000);
        assert!(one == other && one.digest() == other.digest());
        let hash = (0..1_000_000).fold(Value::Undef, |inner, _| Value::hash([(1.into(), Value::sensitive(inner))]));
        drop((one, other, hash));
    }

    #[test]
    fn parts_of_types_are_counted_up_to_a_number() {
        let mut of = Type::Numeric;
        assert_eq!(of.size(10), TypeSize { parts: 1, depth: 1 });
        assert_eq!(Type::array_of(Type::Numeric).size(10), TypeSize { parts: 2, depth: 2 });
        for _ in 0..60 {
            of = Type::tuple(vec![of.clone(), of], None);
        }
        assert!(of.size(100_000).parts > 100_000);
    }
}
