//! Types of scalars with parameters.

use std::sync::Arc;

use pantin_base::names::capitalized;

use super::labels::{a_an, class_name};
use super::{Arity, check_keys, range_of, size_of, wrong_arity};
use crate::label::type_label;
use crate::types::{FloatRange, RuntimeType};
use crate::{Fault, Regexp, Type, Value};

pub(super) fn integer(keys: &[Value]) -> Result<Type, Fault> {
    if !matches!(keys, [_] | [_, _]) {
        return Err(Fault::issue(
            "BAD_INTEGER_SLICE_ARITY",
            format!("Integer-Type supports [] with one or two arguments (from, to). Got {}", keys.len()),
        ));
    }
    if let Some(index) = keys.iter().position(|key| !matches!(key, Value::Integer(_) | Value::Default)) {
        let message = "Integer-Type [] requires all arguments to be integers (or default). Got";
        let message = format!("{message} {}", class_name(&keys[index]));
        return Err(Fault::issue("BAD_INTEGER_SLICE_TYPE", message).about_key(index));
    }
    range_of(keys).map(Type::Integer)
}

pub(super) fn float(keys: &[Value]) -> Result<Type, Fault> {
    if !matches!(keys, [_] | [_, _]) {
        return Err(Fault::issue(
            "BAD_INTEGER_SLICE_ARITY",
            format!("Float-Type supports [] with one or two arguments (from, to). Got {}", keys.len()),
        ));
    }
    let number = |key: &Value| matches!(key, Value::Integer(_) | Value::Float(_) | Value::Default);
    if let Some(index) = keys.iter().position(|key| !number(key)) {
        let message = "Float-Type [] requires all arguments to be floats, or integers (or default). Got";
        let message = format!("{message} {}", class_name(&keys[index]));
        return Err(Fault::issue("BAD_INTEGER_SLICE_TYPE", message).about_key(index));
    }
    float_range(keys).map(Type::Float)
}

/// Returns a range of floats, of one or two numbers or defaults.
pub(in crate::types) fn float_range(keys: &[Value]) -> Result<FloatRange, Fault> {
    let bound = |key: Option<&Value>, open: f64| match key {
        Some(Value::Integer(value)) => *value as f64,
        Some(Value::Float(value)) if !value.is_nan() => *value,
        _ => open,
    };
    let (from, to) = (bound(keys.first(), f64::NEG_INFINITY), bound(keys.get(1), f64::INFINITY));
    if from > to {
        let (from, to) = (pantin_base::number::float_text(from), pantin_base::number::float_text(to));
        return Err(Fault::new(format!("'from' must be less or equal to 'to'. Got ({from}, {to}")));
    }
    Ok(FloatRange { from, to })
}

pub(super) fn string(keys: &[Value]) -> Result<Type, Fault> {
    match keys {
        [_] | [_, _] => Ok(Type::String(size_of(keys, 0)?)),
        _ => Err(Fault::issue(
            "BAD_STRING_SLICE_ARITY",
            format!("String supports [] with one or two arguments. Got {}", keys.len()),
        )),
    }
}

pub(super) fn boolean(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    check_keys(of, keys, Some(1), "TrueClass or FalseClass", |key| matches!(key, Value::Boolean(_)))?;
    match keys {
        [Value::Boolean(value)] => Ok(Type::Boolean(Some(*value))),
        _ => Ok(Type::BOOLEAN),
    }
}

pub(super) fn enumeration(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    let (values, case_insensitive) = match keys {
        [values @ .., Value::Boolean(case_insensitive)] => (values, *case_insensitive),
        _ => (keys, false),
    };
    check_keys(of, values, None, "String", |key| matches!(key, Value::String(_)))?;
    let texts = values.iter().filter_map(|value| match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    });
    Ok(Type::enumeration(texts, case_insensitive))
}

pub(super) fn pattern(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    check_keys(of, keys, None, "String or Regexp or Pattern-Type or Regexp-Type", |key| {
        matches!(key, Value::String(_) | Value::Regexp(_) | Value::Type(Type::Pattern(_) | Type::Regexp(_)))
    })?;
    pattern_of(keys)
}

