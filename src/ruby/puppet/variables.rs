//! `scope.to_hash`: the variables of the scope by their names, each asked for when it is wanted.
//!
//! In which order a scope has them is not known here: what would show it is refused, but for all of them sorted.

use super::scope::{is_top, run_in_scope};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as Entries;
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 2] = [
    (Core::PuppetScope, Side::Instance, &[method("to_hash", 0, 2, to_hash)]),
    (Core::PuppetScopeVariables, Side::Instance, VARIABLES),
];

const VARIABLES: &[NativeMethod] = &[
    method("[]", 1, 1, value),
    method("has_key?", 1, 1, has),
    method("key?", 1, 1, has),
    method("include?", 1, 1, has),
    method("member?", 1, 1, has),
    method("fetch", 1, 2, |interp, given| match value(interp, given)? {
        Value::Nil => {
            let all = all(interp, given)?;
            interp.send_with(&all, "fetch", given.args, given.block)
        }
        found => Ok(found),
    }),
    method("dig", 1, ANY, |interp, given| {
        let found = value(interp, given)?;
        interp.dig_on(found, &given.args[1..])
    }),
    method("values_at", 0, ANY, of_all),
    method("slice", 0, ANY, of_all),
    method("size", 0, 0, of_all),
    method("length", 0, 0, of_all),
    method("count", 0, 1, of_all),
    method("empty?", 0, 0, of_all),
    method("any?", 0, 1, of_all),
    method("all?", 0, 1, of_all),
    method("none?", 0, 1, of_all),
    method("sort", 0, 0, of_all),
    method("select", 0, 0, chosen),
    method("filter", 0, 0, chosen),
    method("reject", 0, 0, chosen),
    method("to_s", 0, 0, refused),
    method("inspect", 0, 0, refused),
    method("to_json", 0, ANY, refused),
    method("==", 1, 1, refused),
    method("method_missing", 1, ANY, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.unsupported(format!("the method {name} of scope.to_hash"))
    }),
];

fn refused(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    interp.unsupported(format!("the method {} of scope.to_hash", given.name))
}

/// Those that a choice has left.
const CHOSEN: &str = "__chosen__";

/// As one hash.
fn all(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    run_in_scope(interp, given, all_there)
}

fn all_there(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if let Some(chosen @ Value::Hash(_)) = interp.instance_variable_if(given.receiver, &CHOSEN.into())? {
        return Ok(chosen);
    }
    let names = interp.outside.variable_names();
    let table = Entries::default();
    for name in interp.outside(names)? {
        let found = interp.outside.variable(&format!("@{name}"));
        let Some(seen) = interp.outside(found)? else { continue };
        let value = interp.value_from_outside(seen)?;
        let value = interp.settle(value)?;
        if !value.is_nil() {
            table.insert(Value::text(name.as_str()), value);
        }
    }
    Ok(Value::hash(table))
}

fn of_all(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let all = all(interp, given)?;
    interp.send_with(&all, given.name, given.args, given.block)
}

fn chosen(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let left = of_all(interp, given)?;
    let chosen = Value::object(Core::PuppetScopeVariables.class(), Data::None);
    interp.set_instance_variable(&chosen, &CHOSEN.into(), left)?;
    Ok(chosen)
}

fn to_hash(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if !given.args.is_empty() {
        return interp.unsupported("scope.to_hash with arguments");
    }
    let of = if is_top(given.receiver) { Data::TopScope } else { Data::None };
    Ok(Value::object(Core::PuppetScopeVariables.class(), of))
}

/// One that is undef is left out, as is any of another scope.
fn value(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    run_in_scope(interp, given, value_there)
}

fn value_there(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if let Some(Value::Hash(chosen)) = interp.instance_variable_if(given.receiver, &CHOSEN.into())? {
        return Ok(interp.get_from(&chosen, given.arg(0))?.unwrap_or_default());
    }
    let Value::String(name) = given.arg(0) else { return Ok(Value::Nil) };
    let name = interp.str_of(name)?;
    if name.contains("::") {
        return Ok(Value::Nil);
    }
    let found = interp.outside.variable(&format!("@{name}"));
    interp.outside(found)?.map_or(Ok(Value::Nil), |seen| interp.value_from_outside(seen))
}

fn has(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok((!value(interp, given)?.is_nil()).into())
}
