//! `Facter`: facts of the machine that compiles, which are never those of the node.

use crate::border;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 2] = [(Core::Facter, Side::Class, FACTER), (Core::FacterFact, Side::Instance, FACT)];

const FACTER: &[NativeMethod] = &[
    method("value", 1, 1, |interp, given| Ok(asked(interp, given)?.1)),
    method("fact", 1, 1, fact),
    method("[]", 1, 1, fact),
];

const FACT: &[NativeMethod] = &[
    method("name", 0, 0, |interp, given| interp.instance_variable(given.receiver, &"@name".into())),
    method("value", 0, 0, |interp, given| interp.instance_variable(given.receiver, &"@value".into())),
];

/// The name and the value, which is nil where there is none; a dot leads into a structure.
fn asked(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<(Value, Value)> {
    let name = interp.text_of(given.arg(0))?;
    let mut parts = name.split('.');
    let Some(facts) = interp.outside.server_facts() else {
        return interp.unsupported(format!("the fact {name} of the machine that compiles"));
    };
    let mut value = facts.get_str(parts.next().unwrap_or_default()).cloned();
    for part in parts {
        value = value.and_then(|value| match &value {
            pantin_values::Value::Hash(hash) => hash.get_str(part).cloned(),
            _ => None,
        });
    }
    Ok((Value::text(name), value.map_or(Value::Nil, |value| border::inward(&value))))
}

fn fact(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (name, value) = asked(interp, given)?;
    if value.is_nil() {
        return Ok(Value::Nil);
    }
    let fact = Value::object(Core::FacterFact.class(), Data::None);
    interp.set_instance_variable(&fact, &"@name".into(), name)?;
    interp.set_instance_variable(&fact, &"@value".into(), value)?;
    Ok(fact)
}
