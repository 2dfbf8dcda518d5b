//! Hashes that are changed in place.

use std::rc::Rc;

use super::hash::{own, yield_pair};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Hash, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("[]=", 2, 2, store),
    method("store", 2, 2, store),
    method("delete", 1, 1, |interp, given| {
        let table = mutable(interp, given)?;
        match (interp.take_from(&table, given.arg(0))?, given.block) {
            (Some(value), _) => Ok(value),
            (None, Some(block)) => interp.yield_one(block, given.arg(0).clone()),
            (None, None) => Ok(Value::Nil),
        }
    }),
    method("merge!", 0, ANY, merge),
    method("update", 0, ANY, merge),
    method("replace", 1, 1, |interp, given| {
        let pairs = interp.hash_arg(given.arg(0))?;
        replaced(interp, given, pairs)
    }),
    method("clear", 0, 0, |interp, given| replaced(interp, given, Vec::new())),
    method("rehash", 0, 0, rehash),
    method("delete_if", 0, 0, |interp, given| filtered(interp, given, false, false)),
    method("reject!", 0, 0, |interp, given| filtered(interp, given, false, true)),
    method("select!", 0, 0, |interp, given| filtered(interp, given, true, true)),
    method("filter!", 0, 0, |interp, given| filtered(interp, given, true, true)),
    method("keep_if", 0, 0, |interp, given| filtered(interp, given, true, false)),
    method("compact!", 0, 0, |interp, given| by_name(interp, given, "compact", true)),
    method("transform_values!", 0, 0, |interp, given| by_name(interp, given, "transform_values", false)),
    method("transform_keys!", 0, 1, |interp, given| by_name(interp, given, "transform_keys", false)),
    method("shift", 0, 0, |interp, given| {
        let table = mutable(interp, given)?;
        let first = table.entries.borrow().keys().next().cloned();
        let Some(key) = first else { return Ok(Value::Nil) };
        let value = table.remove_at(&key).unwrap_or_default();
        Ok(Value::pair(key.value, value))
    }),
    method("compare_by_identity", 0, 0, by_identity),
    method("compare_by_identity?", 0, 0, |_, given| Ok(own(given).by_identity.get().into())),
];

/// `compare_by_identity`
fn by_identity(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    mutable(interp, given)?.compare_by_identity();
    Ok(given.receiver.clone())
}

pub(super) fn mutable(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<HashTable>> {
    interp.check_lent_value(given.receiver)?;
    let table = own(given);
    if table.frozen.get() {
        return interp.frozen(given.receiver);
    }
    interp.touched |= table.lent.get();
    Ok(table)
}

fn replaced(interp: &mut Interp<'_>, given: &CallArguments<'_>, pairs: Vec<(Value, Value)>) -> Flow {
    let table = mutable(interp, given)?;
    table.entries.borrow_mut().clear();
    for (key, value) in pairs {
        interp.put_into(&table, key, value)?;
    }
    Ok(given.receiver.clone())
}

/// Each key is asked again what it hashes to.
fn rehash(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let table = mutable(interp, given)?;
    if table.is_iterated() {
        return interp.raise(Core::RuntimeError, "rehash during iteration");
    }
    let pairs = table.pairs();
    table.entries.borrow_mut().clear();
    // What has come to be the same as a key before it is let go, with its value.
    for (key, value) in pairs {
        if !interp.is_in(&table, &key)? {
            interp.put_into(&table, key, value)?;
        }
    }
    Ok(given.receiver.clone())
}

fn store(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let table = mutable(interp, given)?;
    if table.is_iterated() && !interp.is_in(&table, given.arg(0))? {
        return interp.raise(Core::RuntimeError, "can't add a new key into hash during iteration");
    }
    interp.put_into(&table, given.arg(0).clone(), given.arg(1).clone())?;
    interp.check_count(table.len())?;
    Ok(given.arg(1).clone())
}

fn merge(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let table = mutable(interp, given)?;
    for other in given.args {
        for (key, new) in interp.hash_arg(other)? {
            let old = if given.block.is_some() { interp.get_from(&table, &key)? } else { None };
            let value = match (given.block, old) {
                (Some(block), Some(old)) => interp.yield_to(block, &[key.clone(), old, new])?,
                _ => new,
            };
            interp.put_into(&table, key, value)?;
        }
    }
    Ok(given.receiver.clone())
}

fn filtered(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: bool, nil_if_same: bool) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let table = mutable(interp, given)?;
    let mut changed = false;
    for (key, value) in table.keyed_pairs() {
        if yield_pair(interp, block, key.value.clone(), value)?.is_truthy() != wanted {
            table.remove_at(&key);
            changed = true;
        }
    }
    Ok(if changed || !nil_if_same { given.receiver.clone() } else { Value::Nil })
}

fn by_name(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str, nil_if_same: bool) -> Flow {
    let before = own(given).len();
    let new = interp.call_named(given, name)?;
    let pairs = interp.hash_arg(&new)?;
    let same = pairs.len() == before;
    let hash = replaced(interp, given, pairs)?;
    Ok(if same && nil_if_same { Value::Nil } else { hash })
}
