//! `Puppet::Resource`: what a reference is that was given to a class or a defined type; and `PResourceType`, as which it stands
//! in a variable.

use pantin_values::types::ResourceType;

use crate::class::Core;
use crate::interp::CallArguments;
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const METHODS: Table = (Core::PuppetResource, Side::Instance, OF_RESOURCES);

const OF_RESOURCES: &[NativeMethod] = &[
    method("type", 0, 0, |_, given| part(given, |resource| resource.type_name.to_string())),
    method("title", 0, 0, |_, given| part(given, |resource| resource.title.to_string())),
    method("to_s", 0, 0, |_, given| part(given, ToString::to_string)),
    method("ref", 0, 0, |_, given| part(given, ToString::to_string)),
];

pub(super) const TYPE_METHODS: Table = (Core::PuppetResourceType, Side::Instance, OF_TYPES);

const OF_TYPES: &[NativeMethod] = &[
    method("title", 0, 0, |_, given| part_of_type(given, |of| of.title.as_deref().map(String::from))),
    method("type_name", 0, 0, |_, given| part_of_type(given, |of| Some(of.type_name.to_string()))),
    method("downcased_name", 0, 0, |_, given| part_of_type(given, |of| Some(of.type_name.to_lowercase().to_string()))),
];

/// Of `Resource` itself nothing is known.
fn part_of_type(given: &CallArguments<'_>, of: fn(&ResourceType) -> Option<String>) -> Flow<Value> {
    let Value::Foreign(value) = given.receiver else { return Ok(Value::Nil) };
    Ok(match &**value {
        pantin_values::Value::Type(pantin_values::Type::Resource(Some(resource))) => {
            of(resource).map_or(Value::Nil, Value::text)
        }
        _ => Value::Nil,
    })
}

fn part(given: &CallArguments<'_>, of: fn(&pantin_values::Referred) -> String) -> Flow<Value> {
    Ok(match given.receiver {
        Value::Foreign(value) => match &**value {
            pantin_values::Value::Resource(resource) => Value::text(of(resource)),
            _ => Value::Nil,
        },
        _ => Value::Nil,
    })
}
