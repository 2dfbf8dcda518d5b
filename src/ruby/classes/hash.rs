//! Hashes: what is asked of them, and other hashes made of them.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Hash, Side::Instance, METHODS), (Core::Hash, Side::Class, MAKE)];

const MAKE: &[NativeMethod] = &[
    method("new", 0, 1, |_, given| {
        let table = HashTable::default();
        *table.default.borrow_mut() = given.arg(0).clone();
        *table.maker.borrow_mut() = given.block.cloned().unwrap_or_default();
        Ok(Value::hash(table))
    }),
    method("[]", 0, ANY, |interp, given| match given.args {
        [Value::Hash(table)] => Ok(Value::hash(table.copy())),
        [list @ Value::Array(_)] => interp.send(list, "to_h", &[]),
        flat if flat.len() % 2 == 0 => {
            Ok(Value::hash(interp.build_table(flat.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())))?))
        }
        _ => interp.raise(Core::ArgumentError, "odd number of arguments for Hash"),
    }),
];

const METHODS: &[NativeMethod] = &[
    method("[]", 1, 1, |interp, given| interp.hash_get(given.receiver, given.arg(0))),
    method("fetch", 1, 2, fetch),
    method("dig", 1, ANY, |interp, given| {
        let found = interp.hash_get(given.receiver, given.arg(0))?;
        interp.dig_on(found, &given.args[1..])
    }),
    method("key?", 1, 1, has_key),
    method("has_key?", 1, 1, has_key),
    method("include?", 1, 1, has_key),
    method("member?", 1, 1, has_key),
    method("value?", 1, 1, has_value),
    method("has_value?", 1, 1, has_value),
    method("key", 1, 1, |interp, given| {
        for (key, value) in own(given).pairs() {
            if interp.equal(&value, given.arg(0))? {
                return Ok(key);
            }
        }
        Ok(Value::Nil)
    }),
    method("keys", 0, 0, |_, given| Ok(Value::array(own(given).keys()))),
    method("values", 0, 0, |_, given| Ok(Value::array(own(given).values()))),
    method("values_at", 0, ANY, |interp, given| {
        let found: Flow<Vec<Value>> = given.args.iter().map(|key| interp.hash_get(given.receiver, key)).collect();
        Ok(Value::array(found?))
    }),
    method("fetch_values", 0, ANY, |interp, given| {
        let mut found = Vec::new();
        for key in given.args {
            found.push(interp.send_with(given.receiver, "fetch", std::slice::from_ref(key), given.block)?);
        }
        Ok(Value::array(found))
    }),
    method("length", 0, 0, |_, given| Ok(own(given).len().into())),
    method("size", 0, 0, |_, given| Ok(own(given).len().into())),
    method("empty?", 0, 0, |_, given| Ok((own(given).len() == 0).into())),
    method("to_h", 0, 0, to_h),
    method("to_hash", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("to_s", 0, 0, |interp, given| Ok(Value::text(interp.inspect(given.receiver)?))),
    method("each", 0, 0, each),
    method("each_pair", 0, 0, each),
    method("each_key", 0, 0, |interp, given| each_of(interp, given, own(given).keys())),
    method("each_value", 0, 0, |interp, given| each_of(interp, given, own(given).values())),
    method("select", 0, 0, |interp, given| filter(interp, given, true)),
    method("filter", 0, 0, |interp, given| filter(interp, given, true)),
    method("reject", 0, 0, |interp, given| filter(interp, given, false)),
    method("merge", 0, ANY, |interp, given| {
        let merged = interp.send(given.receiver, "dup", &[])?;
        interp.send_with(&merged, "merge!", given.args, given.block)
    }),
    method("slice", 0, ANY, |interp, given| {
        let table = own(given);
        let found = table.new_like();
        for key in given.args {
            if let Some(value) = interp.get_from(&table, key)? {
                interp.put_into(&found, key.clone(), value)?;
            }
        }
        Ok(Value::hash(found))
    }),
    method("except", 0, ANY, |interp, given| {
        let table = own(given).copy();
        for key in given.args {
            interp.take_from(&table, key)?;
        }
        Ok(Value::hash(table))
    }),
    method("compact", 0, 0, |interp, given| {
        let present = own(given).pairs().into_iter().filter(|(_, value)| !value.is_nil());
        Ok(Value::hash(interp.build_table(present)?))
    }),
    method("invert", 0, 0, |interp, given| {
        let turned = own(given).pairs().into_iter().map(|(key, value)| (value, key));
        Ok(Value::hash(interp.build_table(turned)?))
    }),
    method("transform_values", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        let new = own(given).new_like();
        for (key, value) in own(given).keyed_pairs() {
            new.insert_at(key, interp.yield_one(block, value)?);
        }
        Ok(Value::hash(new))
    }),
    method("transform_keys", 0, 1, |interp, given| {
        let new = HashTable::default();
        for (key, value) in own(given).pairs() {
            let renamed = match given.arg(0) {
                Value::Hash(names) => interp.get_from(names, &key)?,
                _ => None,
            };
            let key = match (given.arg(0), given.block) {
                _ if renamed.is_some() => renamed.unwrap_or_default(),
                (_, Some(block)) => interp.yield_one(block, key)?,
                (Value::Hash(_), None) => key,
                _ => return interp.enumerator(given),
            };
            interp.put_into(&new, key, value)?;
        }
        Ok(Value::hash(new))
    }),
    method("min_by", 0, 1, through_pairs),
    method("max_by", 0, 1, through_pairs),
    method("sort_by", 0, 0, through_pairs),
    method("sum", 0, 1, through_pairs),
    method("default", 0, 1, |_, given| Ok(own(given).default.borrow().clone())),
    method("default=", 1, 1, |interp, given| {
        *super::hash_change::mutable(interp, given)?.default.borrow_mut() = given.arg(0).clone();
        Ok(given.arg(0).clone())
    }),
    method("<=", 1, 1, |interp, given| {
        let other = other(interp, given)?;
        Ok(is_within(interp, &own(given), &other)?.into())
    }),
    method("<", 1, 1, |interp, given| {
        let other = other(interp, given)?;
        Ok((own(given).len() < other.len() && is_within(interp, &own(given), &other)?).into())
    }),
    method(">=", 1, 1, |interp, given| {
        let other = other(interp, given)?;
        Ok(is_within(interp, &other, &own(given))?.into())
    }),
    method(">", 1, 1, |interp, given| {
        let other = other(interp, given)?;
        Ok((own(given).len() > other.len() && is_within(interp, &other, &own(given))?).into())
    }),
    method("assoc", 1, 1, |interp, given| {
        for (key, value) in own(given).pairs() {
            if interp.equal(&key, given.arg(0))? {
                return Ok(Value::pair(key, value));
            }
        }
        Ok(Value::Nil)
    }),
    method("rassoc", 1, 1, |interp, given| {
        for (key, value) in own(given).pairs() {
            if interp.equal(&value, given.arg(0))? {
                return Ok(Value::pair(key, value));
            }
        }
        Ok(Value::Nil)
    }),
    method("to_a", 0, 0, |interp, given| Ok(Value::array(interp.items(given.receiver)?))),
];

