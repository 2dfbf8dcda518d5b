//! `URI[…]`: what its components ask for.

use super::Type;
use super::instance::any;
use super::matching::Answer;
use crate::pcore::{Uri, Value};

pub(super) fn type_of(_uri: &Uri) -> Type {
    Type::Uri(None)
}

pub(super) fn covers(wanted: Option<&Value>, given: Option<&Value>) -> bool {
    wanted.is_none_or(|wanted| given == Some(wanted))
}

pub(super) fn is_instance(wanted: Option<&Value>, _uri: &Uri) -> Answer {
    any(wanted.into_iter(), |_| Ok(false)).map(|_| wanted.is_none())
}

/// `None` where the key is nothing a URI type can be made of.
pub(super) fn parameterized(key: &Value) -> Option<Type> {
    match key {
        Value::Hash(entries) if entries.is_empty() => Some(Type::Uri(None)),
        Value::Hash(_) => Some(Type::Uri(Some(std::sync::Arc::new(key.clone())))),
        _ => None,
    }
}
