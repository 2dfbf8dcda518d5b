//! What is put in order: sorts, the least, the greatest. The elements are compared in the order in which Ruby compares
//! them, so that a block sees the same pairs, an error names the same pair, and what is equal stays in the same order.

use std::cmp::Ordering;

use super::enumerable::yield_element;
use super::least::least;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Enumerable, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("sort", 0, 0, |interp, given| {
        let items = interp.items(given.receiver)?;
        let sorted = interp.sort(items, |interp, a, b| order_by(interp, given.block, a, b))?;
        Ok(Value::array(sorted))
    }),
    method("sort_by", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        let keyed = keyed(interp, given, block)?;
        let sorted = interp.sort(keyed, |interp, a, b| interp.order(&a.key, &b.key))?;
        Ok(Value::array(sorted.into_iter().map(|keyed| keyed.item).collect()))
    }),
    method("min", 0, 1, |interp, given| extreme(interp, given, Ordering::Less)),
    method("max", 0, 1, |interp, given| extreme(interp, given, Ordering::Greater)),
    method("min_by", 0, 1, |interp, given| extreme_by(interp, given, Ordering::Less)),
    method("max_by", 0, 1, |interp, given| extreme_by(interp, given, Ordering::Greater)),
    method("minmax", 0, 0, |interp, given| {
        if let (Value::Array(_), None) = (given.receiver, given.block) {
            let least = extreme(interp, given, Ordering::Less)?;
            return Ok(Value::pair(least, extreme(interp, given, Ordering::Greater)?));
        }
        let items = interp.items(given.receiver)?;
        let items = items.into_iter().map(|item| Keyed { key: item.clone(), item }).collect();
        both(interp, items, given.block)
    }),
    method("minmax_by", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        let keyed = keyed(interp, given, block)?;
        both(interp, keyed, None)
    }),
];

/// An element and what it is compared by.
#[derive(Clone)]
pub(super) struct Keyed {
    pub(super) key: Value,
    pub(super) item: Value,
}

fn keyed(interp: &mut Interp<'_>, given: &CallArguments<'_>, block: &Value) -> Flow<Vec<Keyed>> {
    let mut all = Vec::new();
    for element in interp.yields(given.receiver)? {
        let key = yield_element(interp, block, &element)?;
        all.push(Keyed { key, item: element.into_value() });
    }
    Ok(all)
}

/// Returns the order that a block gives, or the natural one.
pub(super) fn order_by(interp: &mut Interp<'_>, block: Option<&Value>, a: &Value, b: &Value) -> Flow<Ordering> {
    let Some(block) = block else { return interp.order(a, b) };
    match interp.yield_to(block, &[a.clone(), b.clone()])? {
        Value::Nil => interp.incomparable(a, b),
        Value::Int(order) => Ok(order.cmp(&0)),
        order if interp.send(&order, ">", &[Value::Int(0)])?.is_truthy() => Ok(Ordering::Greater),
        order if interp.send(&order, "<", &[Value::Int(0)])?.is_truthy() => Ok(Ordering::Less),
        _ => Ok(Ordering::Equal),
    }
}

fn extreme(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: Ordering) -> Flow {
    let items = interp.items(given.receiver)?;
    if let Some(count) = given.args.first().filter(|count| !count.is_nil()) {
        let items = items.into_iter().map(|item| Keyed { key: item.clone(), item }).collect();
        return least(interp, items, count, wanted, |interp, a, b| order_by(interp, given.block, a, b));
    }
    // An array asks what it has found so far, anything else what comes.
    let asks_known = matches!(given.receiver, Value::Array(_)) && given.block.is_none();
    let mut best: Option<Value> = None;
    for item in items {
        let better = match &best {
            None => true,
            Some(known) if asks_known => interp.order(known, &item)? == wanted.reverse(),
            Some(known) => order_by(interp, given.block, &item, known)? == wanted,
        };
        if better {
            best = Some(item);
        }
    }
    Ok(best.unwrap_or_default())
}

/// Of an array that is written out in front of `max` or `min`: what comes is asked.
pub(crate) fn extreme_of_written(interp: &mut Interp<'_>, items: Vec<Value>, name: &str) -> Flow {
    let wanted = if name == "max" { Ordering::Greater } else { Ordering::Less };
    let mut best: Option<Value> = None;
    for item in items {
        let better = match &best {
            None => true,
            Some(known) => interp.order(&item, known)? == wanted,
        };
        if better {
            best = Some(item);
        }
    }
    Ok(best.unwrap_or_default())
}

fn extreme_by(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: Ordering) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    if let Some(count) = given.args.first().filter(|count| !count.is_nil()) {
        let keyed = keyed(interp, given, block)?;
        return least(interp, keyed, count, wanted, |interp, a, b| interp.order(a, b));
    }
    let mut best: Option<Keyed> = None;
    for element in interp.yields(given.receiver)? {
        let key = yield_element(interp, block, &element)?;
        let better = match &best {
            None => true,
            Some(known) => interp.order(&key, &known.key)? == wanted,
        };
        if better {
            best = Some(Keyed { key, item: element.into_value() });
        }
    }
    Ok(best.map_or(Value::Nil, |best| best.item))
}

/// The least and the greatest at once: two elements are compared with each other, then the lesser with the least and the
/// greater with the greatest.
fn both(interp: &mut Interp<'_>, items: Vec<Keyed>, block: Option<&Value>) -> Flow {
    let mut found: Option<(Keyed, Keyed)> = None;
    for pair in items.chunks(2) {
        let (low, high) = match pair {
            [one, other] => match order_by(interp, block, &one.key, &other.key)? {
                Ordering::Less => (one, other),
                Ordering::Equal => (one, one),
                Ordering::Greater => (other, one),
            },
            one => (&one[0], &one[0]),
        };
        found = Some(match found {
            None => (low.clone(), high.clone()),
            Some((least, greatest)) => {
                let is_less = order_by(interp, block, &low.key, &least.key)?.is_lt();
                let is_greater = order_by(interp, block, &high.key, &greatest.key)?.is_gt();
                (if is_less { low.clone() } else { least }, if is_greater { high.clone() } else { greatest })
            }
        });
    }
    let (least, greatest) = found.map_or_else(Default::default, |(least, greatest)| (least.item, greatest.item));
    Ok(Value::pair(least, greatest))
}
