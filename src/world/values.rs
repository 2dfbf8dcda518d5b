//! Values from JSON and YAML files.
//!
//! Both are read as Ruby reads them. Knows nothing of what the values are for.

use std::path::Path;

use pantin_values::data::{json, yaml};
use pantin_values::{Hash, Value};

use super::{Disk, ReadError};

/// Returns the value in a file: YAML by its ending (`.yaml`, `.yml`), else JSON. `Err`: a sentence for a person.
pub fn read_value(disk: &dyn Disk, path: &Path) -> Result<Value, String> {
    value_of(path, disk.read(path))
}

/// The same of the file with the facts of one node.
pub(super) fn read_node_facts(disk: &dyn Disk, path: &Path) -> Result<Value, String> {
    value_of(path, disk.read_node_facts(path))
}

fn value_of(path: &Path, content: Result<Option<Vec<u8>>, ReadError>) -> Result<Value, String> {
    let wrong = |reason: String| format!("cannot take values from {}: {reason}", path.display());
    let bytes = match content {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Err(wrong("no such file or directory".to_owned())),
        Err(error) => return Err(wrong(error.to_string())),
    };
    let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    let value = if is_yaml { yaml_value(&bytes, &path.to_string_lossy()) } else { placed_json(&bytes) };
    value.map_err(wrong)
}

/// Returns a file that holds a hash.
pub fn read_hash(disk: &dyn Disk, path: &Path) -> Result<Hash, String> {
    match read_value(disk, path)? {
        Value::Hash(hash) => Ok(hash),
        _ => Err(format!("cannot take values from {}: it holds no hash of names and values", path.display())),
    }
}

/// The same with the place of an error, for a person.
pub(super) fn placed_json(bytes: &[u8]) -> Result<Value, String> {
    json::load_typed(bytes).map_err(|error| match (error.line, error.column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: {error}"),
        _ => error.to_string(),
    })
}

/// In the gem's own words.
pub(super) fn json_value(bytes: &[u8]) -> Result<Value, String> {
    json::load(bytes).map_err(|error| error.to_string())
}

/// Symbols are texts; the facts that a server keeps are an object of Ruby's.
pub(super) fn yaml_value(bytes: &[u8], name: &str) -> Result<Value, String> {
    let classes = &["Puppet::Node::Facts"];
    let options = yaml::Options { symbols: yaml::Symbols::Text, classes, ..yaml::Options::default() };
    yaml::load(bytes, name, options).map_err(|error| error.to_string())
}
