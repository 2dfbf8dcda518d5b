//! What messages call a value or a type.

use crate::pcore::{Type, Value};

/// The type of a key in general terms, as messages name it.
pub(super) fn key_type(key: &Value) -> String {
    match key {
        Value::Undef => "Undef".to_owned(),
        Value::Default => "Default".to_owned(),
        _ => Type::reduced(key).generalize().to_string(),
    }
}

pub(super) fn of_type(of: &Type) -> String {
    match of {
        Type::Resource(Some(resource)) if resource.title.is_some() => format!("{of} Resource-Reference"),
        _ => format!("{of}-Type"),
    }
}

/// With an article.
pub(super) fn a_an(label: &str) -> String {
    let mut letters = label.chars();
    let first = match letters.next() {
        Some('"' | '\'') => letters.next(),
        first => first,
    };
    let vowel = first.is_some_and(|first| matches!(first.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y'));
    format!("{} {label}", if vowel { "an" } else { "a" })
}

/// With a capital.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What Puppet calls the class of a value in its messages: that of its own implementation.
pub(in crate::pcore::types) fn class_name(value: &Value) -> String {
    crate::pcore::ruby_class(value).into_owned()
}

/// The label of that class: types are called by their own name.
pub(super) fn class_label(value: &Value) -> String {
    match value {
        Value::Type(of) => format!("{}-Type", of.simple_name()),
        _ => class_name(value),
    }
}

/// What a value is called that stands where a name should.
pub(super) fn of_value(value: &Value) -> String {
    let label = match value {
        Value::Undef => "Undef Value",
        Value::Boolean(_) => "Boolean",
        Value::Integer(_) | Value::Large(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Regexp(_) => "Regexp",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Resource(_) => "Resource Statement",
        Value::Type(of) => return of_type(of),
        Value::Sensitive(_) => "Sensitive",
        Value::Timespan(_) => "Timespan",
        Value::Timestamp(_) => "Timestamp",
        Value::SemVer(_) => "Semver",
        Value::SemVerRange(_) => "SemverRange",
        Value::Binary(_) => "Binary",
        Value::Default | Value::Uri(_) | Value::Object(_) => "Object",
        Value::Iterator(_) => "Iterator",
    };
    label.to_owned()
}
