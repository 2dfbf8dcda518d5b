//! Functions of types: what type a value has, whether it has the right one, and new values of a type.

use std::sync::Arc;

use pantin_values::new::new_instance;
use pantin_values::{Fault, FaultKind, Items, Sequence, Type, Value, mismatch, types};

use super::older::no_method;
use crate::{Builtin, Flow, Invocation, optional, optional_block, overload, repeated, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "type",
        &[
            overload(&[required("Any", "value"), optional("Enum[detailed]", "inference_method")], None, type_of),
            overload(&[required("Any", "value"), required("Enum[reduced]", "inference_method")], None, type_of),
            overload(&[required("Any", "value"), required("Enum[generalized]", "inference_method")], None, type_of),
        ],
        "The type of a value: in detail, reduced to what its elements have in common, or in general terms.",
    ),
    Builtin::typed(
        "assert_type",
        &[
            overload(
                &[required("Type", "type"), required("Any", "value")],
                optional_block("Callable[Type, Type]"),
                assert_type,
            ),
            overload(
                &[required("String", "type_string"), required("Any", "value")],
                optional_block("Callable[Type, Type]"),
                assert_type,
            ),
        ],
        "The value, if it is of the type; else what the lambda makes of the two types, or an error.",
    ),
    Builtin::typed(
        "convert_to",
        &[overload(
            &[required("Any", "value"), required("Type", "type"), repeated("Any", "args")],
            optional_block("Callable[1,1]"),
            convert_to,
        )],
        "A new value of the type, made of the value; the lambda gets it.",
    ),
    Builtin::typed(
        "new",
        &[overload(&[required("Type", "type"), repeated("Any", "args")], optional_block("Callable"), new)],
        "A new value of the type, made of the arguments; the lambda gets it, unless the argument was of the type already.",
    ),
];

fn type_of(call: &mut Invocation<'_, '_>) -> Flow {
    let value = call.arg(0);
    if value.holds(|value| matches!(value, Value::Large(_))) {
        return Err(Fault::limit("The type of an integer beyond 64 bits has no bounds here").into());
    }
    let of = match call.arg(1).as_str() {
        Some("reduced") => Type::reduced(value),
        Some("generalized") => Type::reduced(value).generalize(),
        _ => Type::infer(value),
    };
    Ok(Value::Type(of))
}

fn assert_type(call: &mut Invocation<'_, '_>) -> Flow {
    let expected = match call.take(0) {
        Value::Type(of) => of,
        Value::String(text) => types::parse(&text, call.resolver()).map_err(of_the_call)?,
        other => return Err(no_method("accept", &other).into()),
    };
    let value = call.take(1);
    if expected.accepts(&value)? {
        return Ok(value);
    }
    if call.has_block() {
        let actual = Type::infer(&value);
        return call.yield_values([Value::Type(expected), Value::Type(actual)]);
    }
    Err(Fault::new(mismatch::describe_value("assert_type():", &expected, &value)).into())
}

/// What is wrong with a text is an error of the call that got it.
fn of_the_call(fault: Fault) -> Fault {
    match fault.kind {
        FaultKind::Issue(_) => Fault { kind: FaultKind::Plain, ..fault },
        _ => fault,
    }
}

fn convert_to(call: &mut Invocation<'_, '_>) -> Flow {
    let mut args = call.args().to_vec();
    if args.len() > 1 {
        args.swap(0, 1);
    }
    let made = call.call_without_block("new", args.into())?;
    if call.has_block() { call.yield_values([made]) } else { Ok(made) }
}

/// Returns true if the elements of an iterator are needed to make a value of a type.
fn goes_through(of: &Type, sequence: &Sequence, more: &[Value]) -> bool {
    match of.resolved() {
        Type::String(_) if sequence.is_tree() => false,
        Type::Array(_) | Type::Tuple(_) => more.first().is_none_or(|wrap| !wrap.is_truthy()),
        Type::Hash(_) | Type::Struct(_) | Type::String(_) => true,
        _ => false,
    }
}

fn new(call: &mut Invocation<'_, '_>) -> Flow {
    let taken = call.take_all();
    let [Value::Type(of), args @ ..] = taken.as_slice() else { return Ok(Value::Undef) };
    // A value that is one already goes by the lambda.
    let is_one = match args {
        [only] if call.has_block() => !matches!(of, Type::Init(_)) && of.accepts(only)?,
        _ => false,
    };
    let drained;
    let args = match args {
        [Value::Iterator(sequence), rest @ ..] if goes_through(of, sequence, rest) => {
            call.check_elements(usize::try_from(sequence.len()).unwrap_or(usize::MAX))?;
            let items = Items::Values(call.cursors().each(sequence).collect());
            let left = Value::Iterator(Arc::new(Sequence::new(items, sequence.element.clone())));
            drained = [&[left], rest].concat();
            &drained[..]
        }
        args => args,
    };
    let made = new_instance(of, args, call.resolver())?;
    if call.has_block() && !is_one { call.yield_values([made]) } else { Ok(made) }
}
