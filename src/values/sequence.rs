//! Lazy sequences: ranges of numbers, existing items, or every n-th item of another sequence.

use std::sync::Arc;

use super::{Array, Type, Value};

/// What an `Iterator` value goes through, from its start. How far somebody has gone is not known here: it is known to
/// the evaluation that goes.
#[derive(Clone, Debug)]
pub struct Sequence {
    pub items: Items,
    /// The type of its elements, as `type()` tells it.
    pub element: Type,
}

#[derive(Clone, Debug)]
pub enum Items {
    Numbers {
        first: i64,
        step: i64,
        count: u64,
    },
    Values(Array),
    /// Keys with values: a lambda of two parameters gets them apart.
    Pairs(Array),
    /// The paths and values of a tree. The real one has no type for it but that of an object of Ruby's.
    Tree {
        pairs: Array,
        breadth_first: bool,
    },
    /// The first of another sequence, and then each that many further.
    Steps {
        source: Arc<Sequence>,
        step: u64,
    },
}

impl Sequence {
    pub fn new(items: Items, element: Type) -> Sequence {
        Sequence { items, element }
    }

    pub fn len(&self) -> u64 {
        match &self.items {
            Items::Numbers { count, .. } => *count,
            Items::Values(values) | Items::Pairs(values) | Items::Tree { pairs: values, .. } => values.len() as u64,
            Items::Steps { source: of, step: by } => of.len().div_ceil(*by),
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
            Items::Values(values) | Items::Pairs(values) | Items::Tree { pairs: values, .. } => {
                values.get(usize::try_from(index).ok()?).cloned()
            }
            Items::Steps { source: of, step: by } => of.get(index.checked_mul(*by)?),
        }
    }

    /// Returns the values in memory that it goes through, in steps or all of them; numbers are none.
    pub fn backing_values(&self) -> &[Value] {
        match &self.items {
            Items::Numbers { .. } => &[],
            Items::Values(values) | Items::Pairs(values) | Items::Tree { pairs: values, .. } => values,
            Items::Steps { source: of, .. } => of.backing_values(),
        }
    }

    /// Returns true if it goes through a tree: that one is no `Iterator`.
    pub fn is_tree(&self) -> bool {
        matches!(self.items, Items::Tree { .. })
    }

    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Returns the class that Ruby has for it.
    pub fn ruby_class(&self) -> &'static str {
        match &self.items {
            Items::Numbers { .. } => "Puppet::Pops::Types::IntegerRangeIterator",
            Items::Values(_) => "Puppet::Pops::Types::Iterator",
            Items::Pairs(_) => "Puppet::Pops::Types::HashIterator",
            Items::Tree { breadth_first: false, .. } => "Puppet::Pops::Types::Iterable::DepthFirstTreeIterator",
            Items::Tree { breadth_first: true, .. } => "Puppet::Pops::Types::Iterable::BreadthFirstTreeIterator",
            Items::Steps { .. } => "Puppet::Pops::Types::StepIterator",
        }
    }

    /// Returns true if it is the name of such a class, or of that which both kinds of trees have in common.
    pub fn is_ruby_class(name: &str) -> bool {
        const CLASSES: [&str; 7] = [
            "Puppet::Pops::Types::HashIterator",
            "Puppet::Pops::Types::IntegerRangeIterator",
            "Puppet::Pops::Types::Iterable::BreadthFirstTreeIterator",
            "Puppet::Pops::Types::Iterable::DepthFirstTreeIterator",
            "Puppet::Pops::Types::Iterable::TreeIterator",
            "Puppet::Pops::Types::Iterator",
            "Puppet::Pops::Types::StepIterator",
        ];
        CLASSES.contains(&name)
    }
}
