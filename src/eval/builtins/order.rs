//! Functions that put values in an order: `sort`, `max`, `min`, `compare`.
//!
//! The order is Ruby's, not that of the operators: strings by their bytes, arrays by their elements.

use std::borrow::Cow;
use std::cmp::Ordering;

use pantin_base::Language;
use pantin_base::number::float_text;
use pantin_base::stack::with_room;
use pantin_values::label::label;
use pantin_values::{Fault, Value, ops, ruby_class, sprintf};

use crate::{Builtin, Flow, Invocation, block, optional, optional_block, overload, repeated, required};

macro_rules! all_of {
    ($of:literal, $run:path) => {
        overload(&[repeated($of, "values")], None, $run)
    };
}

macro_rules! array_of {
    ($of:literal, $run:path) => {
        overload(&[required($of, "values")], optional_block("Callable[2,2]"), $run)
    };
}

const COMPARABLE: &str = "Comparable";

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "sort",
        &[
            overload(&[required("String", "string_value")], optional_block("Callable[2,2]"), sort),
            overload(&[required("Array", "array_value")], optional_block("Callable[2,2]"), sort),
        ],
        "An array in order, or the characters of a string; the lambda compares two elements.",
    ),
    Builtin::typed(
        "max",
        &[
            all_of!("Numeric", max),
            all_of!("String", max),
            all_of!("Semver", max).since(Language::Puppet8),
            all_of!("Timespan", max).since(Language::Puppet8),
            all_of!("Timestamp", max).since(Language::Puppet8),
            array_of!("Array[Numeric]", max),
            array_of!("Array[String]", max),
            array_of!("Array[Semver]", max).since(Language::Puppet8),
            array_of!("Array[Timespan]", max).since(Language::Puppet8),
            array_of!("Array[Timestamp]", max).since(Language::Puppet8),
            array_of!("Array", max),
            overload(&[repeated("Any", "values")], block("Callable[2,2]"), max),
            all_of!("Any", max),
        ],
        "The greatest of the arguments, or of the elements of one array; the lambda compares two of them.",
    ),
    Builtin::typed(
        "min",
        &[
            all_of!("Numeric", min),
            all_of!("String", min),
            all_of!("Semver", min).since(Language::Puppet8),
            all_of!("Timespan", min).since(Language::Puppet8),
            all_of!("Timestamp", min).since(Language::Puppet8),
            array_of!("Array[Numeric]", min),
            array_of!("Array[Semver]", min).since(Language::Puppet8),
            array_of!("Array[Timespan]", min).since(Language::Puppet8),
            array_of!("Array[Timestamp]", min).since(Language::Puppet8),
            array_of!("Array[String]", min),
            array_of!("Array", min),
            overload(&[repeated("Any", "values")], block("Callable[2,2]"), min),
            all_of!("Any", min),
        ],
        "The least of the arguments, or of the elements of one array; the lambda compares two of them.",
    ),
    Builtin::typed(
        "compare",
        &[
            overload(&[required("Numeric", "a"), required("Numeric", "b")], None, compare),
            overload(
                &[required("String", "a"), required("String", "b"), optional("Boolean", "ignore_case")],
                None,
                compare,
            ),
            overload(&[required("Semver", "a"), required("Semver", "b")], None, compare),
            overload(
                &[required("Numeric", "a"), required("Variant[Timespan, Timestamp]", "b")],
                None,
                compare_with_time,
            ),
            overload(&[required("Timestamp", "a"), required("Variant[Timestamp, Numeric]", "b")], None, compare),
            overload(&[required("Timespan", "a"), required("Variant[Timespan, Numeric]", "b")], None, compare),
            overload(
                &[required(COMPARABLE, "a"), required(COMPARABLE, "b"), repeated("Any", "ignore_case")],
                None,
                why_not_comparable,
            )
            .explaining(),
            overload(
                &[required("Any", "a"), required("Any", "b"), repeated("Any", "ignore_case")],
                None,
                never_comparable,
            )
            .explaining(),
        ],
        "-1, 0 or 1: which of two numbers, strings, versions or times comes first.",
    )
    .with_types(&[
        ("TimeComparable", "Variant[Numeric, Timespan, Timestamp]"),
        ("Comparable", "Variant[String, Semver, TimeComparable]"),
    ]),
];

// ---- the order of Ruby ----

/// Ruby's `<=>`; `None` where there is no order.
fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::String(a) | Value::Unencoded(a), Value::String(b) | Value::Unencoded(b)) => {
            Some(a.as_str().cmp(b.as_str()))
        }
        (Value::String(_) | Value::Unencoded(_), _) | (_, Value::String(_) | Value::Unencoded(_)) => None,
        (Value::Array(a), Value::Array(b)) => with_room(|| {
            for (a, b) in a.iter().zip(b.iter()) {
                match order(a, b)? {
                    Ordering::Equal => {}
                    decided => return Some(decided),
                }
            }
            Some(a.len().cmp(&b.len()))
        }),
        _ => match ops::order(left, right) {
            Ok(ordering) => ordering,
            Err(_) => ops::natively_equal(left, right).then_some(Ordering::Equal),
        },
    }
}

