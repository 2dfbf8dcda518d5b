//! Version 4, which environments and modules may still have: put in the words of version 5.

use pantin_values::{Hash, Str, Value};

use super::{Body, Declaration, File, FunctionKind, schema, texts};
use crate::location::DeclaredLocations;
use crate::trouble::Trouble;

pub(super) fn body(file: &File<'_>, mut data: Hash) -> Result<Body, Trouble> {
    if !data.get_str("datadir").is_some_and(Value::is_truthy) {
        data.insert("datadir".into(), "data".into());
    }
    if !data.get_str("hierarchy").is_some_and(Value::is_truthy) {
        let common = Value::hash([("name".into(), "common".into()), ("backend".into(), "yaml".into())]);
        data.insert("hierarchy".into(), Value::array([common]));
    }
    let expected = schema::v4().map_err(Trouble::mismatch)?;
    file.check(&expected, &data)?;
    let datadir = data.get_str("datadir").and_then(Value::as_str).unwrap_or("data");
    let Some(Value::Array(items)) = data.get_str("hierarchy") else {
        return Ok(Body::Hierarchy { entries: Vec::new(), defaults: None });
    };
    let entries = items.iter().filter_map(|item| match item {
        Value::Hash(entry) => Some(declaration(entry, datadir)),
        _ => None,
    });
    Ok(Body::Hierarchy { entries: entries.collect(), defaults: None })
}

fn declaration(entry: &Hash, datadir: &str) -> Declaration {
    let text = |key: &str| entry.get_str(key).and_then(Value::as_str).map(Str::from);
    let name = text("name").unwrap_or_default();
    let backend = text("backend").unwrap_or_default();
    let paths = match entry.get_str("paths") {
        Some(paths) => texts(Some(paths)),
        None => vec![text("path").unwrap_or_else(|| name.clone())],
    };
    let (function, extension) = match backend.as_str() {
        "json" => (FunctionKind::DataHash, Some(".json")),
        "yaml" => (FunctionKind::DataHash, Some(".yaml")),
        "hocon" => (FunctionKind::DataHash, Some(".conf")),
        _ => (FunctionKind::Unknown, None),
    };
    let function_name = match function {
        FunctionKind::Unknown => backend,
        _ => format!("{backend}_data").into(),
    };
    let datadir = text("datadir").unwrap_or_else(|| datadir.into());
    let locations = DeclaredLocations::Paths(paths);
    Declaration { name, function, function_name, locations, datadir, extension, options: Hash::default() }
}
