//! Arrays as sets: what is in one and not, or also, in another.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::value::Value;

use super::array::own;

pub(super) const TABLES: &[Table] = &[(Core::Array, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("-", 1, 1, without),
    method("difference", 0, ANY, without),
    method("&", 1, 1, |interp, given| {
        let other = interp.array_arg(given.arg(0))?;
        Ok(Value::array(shared(interp, own(given), other)?))
    }),
    method("intersection", 0, ANY, |interp, given| {
        let mut items = own(given);
        for other in given.args {
            let other = interp.array_arg(other)?;
            items = shared(interp, items, other)?;
        }
        Ok(Value::array(items))
    }),
    method("intersect?", 1, 1, |interp, given| {
        let (items, other) = (own(given), interp.array_arg(given.arg(0))?);
        let is_few = items.len() <= FEW && other.len() <= FEW;
        let other = Among::from_items(interp, other, is_few)?;
        for item in &items {
            if other.has(interp, item)? {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }),
    method("|", 1, 1, union),
    method("union", 0, ANY, union),
];

/// So many elements Ruby compares one by one: `eql?` alone is asked then, and not `hash`.
const FEW: usize = 16;

/// Where elements are looked for.
enum Among {
    Few(Vec<Value>),
    /// Each with itself: a text that is a key is a copy.
    Many(HashTable),
}

impl Among {
    fn from_items(interp: &mut Interp<'_>, items: Vec<Value>, is_few: bool) -> Flow<Among> {
        // Where no class says itself what is the same, both ways find the same, and this one is faster.
        if !is_few || !interp.classes.say_what_is_same() {
            return Ok(Among::Many(interp.build_table(items.into_iter().map(|item| (item.clone(), item)))?));
        }
        Ok(Among::Few(items))
    }

    fn has(&self, interp: &mut Interp<'_>, item: &Value) -> Flow<bool> {
        match self {
            Among::Many(table) => interp.is_in(table, item),
            Among::Few(items) => {
                for known in items {
                    if interp.eql(item, known)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn add(&mut self, interp: &mut Interp<'_>, item: Value) -> Flow<()> {
        if self.has(interp, &item)? {
            return Ok(());
        }
        match self {
            Among::Few(items) => items.push(item),
            Among::Many(table) => interp.put_into(table, item.clone(), item)?,
        }
        Ok(())
    }

    fn into_items(self) -> Vec<Value> {
        match self {
            Among::Few(items) => items,
            Among::Many(table) => table.values(),
        }
    }
}

fn without(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut items = own(given);
    let count = items.len();
    for other in given.args {
        let other = interp.array_arg(other)?;
        let is_few = count <= FEW || other.len() <= FEW;
        let other = Among::from_items(interp, other, is_few)?;
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            if !other.has(interp, &item)? {
                kept.push(item);
            }
        }
        items = kept;
    }
    Ok(Value::array(items))
}

fn shared(interp: &mut Interp<'_>, items: Vec<Value>, other: Vec<Value>) -> Flow<Vec<Value>> {
    let is_few = items.len() <= FEW && other.len() <= FEW;
    let other = Among::from_items(interp, other, is_few)?;
    let mut both = Among::from_items(interp, Vec::new(), is_few)?;
    for item in items {
        if other.has(interp, &item)? {
            both.add(interp, item)?;
        }
    }
    Ok(both.into_items())
}

fn union(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut all = own(given);
    for other in given.args {
        all.extend(interp.array_arg(other)?);
    }
    let mut seen = Among::from_items(interp, Vec::new(), all.len() <= FEW)?;
    for item in all {
        seen.add(interp, item)?;
    }
    Ok(Value::array(seen.into_items()))
}
