//! Version 5.

use pantin_values::{Hash, Str, Value};

use super::check::{self, FUNCTIONS, LOCATIONS};
use super::{Body, Declaration, File, FunctionKind, schema, texts};
use crate::layer::Place;
use crate::location::DeclaredLocations;
use crate::trouble::Trouble;

pub(super) fn body(file: &File<'_>, mut data: Hash, place: &Place) -> Result<Body, Trouble> {
    if !data.get_str("defaults").is_some_and(Value::is_truthy) {
        let defaults = [("datadir".into(), "data".into()), ("data_hash".into(), "yaml_data".into())];
        data.insert("defaults".into(), Value::hash(defaults));
    }
    if !data.get_str("hierarchy").is_some_and(Value::is_truthy) {
        let common = Value::hash([("name".into(), "Common".into()), ("path".into(), "common.yaml".into())]);
        data.insert("hierarchy".into(), Value::array([common]));
    }
    let expected = schema::v5().map_err(Trouble::mismatch)?;
    file.check(&expected, &data)?;
    let defaults = match data.get_str("defaults") {
        Some(Value::Hash(defaults)) => defaults.clone(),
        _ => Hash::default(),
    };
    check::defaults(file, &defaults)?;
    let hierarchy = entries(&data, "hierarchy");
    for key in ["hierarchy", "plan_hierarchy"] {
        for entry in entries(&data, key) {
            check::entry(file, entry, &defaults, place)?;
        }
    }
    let default_hierarchy = data.get_str("default_hierarchy").map(|_| entries(&data, "default_hierarchy"));
    if let Some(entries) = &default_hierarchy {
        if !matches!(place, Place::Module(_)) {
            let line = file.line_matching(r"(?:^|\s+)default_hierarchy:", 1);
            return Err(file.wrong("'default_hierarchy' is only allowed in the module layer", line));
        }
        for entry in entries {
            check::entry(file, entry, &defaults, place)?;
        }
    }
    let declared = |entries: Vec<&Hash>| entries.into_iter().map(|entry| declaration(entry, &defaults)).collect();
    Ok(Body::Hierarchy { entries: declared(hierarchy), defaults: default_hierarchy.map(declared) })
}

fn entries<'d>(data: &'d Hash, key: &str) -> Vec<&'d Hash> {
    let Some(Value::Array(items)) = data.get_str(key) else { return Vec::new() };
    items
        .iter()
        .filter_map(|item| match item {
            Value::Hash(entry) => Some(entry),
            _ => None,
        })
        .collect()
}

fn declaration(entry: &Hash, defaults: &Hash) -> Declaration {
    let text = |of: &Hash, key: &str| of.get_str(key).and_then(Value::as_str).map(Str::from);
    let function = |of: &Hash| FUNCTIONS.into_iter().find_map(|kind| Some((kind, text(of, kind)?)));
    let (kind, function_name) = match text(entry, "v4_data_hash") {
        Some(name) if function(entry).is_none() => ("v4_data_hash", name),
        _ => function(entry).or_else(|| function(defaults)).unwrap_or(("data_hash", "yaml_data".into())),
    };
    let options = match entry.get_str("options").or_else(|| defaults.get_str("options")) {
        Some(Value::Hash(options)) => options.clone(),
        _ => Hash::default(),
    };
    Declaration {
        name: text(entry, "name").unwrap_or_default(),
        function: match kind {
            "lookup_key" => FunctionKind::LookupKey,
            "data_dig" => FunctionKind::DataDig,
            "hiera3_backend" => FunctionKind::V3Backend,
            "v4_data_hash" => FunctionKind::Legacy,
            _ => FunctionKind::DataHash,
        },
        function_name,
        locations: locations(entry),
        datadir: text(entry, "datadir").or_else(|| text(defaults, "datadir")).unwrap_or("data".into()),
        extension: None,
        options,
    }
}

fn locations(entry: &Hash) -> DeclaredLocations {
    let Some(kind) = LOCATIONS.into_iter().find(|kind| entry.get_str(kind).is_some()) else {
        return DeclaredLocations::None;
    };
    let texts = texts(entry.get_str(kind));
    match kind {
        "path" | "paths" => DeclaredLocations::Paths(texts),
        "glob" | "globs" => DeclaredLocations::Globs(texts),
        "uri" | "uris" => DeclaredLocations::Uris(texts),
        _ => <[Str; 3]>::try_from(texts).map_or(DeclaredLocations::None, DeclaredLocations::Mapped),
    }
}
