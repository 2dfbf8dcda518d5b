//! Functions that ask of what type a value is, and check values by types of the module.

use pantin_values::{Hash, Type, Value, sprintf};

use crate::{Builtin, Flow, Invocation, Overload, overload, repeated, required};

pub(super) static FUNCTIONS: &[Builtin] = &[Builtin::typed(
    "is_a",
    &[overload(&[required("Any", "value"), required("Type", "type")], None, is_a)],
    "Whether a value is of a type.",
)];

pub(super) static OLD: &[Builtin] = &[
    Builtin::typed("type_of", TYPE_OF, TYPE_OF_DOC),
    Builtin::typed(
        "sprintf_hash",
        &[overload(&[required("String", "format"), required("Hash", "arguments")], None, sprintf_hash)],
        "A format with the values of a hash put in their places.",
    ),
];

pub(super) static NEW: &[Builtin] = &[
    Builtin::typed("stdlib::type_of", TYPE_OF, TYPE_OF_DOC),
    Builtin::typed(
        "stdlib::validate_domain_name",
        &[overload(&[repeated("Variant[Stdlib::Fqdn, Stdlib::Dns::Zone]", "values")], None, at_least_one)],
        "Fails on a text that is the name of no domain.",
    )
    .naming_types(),
    Builtin::typed(
        "stdlib::validate_email_address",
        &[overload(&[repeated("Stdlib::Email", "values")], None, at_least_one)],
        "Fails on a text that is no address of mail.",
    )
    .naming_types(),
];

const TYPE_OF_DOC: &str = "The type of a value, as closely as it can be told.";
const TYPE_OF: &[Overload] = &[overload(&[required("Any", "value")], None, |call| Ok(Type::infer(call.arg(0)).into()))];

fn is_a(call: &mut Invocation<'_, '_>) -> Flow {
    let (value, of) = (call.take(0), call.take(1));
    match of {
        Value::Type(of) => Ok(of.accepts(&value)?.into()),
        _ => Ok(false.into()),
    }
}

fn sprintf_hash(call: &mut Invocation<'_, '_>) -> Flow {
    let message = "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead";
    super::deprecation::deprecate(call, "sprintf_hash", message, true)?;
    let (format, arguments) = (call.take(0), call.take(1));
    let arguments = match arguments {
        Value::Hash(arguments) => arguments,
        _ => Hash::default(),
    };
    Ok(sprintf::format(format.as_str().unwrap_or_default(), &[Value::Hash(arguments)])?.into())
}

fn at_least_one(call: &mut Invocation<'_, '_>) -> Flow {
    match call.args().is_empty() {
        false => Ok(Value::Undef),
        true => Err(call.fault(format!("{}(): Wrong number of arguments need at least one", call.name()))),
    }
}
