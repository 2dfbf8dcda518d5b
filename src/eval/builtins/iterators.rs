//! Iterators: a collection gone through backwards, or in steps.
//!
//! With a lambda they go through it at once; without one they are a value that others go through.

use std::sync::Arc;

use pantin_values::types::{IntegerRange, Size};
use pantin_values::{Fault, Items, Sequence, Type, Value};
use rustc_hash::FxHashSet;

use super::iteration::{By, Element, count_of_range, go_by, go_through_all, or_broken};
use crate::{Builtin, Flow, Invocation, block, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "reverse_each",
        &[
            overload(&[required("Iterable", "iterable")], None, reverse_each),
            overload(&[required("Iterable", "iterable")], block("Callable[1,1]"), reverse_each),
        ],
        "Goes through a collection from its end; without a lambda, an iterator that does.",
    ),
    Builtin::typed(
        "step",
        &[
            overload(&[required("Iterable", "iterable"), required("Integer[1]", "step")], None, step),
            overload(&[required("Iterable", "iterable"), required("Integer[1]", "step")], block("Callable[1,1]"), step),
        ],
        "Goes to the first element and to every one that many further; without a lambda, an iterator that does.",
    ),
];

fn reverse_each(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    let items = match numbers(&collection) {
        Some(numbers) => numbers.reversed().items(),
        None => {
            let mut items = elements(call, &collection)?;
            items.reverse();
            Items::Values(items.into())
        }
    };
    let element = if call.has_block() { Type::Any } else { element_type(&collection, &items) };
    finish(call, Arc::new(Sequence::new(items, element)))
}

fn step(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    let by = match call.arg(1) {
        Value::Integer(by) => u64::try_from(*by).unwrap_or(1),
        _ => 1,
    };
    let sequence = match (collection, by) {
        (Value::Iterator(sequence), 1) if !sequence.is_tree() => sequence,
        (collection, by) => match numbers(&collection) {
            Some(numbers) => {
                let items = if by == 1 { numbers } else { numbers.stepped(by)? }.items();
                let element = element_type(&collection, &items);
                Arc::new(Sequence::new(items, element))
            }
            None => in_steps(call, collection, by)?,
        },
    };
    finish(call, sequence)
}

/// Goes through another iterator, which is gone through by that.
fn in_steps(call: &Invocation<'_, '_>, collection: Value, by: u64) -> Flow<Arc<Sequence>> {
    let of = match collection {
        Value::Iterator(sequence) => sequence,
        collection => {
            let items = match &collection {
                Value::Array(items) => items.clone(),
                other => elements(call, other)?.into(),
            };
            let items = if let Value::Hash(_) = collection { Items::Pairs(items) } else { Items::Values(items) };
            // No lambda sees the type.
            let element = if call.has_block() { Type::Any } else { element_type(&collection, &items) };
            Arc::new(Sequence::new(items, element))
        }
    };
    let element = of.element.clone();
    match (by, &of.items) {
        (1, Items::Values(_) | Items::Pairs(_)) => Ok(of),
        _ => Ok(Arc::new(Sequence::new(Items::Steps { source: of, step: by }, element))),
    }
}

/// Calls the lambda for all items, or is worth the iterator.
fn finish(call: &mut Invocation<'_, '_>, sequence: Arc<Sequence>) -> Flow {
    let sequence = Value::Iterator(sequence);
    if !call.has_block() {
        return Ok(sequence);
    }
    let cursors = call.cursors();
    let yield_each = |_, element: Element<'_>| call.yield_values([element.value()]).map(|_| true);
    or_broken(go_by(By::Next, &cursors, &sequence, yield_each))?;
    Ok(Value::Undef)
}

fn elements(call: &Invocation<'_, '_>, collection: &Value) -> Flow<Vec<Value>> {
    let mut items = Vec::new();
    go_through_all(call, collection, |_, element| {
        items.push(element.value());
        Ok(true)
    })?;
    Ok(items)
}

