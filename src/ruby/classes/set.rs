//! Set.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[(Core::Set, Side::Class, MAKE_SET), (Core::Set, Side::Instance, SET)];

const MAKE_SET: &[NativeMethod] = &[
    method("new", 0, 1, |interp, given| {
        let items = if given.arg(0).is_nil() { Vec::new() } else { elements(interp, given.arg(0))? };
        set_of(interp, given.block, items)
    }),
    method("[]", 0, ANY, |interp, given| set_of(interp, None, given.args.to_vec())),
];

const SET: &[NativeMethod] = &[
    method("each", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for item in own(given).keys() {
            interp.yield_one(block, item)?;
        }
        Ok(given.receiver.clone())
    }),
    method("add", 1, 1, add),
    method("<<", 1, 1, add),
    method("add?", 1, 1, |interp, given| match interp.is_in(&own(given), given.arg(0))? {
        true => Ok(Value::Nil),
        false => add(interp, given),
    }),
    method("delete", 1, 1, |interp, given| {
        let table = mutable(interp, given)?;
        interp.take_from(&table, given.arg(0))?;
        Ok(given.receiver.clone())
    }),
    method("delete?", 1, 1, |interp, given| {
        let table = mutable(interp, given)?;
        Ok(if interp.take_from(&table, given.arg(0))?.is_some() { given.receiver.clone() } else { Value::Nil })
    }),
    method("subtract", 1, 1, |interp, given| {
        for item in elements(interp, given.arg(0))? {
            let table = mutable(interp, given)?;
            interp.take_from(&table, &item)?;
        }
        Ok(given.receiver.clone())
    }),
    method("disjoint?", 1, 1, |interp, given| Ok((!meet(interp, given)?).into())),
    method("intersect?", 1, 1, |interp, given| Ok(meet(interp, given)?.into())),
    method("^", 1, 1, |interp, given| {
        let other = if given.arg(0).is_nil() { Vec::new() } else { elements(interp, given.arg(0))? };
        let once = interp.table_with(other, Value::Bool(true))?;
        for item in own(given).keys() {
            if interp.take_from(&once, &item)?.is_none() {
                interp.put_into(&once, item, Value::Bool(true))?;
            }
        }
        set_of(interp, None, once.keys())
    }),
    method("subset?", 1, 1, |interp, given| against(interp, given, |order| order.is_le())),
    method("<=", 1, 1, |interp, given| against(interp, given, |order| order.is_le())),
    method("proper_subset?", 1, 1, |interp, given| against(interp, given, |order| order.is_lt())),
    method("<", 1, 1, |interp, given| against(interp, given, |order| order.is_lt())),
    method("superset?", 1, 1, |interp, given| against(interp, given, |order| order.is_ge())),
    method(">=", 1, 1, |interp, given| against(interp, given, |order| order.is_ge())),
    method("proper_superset?", 1, 1, |interp, given| against(interp, given, |order| order.is_gt())),
    method(">", 1, 1, |interp, given| against(interp, given, |order| order.is_gt())),
    method("<=>", 1, 1, |interp, given| {
        let order = match set_in(given.arg(0)) {
            Some(other) => inclusion(interp, &own(given), &other)?,
            None => None,
        };
        Ok(order.map_or(Value::Nil, |order| Value::Int(order as i64)))
    }),
    method("join", 0, 1, |interp, given| interp.send(&Value::array(own(given).keys()), "join", given.args)),
    method("include?", 1, 1, includes),
    method("member?", 1, 1, includes),
    method("===", 1, 1, includes),
    method("size", 0, 0, |_, given| Ok(own(given).len().into())),
    method("length", 0, 0, |_, given| Ok(own(given).len().into())),
    method("empty?", 0, 0, |_, given| Ok((own(given).len() == 0).into())),
    method("flatten", 0, 0, |interp, given| {
        let mut items = Vec::new();
        flat(interp, &own(given), &mut vec![own(given)], &mut items)?;
        set_of(interp, None, items)
    }),
    method("reject!", 0, 0, |interp, given| chosen(interp, given, false, true)),
    method("select!", 0, 0, |interp, given| chosen(interp, given, true, true)),
    method("filter!", 0, 0, |interp, given| chosen(interp, given, true, true)),
    method("delete_if", 0, 0, |interp, given| chosen(interp, given, false, false)),
    method("keep_if", 0, 0, |interp, given| chosen(interp, given, true, false)),
    method("clear", 0, 0, |interp, given| {
        let table = mutable(interp, given)?;
        drop(table.entries.take());
        Ok(given.receiver.clone())
    }),
    method("merge", 1, 1, |interp, given| {
        for other in given.args {
            for item in elements(interp, other)? {
                let table = mutable(interp, given)?;
                interp.put_into(&table, item, Value::Bool(true))?;
            }
        }
        Ok(given.receiver.clone())
    }),
    method("|", 1, 1, union),
    method("+", 1, 1, union),
    method("union", 1, 1, union),
    method("&", 1, 1, |interp, given| kept(interp, given, true)),
    method("intersection", 1, 1, |interp, given| kept(interp, given, true)),
    method("-", 1, 1, |interp, given| kept(interp, given, false)),
    method("difference", 1, 1, |interp, given| kept(interp, given, false)),
    method("to_set", 0, 0, |_, given| Ok(given.receiver.clone())),
];