/// A shared empty one, for what is no hash: it never comes to that.
pub(super) fn own(given: &CallArguments<'_>) -> std::rc::Rc<HashTable> {
    match given.receiver {
        Value::Hash(table) => table.clone(),
        _ => std::rc::Rc::default(),
    }
}

impl Interp<'_> {
    /// `hash[key]`, with what the hash has for what is missing.
    pub(crate) fn hash_get(&mut self, hash: &Value, key: &Value) -> Flow {
        let Value::Hash(table) = hash else { return Ok(Value::Nil) };
        if let Some(found) = self.get_from(table, key)? {
            return Ok(found);
        }
        let maker = table.maker.borrow().clone();
        if maker.is_nil() {
            return Ok(table.default.borrow().clone());
        }
        self.yield_to(&maker, &[hash.clone(), key.clone()])
    }
}

/// A key and its value, to a block that may want one parameter or two.
pub(super) fn yield_pair(interp: &mut Interp<'_>, block: &Value, key: Value, value: Value) -> Flow {
    interp.yield_to(block, &[key, value])
}

fn fetch(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if let Some(found) = interp.get_from(&own(given), given.arg(0))? {
        return Ok(found);
    }
    match (given.block, given.args.get(1)) {
        (Some(block), _) => interp.yield_one(block, given.arg(0).clone()),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => {
            let shown = interp.inspect(given.arg(0))?;
            interp.raise_about(Core::KeyError, format!("key not found: {shown}"), given.arg(0).clone())
        }
    }
}

/// Returns the hash that this one is compared with.
fn other(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<HashTable> {
    let pairs = interp.hash_arg(given.arg(0))?;
    interp.build_table(pairs)
}

fn is_within(interp: &mut Interp<'_>, one: &HashTable, other: &HashTable) -> Flow<bool> {
    for (key, value) in one.pairs() {
        match interp.get_from(other, &key)? {
            Some(found) if interp.equal(&found, &value)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn has_key(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(interp.is_in(&own(given), given.arg(0))?.into())
}

fn has_value(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    for value in own(given).values() {
        if interp.equal(&value, given.arg(0))? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn to_h(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return Ok(given.receiver.clone()) };
    let mut pairs = Vec::new();
    for (key, value) in own(given).pairs() {
        pairs.push(yield_pair(interp, block, key, value)?);
    }
    interp.send(&Value::array(pairs), "to_h", &[])
}

fn each(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let pairs = own(given).pairs().into_iter().map(|(key, value)| Value::pair(key, value)).collect();
    each_of(interp, given, pairs)
}

fn each_of(interp: &mut Interp<'_>, given: &CallArguments<'_>, items: Vec<Value>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    own(given).while_iterated(|| items.into_iter().try_for_each(|item| interp.yield_one(block, item).map(drop)))?;
    Ok(given.receiver.clone())
}

fn filter(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: bool) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let kept = own(given).new_like();
    for (key, value) in own(given).keyed_pairs() {
        if yield_pair(interp, block, key.value.clone(), value.clone())?.is_truthy() == wanted {
            kept.insert_at(key, value);
        }
    }
    Ok(Value::hash(kept))
}

fn through_pairs(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if given.block.is_none() && given.name != "sum" {
        return interp.enumerator(given);
    }
    let pairs = Value::array(interp.items(given.receiver)?);
    interp.send_with(&pairs, given.name, given.args, given.block)
}
