//! A lazy sequence: numbers at equal distances, or items that are there already.

use super::{Array, Type, Value};

/// What an `Iterator` value goes through. It can be gone through again and again.
#[derive(Clone, Debug)]
pub struct Sequence {
    pub items: Items,
    /// The type of its elements, as `type()` tells it.
    pub element: Type,
}

#[derive(Clone, Debug)]
pub enum Items {
    Numbers { first: i64, step: i64, count: u64 },
    Values(Array),
}

impl Sequence {
    pub fn len(&self) -> u64 {
        match &self.items {
            Items::Numbers { count, .. } => *count,
            Items::Values(values) => values.len() as u64,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, index: u64) -> Option<Value> {
        match &self.items {
            Items::Numbers { first, step, count } if index < *count => {
                Some(Value::Integer(first.wrapping_add(step.wrapping_mul(index as i64))))
            }
            Items::Numbers { .. } => None,
            Items::Values(values) => values.get(usize::try_from(index).ok()?).cloned(),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}
