//! Facts and other values out of JSON and YAML files.

use std::ffi::OsStr;
use std::path::Path;

use crate::base::limits;
use crate::data::{json, yaml};
use crate::pcore::{Hash, Value};
use crate::world::{inspect_argument, read_file};

/// The hash in a file: YAML by its ending (`.yaml`, `.yml`), else JSON. The order is the file's.
pub(super) fn read_hash(path: &Path) -> Result<Hash, String> {
    let wrong = |reason: String| format!("cannot take values from {}: {reason}", path.display());
    let bytes = inspect_argument(path)
        .and_then(|_| read_file(path, limits::SOURCE_BYTES as u64))
        .map_err(|error| wrong(error.to_string()))?;
    let is_yaml = path.extension().is_some_and(|ending| ending == OsStr::new("yaml") || ending == OsStr::new("yml"));
    let value = if is_yaml {
        yaml::load(&bytes, &path.display().to_string(), yaml::Options::default())
    } else {
        json::load(&bytes)
    };
    match value.map_err(|error| wrong(error.to_string()))? {
        Value::Hash(hash) => Ok(hash),
        _ => Err(wrong("it holds no hash of names and values".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::{json, yaml};

    #[test]
    fn json_and_yaml_give_the_same() {
        let json = json::load(br#"{"b": [1, -2.5, null, true], "a": "x", "n": "y"}"#).unwrap();
        let yaml = yaml::load(b"b: [1, -2.5, ~, yes]\na: x\nn: y\n", "F", yaml::Options::default()).unwrap();
        assert_eq!(json, yaml);
        assert_eq!(format!("{json:?}"), format!("{yaml:?}"));
    }
}
