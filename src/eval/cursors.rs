//! The positions of the iterators of a body.
//!
//! In Ruby an iterator knows that itself, and who goes through one a second time finds nothing. Here a value never
//! changes: the evaluation of a body remembers it for the iterators that it meets, so that what comes of the body does
//! not hang on who else has gone through them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pantin_base::stack;
use pantin_values::{Items, Sequence, Type, Value};
use rustc_hash::FxHashMap;

#[derive(Clone, Default, Debug)]
pub struct Cursors(Rc<RefCell<Taken>>);

/// How many elements were taken, by the place of the iterator in memory; the iterator itself keeps that place.
type Taken = FxHashMap<usize, (Arc<Sequence>, u64)>;

/// Iterators that nobody else holds are forgotten once there are so many.
const MANY: usize = 64;

impl Cursors {
    /// Returns the next element, which is taken.
    pub fn next(&self, of: &Arc<Sequence>) -> Option<Value> {
        match &of.items {
            Items::Steps { source: of, step: by } => {
                let first = self.next(of)?;
                self.skip(of, by - 1);
                Some(first)
            }
            _ => of.get(self.take(of, 1)),
        }
    }

    fn skip(&self, of: &Arc<Sequence>, count: u64) {
        match &of.items {
            Items::Steps { source: of, step: by } => self.skip(of, count.saturating_mul(*by)),
            _ => _ = self.take(of, count),
        }
    }

    /// Moves behind so many more elements; where it was before.
    fn take(&self, of: &Arc<Sequence>, count: u64) -> u64 {
        let mut taken = self.0.borrow_mut();
        if taken.len() >= MANY && taken.len().is_power_of_two() {
            taken.retain(|_, (sequence, _)| Arc::strong_count(sequence) > 1);
        }
        let (_, at) = taken.entry(Arc::as_ptr(of) as usize).or_insert_with(|| (of.clone(), 0));
        let before = *at;
        *at = before.saturating_add(count);
        before
    }

    /// Returns all elements, as Ruby's own methods go through them: a plain iterator from its start, whatever was taken
    /// of it; the others from where they are. What comes out in steps is spread on the way, so that a list of one is
    /// its item.
    pub fn each<'c>(&'c self, of: &'c Arc<Sequence>) -> Box<dyn Iterator<Item = Value> + 'c> {
        match &of.items {
            Items::Values(_) | Items::Pairs(_) => Box::new(of.iter()),
            Items::Numbers { .. } | Items::Tree { .. } => Box::new(std::iter::from_fn(|| self.next(of))),
            Items::Steps { .. } => Box::new(std::iter::from_fn(|| self.next(of).map(spread))),
        }
    }
}

impl Cursors {
    /// A value as who does not know the body sees it: iterators as what is left of them.
    pub fn with_remaining_items(&self, value: Value) -> Value {
        match value {
            Value::Iterator(sequence) => Value::Iterator(Arc::new(self.left_numbers(&sequence).unwrap_or_else(|| {
                let items = Items::Values(self.each(&sequence).collect());
                Sequence::new(items, sequence.element.clone())
            }))),
            Value::Array(items) if items.iter().any(holds_iterator) => Value::Array(stack::with_room(|| {
                items.iter().map(|item| self.with_remaining_items(item.clone())).collect()
            })),
            Value::Hash(entries) if entries.values().any(holds_iterator) => Value::Hash(stack::with_room(|| {
                entries.iter().map(|(key, value)| (key.clone(), self.with_remaining_items(value.clone()))).collect()
            })),
            value => value,
        }
    }
}

impl Cursors {
    /// Numbers stay what they are made of: there may be more of them than any array can hold.
    fn left_numbers(&self, sequence: &Arc<Sequence>) -> Option<Sequence> {
        let items = match &sequence.items {
            Items::Numbers { first, step, count } => {
                let taken = self.take(sequence, 0).min(*count);
                let first = first.wrapping_add(step.wrapping_mul(taken as i64));
                Items::Numbers { first, step: *step, count: count - taken }
            }
            Items::Steps { source: of, step: by } => {
                Items::Steps { source: Arc::new(self.left_numbers(of)?), step: *by }
            }
            _ => return None,
        };
        Some(Sequence::new(items, sequence.element.clone()))
    }
}

fn holds_iterator(value: &Value) -> bool {
    match value {
        Value::Iterator(_) => true,
        Value::Array(items) => stack::with_room(|| items.iter().any(holds_iterator)),
        Value::Hash(entries) => stack::with_room(|| entries.values().any(holds_iterator)),
        _ => false,
    }
}

/// A value that was given as `*value` and is taken as one again. Some types can be gone through in Ruby, too.
fn spread(value: Value) -> Value {
    match &value {
        Value::Array(items) if items.len() < 2 => items.first().cloned().unwrap_or_default(),
        Value::Hash(entries) => {
            one_or_all(entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])))
        }
        Value::Type(Type::Tuple(of)) => one_or_all(of.types.iter().cloned().map(Value::Type)),
        Value::Type(Type::Variant(types)) => one_or_all(types.iter().cloned().map(Value::Type)),
        Value::Type(Type::Struct(members)) if members.is_empty() => Value::Undef,
        _ => value,
    }
}

fn one_or_all(mut values: impl ExactSizeIterator<Item = Value>) -> Value {
    match values.len() {
        0 | 1 => values.next().unwrap_or_default(),
        _ => Value::array(values),
    }
}
