//! Types around types: `Variant`, `Optional`, `Type`, `Init` and their like with parameters.

use std::sync::Arc;

use pantin_base::Language;

use super::labels::class_name;
use super::{Arity, check_keys, not_a_type, wrong_arity};
use crate::types::{InitType, ObjectType};
use crate::{Fault, Type, Value, mismatch, object};

pub(super) fn variant(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    check_keys(of, keys, None, "Any-Type", |key| matches!(key, Value::Type(_)))?;
    Ok(Type::variant(keys.iter().filter_map(as_type).cloned()))
}

fn as_type(key: &Value) -> Option<&Type> {
    match key {
        Value::Type(of) => Some(of),
        _ => None,
    }
}

/// The one type a type is around.
pub(super) fn one_type(name: &str, keys: &[Value]) -> Result<Type, Fault> {
    match keys {
        [Value::Type(of)] => Ok(of.clone()),
        [other] => Err(not_a_type(name, other, 0)),
        _ => Err(wrong_arity(&format!("{name}-Type"), Arity::Exactly(1), keys.len())),
    }
}

pub(super) fn optional(keys: &[Value]) -> Result<Type, Fault> {
    match keys {
        [Value::String(text)] => Ok(Type::optional(Type::StringValue(text.clone()))),
        _ => one_type("Optional", keys).map(Type::optional),
    }
}

pub(super) fn not_undef(keys: &[Value]) -> Result<Type, Fault> {
    match keys {
        [] => Ok(Type::NotUndef(None)),
        [Value::String(text)] => Ok(Type::not_undef(Type::StringValue(text.clone()))),
        [Value::Type(of)] => Ok(Type::not_undef(of.clone())),
        [other] => Err(Fault::issue(
            "BAD_NOT_UNDEF_SLICE_TYPE",
            format!("NotUndef-Type[] argument must be a Type or a String. Got {}", class_name(other)),
        )
        .about_key(0)),
        _ => Err(wrong_arity("NotUndef-Type", Arity::Between(0, 1), keys.len())),
    }
}

pub(super) fn init(keys: &[Value]) -> Result<Type, Fault> {
    match keys {
        [Value::Type(of), args @ ..] => {
            Ok(Type::Init(Some(Arc::new(InitType { target: Some(of.clone()), args: args.to_vec() }))))
        }
        _ => Err(not_a_type("Init", keys.first().unwrap_or(&Value::Undef), 0)),
    }
}

pub(super) fn object(class: &Arc<ObjectType>, keys: &[Value], language: Language) -> Result<Type, Fault> {
    if class.name.is_some() {
        return object::extend(class, keys);
    }
    match keys {
        [Value::Hash(entries)] if entries.is_empty() => Ok(Type::Object(Arc::default())),
        [Value::Hash(init)] => object::build(None, init, language).map(Type::Object),
        [empty] if says_nothing(empty) => Ok(Type::Object(Arc::default())),
        [name @ (Value::String(_) | Value::Default)] => {
            mismatch::assert_instance("object name", &object::type_name(language), name)?;
            let named = [("name".into(), name.clone())].into_iter().collect();
            object::build(None, &named, language).map(Type::Object)
        }
        [other] => Err(not_a_hash(other)),
        _ => Err(wrong_arity("Object-Type", Arity::Exactly(1), keys.len())),
    }
}

fn says_nothing(value: &Value) -> bool {
    matches!(value, Value::Undef) || value.as_str() == Some("")
}

/// Puppet asks whether it is empty, whatever it is.
fn not_a_hash(value: &Value) -> Fault {
    Fault::new(format!("undefined method `empty?' for {}", crate::new::receiver(value)))
}

pub(super) fn type_set(keys: &[Value], language: Language) -> Result<Type, Fault> {
    match keys {
        [Value::Hash(entries)] if entries.is_empty() => Ok(Type::TypeSet(None)),
        [Value::Hash(init)] => {
            object::build_type_set(None, None, init, language).map(|set| Type::TypeSet(Some(Arc::new(set))))
        }
        [empty] if says_nothing(empty) => Ok(Type::TypeSet(None)),
        [name @ (Value::String(_) | Value::Default)] => {
            mismatch::assert_instance("TypeSet name", &object::type_name(language), name)?;
            Err(Fault::new("a TypeSet that has a name and nothing else is not supported by Pantin"))
        }
        [other] => Err(not_a_hash(other)),
        _ => Err(wrong_arity("TypeSet-Type", Arity::Exactly(1), keys.len())),
    }
}
