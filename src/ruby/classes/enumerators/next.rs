//! `next` and `peek` of an enumerator: its elements one by one.
//!
//! All of them are asked for at once, so there has to be an end, and nothing of the program's own may make them.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[(Core::Enumerator, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("next", 0, 0, |interp, given| {
        let (element, at) = current(interp, given)?;
        interp.set_instance_variable(given.receiver, &AT.into(), Value::Int(at + 1))?;
        Ok(element)
    }),
    method("peek", 0, 0, |interp, given| Ok(current(interp, given)?.0)),
    method("rewind", 0, 0, |interp, given| {
        interp.set_instance_variable(given.receiver, &AT.into(), Value::Int(0))?;
        interp.set_instance_variable(given.receiver, &ALL.into(), Value::Nil)?;
        Ok(given.receiver.clone())
    }),
    method("size", 0, 0, |interp, given| {
        let Some((receiver, _)) = parts(given) else { return Ok(Value::Nil) };
        match super::generator::size_of(interp, &receiver)? {
            Some(size) => Ok(size),
            None => Ok(interp.items(given.receiver)?.len().into()),
        }
    }),
];

/// Names that no code can write.
const ALL: &str = "__elements__";
const AT: &str = "__at__";

/// Returns what an enumerator goes through, and whether that is a class of Ruby's own.
fn parts(given: &CallArguments<'_>) -> Option<(Value, bool)> {
    let Value::Object(object) = given.receiver else { return None };
    match &*object.data.borrow() {
        Data::Enumerator { receiver, .. } => Some((receiver.clone(), !matches!(receiver, Value::Object(_)))),
        _ => None,
    }
}

fn current(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<(Value, i64)> {
    let all = match interp.instance_variable_if(given.receiver, &ALL.into())? {
        Some(all @ Value::Array(_)) => all,
        _ => {
            if !parts(given).is_some_and(|(_, is_known)| is_known) {
                return interp.unsupported(format!("the method Enumerator#{} of what code makes", given.name));
            }
            let all = Value::array(interp.items(given.receiver)?);
            interp.set_instance_variable(given.receiver, &ALL.into(), all.clone())?;
            all
        }
    };
    let at = match interp.instance_variable_if(given.receiver, &AT.into())? {
        Some(Value::Int(at)) => at,
        _ => 0,
    };
    match interp.array_arg(&all)?.get(at as usize) {
        Some(element) => Ok((element.clone(), at)),
        None => interp.raise(Core::StopIteration, "iteration reached an end"),
    }
}
