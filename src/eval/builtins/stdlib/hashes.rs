//! Functions on hashes: merged, looked into, turned to texts.

use pantin_base::{Strict, budget, stack};
use pantin_model::trace::Level;
use pantin_values::sprintf::inspect;
use pantin_values::{Fault, Hash, Value};

use super::ruby::{Result, check_arity, class_name, fail, older, older_with_call, text_of};
use crate::builtins::iteration::{Element, go_through};
use crate::builtins::older::no_method;
use crate::{Builtin, Flow, Invocation, Overload, block, overload, repeated};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("deep_merge", deep_merge, "Hashes merged, and the hashes in them."),
    older!(
        "join_keys_to_values",
        join_keys_to_values,
        "Texts of the keys and values of a hash, with a text between the two."
    ),
];

pub(super) static OLD: &[Builtin] = &[
    Builtin::typed("merge", MERGE, MERGED),
    older!("has_key", has_key, "Whether a hash has a key."),
    older!("dig44", dig44, "What is found at a path of keys and indices, or a default."),
    older_with_call!("try_get_value", try_get_value, "The same with the path as a text."),
];

pub(super) static NEW: &[Builtin] = &[
    Builtin::typed("stdlib::merge", MERGE, MERGED),
    Builtin::typed(
        "stdlib::nested_values",
        &[overload(&[crate::required("Hash", "hash")], None, nested_values)],
        "The values of a hash, and of the hashes in it in their place.",
    ),
    Builtin::typed(
        "stdlib::sort_by",
        &[
            overload(&[crate::required("Array", "ary")], block("Callable[1,1]"), sort_by),
            overload(&[crate::required("String", "str")], block("Callable[1,1]"), sort_by),
            overload(&[crate::required("Hash", "hsh")], block("Variant[Callable[1,1], Callable[2,2]]"), sort_by),
        ],
        "A list, the letters of a text, or a hash, in the order of what a block makes of each.",
    ),
];

const MERGED: &str = "Hashes merged, later ones over earlier ones; or the hashes that a block makes of each of a list.";

const MERGE: &[Overload] = &[
    overload(&[repeated("Variant[Hash[Scalar,Any], Undef, String[0,0]]", "args")], None, merge_hashes),
    overload(&[repeated("Iterable", "args")], block("Callable[3,3]"), merge_with_places),
    overload(&[repeated("Iterable", "args")], block("Callable[2,2]"), merge_each),
];

fn add_all(to: &mut Hash, value: &Value) {
    if let Value::Hash(entries) = value {
        entries.iter().for_each(|(key, value)| to.insert(key.clone(), value.clone()));
    }
}

fn merge_hashes(call: &mut Invocation<'_, '_>) -> Flow {
    let mut merged = Hash::default();
    call.args().iter().for_each(|arg| add_all(&mut merged, arg));
    Ok(Value::Hash(merged))
}

/// Several pass the signature, but Ruby's method takes one.
fn only_one(call: &mut Invocation<'_, '_>) -> Flow {
    match call.args().len() {
        1 => Ok(call.take(0)),
        given => Err(call.fault(format!("wrong number of arguments (given {given}, expected 1)"))),
    }
}

fn merge_each(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = only_one(call)?;
    let mut merged = Hash::default();
    go_through(&call.cursors(), &collection, |_, element| {
        let made = call.yield_values([Value::Hash(merged.clone()), element.value()])?;
        add_all(&mut merged, &made);
        Ok(true)
    })?;
    Ok(Value::Hash(merged))
}

fn merge_with_places(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = only_one(call)?;
    let mut merged = Hash::default();
    go_through(&call.cursors(), &collection, |index, element| {
        let (place, value) = match element {
            Element::Item(item) => (Value::Integer(index), item.clone()),
            Element::Entry(key, value) => (key.clone(), value.clone()),
        };
        let made = call.yield_values([Value::Hash(merged.clone()), place, value])?;
        add_all(&mut merged, &made);
        Ok(true)
    })?;
    Ok(Value::Hash(merged))
}

fn deep_merge(args: Vec<Value>) -> Result {
    if args.len() < 2 {
        return fail(format!("deep_merge(): wrong number of arguments ({}; must be at least 2)", args.len()));
    }
    let mut merged = Hash::default();
    for arg in &args {
        match arg {
            Value::String(text) if text.is_empty() => {}
            Value::Hash(entries) => merged = merged_deep(merged, entries),
            other => {
                let class = class_name(other);
                return fail(format!("deep_merge: unexpected argument type {class}, only expects hash arguments"));
            }
        }
    }
    Ok(Value::Hash(merged))
}

