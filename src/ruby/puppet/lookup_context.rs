//! `Puppet::LookupContext`: what a back end of Hiera is given beside its arguments.
//!
//! What it keeps between calls are Puppet's values. One that only Ruby has, and one that is changed in place once it is
//! kept, are errors: in the real one both would be seen by the next call.

use crate::border;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::{Table as Entries, eql};
use crate::value::Value;

pub(super) const METHODS: Table = (Core::PuppetLookupContext, Side::Instance, OF_CONTEXTS);

/// What back ends use of the real one's own code.
pub(super) const CONFIG: Table = (Core::PuppetHieraConfig, Side::Class, OF_CONFIG);

const OF_CONTEXTS: &[NativeMethod] = &[
    method("environment_name", 0, 0, |interp, given| {
        let name = asked(interp, given)?;
        Ok(Value::Symbol(interp.name_arg(&name)?))
    }),
    method("module_name", 0, 0, asked),
    method("not_found", 0, 0, asked),
    method("interpolate", 1, 1, asked),
    method("cache_has_key", 1, 1, asked),
    method("cache", 2, 2, |interp, given| {
        keep(interp, given.receiver, "cache", given.args)?;
        Ok(given.arg(1).clone())
    }),
    method("cache_all", 1, 1, |interp, given| {
        keep(interp, given.receiver, "cache_all", given.args)?;
        Ok(Value::Nil)
    }),
    method("cached_value", 1, 1, |interp, given| kept(interp, given.receiver, "cached_value", given.args)),
    method("cached_entries", 0, 0, cached_entries),
    method("cached_file_data", 1, 1, cached_file_data),
    method("explain", 0, 0, explain),
];

const OF_CONFIG: &[NativeMethod] =
    &[method("symkeys_to_string", 1, 1, |interp, given| with_texts_for_keys(interp, given.arg(0)))];

/// The same, with texts where hashes have symbols for keys.
fn with_texts_for_keys(interp: &mut Interp<'_>, value: &Value) -> Flow {
    let value = interp.settle(value.clone())?;
    match &value {
        Value::Hash(table) => {
            let texts = Entries::default();
            for (key, value) in table.pairs() {
                let key = if let Value::Symbol(name) = &key { Value::text(name.as_str()) } else { key };
                texts.insert(key, interp.deeper(|interp| with_texts_for_keys(interp, &value))?);
            }
            Ok(Value::hash(texts))
        }
        Value::Array(list) => {
            let mut items = list.items.borrow().clone();
            for item in &mut items {
                *item = interp.deeper(|interp| with_texts_for_keys(interp, item))?;
            }
            Ok(Value::array(items))
        }
        _ => Ok(value),
    }
}

fn ask(interp: &mut Interp<'_>, context: &Value, name: &str, args: &[Value]) -> Flow<pantin_values::Value> {
    let Value::Foreign(context) = context else { return interp.unsupported("a context of a look-up of one's own") };
    let pantin_values::Value::Object(context) = &**context else { return interp.unsupported("a context that is none") };
    let mut given = Vec::with_capacity(args.len());
    for arg in args {
        given.push(interp.leaving(arg)?);
    }
    let answer = interp.outside.method(context, name, given);
    interp.outside(answer)
}

fn asked(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(border::inward(&ask(interp, given.receiver, given.name, given.args)?))
}

/// The method takes values that are kept.
fn keep(interp: &mut Interp<'_>, context: &Value, name: &str, args: &[Value]) -> Flow<()> {
    for arg in args {
        let value = interp.leaving(arg)?;
        if !eql(&border::inward(&value), arg) {
            return interp.unsupported("a value that only Ruby has, kept by the context of a look-up,");
        }
        interp.lend_cached(value, arg);
    }
    ask(interp, context, name, args).map(drop)
}

/// The method gives a value that was kept.
fn kept(interp: &mut Interp<'_>, context: &Value, name: &str, args: &[Value]) -> Flow {
    let original = ask(interp, context, name, args)?;
    let value = border::inward(&original);
    interp.lend_cached(original, &value);
    Ok(value)
}

/// A block that takes two gets key and value, any other a pair.
fn cached_entries(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let pairs = kept(interp, given.receiver, "cached_entries", &[])?;
    let Some(block) = given.block else { return Ok(pairs) };
    for pair in interp.items(&pairs)? {
        interp.yield_to(block, &[pair])?;
    }
    Ok(Value::Nil)
}

fn cached_file_data(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let found = ask(interp, given.receiver, "cached_file_data", given.args)?;
    let pantin_values::Value::Hash(found) = found else { return Ok(Value::Nil) };
    if let Some(original) = found.get_str("kept") {
        let value = border::inward(original);
        interp.lend_cached(original.clone(), &value);
        return Ok(value);
    }
    let content = border::inward(found.get_str("content").unwrap_or(&pantin_values::Value::Undef));
    let made = match given.block {
        Some(block) => interp.yield_to(block, &[content])?,
        None => content,
    };
    keep(interp, given.receiver, "keep_file_data", &[given.arg(0).clone(), made.clone()])?;
    Ok(made)
}

/// The block runs where somebody listens.
fn explain(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if let Some(block) = given.block
        && ask(interp, given.receiver, "explain", &[])?.is_truthy()
    {
        let text = interp.yield_to(block, &[])?;
        ask(interp, given.receiver, "explain", &[text])?;
    }
    Ok(Value::Nil)
}