fn order_or_fault(left: &Value, right: &Value) -> Result<Ordering, Fault> {
    order(left, right).ok_or_else(|| no_order(left, right))
}

fn no_order(left: &Value, right: &Value) -> Fault {
    let right = match right {
        // Ruby keeps numbers of 63 bits in place of an object, and shows those alone.
        Value::Integer(number) if number.checked_mul(2).is_none() => "Integer".to_owned(),
        Value::Large(_) => "Integer".to_owned(),
        Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) => sprintf::inspect(right),
        Value::Float(value) => float_text(*value),
        _ => ruby_class(right).into_owned(),
    };
    Fault::new(format!("comparison of {} with {right} failed", ruby_class(left)))
}

/// Returns what the lambda has to say about two values: a number, whose sign counts.
fn ask(call: &mut Invocation<'_, '_>, left: &Value, right: &Value) -> Flow<Ordering> {
    let verdict = call.yield_values([left.clone(), right.clone()])?;
    match &verdict {
        Value::Integer(number) => Ok(number.cmp(&0)),
        Value::Undef => Err(no_order(left, right).into()),
        Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) => {
            // What is no number is neither more nor less.
            let ordering = ops::order(&verdict, &Value::Integer(0)).ok().flatten();
            Ok(ordering.unwrap_or(Ordering::Equal))
        }
        Value::String(_) | Value::Default | Value::SemVer(_) => Err(no_order(&verdict, &Value::Integer(0)).into()),
        _ => {
            let (shown, class) = (sprintf::inspect(&verdict), ruby_class(&verdict));
            Err(Fault::new(format!("undefined method `>' for {shown}:{class}")).into())
        }
    }
}

// ---- sort ----

fn sort(call: &mut Invocation<'_, '_>) -> Flow {
    match call.take(0) {
        Value::Array(mut items) => {
            sort_items(call, items.make_mut())?;
            Ok(Value::Array(items))
        }
        Value::String(text) => {
            let mut characters: Vec<Value> =
                text.chars().map(|one| Value::string(&*one.encode_utf8(&mut [0; 4]))).collect();
            sort_items(call, &mut characters)?;
            Ok(Value::String(characters.iter().filter_map(Value::as_str).collect()))
        }
        other => Ok(other),
    }
}

fn sort_items(call: &mut Invocation<'_, '_>, items: &mut Vec<Value>) -> Flow<()> {
    if call.has_block() {
        return merge_sort(items, &mut |left, right| ask(call, left, right));
    }
    if items.iter().all(|item| matches!(item, Value::String(_))) {
        items.sort_unstable_by(|left, right| left.as_str().cmp(&right.as_str()));
        return Ok(());
    }
    if let Some(mut numbers) = items.iter().map(integer).collect::<Option<Vec<_>>>() {
        numbers.sort_unstable();
        *items = numbers.into_iter().map(Value::Integer).collect();
        return Ok(());
    }
    merge_sort(items, &mut |left, right| Ok(order_or_fault(left, right)?))
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        _ => None,
    }
}

/// Compares the same pairs in the same sequence as the C library that Ruby sorts with: a lambda may write to the
/// log, and of several pairs without an order the first is the one that is told.
fn merge_sort(items: &mut Vec<Value>, compare: &mut dyn FnMut(&Value, &Value) -> Flow<Ordering>) -> Flow<()> {
    let mut places: Vec<usize> = (0..items.len()).collect();
    let mut merged = Vec::with_capacity(items.len());
    sort_places(&mut places, &mut merged, items, compare)?;
    *items = places.into_iter().map(|place| std::mem::take(&mut items[place])).collect();
    Ok(())
}

fn sort_places(
    places: &mut [usize],
    merged: &mut Vec<usize>,
    items: &[Value],
    compare: &mut dyn FnMut(&Value, &Value) -> Flow<Ordering>,
) -> Flow<()> {
    if places.len() <= 1 {
        return Ok(());
    }
    let middle = places.len() / 2;
    let (left, right) = places.split_at_mut(middle);
    sort_places(left, merged, items, compare)?;
    sort_places(right, merged, items, compare)?;
    merged.clear();
    let (mut from_left, mut from_right) = (0, 0);
    while from_left < left.len() && from_right < right.len() {
        if compare(&items[left[from_left]], &items[right[from_right]])?.is_le() {
            merged.push(left[from_left]);
            from_left += 1;
        } else {
            merged.push(right[from_right]);
            from_right += 1;
        }
    }
    merged.extend_from_slice(&left[from_left..]);
    // What is left on the right is in its place already.
    places[..merged.len()].copy_from_slice(merged);
    Ok(())
}

// ---- max and min ----

fn max(call: &mut Invocation<'_, '_>) -> Flow {
    extreme(call, Ordering::Greater)
}

fn min(call: &mut Invocation<'_, '_>) -> Flow {
    extreme(call, Ordering::Less)
}