fn merged_deep(mut under: Hash, over: &Hash) -> Hash {
    for (key, value) in over.iter() {
        let merged = match (under.get(key), value) {
            (Some(Value::Hash(old)), Value::Hash(new)) => {
                Value::Hash(stack::with_room(|| merged_deep(old.clone(), new)))
            }
            _ => value.clone(),
        };
        under.insert(key.clone(), merged);
    }
    under
}

fn join_keys_to_values(args: Vec<Value>) -> Result {
    let [hash, separator] = args.as_slice() else {
        let given = args.len();
        return fail(format!("join_keys_to_values(): Takes exactly two arguments, but {given} given."));
    };
    let Value::Hash(entries) = hash else {
        return fail(format!(
            "join_keys_to_values(): The first argument must be a hash, but a {} was given.",
            class_name(hash)
        ));
    };
    let Value::String(separator) = separator else {
        return fail(format!(
            "join_keys_to_values(): The second argument must be a string, but a {} was given.",
            class_name(separator)
        ));
    };
    let mut joined = Vec::new();
    for (key, value) in entries.iter() {
        let key = text_of(key);
        // Who counts the steps sees that there were too many, whatever was joined.
        let has_steps = || budget::spend(1 + (key.len() + separator.len()) as u64);
        match value {
            _ if !has_steps() => break,
            Value::Array(items) => {
                let items = items.iter().take_while(|_| has_steps());
                joined.extend(items.map(|item| format!("{key}{separator}{}", text_of(item)).into()));
            }
            value if text_of(value) == "undef" => joined.push(key.into()),
            value => joined.push(format!("{key}{separator}{}", text_of(value)).into()),
        }
    }
    Ok(Value::array(joined))
}

fn has_key(args: Vec<Value>) -> Result {
    let [hash, key] = args.as_slice() else {
        return fail(format!("has_key(): wrong number of arguments ({}; must be 2)", args.len()));
    };
    match hash {
        Value::Hash(entries) => Ok(entries.contains_key(key).into()),
        other => fail(format!(
            "has_key(): expects the first argument to be a hash, got {} which is of type {}",
            inspect(other),
            class_name(other)
        )),
    }
}

// ---- digging ----

fn dig44(args: Vec<Value>) -> Result {
    check_arity("dig44", &args, -2)?;
    if args.len() < 2 {
        return fail(format!("dig44(): Wrong number of arguments given ({} for at least 2)", args.len()));
    }
    let data = &args[0];
    if !matches!(data, Value::Array(_) | Value::Hash(_)) {
        let class = class_name(data);
        return fail(format!("dig44(): first argument must be a hash or an array, given {class}"));
    }
    let Value::Array(path) = &args[1] else {
        return fail(format!("dig44(): second argument must be an array, given {}", class_name(&args[1])));
    };
    let default = args.get(2).cloned().unwrap_or_default();
    Ok(path.iter().try_fold(data, step).filter(|found| !found.is_undef()).cloned().unwrap_or(default))
}

fn step<'v>(within: &'v Value, key: &Value) -> Option<&'v Value> {
    let found = match within {
        Value::Hash(entries) => entries.get(key)?,
        Value::Array(items) => {
            let index = match key {
                Value::Integer(index) => *index,
                Value::Float(number) => *number as i64,
                Value::String(text) => whole(text)?,
                _ => return None,
            };
            let place = if index < 0 { items.len() as i64 + index } else { index };
            items.get(usize::try_from(place).ok()?)?
        }
        _ => return None,
    };
    (!found.is_undef()).then_some(found)
}

/// Ruby's `Integer()` of a text, where it is decimal.
fn whole(text: &str) -> Option<i64> {
    super::numbers::integer(&text.into()).ok()
}