// ---- numbers ----

/// Numbers of a range, from its start or its end, at equal distances.
#[derive(Clone, Copy)]
struct Numbers {
    range: IntegerRange,
    step: i64,
}

fn numbers(collection: &Value) -> Option<Numbers> {
    match collection {
        Value::Integer(count) if *count > 0 => {
            Some(Numbers { range: IntegerRange { from: 0, to: count - 1 }, step: 1 })
        }
        Value::Type(of) => match of.resolved() {
            Type::Integer(range) if range.is_finite() => Some(Numbers { range: *range, step: 1 }),
            _ => None,
        },
        Value::Iterator(sequence) => match (&sequence.items, &sequence.element) {
            (Items::Numbers { step, .. }, Type::Integer(range)) => Some(Numbers { range: *range, step: *step }),
            _ => None,
        },
        _ => None,
    }
}

impl Numbers {
    fn reversed(self) -> Numbers {
        Numbers { step: -self.step, ..self }
    }

    /// The range ends where the last step would; one gone through backwards starts so that the rest is cut off,
    /// which loses numbers, in Puppet as here.
    fn stepped(self, by: u64) -> Result<Numbers, Fault> {
        let step = self.step.saturating_mul(i64::try_from(by).unwrap_or(i64::MAX));
        let length = count_of_range(self.range).saturating_sub(1);
        let rest = (length % step.unsigned_abs()) as i64;
        let mut range = self.range;
        if step > 0 {
            range.to -= rest;
        } else if rest > 0 {
            range.from = range.from.saturating_add(step.saturating_neg() - rest);
            if range.from > range.to {
                return Err(Fault::new(format!(
                    "'from' must be less or equal to 'to'. Got ({}, {}",
                    range.from, range.to
                )));
            }
        }
        Ok(Numbers { range, step })
    }

    fn items(self) -> Items {
        let first = if self.step > 0 { self.range.from } else { self.range.to };
        let count = (count_of_range(self.range) - 1) / self.step.unsigned_abs() + 1;
        Items::Numbers { first, step: self.step, count }
    }

    fn of_items(items: &Items) -> Option<IntegerRange> {
        let Items::Numbers { first, step, count } = items else { return None };
        let last = first.wrapping_add(step.wrapping_mul(*count as i64 - 1));
        Some(IntegerRange { from: *first.min(&last), to: *first.max(&last) })
    }
}

// ---- the type of elements ----

fn element_type(collection: &Value, items: &Items) -> Type {
    match collection {
        Value::Array(items) if items.is_empty() => Type::Unit,
        Value::Array(items) => one_of(items.iter()),
        Value::Hash(entries) if entries.is_empty() => pair(Type::Unit, Type::Unit),
        Value::Hash(entries) => pair(one_of(entries.keys()), one_of(entries.values())),
        Value::String(_) | Value::Unencoded(_) => Type::String(Size::exactly(1)),
        Value::Type(of) if matches!(of.resolved(), Type::Enum(_)) => of.resolved().clone(),
        Value::Iterator(sequence) if !matches!(items, Items::Numbers { .. }) => sequence.element.clone(),
        _ => Numbers::of_items(items).map_or(Type::Unit, Type::Integer),
    }
}

fn pair(key: Type, value: Type) -> Type {
    Type::tuple(vec![key, value], Some(Size::exactly(2)))
}

/// Returns a choice of the types of all, each once, in time that does not grow with the square of their number.
fn one_of<'v>(values: impl Iterator<Item = &'v Value>) -> Type {
    let mut seen = FxHashSet::default();
    let mut each_once = Vec::new();
    for value in values {
        let of = Type::infer(value);
        if seen.insert(of.clone()) {
            each_once.push(of);
        }
    }
    match <[Type; 1]>::try_from(each_once) {
        Ok([only]) => only,
        Err(several) => Type::Variant(several.into()),
    }
}
