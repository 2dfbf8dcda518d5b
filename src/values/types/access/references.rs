//! References: `Resource['file', 'a']`, `File['a', 'b']`, `Class['a', 'b']`.

use pantin_base::names;
use pantin_base::names::capitalized;

use super::flattened;
use super::labels::{a_an, value_label};
use super::{Arity, wrong_arity};
use crate::label::{key_type, type_label};
use crate::types::ResourceType;
use crate::{Fault, Str, Type, Value};

pub(super) fn resource(of: &Type, given: Option<&ResourceType>, keys: &[Value]) -> Result<Value, Fault> {
    if keys.is_empty() {
        return Err(wrong_arity(&of.to_string(), Arity::AtLeast(1), 0));
    }
    let (type_name, titles) = match given {
        Some(given) => (given.type_name.clone(), keys),
        None => (type_name(&keys[0])?, &keys[1..]),
    };
    if !is_type_name(&type_name) {
        return Err(Fault::issue(
            "ILLEGAL_CLASSREF",
            format!("Illegal type reference. The given name '{type_name}' does not conform to the naming rule"),
        )
        .about_key(0));
    }
    if let Some(given) = given
        && let Some(title) = &given.title
    {
        return Err(Fault::issue("UNKNOWN_RESOURCE", format!("Resource not found: {}['{title}']", given.type_name)));
    }
    let many = titles.len() > 1 || matches!(titles.first(), Some(Value::Array(_)));
    let flat: Vec<Value> = flattened(titles).into_iter().filter(|title| !title.is_undef()).collect();
    if flat.is_empty() {
        return Ok(match (titles.is_empty(), many) {
            // `Resource[File['a']]` is `File['a']`.
            (true, _) => match &keys[0] {
                Value::Type(of @ Type::Resource(Some(_))) => Value::Type(of.clone()),
                _ => Value::Type(Type::resource(type_name, None)),
            },
            // Nothing was asked for, and nothing is the answer.
            (false, true) => Value::Array(Default::default()),
            (false, false) => Value::Undef,
        });
    }
    // Where keys were left out, the place of one is told as that of the next.
    let shift = usize::from(titles.len() != flat.len());
    let references = flat.iter().enumerate().map(|(index, title)| match title {
        Value::String(title) => Ok(Value::Type(Type::resource(type_name.clone(), Some(title.clone())))),
        other => Err(Fault::issue(
            "BAD_TYPE_SPECIALIZATION",
            format!(
                "Error creating type specialization of {}, Cannot use {} where a resource title String is expected",
                a_an(&type_label(of)),
                key_type(other)
            ),
        )
        .about_key(index + shift)),
    });
    one_or_many(references.collect::<Result<Vec<Value>, Fault>>()?, many)
}

fn one_or_many(mut references: Vec<Value>, many: bool) -> Result<Value, Fault> {
    Ok(if many { Value::Array(references.into()) } else { references.pop().unwrap_or_default() })
}

/// Of the first key of `Resource[…]`.
fn type_name(key: &Value) -> Result<Str, Fault> {
    match key {
        Value::String(name) => Ok(as_type_name(name)),
        Value::Type(Type::Resource(Some(resource))) => Ok(resource.type_name.clone()),
        Value::Type(Type::Resource(None)) => Ok(Str::new()),
        other => Err(Fault::issue(
            "ILLEGAL_RESOURCE_SPECIALIZATION",
            format!("First argument to Resource[] must be a resource type or a String. Got {}.", key_type(other)),
        )
        .about_key(0)),
    }
}

/// Each segment with a capital and the rest of it small; a name that starts with a capital stays as it is.
pub(in crate::types) fn as_type_name(name: &str) -> Str {
    if name.lines().any(|line| line.starts_with(|c: char| c.is_ascii_uppercase())) {
        return name.into();
    }
    names::type_name(&name.to_lowercase()).into()
}

fn is_word(text: &str, first: impl Fn(u8) -> bool) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(first) && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// `Name::Space`, with or without leading `::`.
pub(in crate::types) fn is_type_name(name: &str) -> bool {
    names::segments(name.strip_prefix("::").unwrap_or(name))
        .all(|segment| is_word(segment, |byte| byte.is_ascii_uppercase()))
}

/// `name::space`, with or without leading `::`.
fn is_class_name(name: &str) -> bool {
    names::segments(name.strip_prefix("::").unwrap_or(name))
        .all(|segment| is_word(segment, |byte| byte.is_ascii_lowercase()))
}

pub(super) fn class(given: Option<&str>, keys: &[Value]) -> Result<Value, Fault> {
    if keys.is_empty() {
        let label = given.map_or_else(|| "Class".to_owned(), |name| format!("Class[{name}]"));
        return Err(wrong_arity(&label, Arity::AtLeast(1), 0));
    }
    let many = keys.len() > 1 || matches!(keys[0], Value::Array(_));
    let flat: Vec<Value> = flattened(keys).into_iter().filter(|key| !key.is_undef()).collect();
    if flat.is_empty() {
        return Ok(if many { Value::Array(Default::default()) } else { Value::Undef });
    }
    if let Some(name) = given {
        return Err(Fault::issue("UNKNOWN_RESOURCE", format!("Resource not found: Class['{name}']")));
    }
    let references = flat.iter().enumerate().map(|(index, key)| match key {
        Value::String(name) => {
            let lower = name.to_lowercase();
            let lower = lower.strip_prefix("::").unwrap_or(&lower);
            if is_class_name(lower) {
                return Ok(Value::Type(Type::Class(Some(lower.into()))));
            }
            let rule = "/^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/";
            Err(Fault::issue(
                "ILLEGAL_NAME",
                format!("Illegal name. The given name '{name}' does not conform to the naming rule {rule}"),
            )
            .about_key(index))
        }
        other => Err(Fault::issue(
            "ILLEGAL_HOSTCLASS_NAME",
            format!(
                "Illegal Class name in class reference. {} cannot be used where a String is expected",
                capitalized(&a_an(&value_label(other)))
            ),
        )
        .about_key(index)),
    });
    one_or_many(references.collect::<Result<Vec<Value>, Fault>>()?, many)
}
