//! Values of a catalog that are known only when it is applied: calls of functions.
//!
//! Knows how they are written in a catalog. Whoever can call functions is handed in from above.

use std::sync::Arc;

use pantin_model::catalog::{Catalog, Resource};
use pantin_values::{Str, Value};

use crate::failure::Failure;

/// Calls the functions that a catalog's `Deferred` values name.
pub trait DeferredValues {
    /// Makes all calls in a value, at any depth.
    fn resolve(&self, value: &Value) -> Result<Value, String>;
}

/// Can call no function.
#[derive(Clone, Copy, Debug)]
pub struct NoDeferredValues;

impl DeferredValues for NoDeferredValues {
    fn resolve(&self, _value: &Value) -> Result<Value, String> {
        Err("there is no environment whose functions could be called for a Deferred value".to_owned())
    }
}

/// Resolves all deferred values of a catalog.
pub(crate) fn resolve_catalog(catalog: &mut Catalog, functions: &dyn DeferredValues) -> Result<(), Failure> {
    for resource in &mut catalog.resources {
        if resource.parameters.iter().any(|(_, value)| has_call(value)) {
            *resource = Arc::new(resolved(resource, functions)?);
        }
    }
    Ok(())
}

/// Resolves what can be resolved. The rest fails in its own turn.
pub(crate) fn resolve_where_possible(catalog: &mut Catalog, functions: &dyn DeferredValues) {
    for resource in &mut catalog.resources {
        if resource.parameters.iter().any(|(_, value)| has_call(value))
            && let Ok(known) = resolved(resource, functions)
        {
            *resource = Arc::new(known);
        }
    }
}

/// Returns a resource whose values are all known.
pub(crate) fn resolved(resource: &Resource, functions: &dyn DeferredValues) -> Result<Resource, Failure> {
    let mut sensitive = resource.sensitive.to_vec();
    let mut parameters: Vec<(Str, Value)> = Vec::new();
    for (name, value) in resource.parameters.iter() {
        let value = match has_call(value) {
            true => functions.resolve(value).map_err(Failure::new)?,
            false => value.clone(),
        };
        let value = match value {
            Value::Sensitive(secret) => {
                hide(name, &mut sensitive);
                (*secret).clone()
            }
            value => value,
        };
        parameters.push((name.clone(), value));
    }
    Ok(Resource { parameters: parameters.into_iter().collect(), sensitive: sensitive.into(), ..resource.clone() })
}

/// Returns a resource without the values that are known later, if it has any.
pub(crate) fn without_deferred(resource: &Resource) -> Option<Resource> {
    if !resource.parameters.iter().any(|(_, value)| has_call(value)) {
        return None;
    }
    let known = resource.parameters.iter().filter(|(_, value)| !has_call(value));
    let parameters = known.map(|(name, value)| (name.clone(), value.clone())).collect();
    Some(Resource { parameters, ..resource.clone() })
}

/// Marks the values that will be secret, as far as that can be seen from their calls.
pub(crate) fn hide_secrets(resource: &Resource) -> Resource {
    let mut sensitive = resource.sensitive.to_vec();
    for (name, value) in resource.parameters.iter() {
        if call(value).is_some() && has_secret(value) {
            hide(name, &mut sensitive);
        }
    }
    Resource { sensitive: sensitive.into(), ..resource.clone() }
}

fn hide(name: &Str, sensitive: &mut Vec<Str>) {
    if !sensitive.contains(name) {
        sensitive.push(name.clone());
    }
}

/// Returns the call that a value is.
fn call(value: &Value) -> Option<&Value> {
    match value {
        Value::Object(object) if object.label() == "Deferred" => Some(value),
        Value::Sensitive(inner) => call(inner),
        _ => None,
    }
}

pub(crate) fn has_call(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_call),
        Value::Hash(members) => members.iter().any(|(_, member)| has_call(member)),
        Value::Sensitive(inner) => has_call(inner),
        value => call(value).is_some(),
    }
}

/// Returns true if a secret, or the type of one, is among the arguments of a call.
fn has_secret(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_secret),
        Value::Hash(members) => members.iter().any(|(key, member)| has_secret(key) || has_secret(member)),
        Value::Object(object) => object.get("arguments").is_some_and(has_secret),
        Value::Sensitive(_) => true,
        Value::Type(kind) => kind.to_string().starts_with("Sensitive"),
        _ => false,
    }
}
