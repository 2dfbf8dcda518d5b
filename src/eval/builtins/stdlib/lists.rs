//! Functions on lists: put together, thinned out, compared as sets.

use pantin_base::{budget, limits};
use pantin_values::sprintf::inspect;
use pantin_values::{Hash, Str, Value};
use rustc_hash::FxHashSet;

use super::booleans::str2bool;
use super::ruby::{Result, check_arity, class_name, eql, equal, fail, fits, matches, older, pattern, text_of, to_i};
use super::text_sets::TextSet;
use crate::Builtin;
use crate::builtins::older;
use crate::builtins::older::{flattened, no_method};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("any2array", any2array, "A list of whatever is given: of a hash, its keys and values in turn."),
    older!("concat", concat, "A list with others, or single values, appended."),
    older!("count", count, "How many of a list are equal to a value, or are there at all."),
    older!("delete", delete, "A list, hash or text without a value, a key, a part."),
    older!("delete_at", delete_at, "A list without the value at an index."),
    older!("delete_regex", delete_regex, "A list, or a hash by its keys, without what matches a pattern as a word."),
    older!("delete_undef_values", delete_undef_values, "A list or hash without undef."),
    older!("delete_values", delete_values, "A hash without the entries that have a value."),
    older!("difference", difference, "What is in a list and not in another."),
    older!("grep", grep, "What of a list matches a pattern."),
    older!("intersection", intersection, "What two lists have in common."),
    older!("member", member, "Whether a list has a value, or all of several."),
    older!("union", union, "What is in any of some lists, once."),
    older!("values_at", values_at, "What a list has at indices, or in ranges of them."),
    older!("zip", zip, "Pairs of what two lists have at the same place."),
    older!("prefix", prefix, "Each of a list, or each key of a hash, as a text with another before it."),
    older!("suffix", suffix, "Each of a list, or each key of a hash, as a text with another behind it."),
    older!("pick", pick, "The first value that is not empty."),
    older!("pick_default", pick_default, "The first value that is not empty, or the last."),
];

pub(super) static OLD: &[Builtin] =
    &[older!("hash", hash, "A hash made of a list of keys and values in turn."), older!("reject", reject_of_8, REJECT)];

pub(super) static NEW: &[Builtin] = &[older!("reject", reject_of_9, REJECT)];

const REJECT: &str = "What of a list does not match a pattern.";

fn any2array(mut args: Vec<Value>) -> Result {
    if args.len() != 1 {
        return Ok(Value::array(args));
    }
    Ok(match args.remove(0) {
        list @ Value::Array(_) => list,
        Value::String(text) if text.is_empty() => Value::array([]),
        Value::Hash(entries) => Value::array(entries.iter().flat_map(|(key, value)| [key.clone(), value.clone()])),
        other => Value::array([other]),
    })
}

fn concat(args: Vec<Value>) -> Result {
    if args.len() < 2 {
        return fail(format!("concat(): Wrong number of arguments given ({} for < 2)", args.len()));
    }
    let Value::Array(first) = &args[0] else { return fail("concat(): Requires array to work with") };
    let mut all = first.to_vec();
    for more in &args[1..] {
        match more {
            Value::Array(items) => all.extend(items.iter().cloned()),
            other => all.push(other.clone()),
        }
    }
    Ok(Value::array(all))
}

fn count(args: Vec<Value>) -> Result {
    check_arity("count", &args, -2)?;
    if args.len() > 2 {
        return fail(format!("count(): Wrong number of arguments given {} for 1 or 2.", args.len()));
    }
    let item = args.get(1).filter(|item| item.is_truthy());
    let is_there = |value: &&Value| !super::ruby::is_blank(value);
    let counted = match (&args[0], item) {
        (Value::Array(items), Some(item)) => items.iter().filter(|value| equal(value, item)).count(),
        (Value::Array(items), None) => items.iter().filter(is_there).count(),
        // An entry is a pair.
        (Value::Hash(entries), Some(item)) => {
            entries.iter().filter(|(key, value)| equal(&Value::array([(*key).clone(), (*value).clone()]), item)).count()
        }
        (Value::Hash(entries), None) => entries.len(),
        (Value::String(_), None) => return fail("wrong number of arguments (given 0, expected 1+)"),
        (Value::String(text), Some(Value::String(set))) => {
            let set = TextSet::new(set)?;
            text.chars().filter(|character| set.contains(*character)).count()
        }
        (Value::String(_), Some(other)) => {
            return fail(format!("no implicit conversion of {} into String", pantin_values::unconvertible(other)));
        }
        (other, _) => return Err(no_method("count", other)),
    };
    Ok(Value::Integer(counted as i64))
}

