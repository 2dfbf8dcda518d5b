//! The description of a function by the worker that has loaded its file.

use pantin_ruby::{Declaration, DeclaredBlock, DeclaredParam, Dispatch};
use pantin_values::signature::ParamKind;
use pantin_values::{Str, Value};

/// Returns the ways to call a function of the newer kind: `[[method, params, block, returns, explains]…, local types]`.
/// `None`: it is not of this form.
pub(super) fn declaration(name: &Str, description: &Value) -> Option<Declaration> {
    let [dispatches, local_types] = items(description)? else { return None };
    let dispatches = items(dispatches)?.iter().map(dispatch).collect::<Option<_>>()?;
    let local_types = items(local_types)?.iter().map(|of| of.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    Some(Declaration { name: name.clone(), dispatches, local_types, ..Declaration::default() })
}

/// Returns how many arguments a function of the older kind takes, as Ruby counts them, and whether it gives a value.
pub(super) fn older(description: &Value) -> Option<(i64, bool)> {
    match items(description)? {
        [Value::Integer(arity), Value::Boolean(is_value)] => Some((*arity, *is_value)),
        _ => None,
    }
}

fn dispatch(description: &Value) -> Option<Dispatch> {
    let [method, params, block, returns, explains] = items(description)? else { return None };
    let params = items(params)?.iter().map(param).collect::<Option<_>>()?;
    let block = match block {
        Value::Undef => None,
        block => Some(declared_block(block)?),
    };
    let returns = returns.as_str().map(str::to_owned);
    Some(Dispatch::elsewhere(method.as_str()?.into(), params, block, returns, explains.is_truthy()))
}

fn param(description: &Value) -> Option<DeclaredParam> {
    let [of, name, kind] = items(description)? else { return None };
    let kind = match kind.as_str()? {
        "required" => ParamKind::Required,
        "optional" => ParamKind::Optional,
        "repeated" => ParamKind::Repeated,
        _ => ParamKind::RequiredRepeated,
    };
    Some(DeclaredParam { type_text: of.as_str().map(str::to_owned), name: name.as_str()?.into(), kind })
}

fn declared_block(description: &Value) -> Option<DeclaredBlock> {
    let [of, name, optional] = items(description)? else { return None };
    Some(DeclaredBlock {
        type_text: of.as_str().map(str::to_owned),
        name: name.as_str()?.into(),
        optional: optional.is_truthy(),
    })
}

fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(items) => Some(items),
        _ => None,
    }
}
