//! What everything that has elements can do; enumerators.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::class::Core;
use crate::interp::{Args, CallArguments, Interp, YieldedValues};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::{Flow, Stop};
use crate::table::Table as HashTable;
use crate::value::{Data, ProcKind, Value};

pub(super) const TABLES: &[Table] =
    &[(Core::Enumerable, Side::Instance, METHODS), (Core::Enumerator, Side::Instance, ENUMERATOR)];

const METHODS: &[NativeMethod] = &[
    method("to_a", 0, 0, |interp, given| Ok(Value::array(interp.items(given.receiver)?))),
    method("entries", 0, 0, |interp, given| Ok(Value::array(interp.items(given.receiver)?))),
    method("to_set", 0, 0, |interp, given| {
        let items = interp.items(given.receiver)?;
        let table = interp.table_with(items, Value::Bool(true))?;
        Ok(Value::object(Core::Set.class(), Data::Set(Rc::new(table))))
    }),
    method("map", 0, 0, map),
    method("collect", 0, 0, map),
    method("flat_map", 0, 0, flat_map),
    method("collect_concat", 0, 0, flat_map),
    method("filter_map", 0, 0, filter_map),
    method("select", 0, 0, |interp, given| filter(interp, given, true)),
    method("filter", 0, 0, |interp, given| filter(interp, given, true)),
    method("reject", 0, 0, |interp, given| filter(interp, given, false)),
    method("partition", 0, 0, partition),
    method("find", 0, 1, find),
    method("detect", 0, 1, find),
    method("find_index", 0, 1, find_index),
    method("find_all", 0, 0, |interp, given| filter(interp, given, true)),
    method("grep", 1, 1, |interp, given| grep(interp, given, true)),
    method("grep_v", 1, 1, |interp, given| grep(interp, given, false)),
    method("each_entry", 0, 0, each_entry),
    method("each_with_index", 0, 0, each_with_index),
    method("each_with_object", 1, 1, each_with_object),
    method("each_slice", 1, 1, |interp, given| chunks(interp, given, false)),
    method("each_cons", 1, 1, |interp, given| chunks(interp, given, true)),
    method("reverse_each", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for item in interp.items(given.receiver)?.into_iter().rev() {
            interp.yield_one(block, item)?;
        }
        Ok(given.receiver.clone())
    }),
    method("inject", 0, 2, inject),
    method("reduce", 0, 2, inject),
    method("sum", 0, 1, super::sum::sum),
    method("count", 0, 1, count),
    method("all?", 0, 1, |interp, given| Ok((!any(interp, given, false)?).into())),
    method("any?", 0, 1, |interp, given| Ok(any(interp, given, true)?.into())),
    method("none?", 0, 1, |interp, given| Ok((!any(interp, given, true)?).into())),
    method("one?", 0, 1, one),
    method("include?", 1, 1, includes),
    method("member?", 1, 1, includes),
    method("first", 0, 1, first),
    method("take", 1, 1, |interp, given| {
        let count = size_arg(interp, given.arg(0), "take")?;
        Ok(Value::array(interp.items(given.receiver)?.into_iter().take(count).collect()))
    }),
    method("drop", 1, 1, |interp, given| {
        let count = size_arg(interp, given.arg(0), "drop")?;
        Ok(Value::array(interp.items(given.receiver)?.into_iter().skip(count).collect()))
    }),
    method("take_while", 0, 0, |interp, given| while_true(interp, given, true)),
    method("drop_while", 0, 0, |interp, given| while_true(interp, given, false)),
    method("group_by", 0, 0, group_by),
    method("chunk_while", 0, 0, |interp, given| slices(interp, given, false)),
    method("slice_when", 0, 0, |interp, given| slices(interp, given, true)),
    method("tally", 0, 0, tally),
    method("uniq", 0, 0, uniq),
    method("compact", 0, 0, |interp, given| {
        let items = interp.items(given.receiver)?;
        Ok(Value::array(items.into_iter().filter(|item| !item.is_nil()).collect()))
    }),
    method("zip", 0, ANY, zip),
    method("to_h", 0, 0, to_h),
    method("cycle", 0, 1, cycle),
];

const ENUMERATOR: &[NativeMethod] = &[
    method("each", 0, 0, |interp, given| match given.block {
        Some(block) => run(interp, given.receiver, block),
        None => Ok(given.receiver.clone()),
    }),
    method("first", 0, 1, first_of_run),
    method("take", 1, 1, first_of_run),
    method("with_index", 0, 1, with_index),
    method("each_with_index", 0, 0, with_index),
    method("with_object", 1, 1, each_with_object),
];

