//! `defined`: whether a variable, a class, a type or a resource is there.

use std::sync::Arc;

use pantin_base::names::is_module_variable;
use pantin_model::trace::{Answer, Question};
use pantin_values::{Fault, Type, Value};

use crate::{Builtin, Flow, Invocation, overload, several};

pub(super) static FUNCTIONS: &[Builtin] = &[Builtin::typed(
    "defined",
    &[overload(&[several("Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]]", "vals")], None, defined)],
    "Whether at least one of the named variables, classes, types and resources is there.",
)
.finding_variables()];

fn defined(call: &mut Invocation<'_, '_>) -> Flow {
    for value in std::mem::take(&mut call.args().to_vec()) {
        let is_there = match &value {
            Value::String(name) => is_defined_name(call, name)?,
            Value::Type(of) => is_defined_type(call, of)?,
            // The real one finds no class by a resource.
            Value::Resource(resource) if resource.type_name == "Class" => false,
            Value::Resource(resource) => is_defined_type(call, &resource.reference())?,
            _ => false,
        };
        if is_there {
            return Ok(Value::Boolean(true));
        }
    }
    Ok(Value::Boolean(false))
}

fn is_defined_name(call: &mut Invocation<'_, '_>, name: &str) -> Flow<bool> {
    match name.strip_prefix('$') {
        Some(variable) if !variable.is_empty() => is_variable(call, variable),
        _ if name.is_empty() => Ok(false),
        _ => is_there(call, name.into()),
    }
}

fn is_variable(call: &mut Invocation<'_, '_>, name: &str) -> Flow<bool> {
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        // After a match all of these are there, whether a group took part or not.
        return Ok(call.has_matched() || call.variable(name)?.is_some());
    }
    // These two are there by any name, also where `$::caller_module_name` is unknown.
    if is_module_variable(name.strip_prefix("::").unwrap_or(name)) {
        return Ok(true);
    }
    Ok(call.variable(name)?.is_some())
}

fn is_there(call: &mut Invocation<'_, '_>, what: Value) -> Flow<bool> {
    match call.ask(&Question::Defined(what)) {
        Answer::Value(answer) => Ok(answer.is_truthy()),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Ok(false),
    }
}

fn is_defined_type(call: &mut Invocation<'_, '_>, of: &Type) -> Flow<bool> {
    let no_class = || Fault::new("The given class type is a reference to all classes");
    match of.resolved() {
        Type::Resource(Some(_)) | Type::Class(Some(_)) => is_there(call, Value::Type(of.clone())),
        Type::Resource(None) => Err(Fault::new("The given resource type is a reference to all kind of types").into()),
        Type::Class(None) => Err(no_class().into()),
        Type::Type(Some(of)) => match of.resolved() {
            Type::Resource(_) => is_defined_type(call, of),
            // Whether there is such a class, not whether it is declared.
            Type::Class(Some(_)) => is_there(call, Value::Type(Type::Type(Some(Arc::clone(of))))),
            Type::Class(None) => Err(no_class().into()),
            _ => Ok(false),
        },
        _ => {
            let class = format!("Puppet::Pops::Types::P{}Type", of.simple_name());
            Err(Fault::new(format!("Invalid argument of type '{class}' to 'defined'")).into())
        }
    }
}