// ---- without ----

/// Ruby's `Array()`.
fn listed(value: &Value) -> Vec<Value> {
    match value {
        Value::Undef => Vec::new(),
        Value::Array(items) => items.to_vec(),
        Value::Hash(entries) => entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect(),
        other => vec![other.clone()],
    }
}

fn delete(args: Vec<Value>) -> Result {
    let [collection, unwanted] = two("delete", &args)?;
    let mut collection = collection.clone();
    for item in listed(unwanted) {
        if !spend_on(&collection) {
            break;
        }
        collection = match collection {
            Value::Array(items) => Value::array(items.iter().filter(|value| !equal(value, &item)).cloned()),
            Value::Hash(entries) => without(&entries, |key, _| eql(key, &item)),
            Value::String(text) => match &item {
                Value::String(part) => text.replace(part.as_str(), "").into(),
                other => return fail(format!("wrong argument type {} (expected Regexp)", older::class_name(other))),
            },
            other => {
                return fail(format!(
                    "delete(): First argument must be an Array, String, or Hash. Given an argument of class {}.",
                    class_name(&other)
                ));
            }
        };
    }
    Ok(collection)
}

/// Takes steps for going through a collection once more; false if there are none left.
fn spend_on(collection: &Value) -> bool {
    budget::spend(match collection {
        Value::Array(items) => items.len() as u64,
        Value::Hash(entries) => entries.len() as u64,
        Value::String(text) => text.len() as u64 / limits::BYTES_OF_STEP,
        _ => 1,
    })
}

/// Returns the two arguments of a function that counts them in these words.
fn two<'a>(name: &str, args: &'a [Value]) -> Result<[&'a Value; 2]> {
    match args {
        [first, second] => Ok([first, second]),
        _ => fail(format!("{name}(): Wrong number of arguments given {} for 2", args.len())),
    }
}

fn without(entries: &Hash, is_unwanted: impl Fn(&Value, &Value) -> bool) -> Value {
    let kept = entries.iter().filter(|(key, value)| !is_unwanted(key, value));
    Value::hash(kept.map(|(key, value)| (key.clone(), value.clone())))
}

fn delete_at(args: Vec<Value>) -> Result {
    if args.len() < 2 {
        return fail(format!("delete_at(): Wrong number of arguments given ({} for 2)", args.len()));
    }
    let Value::Array(items) = &args[0] else { return fail("delete_at(): Requires array to work with") };
    if let Value::String(index) = &args[1]
        && !fits(index, r"^\d+$")?
    {
        return fail("delete_at(): You must provide non-negative numeric index");
    }
    let index = to_i(&args[1])?;
    let count = items.len() as i64;
    if index > count - 1 {
        return fail("delete_at(): Given index exceeds size of array given");
    }
    let mut kept = items.to_vec();
    // A negative one counts from the end.
    if let Ok(place) = usize::try_from(if index < 0 { count + index } else { index }) {
        kept.remove(place);
    }
    Ok(Value::array(kept))
}

fn delete_regex(args: Vec<Value>) -> Result {
    let [collection, patterns] = two("delete_regex", &args)?;
    let mut collection = collection.clone();
    for item in listed(patterns) {
        if !spend_on(&collection) {
            break;
        }
        let word: Str = format!(r"\b{}\b", text_of(&item)).into();
        let is_unwanted = |value: &Value| match value {
            Value::String(text) | Value::Unencoded(text) => matches(&*pattern(&Value::String(word.clone()))?, text),
            _ => Ok(false),
        };
        collection = match collection {
            Value::Array(items) => Value::array(kept(&items, |item| Ok(!is_unwanted(item)?))?),
            Value::Hash(entries) => {
                let mut kept = Vec::new();
                for (key, value) in entries.iter() {
                    if !is_unwanted(key)? {
                        kept.push((key.clone(), value.clone()));
                    }
                }
                Value::hash(kept)
            }
            Value::String(text) => {
                return fail(format!("undefined method `reject!' for {}:String", inspect(&text.into())));
            }
            other => {
                return fail(format!(
                    "delete_regex(): First argument must be an Array, Hash, or String. Given an argument of class {}.",
                    class_name(&other)
                ));
            }
        };
    }
    Ok(collection)
}

