//! Ruby's symbols among the values of a YAML text.
//!
//! The language has but one, `default`. Any other is an object of Ruby's, which no type of data accepts:
//! `has wrong type, expects …, got Runtime[ruby, 'Symbol']`.

use std::sync::{Arc, LazyLock};

use crate::pcore::types::ObjectType;
use crate::pcore::{Object, Value};

static CLASS: LazyLock<Arc<ObjectType>> =
    LazyLock::new(|| Arc::new(ObjectType { name: Some("Runtime[ruby, 'Symbol']".into()), ..ObjectType::default() }));

/// The symbol of this name.
pub fn value(name: &str) -> Value {
    match name {
        "default" => Value::Default,
        _ => Value::Object(Arc::new(Object { class: CLASS.clone(), values: vec![name.into()] })),
    }
}

/// The name of a symbol that the language has not.
pub(super) fn name(value: &Value) -> Option<&str> {
    match value {
        Value::Object(object) if Arc::ptr_eq(&object.class, &CLASS) => object.values.first()?.as_str(),
        _ => None,
    }
}

/// As a key a symbol is its text.
pub(super) fn as_key(key: Value) -> Value {
    match &key {
        Value::Default => "default".into(),
        Value::Object(object) if Arc::ptr_eq(&object.class, &CLASS) => {
            object.values.first().cloned().unwrap_or_default()
        }
        _ => key,
    }
}
