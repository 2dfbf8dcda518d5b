//! Lazy enumerators: steps that are only done when an element is asked for, one element after the other.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use pantin_values::Str;

use super::enumerable::{size_arg, yield_all, yield_element};
use crate::class::Core;
use crate::interp::{Args, CallArguments, Interp, YieldedValues, float_of};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::{Flow, Stop};
use crate::table::Table as Entries;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Enumerable, Side::Instance, &[method("lazy", 0, 0, begin)]),
    (Core::EnumeratorLazy, Side::Instance, METHODS),
];

const METHODS: &[NativeMethod] = &[
    method("map", 0, 0, with_block),
    method("collect", 0, 0, with_block),
    method("flat_map", 0, 0, with_block),
    method("collect_concat", 0, 0, with_block),
    method("select", 0, 0, with_block),
    method("filter", 0, 0, with_block),
    method("find_all", 0, 0, with_block),
    method("reject", 0, 0, with_block),
    method("filter_map", 0, 0, with_block),
    method("take_while", 0, 0, with_block),
    method("drop_while", 0, 0, with_block),
    method("grep", 1, 1, then),
    method("grep_v", 1, 1, then),
    method("compact", 0, 0, then),
    method("uniq", 0, 0, then),
    method("zip", 0, ANY, |interp, given| match given.block {
        Some(_) => interp.unsupported("Enumerator::Lazy#zip with a block"),
        None => then(interp, given),
    }),
    method("with_index", 0, 1, then),
    method("each_with_index", 0, 0, then),
    method("take", 1, 1, counted),
    method("drop", 1, 1, counted),
    method("lazy", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("size", 0, 0, |interp, given| size(interp, given.receiver)),
    method("to_a", 0, 0, |interp, given| Ok(Value::array(interp.items(given.receiver)?))),
    method("force", 0, 0, |interp, given| Ok(Value::array(interp.items(given.receiver)?))),
    method("eager", 0, 0, |_, given| {
        let data = Data::Enumerator { receiver: given.receiver.clone(), method: "each".into(), args: Args::default() };
        Ok(Value::object(Core::Enumerator.class(), data))
    }),
    method("each", 0, 0, |interp, given| {
        let Some(block) = given.block.cloned() else { return Ok(given.receiver.clone()) };
        let into: Sink = Rc::new(move |interp, element| yield_all(interp, &block, element).map(drop));
        run(interp, given.receiver, into)?;
        Ok(given.receiver.clone())
    }),
    method("first", 0, 1, first),
];

/// One step behind another, or behind what is gone through.
pub(crate) struct Lazy {
    source: Value,
    step: Option<Step>,
}

struct Step {
    name: Str,
    args: Vec<Value>,
    block: Option<Value>,
}

/// What takes the elements.
type Sink = Rc<dyn Fn(&mut Interp<'_>, YieldedValues) -> Flow<()>>;

fn made(source: Value, step: Option<Step>) -> Value {
    Value::object(Core::EnumeratorLazy.class(), Data::Lazy(Rc::new(Lazy { source, step })))
}

fn begin(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(made(given.receiver.clone(), None))
}

fn then(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let step = Step { name: given.name.into(), args: given.args.to_vec(), block: given.block.cloned() };
    Ok(made(given.receiver.clone(), Some(step)))
}

fn with_block(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if given.block.is_none() {
        let message = format!("tried to call lazy {} without a block", given.name);
        return interp.raise(Core::ArgumentError, message);
    }
    then(interp, given)
}

fn counted(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    size_arg(interp, given.arg(0), given.name)?;
    then(interp, given)
}

fn lazy_of(value: &Value) -> Option<Rc<Lazy>> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Lazy(lazy) => Some(lazy.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// `#<Enumerator::Lazy: #<Enumerator::Lazy: 1..3>:take(2)>`
pub(crate) fn lazy_text(interp: &mut Interp<'_>, lazy: &Lazy) -> Flow<String> {
    let source = interp.deeper(|interp| interp.inspect(&lazy.source))?;
    let Some(step) = &lazy.step else { return Ok(format!("#<Enumerator::Lazy: {source}>")) };
    let args = match step.args.is_empty() {
        true => String::new(),
        false => {
            let shown = interp.inspect(&Value::array(step.args.clone()))?;
            format!("({})", &shown[1..shown.len() - 1])
        }
    };
    Ok(format!("#<Enumerator::Lazy: {source}:{}{args}>", step.name))
}

/// Where no step says of itself how many it lets through, nobody knows.
fn size(interp: &mut Interp<'_>, value: &Value) -> Flow {
    let Some(lazy) = lazy_of(value) else { return Ok(Value::Nil) };
    let Some(step) = &lazy.step else {
        return match &lazy.source {
            Value::Range(range) if !matches!(range.to, Value::Int(_)) => {
                let is_endless =
                    matches!((&range.from, &range.to), (Value::Int(_), Value::Nil | Value::Float(f64::INFINITY)));
                Ok(if is_endless { Value::Float(f64::INFINITY) } else { Value::Nil })
            }
            source @ (Value::Array(_) | Value::Hash(_) | Value::Range(_)) => Ok(interp.items(source)?.len().into()),
            _ => Ok(Value::Nil),
        };
    };
    let known = interp.deeper(|interp| size(interp, &lazy.source))?;
    let count = || step.args.first().and_then(float_of).unwrap_or_default();
    let Some(size) = float_of(&known) else { return Ok(Value::Nil) };
    let size = match step.name.as_str() {
        "map" | "collect" | "with_index" | "each_with_index" | "zip" => return Ok(known),
        "take" => size.min(count()),
        "drop" => (size - count()).max(0.0),
        _ => return Ok(Value::Nil),
    };
    Ok(if size.is_finite() { Value::Int(size as i64) } else { Value::Float(size) })
}

fn first(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let count = match given.args.first() {
        Some(count) => size_arg(interp, count, "take")?,
        None => 1,
    };
    let found = Rc::new(RefCell::new(Vec::new()));
    let into = found.clone();
    if count > 0 {
        let tag = interp.tag();
        let collecting: Sink = Rc::new(move |_, element| {
            into.borrow_mut().push(element.into_value());
            if into.borrow().len() < count { Ok(()) } else { Err(Box::new(Stop::Break(tag, Value::Nil))) }
        });
        let result = run(interp, given.receiver, collecting);
        until(tag, result)?;
    }
    let items = found.take();
    Ok(if given.args.is_empty() { items.into_iter().next().unwrap_or_default() } else { Value::array(items) })
}

/// The end of a step that wants no more is no failure.
fn until(tag: u64, result: Flow<()>) -> Flow<()> {
    match result.map_err(|stop| *stop) {
        Err(Stop::Break(ended, _)) if ended == tag => Ok(()),
        Err(stop) => Err(Box::new(stop)),
        Ok(()) => Ok(()),
    }
}

fn run(interp: &mut Interp<'_>, value: &Value, into: Sink) -> Flow<()> {
    let Some(lazy) = lazy_of(value) else { return Ok(()) };
    let Some(step) = &lazy.step else {
        let block = Value::native_block(move |interp, args| {
            interp.step()?;
            into(interp, YieldedValues::from_args(args))?;
            Ok(Value::Nil)
        });
        return interp.send_with(&lazy.source, "each", &[], Some(&block)).map(drop);
    };
    let tag = interp.tag();
    let count = match step.name.as_str() {
        "take" | "drop" => size_arg(interp, &step.args[0], &step.name)?,
        _ => 0,
    };
    if step.name == "take" && count == 0 {
        return Ok(());
    }
    let into = step.sink(interp, tag, count, into)?;
    let result = interp.deeper(|interp| run(interp, &lazy.source, into));
    until(tag, result)
}

fn end<T>(tag: u64) -> Flow<T> {
    Err(Box::new(Stop::Break(tag, Value::Nil)))
}

impl Step {
    /// Returns what the step takes an element with, before it hands it on.
    fn sink(&self, interp: &mut Interp<'_>, tag: u64, count: usize, into: Sink) -> Flow<Sink> {
        let block = self.block.clone();
        let call = block.clone().unwrap_or_default();
        Ok(match self.name.as_str() {
            "map" | "collect" => Rc::new(move |interp, element| {
                let value = yield_all(interp, &call, element)?;
                into(interp, YieldedValues::One(value))
            }),
            "flat_map" | "collect_concat" => Rc::new(move |interp, element| {
                let value = yield_all(interp, &call, element)?;
                match interp.as_array(&value)? {
                    Some(items) => items.into_iter().try_for_each(|item| into(interp, YieldedValues::One(item))),
                    None => into(interp, YieldedValues::One(value)),
                }
            }),
            "filter_map" => Rc::new(move |interp, element| {
                let value = yield_all(interp, &call, element)?;
                if value.is_truthy() { into(interp, YieldedValues::One(value)) } else { Ok(()) }
            }),
            name @ ("select" | "filter" | "find_all" | "reject") => {
                let wanted = name != "reject";
                Rc::new(move |interp, element| {
                    let fits = yield_element(interp, &call, &element)?.is_truthy() == wanted;
                    if fits { into(interp, YieldedValues::One(element.into_value())) } else { Ok(()) }
                })
            }
            "take_while" => Rc::new(move |interp, element| {
                let goes_on = yield_all(interp, &call, element.clone())?.is_truthy();
                if goes_on { into(interp, YieldedValues::One(element.into_value())) } else { end(tag) }
            }),
            "drop_while" => {
                let dropping = Cell::new(true);
                Rc::new(move |interp, element| {
                    let drops = dropping.get() && yield_element(interp, &call, &element)?.is_truthy();
                    dropping.set(drops);
                    if drops { Ok(()) } else { into(interp, YieldedValues::One(element.into_value())) }
                })
            }
            "take" | "drop" => self.counting(tag, count, into),
            _ => return self.other(interp, into),
        })
    }

    fn counting(&self, tag: u64, count: usize, into: Sink) -> Sink {
        let (seen, takes) = (Cell::new(0), self.name == "take");
        Rc::new(move |interp, element| {
            seen.set(seen.get() + 1);
            if takes || seen.get() > count {
                into(interp, YieldedValues::One(element.into_value()))?;
            }
            if takes && seen.get() == count { end(tag) } else { Ok(()) }
        })
    }

    fn other(&self, interp: &mut Interp<'_>, into: Sink) -> Flow<Sink> {
        let (block, arg) = (self.block.clone(), self.args.first().cloned().unwrap_or_default());
        Ok(match self.name.as_str() {
            "compact" => Rc::new(move |interp, element| {
                let value = element.into_value();
                if value.is_nil() { Ok(()) } else { into(interp, YieldedValues::One(value)) }
            }),
            "uniq" => {
                let seen = Entries::default();
                Rc::new(move |interp, element| {
                    let value = element.clone().into_value();
                    let key = match &block {
                        Some(block) => yield_all(interp, block, element)?,
                        None => value.clone(),
                    };
                    if interp.is_in(&seen, &key)? {
                        return Ok(());
                    }
                    interp.put_into(&seen, key, Value::Nil)?;
                    into(interp, YieldedValues::One(value))
                })
            }
            "with_index" | "each_with_index" => {
                let at = Cell::new(if arg.is_nil() { 0 } else { interp.int_arg(&arg)? });
                Rc::new(move |interp, element| {
                    let (value, index) = (element.into_value(), Value::Int(at.replace(at.get() + 1)));
                    match &block {
                        Some(block) => {
                            interp.yield_to(block, &[value.clone(), index])?;
                            into(interp, YieldedValues::One(value))
                        }
                        None => into(interp, YieldedValues::One(Value::pair(value, index))),
                    }
                })
            }
            "zip" => {
                let others = self.args.iter().map(|other| interp.items(other)).collect::<Flow<Vec<_>>>()?;
                let at = Cell::new(0);
                Rc::new(move |interp, element| {
                    let index = at.replace(at.get() + 1);
                    let mut row = vec![element.into_value()];
                    row.extend(others.iter().map(|other| other.get(index).cloned().unwrap_or_default()));
                    into(interp, YieldedValues::One(Value::array(row)))
                })
            }
            name => {
                let wanted = name == "grep";
                Rc::new(move |interp, element| {
                    let value = element.into_value();
                    let fits = interp.send(&arg, "===", std::slice::from_ref(&value))?.is_truthy();
                    match &block {
                        _ if fits != wanted => Ok(()),
                        Some(block) => {
                            let made = interp.yield_one(block, value)?;
                            into(interp, YieldedValues::One(made))
                        }
                        None => into(interp, YieldedValues::One(value)),
                    }
                })
            }
        })
    }
}
