//! `URI[…]`: what its components ask for.

use std::sync::Arc;

use super::Type;
use super::matching::Answer;
use crate::pcore::{Hash, Uri, Value};

/// The type of one certain URI: its components.
pub(super) fn type_of(uri: &Uri) -> Type {
    Type::Uri(Some(Arc::new(Value::Hash(components(uri)))))
}

fn components(uri: &Uri) -> Hash {
    let text = |text: Option<String>| text.map(Value::from);
    let all = [
        ("scheme", text(uri.scheme().map(str::to_lowercase))),
        ("userinfo", text(uri.userinfo())),
        ("host", text(uri.host().map(str::to_lowercase))),
        ("port", uri.port().and_then(|port| i64::try_from(port).ok()).map(Value::Integer)),
        ("path", text(uri.path())),
        ("query", text(uri.query().map(str::to_owned))),
        ("fragment", text(uri.fragment().map(str::to_owned))),
        ("opaque", text(uri.opaque().map(str::to_owned))),
    ];
    all.into_iter().filter_map(|(name, value)| Some((Value::from(name), value?))).collect()
}

/// Whether all that one type asks for, the other has.
pub(super) fn covers(wanted: Option<&Value>, given: Option<&Value>) -> bool {
    let Some(Value::Hash(wanted)) = wanted else { return true };
    let Some(Value::Hash(given)) = given else { return false };
    wanted.iter().all(|(name, wanted)| match (wanted, given.get(name)) {
        (Value::Type(of), Some(Value::Type(other))) => of.assignable(other),
        (Value::Type(of), Some(value)) => of.assignable(&Type::of(value)),
        (wanted, Some(value)) => wanted == value,
        (_, None) => false,
    })
}

pub(super) fn is_instance(wanted: Option<&Value>, uri: &Uri) -> Answer {
    let Some(Value::Hash(wanted)) = wanted else { return Ok(true) };
    let given = components(uri);
    for (name, wanted) in wanted.iter() {
        let fits = match (wanted, given.get(name)) {
            (Value::Type(of), value) => of.accepts(value.unwrap_or(&Value::Undef)).map_err(Box::new)?,
            (Value::Regexp(regexp), Some(Value::String(text))) => super::matching::matches(regexp, text)?,
            (wanted, Some(value)) => wanted == value,
            (_, None) => false,
        };
        if !fits {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `None` where the key is nothing a URI type can be made of.
pub(super) fn parameterized(key: &Value) -> Option<Type> {
    match key {
        Value::Hash(entries) if entries.is_empty() => Some(Type::Uri(None)),
        Value::Hash(_) => Some(Type::Uri(Some(Arc::new(key.clone())))),
        Value::String(text) => Uri::parse(text).ok().map(|uri| type_of(&uri)),
        Value::Uri(uri) => Some(type_of(uri)),
        _ => None,
    }
}