/// The elements, and in the places of sets among them theirs.
fn flat(
    interp: &mut Interp<'_>,
    of: &Rc<HashTable>,
    around: &mut Vec<Rc<HashTable>>,
    items: &mut Vec<Value>,
) -> Flow<()> {
    interp.step()?;
    for item in of.keys() {
        match set_in(&item) {
            Some(inner) if around.iter().any(|outer| Rc::ptr_eq(outer, &inner)) => {
                return interp.raise(Core::ArgumentError, "tried to flatten recursive Set");
            }
            Some(inner) => {
                around.push(inner.clone());
                interp.deeper(|interp| flat(interp, &inner, around, items))?;
                around.pop();
            }
            None => items.push(item),
        }
    }
    interp.check_count(items.len())
}

/// Takes out what the block does not want; nil where that is nothing, if it is asked.
fn chosen(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: bool, nil_if_same: bool) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let before = own(given).len();
    for (key, _) in own(given).keyed_pairs() {
        if interp.yield_one(block, key.value.clone())?.is_truthy() != wanted {
            mutable(interp, given)?.remove_at(&key);
        }
    }
    Ok(if nil_if_same && own(given).len() == before { Value::Nil } else { given.receiver.clone() })
}

fn meet(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<bool> {
    for item in elements(interp, given.arg(0))? {
        if interp.is_in(&own(given), &item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn includes(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(interp.is_in(&own(given), given.arg(0))?.into())
}

fn set_in(value: &Value) -> Option<Rc<HashTable>> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Set(table) => Some(table.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn own(given: &CallArguments<'_>) -> Rc<HashTable> {
    set_in(given.receiver).unwrap_or_default()
}

/// Returns what may be put into a set, or taken from it.
fn elements(interp: &mut Interp<'_>, value: &Value) -> Flow<Vec<Value>> {
    match value {
        Value::Array(_) | Value::Hash(_) | Value::Range(_) => interp.items(value),
        Value::Object(_) if interp.responds(value, "each")? => interp.items(value),
        _ => interp.raise(Core::ArgumentError, "value must be enumerable"),
    }
}

/// Less: the first is within the second and not the same.
fn inclusion(interp: &mut Interp<'_>, one: &HashTable, other: &HashTable) -> Flow<Option<Ordering>> {
    let (less, more) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    Ok(interp.are_in(more, &less.keys())?.then(|| one.len().cmp(&other.len())))
}

fn against(interp: &mut Interp<'_>, given: &CallArguments<'_>, fits: fn(Ordering) -> bool) -> Flow {
    match set_in(given.arg(0)) {
        Some(other) => Ok(inclusion(interp, &own(given), &other)?.is_some_and(fits).into()),
        None => interp.raise(Core::ArgumentError, "value must be a set"),
    }
}

fn set_of(interp: &mut Interp<'_>, block: Option<&Value>, items: Vec<Value>) -> Flow {
    let table = HashTable::default();
    for item in items {
        let item = match block {
            Some(block) => interp.yield_one(block, item)?,
            None => item,
        };
        interp.put_into(&table, item, Value::Bool(true))?;
    }
    Ok(Value::object(Core::Set.class(), Data::Set(Rc::new(table))))
}

/// What is frozen of a set is the hash in it, which the error shows.
fn mutable(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<HashTable>> {
    let table = own(given);
    match given.receiver {
        Value::Object(set) if set.frozen.get() => interp.frozen(&Value::Hash(table)),
        _ => Ok(table),
    }
}

fn add(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let table = mutable(interp, given)?;
    interp.put_into(&table, given.arg(0).clone(), Value::Bool(true))?;
    interp.check_count(table.len())?;
    Ok(given.receiver.clone())
}

fn union(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut items = own(given).keys();
    items.extend(elements(interp, given.arg(0))?);
    set_of(interp, None, items)
}

fn kept(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: bool) -> Flow {
    let other = elements(interp, given.arg(0))?;
    // What both have stands in the order of the other, if that is no larger set.
    let is_larger = set_in(given.arg(0)).is_some_and(|other| other.len() > own(given).len());
    let (items, table) = if wanted && !is_larger {
        (other, own(given))
    } else {
        (own(given).keys(), Rc::new(interp.table_with(other, Value::Nil)?))
    };
    let mut kept = Vec::new();
    for item in items {
        if interp.is_in(&table, &item)? == wanted {
            kept.push(item);
        }
    }
    set_of(interp, None, kept)
}
