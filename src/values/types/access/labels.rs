//! What messages call a value or a type.

use std::borrow::Cow;

use pantin_syntax::article;

use crate::Value;
use crate::label::label;

/// With an article.
pub(super) fn a_an(label: &str) -> String {
    format!("{} {label}", article(label))
}

/// Returns what Puppet calls the class of a value in its messages: that of its own implementation.
pub(in crate::types) fn class_name(value: &Value) -> String {
    crate::ruby_class(value).into_owned()
}

/// Returns the label of that class: types are called by their own name.
pub(super) fn class_label(value: &Value) -> String {
    match value {
        Value::Type(of) => format!("{}-Type", of.simple_name()),
        _ => class_name(value),
    }
}

/// Returns what a value is called that stands where a name should.
pub(super) fn value_label(value: &Value) -> Cow<'static, str> {
    match value {
        Value::Iterator(_) => Cow::Borrowed("Iterator"),
        other => label(other),
    }
}
