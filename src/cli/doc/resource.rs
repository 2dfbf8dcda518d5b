//! The description of a resource type: its attributes, what names a resource, what the agent orders by itself.

use std::fmt::Write;

use pantin_model::catalog::kinds::{METAPARAMETERS, NativeType, TypeRef, TypeTable};
use serde_json::{Value as Json, json};

pub(super) fn text(found: &TypeRef) -> String {
    let table: &TypeTable = found;
    let mut text = format!("{}\n", table.name());
    if let TypeRef::Native(native) = found {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", native.summary());
        if let Some(module) = native.module() {
            let _ = writeln!(text, "The agent's package has it in the module {module}.");
        }
    }
    let words = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let names = |names: &[pantin_values::Str]| words(names.iter().map(|name| name.as_str()).collect());
    let _ = writeln!(text, "\nNamed by:    {}", names(table.namevars()));
    let _ = writeln!(text, "Properties:  {}", names(table.properties()));
    let _ = writeln!(text, "Parameters:  {}", names(table.parameters()));
    let _ = writeln!(text, "Of every resource: {}", words(METAPARAMETERS.to_vec()));
    if let TypeRef::Native(native) = found {
        let types = automatic(native);
        if !types.is_empty() {
            let _ = writeln!(text, "Ordered by the agent itself, beside: {}", types.join(", "));
        }
    }
    text
}

pub(super) fn json(found: &TypeRef) -> Json {
    let table: &TypeTable = found;
    let names = |names: &[pantin_values::Str]| names.iter().map(|name| name.as_str().to_owned()).collect::<Vec<_>>();
    let native = match found {
        TypeRef::Native(native) => Some(*native),
        _ => None,
    };
    json!({
        "name": table.name(),
        "namevars": names(table.namevars()),
        "properties": names(table.properties()),
        "parameters": names(table.parameters()),
        "metaparameters": METAPARAMETERS,
        "native": native.is_some(),
        "text": native.map(NativeType::summary),
    })
}

/// Returns the types that the agent orders a resource before or after without being told.
fn automatic(native: &NativeType) -> Vec<String> {
    let mut types: Vec<String> = native.automatic().iter().map(|rule| rule.target_type.to_owned()).collect();
    types.sort();
    types.dedup();
    types
}
