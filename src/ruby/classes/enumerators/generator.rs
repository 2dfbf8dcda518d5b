//! `Enumerator.new { |y| y << 1 }` and `Enumerator.produce(1) { |last| last + 1 }`: elements that a block makes.

use std::rc::Rc;

use crate::class::Core;
use crate::interp::{Args, CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::{Flow, Stop};
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Enumerator, Side::Class, MAKE),
    (Core::EnumeratorGenerator, Side::Instance, &[method("each", 0, ANY, generate)]),
    (Core::EnumeratorProducer, Side::Instance, &[method("each", 0, 0, produce)]),
    (Core::EnumeratorYielder, Side::Instance, YIELDER),
];

const MAKE: &[NativeMethod] = &[
    method("new", 0, 1, |interp, given| {
        let Some(block) = given.block else {
            return interp.raise(Core::ArgumentError, "tried to create Proc object without a block");
        };
        Ok(made(Core::EnumeratorGenerator, Source { block: block.clone(), first: given.args.first().cloned() }))
    }),
    method("produce", 0, 1, |interp, given| {
        let Some(block) = given.block else { return interp.raise(Core::ArgumentError, "no block given") };
        Ok(made(Core::EnumeratorProducer, Source { block: block.clone(), first: given.args.first().cloned() }))
    }),
];

const YIELDER: &[NativeMethod] = &[
    method("<<", 1, 1, |interp, given| {
        let block = source_of(given.receiver).map(|source| source.block.clone()).unwrap_or_default();
        interp.yield_one(&block, given.arg(0).clone())?;
        Ok(given.receiver.clone())
    }),
    method("yield", 0, ANY, hand_on),
    method("call", 0, ANY, hand_on),
];

/// What makes elements, or takes one that is made.
pub(crate) struct Source {
    block: Value,
    /// Of what is produced the first; of a generator how many there are, if it was told.
    first: Option<Value>,
}

fn made(class: Core, source: Source) -> Value {
    let receiver = Value::object(class.class(), Data::Source(Rc::new(source)));
    let data = Data::Enumerator { receiver, method: "each".into(), args: Args::default() };
    Value::object(Core::Enumerator.class(), data)
}

fn source_of(value: &Value) -> Option<Rc<Source>> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Source(source) => Some(source.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns how many elements there are, as far as that is known without making them; `None`: it is no such source.
pub(super) fn size_of(interp: &mut Interp<'_>, value: &Value) -> Flow<Option<Value>> {
    let Some(source) = source_of(value) else { return Ok(None) };
    if matches!(value, Value::Object(object) if object.class.is(Core::EnumeratorProducer)) {
        return Ok(Some(Value::Float(f64::INFINITY)));
    }
    match &source.first {
        Some(size @ Value::Proc(_)) => interp.send(size, "call", &[]).map(Some),
        size => Ok(Some(size.clone().unwrap_or_default())),
    }
}

fn hand_on(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let block = source_of(given.receiver).map(|source| source.block.clone()).unwrap_or_default();
    interp.yield_to(&block, given.args)
}

fn generate(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (Some(source), Some(taker)) = (source_of(given.receiver), given.block) else {
        return interp.raise(Core::LocalJumpError, "no block given");
    };
    let taker = Source { block: taker.clone(), first: None };
    let yielder = Value::object(Core::EnumeratorYielder.class(), Data::Source(Rc::new(taker)));
    interp.yield_to(&source.block, &[&[yielder], given.args].concat())
}

/// Until the block says by a StopIteration that there is no more.
fn produce(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (Some(source), Some(taker)) = (source_of(given.receiver), given.block) else {
        return interp.raise(Core::LocalJumpError, "no block given");
    };
    let mut next = match &source.first {
        Some(first) => Ok(first.clone()),
        None => interp.yield_to(&source.block, &[]),
    };
    loop {
        interp.step()?;
        let element = match next.map_err(|stop| *stop) {
            Ok(element) => element,
            Err(Stop::Raise(raised)) if interp.is_a(&raised, Core::StopIteration.class()) => {
                return Ok(given.receiver.clone());
            }
            Err(stop) => return Err(Box::new(stop)),
        };
        interp.yield_one(taker, element.clone())?;
        next = interp.yield_to(&source.block, &[element]);
    }
}