/// Hands a block what `each` has handed on, as it came: a block of one parameter gets the first of several.
pub(super) fn yield_all(interp: &mut Interp<'_>, block: &Value, element: YieldedValues) -> Flow {
    match element {
        YieldedValues::One(value) => interp.yield_one(block, value),
        YieldedValues::Several(all) => interp.yield_to(block, &all),
    }
}

/// Hands it on as one value: a block of one parameter gets an array of several, a lambda of several parameters each.
pub(super) fn yield_element(interp: &mut Interp<'_>, block: &Value, element: &YieldedValues) -> Flow {
    match element {
        YieldedValues::Several(all) if all.len() > 1 && takes_several(interp, block)? => interp.yield_to(block, all),
        other => interp.yield_one(block, other.clone().into_value()),
    }
}

fn takes_several(interp: &mut Interp<'_>, block: &Value) -> Flow<bool> {
    let block = interp.proc_of(block)?;
    Ok(block.is_lambda && matches!(block.kind, ProcKind::Code { .. }) && interp.argument_bounds(&block).1 != Some(1))
}

/// The method behind an enumerator, with a block.
fn run(interp: &mut Interp<'_>, enumerator: &Value, block: &Value) -> Flow {
    let Value::Object(object) = enumerator else { return Ok(Value::Nil) };
    let parts = match &*object.data.borrow() {
        Data::Enumerator { receiver, method, args } => Some((receiver.clone(), method.clone(), args.clone())),
        _ => None,
    };
    match parts {
        Some((receiver, method, args)) => interp.call(&receiver, &method, args, Some(block), None, true, false),
        None => Ok(Value::Nil),
    }
}

/// Returns how many elements are wanted.
pub(super) fn size_arg(interp: &mut Interp<'_>, count: &Value, what: &str) -> Flow<usize> {
    match usize::try_from(interp.int_arg(count)?) {
        Ok(count) => Ok(count),
        Err(_) => interp.raise(Core::ArgumentError, format!("attempt to {what} negative size")),
    }
}

/// Returns the first element of which something holds, and its place. What comes behind it, which may have no end, is
/// not asked for.
fn first_with(
    interp: &mut Interp<'_>,
    of: &Value,
    holds: impl Fn(&mut Interp<'_>, &YieldedValues) -> Flow<bool> + 'static,
) -> Flow<Option<(YieldedValues, usize)>> {
    let is_endless = match of {
        Value::Object(object) => !matches!(&*object.data.borrow(), Data::Set(_)),
        Value::Range(range) => !matches!(range.to, Value::Int(_) | Value::String(_)),
        _ => false,
    };
    if !is_endless {
        for (at, element) in interp.yields(of)?.into_iter().enumerate() {
            if holds(interp, &element)? {
                return Ok(Some((element, at)));
            }
        }
        return Ok(None);
    }
    let tag = interp.tag();
    let found = Rc::new(RefCell::new((None, 0)));
    let into = found.clone();
    let looking = Value::native_block(move |interp, args| {
        interp.step()?;
        let element = YieldedValues::from_args(args);
        if holds(interp, &element)? {
            into.borrow_mut().0 = Some(element);
            return Err(Box::new(Stop::Break(tag, Value::Nil)));
        }
        into.borrow_mut().1 += 1;
        Ok(Value::Nil)
    });
    match interp.send_with(of, "each", &[], Some(&looking)).map_err(|stop| *stop) {
        Err(Stop::Break(ended, _)) if ended == tag => {}
        Err(stop) => return Err(Box::new(stop)),
        Ok(_) => {}
    }
    let (element, at) = found.take();
    Ok(element.map(|element| (element, at)))
}

/// The first elements alone: what comes behind them, which may have no end, is not asked for.
fn first_of_run(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let count = match given.args.first() {
        Some(count) => size_arg(interp, count, "take")?,
        None => 1,
    };
    let tag = interp.tag();
    let found = Rc::new(RefCell::new(Vec::new()));
    let into = found.clone();
    let collecting = Value::native_block(move |_, args| {
        into.borrow_mut().push(YieldedValues::from_args(args).into_value());
        if into.borrow().len() >= count { Err(Box::new(Stop::Break(tag, Value::Nil))) } else { Ok(Value::Nil) }
    });
    if count > 0 {
        match run(interp, given.receiver, &collecting).map_err(|stop| *stop) {
            Err(Stop::Break(ended, _)) if ended == tag => {}
            Err(stop) => return Err(Box::new(stop)),
            Ok(_) => {}
        }
    }
    let items = found.borrow().clone();
    Ok(if given.args.is_empty() { items.into_iter().next().unwrap_or_default() } else { Value::array(items) })
}

fn with_index(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block.cloned() else { return interp.enumerator(given) };
    let start = if given.arg(0).is_nil() { 0 } else { interp.int_arg(given.arg(0))? };
    let index = RefCell::new(start);
    let counting = Value::native_block(move |interp, args| {
        let at = index.replace_with(|at| *at + 1);
        interp.yield_to(&block, &[YieldedValues::from_args(args).into_value(), Value::Int(at)])
    });
    run(interp, given.receiver, &counting)
}

fn map(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    // A hash hands key and value to a lambda that wants two.
    let elements = match given.receiver {
        Value::Hash(table) if takes_several(interp, block)? && interp.least_arguments(block)? > 1 => {
            table.pairs().into_iter().map(|(key, value)| YieldedValues::Several(vec![key, value])).collect()
        }
        other => interp.yields(other)?,
    };
    let mut mapped = Vec::with_capacity(elements.len());
    for element in elements {
        mapped.push(yield_all(interp, block, element)?);
    }
    Ok(Value::array(mapped))
}

fn flat_map(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let mut mapped = Vec::new();
    for element in interp.yields(given.receiver)? {
        let value = yield_all(interp, block, element)?;
        match interp.as_array(&value)? {
            Some(items) => mapped.extend(items),
            None => mapped.push(value),
        }
        interp.check_count(mapped.len())?;
    }
    Ok(Value::array(mapped))
}

fn filter_map(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let mut mapped = Vec::new();
    for element in interp.yields(given.receiver)? {
        let value = yield_all(interp, block, element)?;
        if value.is_truthy() {
            mapped.push(value);
        }
    }
    Ok(Value::array(mapped))
}

fn filter(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: bool) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let mut kept = Vec::new();
    for element in interp.yields(given.receiver)? {
        if yield_element(interp, block, &element)?.is_truthy() == wanted {
            kept.push(element.into_value());
        }
    }
    Ok(Value::array(kept))
}

