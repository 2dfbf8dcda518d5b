//! A hash grown from paths and what stands at their ends: `[[['a', 'b'], 1]]` is `{'a' => {'b' => 1}}`.
//!
//! What Puppet's own loop runs into when paths contradict one another is an error of Ruby's, told in its words.

use pantin_base::stack;

use crate::{Array, Fault, Hash, Value, ruby_class, sprintf};

/// Each entry is an array of a path, which is an array, and a value. With `all_hashes` arrays among
/// the values become hashes by index.
pub(super) fn grow(entries: &Array, all_hashes: bool) -> Result<Hash, Fault> {
    let mut root = Value::Hash(Hash::default());
    for entry in entries.iter() {
        let Value::Array(pair) = entry else { continue };
        let [Value::Array(path), value] = &pair[..] else { continue };
        match path.split_last() {
            None => merge(&mut root, value)?,
            Some((last, way)) => {
                let value = if all_hashes { array_as_hash(value) } else { value.clone() };
                put(descend(&mut root, way)?, last, value)?;
            }
        }
    }
    match root {
        Value::Hash(hash) => Ok(hash),
        _ => Ok(Hash::default()),
    }
}

/// The value of an empty path goes into the root itself.
fn merge(root: &mut Value, value: &Value) -> Result<(), Fault> {
    let Value::Hash(root) = root else { return Ok(()) };
    match value {
        Value::Array(items) => {
            let indexed = items.iter().enumerate().map(|(index, item)| (Value::Integer(index as i64), item.clone()));
            root.make_mut().extend(indexed);
            Ok(())
        }
        Value::Hash(entries) => {
            root.make_mut().extend(entries.iter().map(|(key, item)| (key.clone(), item.clone())));
            Ok(())
        }
        _ => Err(no_conversion(value, "Hash")),
    }
}

fn descend<'a>(root: &'a mut Value, way: &[Value]) -> Result<&'a mut Value, Fault> {
    let mut at = root;
    for step in way {
        at = match at {
            Value::Hash(hash) => hash.make_mut().get_or_insert_with(step, || Value::Hash(Hash::default())),
            Value::Array(items) => {
                let index = array_index(step, items.len())?;
                match index.filter(|&index| index < items.len()).and_then(|index| items.make_mut().get_mut(index)) {
                    Some(item) => item,
                    // Beyond the end there is nothing to go on from.
                    None => return Err(no_method("has_key?", &Value::Undef)),
                }
            }
            other => return Err(no_method("has_key?", other)),
        };
    }
    Ok(at)
}

fn put(at: &mut Value, key: &Value, value: Value) -> Result<(), Fault> {
    match at {
        Value::Hash(hash) => hash.insert(key.clone(), value),
        Value::Array(items) => {
            let Some(index) = array_index(key, items.len())? else {
                return Err(Fault::new(format!(
                    "index {} too small for array; minimum: -{}",
                    crate::text::display(key),
                    items.len()
                )));
            };
            if index > items.len() + LARGEST_GAP {
                return Err(Fault::limit(format!("An index of {index} is too far beyond the end of the array")));
            }
            let items = items.make_mut();
            if index >= items.len() {
                items.resize(index + 1, Value::Undef);
            }
            items[index] = value;
        }
        other => return Err(no_method("[]=", other)),
    }
    Ok(())
}

/// How many `undef` an index beyond the end may make of nothing.
const LARGEST_GAP: usize = 1_000_000;

/// `None`: before the start.
fn array_index(key: &Value, len: usize) -> Result<Option<usize>, Fault> {
    let index = match key {
        Value::Integer(index) => *index,
        Value::Float(index) => *index as i64,
        _ => return Err(no_conversion(key, "Integer")),
    };
    let from_start = if index < 0 { index.saturating_add(len as i64) } else { index };
    Ok(usize::try_from(from_start).ok())
}

fn array_as_hash(value: &Value) -> Value {
    match value {
        Value::Array(items) => stack::with_room(|| {
            Value::hash(
                items.iter().enumerate().map(|(index, item)| (Value::Integer(index as i64), array_as_hash(item))),
            )
        }),
        _ => value.clone(),
    }
}

fn no_conversion(from: &Value, target: &str) -> Fault {
    let name = match from {
        Value::Undef => "nil",
        Value::Boolean(true) => "true",
        Value::Boolean(false) => "false",
        _ => &ruby_class(from),
    };
    // Ruby has other words for nil where it wants a number.
    if from.is_undef() && target == "Integer" {
        return Fault::new("no implicit conversion from nil to integer");
    }
    Fault::new(format!("no implicit conversion of {name} into {target}"))
}

fn no_method(method: &str, of: &Value) -> Fault {
    Fault::new(format!("undefined method `{method}' for {}", receiver(of)))
}

/// Returns what Ruby calls a value that has no such method.
pub fn receiver(value: &Value) -> String {
    match value {
        Value::Undef => "nil:NilClass".to_owned(),
        Value::Boolean(truth) => format!("{truth}:{}", ruby_class(value)),
        Value::Integer(number) => format!("{number}:Integer"),
        Value::Float(number) => format!("{}:Float", pantin_base::number::float_text(*number)),
        Value::String(_) => format!("{}:String", sprintf::inspect(value)),
        Value::Default | Value::Symbol(_) => format!("{}:Symbol", sprintf::inspect(value)),
        _ => format!("an instance of {}", ruby_class(value)),
    }
}
