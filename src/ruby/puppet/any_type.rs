//! Puppet's types as Ruby code has them: of those that can be gone through, each of what they stand for.

use crate::pcore::{self, Type};
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::Value;

pub(super) const METHODS: Table = (Core::PuppetAnyType, Side::Instance, &[method("each", 0, 0, each)]);

/// Of an `Enum` its texts.
fn each(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let Some(texts) = texts(given.receiver) else {
        return interp.unsupported("to go through a type that is no Enum");
    };
    let texts = Value::array(texts);
    interp.send_with(&texts, "each", &[], given.block)
}

fn texts(of: &Value) -> Option<Vec<Value>> {
    let Value::Foreign(value) = of else { return None };
    let pcore::Value::Type(of) = &**value else { return None };
    match of.resolved() {
        Type::Enum(of) if !of.values.is_empty() => {
            Some(of.values.iter().map(|text| Value::text(text.as_str())).collect())
        }
        _ => None,
    }
}