fn kept(items: &[Value], is_wanted: impl Fn(&Value) -> Result<bool>) -> Result<Vec<Value>> {
    let mut kept = Vec::new();
    for item in items {
        if is_wanted(item)? {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

fn delete_undef_values(args: Vec<Value>) -> Result {
    match args.first() {
        None => fail("delete_undef_values(): Wrong number of arguments given (0)"),
        Some(Value::Array(items)) => Ok(Value::array(items.iter().filter(|item| !item.is_undef()).cloned())),
        Some(Value::Hash(entries)) => Ok(without(entries, |_, value| value.is_undef())),
        Some(other) => fail(format!(
            "delete_undef_values(): expected an array or hash, got {} type  {} ",
            text_of(other),
            class_name(other)
        )),
    }
}

fn delete_values(args: Vec<Value>) -> Result {
    let [hash, unwanted] = args.as_slice() else {
        return fail(format!("delete_values(): Wrong number of arguments given ({} of 2)", args.len()));
    };
    let Value::Hash(entries) = hash else {
        return fail(format!(
            "delete_values(): First argument must be a Hash. Given an argument of class {}.",
            class_name(hash)
        ));
    };
    Ok(without(entries, |_, value| equal(unwanted, value)))
}

// ---- as sets ----

fn difference(args: Vec<Value>) -> Result {
    if args.len() != 2 {
        return fail(format!("difference(): Wrong number of arguments given ({} for 2)", args.len()));
    }
    let [Value::Array(first), Value::Array(second)] = args.as_slice() else {
        return fail("difference(): Requires 2 arrays");
    };
    let second = set(second);
    Ok(Value::array(first.iter().filter(|item| !second.contains(item)).cloned()))
}

fn set(items: &[Value]) -> FxHashSet<&Value> {
    items.iter().collect()
}

fn intersection(args: Vec<Value>) -> Result {
    let [first, second] = args.as_slice() else {
        return fail(format!("intersection(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    let (Value::Array(a), Value::Array(b)) = (first, second) else {
        let (first, second) = (class_name(first), class_name(second));
        return fail(format!("intersection(): Requires 2 arrays, got {first} and {second}"));
    };
    let b = set(b);
    Ok(Value::array(once(a.iter().filter(|item| b.contains(item)))))
}

fn once<'a>(items: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    let mut seen = indexmap::IndexSet::<Value, rustc_hash::FxBuildHasher>::default();
    seen.extend(items.cloned());
    seen.into_iter().collect()
}

fn union(args: Vec<Value>) -> Result {
    if args.len() < 2 {
        return fail(format!("union(): Wrong number of arguments given ({} for < 2)", args.len()));
    }
    let mut all = Vec::new();
    for arg in &args {
        let Value::Array(items) = arg else { return fail("union(): Every parameter must be an array") };
        all.extend(items.iter());
    }
    Ok(Value::array(once(all.into_iter())))
}

fn member(args: Vec<Value>) -> Result {
    if args.len() < 2 {
        return fail(format!("member(): Wrong number of arguments given ({} for 2)", args.len()));
    }
    let Value::Array(items) = &args[0] else { return fail("member(): Requires array to work with") };
    let wanted = match &args[1] {
        one @ (Value::String(_) | Value::Unencoded(_) | Value::Integer(_)) => std::slice::from_ref(one),
        Value::Array(several) => several,
        _ => return fail("member(): Item to search for must be a string, fixnum, or array"),
    };
    if wanted.is_empty() {
        return fail("member(): You must provide item to search for within array given");
    }
    let items = set(items);
    Ok(wanted.iter().all(|item| items.contains(item)).into())
}

// ---- by patterns ----

fn grep(args: Vec<Value>) -> Result {
    let [list, source] = two("grep", &args)?;
    chosen("grep", list, source, true)
}

/// Of a hash, the keys are looked at.
fn reject_of_8(args: Vec<Value>) -> Result {
    let [list, source] = two("reject", &args)?;
    if let Value::Hash(entries) = list {
        let keys: Vec<Value> = entries.keys().cloned().collect();
        let rejected = chosen("reject", &Value::array(keys), source, true)?;
        return Ok(without(entries, |key, _| matches!(&rejected, Value::Array(rejected) if rejected.contains(key))));
    }
    chosen("reject", list, source, false)
}

fn reject_of_9(args: Vec<Value>) -> Result {
    let [list, source] = two("reject", &args)?;
    chosen("grep_v", list, source, false)
}

fn chosen(name: &str, list: &Value, source: &Value, wanted: bool) -> Result {
    let regexp = pattern(source)?;
    let is_match = |value: &Value| match value {
        Value::String(text) | Value::Unencoded(text) => matches(&regexp, text),
        _ => Ok(false),
    };
    match list {
        Value::Array(items) => Ok(Value::array(kept(items, |item| Ok(is_match(item)? == wanted))?)),
        // An entry is a pair, which matches nothing.
        Value::Hash(_) if wanted => Ok(Value::array([])),
        hash @ Value::Hash(_) => Ok(Value::array(listed(hash))),
        Value::String(text) => fail(format!("undefined method `{name}' for {}:String", inspect(&text.clone().into()))),
        other => Err(no_method(name, other)),
    }
}

// ---- by places ----

fn values_at(args: Vec<Value>) -> Result {
    if args.len() < 2 {
        return fail(format!("values_at(): Wrong number of arguments given ({} for 2)", args.len()));
    }
    let Value::Array(items) = &args[0] else { return fail("values_at(): Requires array to work with") };
    let indices = flattened(&args[1..2]);
    if indices.is_empty() {
        return fail("values_at(): You must provide at least one positive index to collect");
    }
    let mut values = Vec::new();
    for index in indices {
        for place in places(&text_of(&index), items.len())? {
            // Who counts the steps sees that there were too many, whatever was collected.
            if !budget::spend(1) {
                return Ok(Value::Undef);
            }
            values.extend(items.get(place).filter(|value| !value.is_undef()).cloned());
        }
    }
    Ok(Value::array(values))
}

/// `3`, `1-3`, `1..3`, `1...3`
fn places(text: &str, count: usize) -> Result<std::ops::Range<usize>> {
    let number = |digits: &str| digits.parse::<usize>().unwrap_or(usize::MAX);
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    for (sign, excludes_end) in [("...", true), ("..", false), ("-", false)] {
        let Some((start, stop)) = text.split_once(sign).filter(|(a, b)| is_number(a) && is_number(b)) else { continue };
        let (start, stop) = (number(start), number(stop));
        if start > stop {
            return fail("values_at(): Stop index in given indices range is smaller than the start index");
        }
        if stop >= count {
            return fail("values_at(): Stop index in given indices range exceeds array size");
        }
        return Ok(start..if excludes_end { stop } else { stop + 1 });
    }
    if !fits(text, r"^\d+$")? {
        return fail("values_at(): Unknown format of given index");
    }
    let place = to_i(&text.into())? as usize;
    if place >= count {
        return fail("values_at(): Given index exceeds array size");
    }
    Ok(place..place + 1)
}

fn zip(args: Vec<Value>) -> Result {
    if args.len() < 2 {
        return fail(format!("zip(): Wrong number of arguments given ({} for 2)", args.len()));
    }
    let (Value::Array(first), Value::Array(second)) = (&args[0], &args[1]) else {
        return fail("zip(): Requires array to work with");
    };
    let flatten = match args.get(2).filter(|flag| flag.is_truthy()) {
        Some(flag) => str2bool(vec![flag.clone()])?.is_truthy(),
        None => false,
    };
    let pair =
        |(place, item): (usize, &Value)| Value::array([item.clone(), second.get(place).cloned().unwrap_or_default()]);
    let pairs: Vec<Value> = first.iter().enumerate().map(pair).collect();
    Ok(Value::array(if flatten { flattened(&pairs) } else { pairs }))
}

// ---- with a text before or behind each ----

fn prefix(args: Vec<Value>) -> Result {
    affixed("prefix", &args, |affix, text| format!("{affix}{text}"))
}

fn suffix(args: Vec<Value>) -> Result {
    affixed("suffix", &args, |affix, text| format!("{text}{affix}"))
}

fn affixed(name: &str, args: &[Value], join: impl Fn(&str, &str) -> String) -> Result {
    let Some(list) = args.first() else { return fail(format!("{name}(): Wrong number of arguments given (0 for 1)")) };
    if !matches!(list, Value::Array(_) | Value::Hash(_)) {
        let shown = inspect(list);
        return fail(format!("{name}(): expected first argument to be an Array or a Hash, got {shown}"));
    }
    let affix = match args.get(1).filter(|affix| affix.is_truthy()) {
        None => Str::default(),
        Some(Value::String(affix)) => affix.clone(),
        Some(other) => {
            return fail(format!("{name}(): expected second argument to be a String, got {}", inspect(other)));
        }
    };
    let joined = |value: &Value| match budget::spend(1 + affix.len() as u64) {
        true => Value::from(join(&affix, &text_of(value))),
        false => Value::Undef,
    };
    Ok(match list {
        Value::Hash(entries) => Value::hash(entries.iter().map(|(key, value)| (joined(key), value.clone()))),
        Value::Array(items) => Value::array(items.iter().map(joined)),
        _ => Value::Undef,
    })
}

// ---- the first that is there ----

fn pick(args: Vec<Value>) -> Result {
    match args.into_iter().find(|value| !super::ruby::is_blank(value)) {
        Some(value) => Ok(value),
        None => fail("pick(): must receive at least one non empty value"),
    }
}

fn pick_default(args: Vec<Value>) -> Result {
    let Some(default) = args.last().cloned() else { return fail("Must receive at least one argument.") };
    let before = &args[..args.len() - 1];
    Ok(before.iter().find(|value| !super::ruby::is_blank(value)).cloned().unwrap_or(default))
}

// ---- hashes ----

fn hash(args: Vec<Value>) -> Result {
    let Some(list) = args.first() else { return fail("hash(): Wrong number of arguments given (0 for 1)") };
    let Value::Array(_) = list else { return fail("hash(): Requires array to work with") };
    let flat = flattened(std::slice::from_ref(list));
    // One that is a hash becomes itself.
    if let [Value::Hash(entries)] = flat.as_slice() {
        return Ok(Value::Hash(entries.clone()));
    }
    if flat.len() % 2 == 1 {
        return fail("hash(): Unable to compute hash from array given");
    }
    Ok(Value::hash(flat.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone()))))
}

#[cfg(test)]
mod tests {
    use pantin_base::budget::Steps;

    use super::*;

    const STEPS: u64 = 100_000;

    /// Calls a function that ends, and has taken more steps than there are.
    fn takes_too_many(function: fn(Vec<Value>) -> Result, args: Vec<Value>) {
        let steps = Steps::begin(STEPS);
        let _ = function(args);
        assert!(steps.is_over());
    }

    #[test]
    fn what_each_element_repeats_takes_steps() {
        let numbers = Value::array((0..100_000).map(Value::Integer));
        let texts = Value::array((0..100_000).map(|_| Value::string("a")));
        let long = Value::string("a".repeat(1_000_000));
        let ranges = Value::array((0..100_000).map(|_| Value::string("0-99999")));
        takes_too_many(prefix, vec![texts.clone(), long.clone()]);
        takes_too_many(suffix, vec![texts.clone(), long]);
        takes_too_many(values_at, vec![numbers.clone(), ranges]);
        takes_too_many(delete, vec![numbers.clone(), numbers.clone()]);
        takes_too_many(delete_regex, vec![texts, numbers]);
    }

    #[test]
    fn what_is_short_does_not() {
        let steps = Steps::begin(STEPS);
        let list = Value::array(["a", "b"].map(Value::string));
        assert_eq!(
            prefix(vec![list.clone(), Value::string("p")]).unwrap(),
            Value::array(["pa", "pb"].map(Value::string))
        );
        assert_eq!(delete(vec![list, Value::string("a")]).unwrap(), Value::array([Value::string("b")]));
        assert!(!steps.is_over());
    }
}
