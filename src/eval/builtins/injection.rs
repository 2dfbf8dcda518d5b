//! `inject` and its kin: known only where an environment has bindings, so that the host answers with them.
//! They know nothing of where bindings come from.

use std::sync::{Arc, LazyLock};

use pantin_model::trace::{Answer, Definition, InjectionKind, InjectionQuestion, Question};
use pantin_values::{Digest, Object, Str, Value, object};

use crate::{Builtin, Builtins, Flow, Invocation, StandIn, optional, optional_block, overload, required};

macro_rules! injection_function {
    ($name:literal, $run:expr, $doc:literal) => {
        Builtin::typed(
            $name,
            &[
                overload(
                    &[required("String[1]", "name"), optional("Hash", "arguments")],
                    optional_block("Callable"),
                    $run,
                ),
                overload(
                    &[required("Type", "type"), required("String[1]", "name"), optional("Hash", "arguments")],
                    optional_block("Callable"),
                    $run,
                ),
                overload(&[required("Type", "type"), optional("Hash", "arguments")], optional_block("Callable"), $run),
            ],
            $doc,
        )
    };
}

static FUNCTIONS: &[Builtin] = &[
    injection_function!("inject", inject, "The value that is bound to a key."),
    injection_function!("optionally_inject", optionally_inject, "The value that is bound to a key, or undef."),
    injection_function!("inject_producer", inject_producer, "What gives the value that is bound to a key."),
];

static REGISTRY: LazyLock<Builtins> = LazyLock::new(|| Builtins::from_functions(FUNCTIONS.iter()));

/// Returns the function of this name, if it is one of injection.
pub fn injection_function(name: &str) -> Option<Definition> {
    let registry: &'static Builtins = &REGISTRY;
    let known = registry.get(name)?;
    Some(Definition { digest: Digest::from_text(known.declared.name), code: Arc::new(StandIn(known)) })
}

fn inject(call: &mut Invocation<'_, '_>) -> Flow {
    let kind = if call.has_block() { InjectionKind::Optional } else { InjectionKind::Value };
    let found = ask(call, kind)?;
    hand_over(call, found)
}

fn optionally_inject(call: &mut Invocation<'_, '_>) -> Flow {
    let found = ask(call, InjectionKind::Optional)?;
    hand_over(call, found)
}

fn inject_producer(call: &mut Invocation<'_, '_>) -> Flow {
    let kind = if call.has_block() { InjectionKind::OptionalProducer } else { InjectionKind::Producer };
    let question = question(call, kind);
    let found = answer(call, &question)?.map(|_| {
        let of = question.value_type.clone().map(Value::Type).unwrap_or_default();
        let name = question.name.clone().map(Value::String).unwrap_or_default();
        let arguments = question.arguments.clone().map(Value::Hash).unwrap_or_default();
        Value::Object(Arc::new(Object { class: object::bindings_producer(), values: vec![of, name, arguments].into() }))
    });
    hand_over(call, found)
}

/// The value, or what the block makes of it.
fn hand_over(call: &mut Invocation<'_, '_>, found: Option<Value>) -> Flow {
    let value = found.unwrap_or_default();
    if call.has_block() { call.yield_values([value]) } else { Ok(value) }
}

fn ask(call: &mut Invocation<'_, '_>, kind: InjectionKind) -> Flow<Option<Value>> {
    let question = question(call, kind);
    answer(call, &question)
}

fn question(call: &Invocation<'_, '_>, kind: InjectionKind) -> InjectionQuestion {
    let mut question = InjectionQuestion { kind, value_type: None, name: None, arguments: None };
    for argument in call.args() {
        match argument {
            Value::Type(of) => question.value_type = Some(of.clone()),
            Value::String(name) => question.name = Some(name.clone()),
            Value::Hash(arguments) => question.arguments = Some(arguments.clone()),
            _ => {}
        }
    }
    question
}

fn answer(call: &mut Invocation<'_, '_>, question: &InjectionQuestion) -> Flow<Option<Value>> {
    match call.ask(&Question::Injection(Arc::new(question.clone()))) {
        Answer::Value(value) => Ok(Some(value)),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Ok(None),
    }
}

/// Returns the question that a method of a producer asks.
pub(crate) fn question_of_producer(producer: &Object, arguments: &[Value]) -> InjectionQuestion {
    let value = |index: usize| producer.values.get(index).cloned().unwrap_or_default();
    let value_type = match value(0) {
        Value::Type(of) => Some(of),
        _ => None,
    };
    let name = value(1).as_str().map(Str::from);
    let arguments = match (arguments.first(), value(2)) {
        (Some(Value::Hash(given)), Value::Hash(mut own)) => {
            given.iter().for_each(|(name, value)| own.insert(name.clone(), value.clone()));
            Some(own)
        }
        (Some(Value::Hash(given)), _) => Some(given.clone()),
        (_, Value::Hash(own)) => Some(own),
        _ => None,
    };
    InjectionQuestion { kind: InjectionKind::Value, value_type, name, arguments }
}
