//! Facts and other values out of JSON and YAML files.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::base::limits;
use crate::data::yaml;
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
            .map_err(|error| wrong(error.message))?
    } else {
        let Given(value) = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        value
    };
    match value {
        Value::Hash(hash) => Ok(hash),
        _ => Err(wrong("it holds no hash of names and values".to_owned())),
    }
}

/// A value as a file has it.
struct Given(Value);

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Given, D::Error> {
        from.deserialize_any(AnyValue).map(Given)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Boolean(truth))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        let fits = i64::try_from(number).map(Value::Integer);
        fits.map_err(|_| E::custom(format!("the number {number} does not fit an Integer of 64 bits")))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Given(item)) = from.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((Given(key), Given(value))) = from.next_entry()? {
            entries.push((key, value));
        }
        Ok(Value::hash(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_yaml_give_the_same() {
        let json: Given = serde_json::from_str(r#"{"b": [1, -2.5, null, true], "a": "x", "n": "y"}"#).unwrap();
        let yaml = b"b: [1, -2.5, ~, yes]\na: x\nn: y\n";
        assert_eq!(json.0, yaml::load(yaml, "F", yaml::Options::default()).unwrap());
        let Value::Hash(hash) = json.0 else { panic!("no hash") };
        assert_eq!(hash.entry_at(0).map(|(key, _)| key.clone()), Some("b".into()));
    }
}
