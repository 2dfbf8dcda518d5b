//! The functions that an agent calls to have the values of a catalog: those that its `Deferred` values name.
//!
//! Knows nothing of where functions are defined.

use std::collections::BTreeSet;

use pantin_model::catalog::Catalog;
use pantin_values::{Str, Value};

/// Returns the names of the functions, each once.
pub fn deferred_functions(catalog: &Catalog) -> Vec<Str> {
    let mut names = BTreeSet::new();
    let parameters = catalog.resources.iter().flat_map(|resource| resource.parameters.iter());
    parameters.for_each(|(_, value)| add_functions(value, &mut names));
    names.into_iter().collect()
}

fn add_functions(value: &Value, names: &mut BTreeSet<Str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| add_functions(item, names)),
        Value::Hash(members) => members.iter().for_each(|(_, member)| add_functions(member, names)),
        Value::Sensitive(hidden) => add_functions(hidden, names),
        Value::Object(object) => {
            if object.label() == "Deferred"
                && let Some(Value::String(name)) = object.get("name")
            {
                names.insert(name.trim_start_matches("::").into());
            }
            object.values.iter().for_each(|value| add_functions(value, names));
        }
        _ => {}
    }
}