fn partition(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for element in interp.yields(given.receiver)? {
        let hit = yield_element(interp, block, &element)?.is_truthy();
        if hit { &mut yes } else { &mut no }.push(element.into_value());
    }
    Ok(Value::pair(Value::array(yes), Value::array(no)))
}

fn find(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block.cloned() else { return interp.enumerator(given) };
    let found = first_with(interp, given.receiver, move |interp, element| {
        Ok(yield_element(interp, &block, element)?.is_truthy())
    })?;
    if let Some((element, _)) = found {
        return Ok(element.into_value());
    }
    if given.arg(0).is_nil() { Ok(Value::Nil) } else { interp.send(given.arg(0), "call", &[]) }
}

fn find_index(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (wanted, block) = (given.args.first().cloned(), given.block.cloned());
    if wanted.is_none() && block.is_none() {
        return interp.enumerator(given);
    }
    let found = first_with(interp, given.receiver, move |interp, element| match (&wanted, &block) {
        (None, Some(block)) => Ok(yield_all(interp, block, element.clone())?.is_truthy()),
        (wanted, _) => interp.equal(&element.clone().into_value(), wanted.as_ref().unwrap_or(&Value::Nil)),
    })?;
    Ok(found.map_or(Value::Nil, |(_, index)| index.into()))
}

/// `pattern === item`, where there is no frame to keep what matched.
fn fits(interp: &mut Interp<'_>, pattern: &Value, item: &Value) -> Flow<bool> {
    Ok(interp.send(pattern, "===", std::slice::from_ref(item))?.is_truthy())
}

fn grep(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: bool) -> Flow {
    let mut kept = Vec::new();
    for item in interp.items(given.receiver)? {
        // A block is told what matched, and nobody else.
        let fits = match given.frame.filter(|_| given.block.is_some()) {
            Some(frame) => interp.case_equal(given.arg(0), &item, frame)?,
            None => fits(interp, given.arg(0), &item)?,
        };
        if fits == wanted {
            kept.push(match given.block {
                Some(block) => interp.yield_one(block, item)?,
                None => item,
            });
        }
    }
    Ok(Value::array(kept))
}

fn each_entry(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    for element in interp.yields(given.receiver)? {
        yield_element(interp, block, &element)?;
    }
    Ok(given.receiver.clone())
}

fn each_with_index(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block.cloned() else { return interp.enumerator(given) };
    let index = Cell::new(0_usize);
    first_with(interp, given.receiver, move |interp, item| {
        let at = index.replace(index.get() + 1);
        interp.yield_to(&block, &[item.clone().into_value(), at.into()]).map(|_| false)
    })?;
    Ok(given.receiver.clone())
}

