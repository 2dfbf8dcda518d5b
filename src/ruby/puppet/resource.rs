//! `Puppet::Resource`: what a reference is that was given to a class or a defined type.

use crate::pcore;
use crate::ruby::class::Core;
use crate::ruby::interp::Given;
use crate::ruby::native::{NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::Value;

pub(super) const METHODS: Table = (Core::PuppetResource, Side::Instance, OF_RESOURCES);

const OF_RESOURCES: &[NativeMethod] = &[
    method("type", 0, 0, |_, given| part(given, |resource| resource.type_name.to_string())),
    method("title", 0, 0, |_, given| part(given, |resource| resource.title.to_string())),
    method("to_s", 0, 0, |_, given| part(given, ToString::to_string)),
    method("ref", 0, 0, |_, given| part(given, ToString::to_string)),
];

fn part(given: &Given<'_>, of: fn(&pcore::Referred) -> String) -> Flow<Value> {
    Ok(match given.receiver {
        Value::Foreign(value) => match &**value {
            pcore::Value::Resource(resource) => Value::text(of(resource)),
            _ => Value::Nil,
        },
        _ => Value::Nil,
    })
}
