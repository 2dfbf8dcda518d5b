//! Facts and other values out of JSON and YAML files.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::Value as Json;

use crate::base::limits;
use crate::pcore::{Hash, Value};
use crate::world::{inspect_argument, read_file};

/// The hash in a file: YAML by its ending (`.yaml`, `.yml`), else JSON.
pub(super) fn read_hash(path: &Path) -> Result<Hash, String> {
    let wrong = |reason: String| format!("cannot take values from {}: {reason}", path.display());
    let bytes = inspect_argument(path)
        .and_then(|_| read_file(path, limits::SOURCE_BYTES as u64))
        .map_err(|error| wrong(error.to_string()))?;
    let is_yaml = path.extension().is_some_and(|ending| ending == OsStr::new("yaml") || ending == OsStr::new("yml"));
    let json: Json = if is_yaml {
        // Its limits on aliases and nesting are its own, and stop what grows without end.
        serde_saphyr::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?
    } else {
        serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?
    };
    match value(&json).map_err(wrong)? {
        Value::Hash(hash) => Ok(hash),
        _ => Err(wrong("it holds no hash of names and values".to_owned())),
    }
}

fn value(json: &Json) -> Result<Value, String> {
    Ok(match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(integer), _) => Value::Integer(integer),
            (None, Some(_)) => return Err(format!("the number {number} does not fit an Integer of 64 bits")),
            (None, None) => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => Value::Array(items.iter().map(value).collect::<Result<Vec<_>, _>>()?.into()),
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, of)| Ok((key.as_str().into(), value(of)?)));
            Value::hash(entries.collect::<Result<Vec<_>, String>>()?)
        }
    })
}