/// Returns a pattern of texts, regular expressions, and types of such.
pub(in crate::types) fn pattern_of(keys: &[Value]) -> Result<Type, Fault> {
    let mut patterns: Vec<Arc<Regexp>> = Vec::new();
    for key in keys {
        match key {
            Value::String(text) => patterns.push(compiled(text)?),
            Value::Regexp(regexp) => patterns.push(regexp.clone()),
            Value::Type(Type::Regexp(Some(regexp))) => patterns.push(regexp.clone()),
            Value::Type(Type::Regexp(None)) => patterns.push(compiled("")?),
            Value::Type(Type::Pattern(of)) => patterns.extend(of.iter().cloned()),
            other => {
                let message = "Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got";
                return Err(Fault::new(format!("{message} '{}", class_name(other))));
            }
        }
    }
    Ok(Type::pattern(patterns))
}

/// Returns a regular expression of a text, which may be none.
pub(in crate::types) fn compiled(text: &str) -> Result<Arc<Regexp>, Fault> {
    let regexp = Regexp::new(text, Default::default());
    regexp.checked_regex()?;
    Ok(Arc::new(regexp))
}

pub(super) fn regexp(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    if keys.len() != 1 {
        let fault = wrong_arity(&capitalized(&a_an(&type_label(of))), Arity::Exactly(1), keys.len());
        // An empty list of keys is none.
        return Err(if keys.is_empty() { fault } else { fault.about_key(1) });
    }
    check_keys(of, keys, Some(1), "String or Regexp", |key| matches!(key, Value::String(_) | Value::Regexp(_)))?;
    match keys {
        // Puppet compiles it when the type is first asked something, or shown: which most types are where they are made.
        [Value::String(text)] => Ok(Type::Regexp(Some(compiled(text)?))),
        [Value::Regexp(regexp)] => Ok(Type::Regexp(Some(regexp.clone()))),
        _ => Ok(Type::Regexp(None)),
    }
}

pub(super) fn sem_ver(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    check_keys(of, keys, None, "String or SemanticPuppet::VersionRange", |key| {
        matches!(key, Value::String(_) | Value::SemVerRange(_))
    })?;
    crate::types::scalars::sem_ver(keys)
}

pub(super) fn timespan(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    at_most_two(of, keys)?;
    crate::types::scalars::timespan(keys)
}

pub(super) fn timestamp(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    at_most_two(of, keys)?;
    crate::types::scalars::timestamp(keys)
}

fn at_most_two(of: &Type, keys: &[Value]) -> Result<(), Fault> {
    if keys.len() > 2 {
        return Err(wrong_arity(&capitalized(&a_an(&type_label(of))), Arity::Between(0, 2), keys.len()));
    }
    Ok(())
}

pub(super) fn uri(keys: &[Value]) -> Result<Type, Fault> {
    match keys {
        [key @ Value::String(text)] if !text.is_empty() => {
            let absent = || Fault::new("URI-Type parameter has wrong type");
            crate::types::uri::parameterized(key).ok_or_else(absent)
        }
        [key] => crate::types::uri::parameterized(key).ok_or_else(|| super::not_a_type("URI", key, 0)),
        _ => Err(wrong_arity("URI-Type", Arity::Exactly(1), keys.len())),
    }
}

pub(super) fn runtime(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    if keys.len() != 2 {
        // The message counts as if one were enough.
        return Err(wrong_arity(&capitalized(&a_an(&type_label(of))), Arity::Between(1, 2), keys.len()));
    }
    check_keys(of, keys, Some(2), "String or String", |key| matches!(key, Value::String(_)))?;
    if let [_, Value::String(name)] = keys
        && name.is_empty()
    {
        return Err(runtime_without_name());
    }
    match keys {
        [Value::String(runtime), Value::String(name)] => Ok(Type::Runtime(Some(Arc::new(RuntimeType {
            runtime: runtime.clone(),
            name: Some(name.clone()),
            pattern: None,
        })))),
        _ => Ok(Type::Runtime(None)),
    }
}

pub(super) fn runtime_without_name() -> Fault {
    let message = "Runtime 'name_or_pattern' has wrong type, expects a value of type String[1] or";
    Fault::new(format!("{message} Tuple[Regexp, String[1]], got String"))
}
