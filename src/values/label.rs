//! The names of values in messages, with their articles.
//!
//! The labels of expressions are the parser's; these are of what they evaluate to.

use std::borrow::Cow;

use pantin_syntax::article;

use super::{Type, Value};

/// Without an article: `Integer`, `Undef Value`, `File['a'] Resource-Reference`.
pub fn label(value: &Value) -> Cow<'static, str> {
    Cow::Borrowed(match value {
        Value::Undef => "Undef Value",
        Value::Boolean(_) => "Boolean",
        Value::Integer(_) | Value::Large(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) | Value::Unencoded(_) => "String",
        Value::Regexp(_) => "Regexp",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Sensitive(_) => "Sensitive",
        Value::Timespan(_) => "Timespan",
        Value::Timestamp(_) => "Timestamp",
        Value::SemVer(_) => "Semver",
        Value::SemVerRange(_) => "SemverRange",
        Value::Binary(_) => "Binary",
        Value::Default | Value::Symbol(_) | Value::Uri(_) | Value::Object(_) | Value::Iterator(_) => "Object",
        Value::Resource(_) => "Resource Statement",
        Value::Type(of) => return Cow::Owned(type_label(of)),
    })
}

/// `Integer-Type`, `File['a'] Resource-Reference`
pub(super) fn type_label(of: &Type) -> String {
    match of {
        Type::Resource(Some(resource)) if resource.title.is_some() => format!("{of} Resource-Reference"),
        _ => format!("{of}-Type"),
    }
}

/// Returns the type of a key in general terms, as messages name it.
pub(super) fn key_type(key: &Value) -> String {
    match key {
        Value::Undef => "Undef".to_owned(),
        Value::Default => "Default".to_owned(),
        _ => Type::reduced(key).generalize().to_string(),
    }
}

/// `an Integer`
pub fn a_an(value: &Value) -> String {
    let label = label(value);
    format!("{} {label}", article(&label))
}

/// `An Integer`
pub fn a_an_uc(value: &Value) -> String {
    let label = label(value);
    let article = if article(&label) == "an" { "An" } else { "A" };
    format!("{article} {label}")
}
