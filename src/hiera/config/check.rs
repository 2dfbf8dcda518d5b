//! The rules of a hierarchy's entries in version 5 that no type can say.

use pantin_values::{Hash, Value};

use super::File;
use crate::layer::Place;
use crate::trouble::Trouble;

/// In the order in which Puppet names and looks for them.
pub(super) const FUNCTIONS: [&str; 4] = ["data_hash", "lookup_key", "data_dig", "hiera3_backend"];
pub(super) const LOCATIONS: [&str; 7] = ["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"];

const RESERVED: [&str; 2] = ["path", "uri"];

fn names(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{}, or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

fn count(entries: &Hash, names: &[&str]) -> usize {
    names.iter().filter(|name| entries.get_str(name).is_some()).count()
}

pub(super) fn defaults(file: &File<'_>, defaults: &Hash) -> Result<(), Trouble> {
    if count(defaults, &FUNCTIONS) > 1 {
        let message = format!("Only one of {} can be defined in defaults", names(&FUNCTIONS));
        return Err(file.wrong(message, None));
    }
    match reserved_option(defaults) {
        Some(key) => Err(file.wrong(format!("Option key '{key}' used in defaults is reserved by Puppet"), None)),
        None => Ok(()),
    }
}

pub(super) fn entry(file: &File<'_>, entry: &Hash, defaults: &Hash, place: &Place) -> Result<(), Trouble> {
    let name = entry.get_str("name").and_then(Value::as_str).unwrap_or_default();
    match count(entry, &FUNCTIONS) + count(entry, &["v4_data_hash"]) {
        0 if count(defaults, &FUNCTIONS) == 0 => {
            let message = format!("One of {} must be defined in hierarchy '{name}'", names(&FUNCTIONS));
            return Err(file.wrong(message, None));
        }
        0 | 1 => {}
        _ => {
            let message = format!("Only one of {} can be defined in hierarchy '{name}'", names(&FUNCTIONS));
            return Err(file.wrong(message, None));
        }
    }
    if let Some(Value::String(backend)) = entry.get_str("hiera3_backend") {
        older_backend(file, backend, place)?;
    }
    if count(entry, &LOCATIONS) > 1 {
        let message = format!("Only one of {} can be defined in hierarchy '{name}'", names(&LOCATIONS));
        return Err(file.wrong(message, None));
    }
    match reserved_option(entry) {
        Some(key) => {
            Err(file.wrong(format!("Option key '{key}' used in hierarchy '{name}' is reserved by Puppet"), None))
        }
        None => Ok(()),
    }
}

fn older_backend(file: &File<'_>, backend: &str, place: &Place) -> Result<(), Trouble> {
    if *place != Place::Global {
        let line = file.line_matching(r"\s+hiera3_backend:", 1);
        return Err(file.wrong("'hiera3_backend' is only allowed in the global layer", line));
    }
    if matches!(backend, "json" | "yaml" | "hocon") {
        let line = file.line_matching(&format!(r#"\s+hiera3_backend:\s*['"]?{backend}(?:[^\w]|$)"#), 1);
        let message = format!("Use \"data_hash: {backend}_data\" instead of \"hiera3_backend: {backend}\"");
        return Err(file.wrong(message, line));
    }
    Ok(())
}

fn reserved_option(of: &Hash) -> Option<&'static str> {
    let Some(Value::Hash(options)) = of.get_str("options") else { return None };
    RESERVED.into_iter().find(|key| options.get_str(key).is_some())
}
