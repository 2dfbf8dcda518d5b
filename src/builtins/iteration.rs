//! Functions that go through a collection and call a lambda for each element.

use crate::eval::{Builtin, Flow, Invocation, Reason, Stop, block, overload, required};
use crate::pcore::{Array, Hash, Value};

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "each",
        &[
            overload(&[required("Hash[Any, Any]", "hash")], block("Callable[2,2]"), each),
            overload(&[required("Hash[Any, Any]", "hash")], block("Callable[1,1]"), each),
            overload(&[required("Iterable", "enumerable")], block("Callable[2,2]"), each),
            overload(&[required("Iterable", "enumerable")], block("Callable[1,1]"), each),
        ],
        "Calls the lambda for each element, and is worth the collection.",
    ),
    Builtin::typed(
        "map",
        &[
            overload(&[required("Hash[Any, Any]", "hash")], block("Callable[2,2]"), map),
            overload(&[required("Hash[Any, Any]", "hash")], block("Callable[1,1]"), map),
            overload(&[required("Iterable", "enumerable")], block("Callable[2,2]"), map),
            overload(&[required("Iterable", "enumerable")], block("Callable[1,1]"), map),
        ],
        "The array of what the lambda is worth for each element.",
    ),
];

/// Elements of anything that can be gone through.
pub(super) enum Elements {
    Values(Array),
    Entries(Hash),
    Numbers { next: i64, step: i64, left: u64 },
    Letters(Vec<Value>),
}

/// Calls `each` with the arguments for every element: the element, or its key or index and the element where
/// the lambda has two parameters. Ends early at `break()`.
pub(super) fn go_through(
    call: &mut Invocation<'_, '_>,
    collection: &Value,
    mut each: impl FnMut(&mut Invocation<'_, '_>, Value) -> Flow<()>,
) -> Flow<()> {
    let pairs = call.block_params() >= 2;
    let mut index = 0;
    let mut step = |call: &mut Invocation<'_, '_>, key: Option<&Value>, value: Value| -> Flow<bool> {
        let result = match (key, pairs) {
            (Some(key), true) => call.yield_values([key.clone(), value]),
            (Some(key), false) => call.yield_values([Value::array([key.clone(), value])]),
            (None, true) => call.yield_values([Value::Integer(index), value]),
            (None, false) => call.yield_values([value]),
        };
        index += 1;
        match result {
            Ok(value) => each(call, value).map(|()| true),
            Err(stop) => match *stop.0 {
                Reason::Break(_) => Ok(false),
                other => Err(Stop(Box::new(other))),
            },
        }
    };
    match collection {
        Value::Hash(entries) => {
            for (key, value) in entries.iter() {
                if !step(call, Some(key), value.clone())? {
                    break;
                }
            }
        }
        Value::Array(items) => {
            for item in items.iter() {
                if !step(call, None, item.clone())? {
                    break;
                }
            }
        }
        Value::Integer(count) => {
            for number in 0..*count {
                if !step(call, None, Value::Integer(number))? {
                    break;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn each(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    go_through(call, &collection, |_, _| Ok(()))?;
    Ok(collection)
}

fn map(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    let mut mapped = Vec::new();
    go_through(call, &collection, |_, value| {
        mapped.push(value);
        Ok(())
    })?;
    Ok(Value::Array(mapped.into()))
}