/// The first of those than which no other is more (or less).
fn extreme(call: &mut Invocation<'_, '_>, wanted: Ordering) -> Flow {
    let items: Vec<Value> = match call.args() {
        [Value::Array(items)] => items.to_vec(),
        args => args.to_vec(),
    };
    let has_block = call.has_block();
    let are_texts = items.iter().all(|item| item.as_str().is_some());
    let natural = !are_texts && has_natural_order(call, &items);
    let mut items = items.into_iter();
    let Some(mut best) = items.next() else {
        return match has_block {
            true => Ok(Value::Undef),
            false => Err(call.fault(format!("{}(): Wrong number of arguments need at least one", call.name()))),
        };
    };
    for item in items {
        let ordering = if has_block {
            ask(call, &item, &best)?
        } else if natural {
            order_or_fault(&item, &best)?
        } else {
            order_of_texts(call, &item, &best, are_texts)?
        };
        if ordering == wanted {
            best = item;
        }
    }
    Ok(best)
}

/// Numbers, and since Puppet 8 versions and times among themselves, are compared as what they are.
fn has_natural_order(call: &Invocation<'_, '_>, items: &[Value]) -> bool {
    let all = |is: fn(&Value) -> bool| items.iter().all(is);
    all(|item| {
        matches!(item, Value::Integer(_) | Value::Large(_)) || matches!(item, Value::Float(number) if !number.is_nan())
    }) || (call.settings().language >= Language::Puppet8
        && (all(|item| matches!(item, Value::SemVer(_)))
            || all(|item| matches!(item, Value::Timespan(_)))
            || all(|item| matches!(item, Value::Timestamp(_)))))
}

/// All else is compared as texts, and texts that are numbers as numbers.
fn order_of_texts(call: &mut Invocation<'_, '_>, left: &Value, right: &Value, are_texts: bool) -> Flow<Ordering> {
    let (left, right) = (as_text(left), as_text(right));
    if let (Some(a), Some(b)) = (plain_number(&left), plain_number(&right)) {
        deprecate(call, "numeric_coerce_string", "String to Numeric")?;
        return Ok(a.total_cmp(&b));
    }
    if !are_texts {
        deprecate(call, "string_coerce_any", "Any to String")?;
    }
    Ok(left.cmp(&right))
}

fn as_text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) | Value::Unencoded(text) => Cow::Borrowed(text),
        Value::Array(_) | Value::Hash(_) => Cow::Owned(sprintf::inspect_for_order(value)),
        _ => Cow::Owned(ops::to_s(value)),
    }
}

fn deprecate(call: &mut Invocation<'_, '_>, key: &str, conversion: &str) -> Flow<()> {
    let name = call.name();
    let message = format!(
        "The {name}() function's auto conversion of {conversion} is deprecated - change to convert input before \
         calling, or use lambda"
    );
    call.deprecated(&format!("{name}_function_{key}"), message, false)
}

/// Digits, and after one of `.`, `_`, `e` and `E` more of them.
fn plain_number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = match unsigned.split_once(['.', '_', 'e', 'E']) {
        Some((whole, rest)) => is_digits(whole) && is_digits(rest),
        None => is_digits(unsigned),
    };
    let number: f64 = if fits { text.replace('_', "").parse().ok()? } else { return None };
    // Nothing is less than zero and greater than minus zero.
    Some(number + 0.0)
}

// ---- compare ----

fn compare(call: &mut Invocation<'_, '_>) -> Flow {
    let (left, right) = (call.arg(0), call.arg(1));
    let ordering = match (left, right, call.arg(2)) {
        (Value::String(a), Value::String(b), Value::Boolean(false)) => Some(a.as_str().cmp(b.as_str())),
        _ => ops::order(left, right).map_err(Fault::new)?,
    };
    Ok(ordering.map_or(Value::Undef, |ordering| Value::Integer(ordering as i64)))
}

/// It is the time that compares itself with the number: with an integer in whole seconds.
fn compare_with_time(call: &mut Invocation<'_, '_>) -> Flow {
    let ordering = ops::order(call.arg(1), call.arg(0)).map_err(Fault::new)?;
    Ok(ordering.map_or(Value::Undef, |ordering| Value::Integer(ordering.reverse() as i64)))
}

fn why_not_comparable(call: &mut Invocation<'_, '_>) -> Flow {
    let args = call.args();
    let (left, right) = (call.arg(0), call.arg(1));
    if args.len() > 2 {
        if left.as_str().is_none() || right.as_str().is_none() {
            return Ok("compare(): The third argument (ignore case) can only be used when comparing strings".into());
        }
        if args.len() > 3 {
            return Ok(format!("compare(): Accepts at most 3 arguments, got {}", args.len()).into());
        }
        let label = label(call.arg(2));
        return Ok(format!("compare(): The third argument (ignore case) must be a Boolean. Got {label}").into());
    }
    Ok(format!(
        "compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got {} \
         and {}",
        label(left),
        label(right)
    )
    .into())
}

fn never_comparable(call: &mut Invocation<'_, '_>) -> Flow {
    Ok(format!(
        "compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp can \
         be compared. Got {} and {}",
        label(call.arg(0)),
        label(call.arg(1))
    )
    .into())
}
