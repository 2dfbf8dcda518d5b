//! `URI[…]`: what its components ask for.

use std::sync::Arc;

use super::Type;
use super::matching::Answer;
use crate::ops::option_matches;
use crate::{Hash, Uri, Value};

/// Returns the type of one certain URI: its components.
pub(super) fn type_of(uri: &Uri) -> Type {
    Type::Uri(Some(Arc::new(Value::Hash(components(uri)))))
}

fn is_usual(scheme: Option<&str>, port: u64) -> bool {
    matches!((scheme.map(str::to_lowercase).as_deref(), port), (Some("http"), 80) | (Some("https"), 443))
}

/// Returns what a type can ask for, by name: as the members of a URI tell it.
fn member(uri: &Uri, name: &str) -> Value {
    let text = |text: Option<&str>| text.map_or(Value::Undef, Value::from);
    match name {
        "scheme" => text(uri.scheme()),
        "userinfo" => uri.userinfo().map_or(Value::Undef, Value::from),
        "host" => text(uri.host()),
        "port" => uri.port().and_then(|port| i64::try_from(port).ok()).map_or(Value::Undef, Value::Integer),
        "path" => uri.path().map_or(Value::Undef, Value::from),
        "query" => text(uri.query()),
        "fragment" => text(uri.fragment()),
        "opaque" => text(uri.opaque()),
        _ => Value::Undef,
    }
}

const MEMBERS: [&str; 8] = ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"];

/// `$uri.scheme`: `None` where a URI has no member of the name.
pub fn uri_member(uri: &Uri, name: &str) -> Option<Value> {
    MEMBERS.contains(&name).then(|| member(uri, name))
}

fn components(uri: &Uri) -> Hash {
    let text = |text: Option<String>| text.map(Value::from);
    let all = [
        ("scheme", text(uri.scheme().map(str::to_lowercase))),
        ("userinfo", text(uri.userinfo())),
        ("host", text(uri.host().filter(|host| !host.is_empty()).map(str::to_lowercase))),
        ("port", text(uri.port().filter(|port| !is_usual(uri.scheme(), *port)).map(|port| port.to_string()))),
        ("path", text(uri.path().filter(|path| !path.is_empty()))),
        ("query", text(uri.query().map(str::to_owned))),
        ("fragment", text(uri.fragment().map(str::to_owned))),
        ("opaque", text(uri.opaque().map(str::to_owned))),
    ];
    all.into_iter().filter_map(|(name, value)| Some((Value::from(name), value?))).collect()
}

/// Returns true if all that one type asks for, the other has.
pub(super) fn covers(wanted: Option<&Value>, given: Option<&Value>) -> bool {
    let Some(Value::Hash(wanted)) = wanted else { return true };
    let Some(Value::Hash(given)) = given else { return false };
    wanted.iter().all(|(name, wanted)| match (wanted, given.get(name)) {
        (Value::Type(of), Some(Value::Type(other))) => of.assignable(other),
        (wanted, Some(value)) => option_matches(value, wanted).is_ok_and(|found| found.matched),
        (_, None) => false,
    })
}

pub(super) fn is_instance(wanted: Option<&Value>, uri: &Uri) -> Answer {
    let Some(Value::Hash(wanted)) = wanted else { return Ok(true) };
    for (name, wanted) in wanted.iter() {
        let given = member(uri, name.as_str().unwrap_or_default());
        if !option_matches(&given, wanted).map_err(Box::new)?.matched {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `None` where the key is nothing a URI type can be made of.
pub(super) fn parameterized(key: &Value) -> Option<Type> {
    match key {
        Value::Hash(entries) if entries.is_empty() => Some(Type::Uri(None)),
        Value::Hash(entries)
            if entries.keys().all(|name| name.as_str().is_some_and(|name| MEMBERS.contains(&name))) =>
        {
            Some(Type::Uri(Some(Arc::new(key.clone()))))
        }
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Uri::parse(text).ok().filter(|uri| uri.scheme().is_some()).map(|uri| type_of(&uri)),
        _ => None,
    }
}