fn try_get_value(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    check_arity("try_get_value", &args, -2)?;
    let warn = |call: &mut Invocation<'_, '_>, text: &str| call.log(Level::Warning, text.into());
    warn(call, "try_get_value() DEPRECATED: this function is deprecated, please use dig() instead.")?;
    let data = args[0].clone();
    let path = args.get(1).filter(|path| path.is_truthy()).cloned().unwrap_or_else(|| "".into());
    let default = args.get(2).cloned().unwrap_or_default();
    if !matches!(data, Value::Array(_) | Value::Hash(_)) || path.as_str() == Some("") {
        return Ok(if default.is_truthy() { default } else { data });
    }
    let Value::String(path) = &path else { return Err(no_method("split", &path).into()) };
    let separator = args.get(3).filter(|separator| separator.is_truthy()).cloned().unwrap_or_else(|| "/".into());
    let Value::String(separator) = &separator else {
        return Err(Fault::new(format!("wrong argument type {} (expected Regexp)", class_name(&separator))).into());
    };
    let key = |part: &str| match part.parse::<i64>() {
        Ok(index) if part.bytes().all(|byte| byte.is_ascii_digit()) => Value::Integer(index),
        _ => part.into(),
    };
    let path = Value::array(super::texts::split(path, separator).into_iter().map(key));
    warn(
        call,
        "dig() DEPRECATED: This function has been replaced in Puppet 4.5.0, please use dig44() for backwards \
         compatibility or use the new version.",
    )?;
    for method in ["loaded?", "load"] {
        warn_of_loading(call, method, "dig44")?;
    }
    Ok(dig44(vec![data, path, default])?)
}

/// What Puppet says of the older way to load a function.
pub(super) fn warn_of_loading(call: &mut Invocation<'_, '_>, method: &str, function: &str) -> Flow<()> {
    if call.settings().strict == Strict::Off {
        return Ok(());
    }
    let message = format!(
        "The method 'Puppet::Parser::Functions.autoloader#{method}(\"{function}\")' is deprecated in favor of using \
         'Scope#call_function'."
    );
    call.deprecated(&message, message.as_str(), false)
}

// ---- of version 9 ----

fn nested_values(call: &mut Invocation<'_, '_>) -> Flow {
    let mut values = Vec::new();
    if let Value::Hash(entries) = call.arg(0) {
        add_nested(entries, &mut values);
    }
    Ok(Value::array(values))
}

fn add_nested(entries: &Hash, values: &mut Vec<Value>) {
    for value in entries.values() {
        match value {
            Value::Hash(inner) => stack::with_room(|| add_nested(inner, values)),
            other => values.push(other.clone()),
        }
    }
}

fn sort_by(call: &mut Invocation<'_, '_>) -> Flow {
    let collection = call.take(0);
    let takes_two = call.block_params() == 2;
    let mut keyed: Vec<(Value, Value)> = Vec::new();
    go_through(&call.cursors(), &collection, |_, element| {
        let value = element.value();
        let key = match &value {
            Value::Array(pair) if takes_two && pair.len() == 2 => {
                call.yield_values([pair[0].clone(), pair[1].clone()])?
            }
            value => call.yield_values([value.clone()])?,
        };
        keyed.push((key, value));
        Ok(true)
    })?;
    let mut wrong = None;
    keyed.sort_by(|(a, _), (b, _)| match super::ordering::compare(a, b) {
        Some(order) => order,
        None => {
            wrong.get_or_insert_with(|| super::ordering::incomparable(a, b));
            std::cmp::Ordering::Equal
        }
    });
    if let Some(wrong) = wrong {
        return Err(wrong.into());
    }
    let sorted = keyed.into_iter().map(|(_, value)| value);
    Ok(match &collection {
        Value::String(_) => sorted.map(|letter| text_of(&letter).to_string()).collect::<String>().into(),
        Value::Hash(_) => Value::hash(sorted.filter_map(|pair| match pair {
            Value::Array(pair) => Some((pair[0].clone(), pair[1].clone())),
            _ => None,
        })),
        _ => Value::array(sorted),
    })
}

#[cfg(test)]
mod tests {
    use pantin_base::budget::Steps;

    use super::*;

    #[test]
    fn a_long_separator_takes_steps() {
        let steps = Steps::begin(100_000);
        let texts = Value::array((0..100_000).map(|_| Value::string("a")));
        let separator = Value::string("a".repeat(1_000_000));
        let joined = join_keys_to_values(vec![Value::hash([(Value::string("k"), texts)]), separator]).unwrap();
        assert!(steps.is_over() && joined == Value::array([]), "{joined:?}");
    }
}