fn each_with_object(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block.cloned() else { return interp.enumerator(given) };
    let memo = given.arg(0).clone();
    first_with(interp, given.receiver, move |interp, item| {
        interp.yield_to(&block, &[item.clone().into_value(), memo.clone()]).map(|_| false)
    })?;
    Ok(given.arg(0).clone())
}

fn chunks(interp: &mut Interp<'_>, given: &CallArguments<'_>, overlapping: bool) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let size = interp.int_arg(given.arg(0))?;
    let Some(size) = usize::try_from(size).ok().filter(|size| *size > 0) else {
        return interp.raise(Core::ArgumentError, if overlapping { "invalid size" } else { "invalid slice size" });
    };
    let items = interp.items(given.receiver)?;
    let all: Vec<&[Value]> = if overlapping { items.windows(size).collect() } else { items.chunks(size).collect() };
    for chunk in all {
        interp.yield_one(block, Value::array(chunk.to_vec()))?;
    }
    Ok(if overlapping { given.receiver.clone() } else { Value::Nil })
}

fn inject(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut items = interp.items(given.receiver)?.into_iter();
    let (start, operator) = match (given.args, given.block) {
        ([start, operator], _) => (Some(start.clone()), Some(interp.name_arg(operator)?)),
        ([operator], None) => (None, Some(interp.name_arg(operator)?)),
        ([start], Some(_)) => (Some(start.clone()), None),
        _ => (None, None),
    };
    let mut sum = match start.or_else(|| items.next()) {
        Some(start) => start,
        None => return Ok(Value::Nil),
    };
    for item in items {
        sum = match (&operator, given.block) {
            (Some(operator), _) => interp.send(&sum, operator, &[item])?,
            (None, Some(block)) => interp.yield_to(block, &[sum, item])?,
            (None, None) => return interp.raise(Core::LocalJumpError, "no block given"),
        };
    }
    Ok(sum)
}

fn count(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut count = 0usize;
    for element in interp.yields(given.receiver)? {
        count += usize::from(match (given.args.first(), given.block) {
            (Some(wanted), _) => interp.equal(&element.into_value(), wanted)?,
            (None, Some(block)) => yield_all(interp, block, element)?.is_truthy(),
            (None, None) => true,
        });
    }
    Ok(count.into())
}

/// Returns true if any element is as wanted: true, or (for `all?`) not true.
fn any(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: bool) -> Flow<bool> {
    let (pattern, block) = (given.args.first().cloned(), given.block.cloned());
    let found = first_with(interp, given.receiver, move |interp, element| {
        Ok(holds(interp, pattern.as_ref(), block.as_ref(), element.clone())? == wanted)
    })?;
    Ok(found.is_some())
}

fn holds(
    interp: &mut Interp<'_>,
    pattern: Option<&Value>,
    block: Option<&Value>,
    element: YieldedValues,
) -> Flow<bool> {
    match (pattern, block) {
        (Some(pattern), _) => fits(interp, pattern, &element.into_value()),
        (None, Some(block)) => Ok(yield_all(interp, block, element)?.is_truthy()),
        (None, None) => Ok(element.into_value().is_truthy()),
    }
}

fn one(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut count = 0;
    for element in interp.yields(given.receiver)? {
        count += i32::from(holds(interp, given.args.first(), given.block, element)?);
    }
    Ok((count == 1).into())
}

fn includes(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let wanted = given.arg(0).clone();
    let found =
        first_with(interp, given.receiver, move |interp, item| interp.equal(&item.clone().into_value(), &wanted))?;
    Ok(found.is_some().into())
}

fn first(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let items = interp.items(given.receiver)?;
    match given.args.first() {
        None => Ok(items.into_iter().next().unwrap_or_default()),
        Some(count) => {
            let count = size_arg(interp, count, "take")?;
            Ok(Value::array(items.into_iter().take(count).collect()))
        }
    }
}

fn while_true(interp: &mut Interp<'_>, given: &CallArguments<'_>, takes: bool) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let elements = interp.yields(given.receiver)?;
    let mut end = elements.len();
    for (index, element) in elements.iter().enumerate() {
        let goes_on = match takes {
            true => yield_all(interp, block, element.clone())?,
            false => yield_element(interp, block, element)?,
        };
        if !goes_on.is_truthy() {
            end = index;
            break;
        }
    }
    let mut items: Vec<Value> = elements.into_iter().map(YieldedValues::into_value).collect();
    let behind = items.split_off(end);
    Ok(Value::array(if takes { items } else { behind }))
}

