//! `validate_legacy`: a type in the place of one of the functions `validate_…`, and what the two say of a value.

use pantin_model::trace::{FileKind, Level, Log, LogSource};
use pantin_values::{Type, Value, mismatch, types};

use super::deprecation::deprecate;
use super::validation::{Refusal, check};
use crate::{Builtin, Flow, Invocation, overload, repeated, required};

const DOC: &str = "Fails on a value that is not of a type; what an older check says of it is told, where that differs.";

macro_rules! legacy {
    ($run:path) => {
        &[Builtin::typed(
            "validate_legacy",
            &[
                overload(
                    &[
                        required("Any", "scope"),
                        required("Type", "target_type"),
                        required("String", "function_name"),
                        required("Any", "value"),
                        repeated("Any", "args"),
                    ],
                    None,
                    |call| {
                        let Value::Type(target) = call.take(1) else { return Ok(Value::Undef) };
                        $run(call, &target)
                    },
                ),
                overload(
                    &[
                        required("Any", "scope"),
                        required("String", "type_string"),
                        required("String", "function_name"),
                        required("Any", "value"),
                        repeated("Any", "args"),
                    ],
                    None,
                    |call| {
                        let written = call.take(1);
                        let target = types::parse(written.as_str().unwrap_or_default(), call.resolver())?;
                        $run(call, &target)
                    },
                ),
            ],
            DOC,
        )
        .taking_scope()]
    };
}

pub(super) static OLD: &[Builtin] = legacy!(of_8);
pub(super) static NEW: &[Builtin] = legacy!(of_9);

fn mismatch_of(target: &Type, value: &Value, who: &str) -> String {
    mismatch::describe_value(who, target, value)
}

fn of_8(call: &mut Invocation<'_, '_>, target: &Type) -> Flow {
    let (name, value) = (call.take(2), call.arg(3).clone());
    let name = name.as_str().unwrap_or_default().to_owned();
    let args = call.args()[3..].to_vec();
    let fits = target.accepts(&value)?;
    let passes = passes(call, &name, &args)?;
    let message = mismatch_of(target, &value, &format!("validate_legacy({name})"));
    match (fits, passes) {
        (true, true) => Ok(Value::Undef),
        (true, false) => {
            let message = format!("Accepting previously invalid value for target type '{target}'").into();
            let log = Log { level: Level::Notice, source: LogSource::Puppet, message, at: None, once: None };
            call.apply(&pantin_model::trace::Effect::Log(log.into()))?;
            Ok(Value::Undef)
        }
        (false, true) => deprecate(call, "validate_legacy", &message, true),
        (false, false) => Err(call.fault(message)),
    }
}

/// Returns what the older check says. One that is not a function of the environment is what Ruby says of a method that
/// is not there; one of another module is not known here.
fn passes(call: &mut Invocation<'_, '_>, name: &str, args: &[Value]) -> Flow<bool> {
    if call.find_file(FileKind::OlderFunction, name.into())?.is_none() {
        let message = format!("undefined method `function_{name}' for Scope(Class[main]):Puppet::Parser::Scope");
        return Err(call.fault(message));
    }
    match check(call, name, args)? {
        Some(Ok(())) => Ok(true),
        Some(Err(Refusal::Value(_))) => Ok(false),
        Some(Err(Refusal::Check(fault))) => Err(fault.into()),
        None => Err(call.fault(format!("validate_legacy(): the check {name} is not known natively"))),
    }
}

fn of_9(call: &mut Invocation<'_, '_>, target: &Type) -> Flow {
    let message = "This method is deprecated, please use Puppet data types to validate parameters";
    deprecate(call, "validate_legacy", message, true)?;
    let value = call.arg(3).clone();
    if target.accepts(&value)? {
        return Ok(Value::Undef);
    }
    let message = mismatch_of(target, &value, &format!("validate_legacy({target}, ...)"));
    Err(call.fault(message))
}
