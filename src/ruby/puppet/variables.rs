//! `scope.to_hash`: the variables of the scope by their names, each asked for when it is wanted.

use super::scope::{is_top, placed};
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{ANY, NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::{Data, Value};

pub(super) const TABLES: [Table; 2] = [
    (Core::PuppetScope, Side::Instance, &[method("to_hash", 0, 2, to_hash)]),
    (Core::PuppetScopeVariables, Side::Instance, VARIABLES),
];

const VARIABLES: &[NativeMethod] = &[
    method("[]", 1, 1, |interp, given| placed(interp, given, value)),
    method("has_key?", 1, 1, |interp, given| placed(interp, given, has)),
    method("key?", 1, 1, |interp, given| placed(interp, given, has)),
    method("include?", 1, 1, |interp, given| placed(interp, given, has)),
    method("member?", 1, 1, |interp, given| placed(interp, given, has)),
    method("method_missing", 1, ANY, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.unsupported(format!("the method {name} of scope.to_hash"))
    }),
];

fn to_hash(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    if !given.args.is_empty() {
        return interp.unsupported("scope.to_hash with arguments");
    }
    let of = if is_top(given.receiver) { Data::TopScope } else { Data::None };
    Ok(Value::object(Core::PuppetScopeVariables.class(), of))
}

/// One that is undef is left out, as is any of another scope.
fn value(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let Value::String(name) = given.arg(0) else { return Ok(Value::Nil) };
    let name = interp.str_of(name)?;
    if name.contains("::") {
        return Ok(Value::Nil);
    }
    let found = interp.outside.variable(&format!("@{name}"));
    interp.outside(found)?.map_or(Ok(Value::Nil), |seen| interp.seen(seen))
}

fn has(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    Ok((!value(interp, given)?.is_nil()).into())
}