fn group_by(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let groups = HashTable::default();
    for element in interp.yields(given.receiver)? {
        let key = yield_element(interp, block, &element)?;
        let item = element.into_value();
        match interp.get_from(&groups, &key)? {
            Some(Value::Array(group)) => group.items.borrow_mut().push(item),
            _ => interp.put_into(&groups, key, Value::array(vec![item]))?,
        }
    }
    Ok(Value::hash(groups))
}

fn slices(interp: &mut Interp<'_>, given: &CallArguments<'_>, cuts: bool) -> Flow {
    let Some(block) = given.block else { return interp.raise(Core::ArgumentError, "no block given") };
    let mut all: Vec<Vec<Value>> = Vec::new();
    for item in interp.items(given.receiver)? {
        let begins = match all.last().and_then(|group| group.last()) {
            Some(before) => interp.yield_to(block, &[before.clone(), item.clone()])?.is_truthy() == cuts,
            None => true,
        };
        match all.last_mut() {
            Some(group) if !begins => group.push(item),
            _ => all.push(vec![item]),
        }
    }
    let receiver = Value::array(all.into_iter().map(Value::array).collect());
    let data = Data::Enumerator { receiver, method: "each".into(), args: Args::default() };
    Ok(Value::object(Core::Enumerator.class(), data))
}

fn tally(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let counts = HashTable::default();
    for item in interp.items(given.receiver)? {
        let count = match interp.get_from(&counts, &item)? {
            Some(Value::Int(count)) => count,
            _ => 0,
        };
        interp.put_into(&counts, item, Value::Int(count + 1))?;
    }
    Ok(Value::hash(counts))
}

pub(super) fn uniq(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let seen = HashTable::default();
    for element in interp.yields(given.receiver)? {
        let item = element.clone().into_value();
        let key = match given.block {
            Some(block) => yield_all(interp, block, element)?,
            None => item.clone(),
        };
        if !interp.is_in(&seen, &key)? {
            interp.put_into(&seen, key, item)?;
        }
    }
    Ok(Value::array(seen.values()))
}

fn zip(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let items = interp.items(given.receiver)?;
    interp.check_texts(items.len())?;
    interp.check_count(items.len().saturating_mul(given.args.len() + 1))?;
    let (mut others, mut count) = (Vec::new(), 0);
    for other in given.args {
        let other = match interp.as_array(other)? {
            Some(items) => items,
            None if interp.responds(other, "each")? => interp.items(other)?,
            None => {
                let of = interp.conversion_name(other);
                return interp.raise(Core::TypeError, format!("wrong argument type {of} (must respond to :each)"));
            }
        };
        count += other.len();
        interp.check_count(count)?;
        others.push(other);
    }
    let mut rows = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let mut row = vec![item];
        row.extend(others.iter().map(|other| other.get(index).cloned().unwrap_or_default()));
        rows.push(Value::array(row));
    }
    match given.block {
        Some(block) => {
            for row in rows {
                interp.yield_one(block, row)?;
            }
            Ok(Value::Nil)
        }
        None => Ok(Value::array(rows)),
    }
}

fn to_h(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let table = HashTable::default();
    let is_array = matches!(given.receiver, Value::Array(_));
    for (at, element) in interp.yields(given.receiver)?.into_iter().enumerate() {
        let place = if is_array { format!(" at {at}") } else { String::new() };
        let pair = match given.block {
            Some(block) => yield_all(interp, block, element)?,
            None => element.into_value(),
        };
        let Some(items) = interp.as_array(&pair)? else {
            let of = interp.class_name_of(&pair);
            return interp.raise(Core::TypeError, format!("wrong element type {of}{place} (expected array)"));
        };
        match items.as_slice() {
            [key, value] => interp.put_into(&table, key.clone(), value.clone())?,
            other => {
                let count = other.len();
                let what = if is_array {
                    format!("wrong array length{place}")
                } else {
                    "element has wrong array length".into()
                };
                return interp.raise(Core::ArgumentError, format!("{what} (expected 2, was {count})"));
            }
        }
    }
    Ok(Value::hash(table))
}

fn cycle(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let rounds = if given.arg(0).is_nil() { i64::MAX } else { interp.int_arg(given.arg(0))? };
    let items = interp.items(given.receiver)?;
    if items.is_empty() {
        return Ok(Value::Nil);
    }
    for _ in 0..rounds {
        for item in &items {
            interp.yield_one(block, item.clone())?;
        }
    }
    Ok(Value::Nil)
}
