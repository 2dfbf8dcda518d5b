//! Values from JSON: plain ones, and what Puppet's rich data marks with `__ptype`.
//!
//! A value that only its own type could read (a type with attributes as `Pcore::…Type`, an object of a module's type) stays the hash
//! that it is in JSON: nothing of it is lost, and whoever compares catalogs compares that.

use std::sync::Arc;

use pantin_values::new::new_instance;
use pantin_values::regex::Options;
use pantin_values::types::parse;
use pantin_values::{BuiltInOnly, Fault, Regexp, Str, Value, object};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

const TYPE: &str = "__ptype";
const VALUE: &str = "__pvalue";

/// Types whose text says all of a value.
const OF_TEXT: [&str; 6] = ["SemVer", "SemVerRange", "URI", "Timestamp", "Timespan", "Binary"];

pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    Read.deserialize(from)
}

pub(super) struct Read;

impl<'de> DeserializeSeed<'de> for Read {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Read {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Boolean(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        i64::try_from(number).map(Value::Integer).map_err(|_| E::custom(format!("{number} is too large an integer")))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::string(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Read)? {
            items.push(item);
        }
        Ok(Value::array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = map.next_key::<Str>()? {
            entries.push((Value::String(name), map.next_value_seed(Read)?));
        }
        rich(entries).map_err(A::Error::custom)
    }
}

/// Returns what a hash of JSON stands for.
fn rich(entries: Vec<(Value, Value)>) -> Result<Value, Fault> {
    let member = |name| entries.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value);
    let Some(Value::String(kind)) = member(TYPE) else { return Ok(Value::hash(entries)) };
    match (kind.as_str(), member(VALUE)) {
        ("Default", _) => Ok(Value::Default),
        ("Hash", Some(Value::Array(flat))) if flat.len() % 2 == 0 => {
            Ok(Value::hash(flat.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()))))
        }
        ("Sensitive", Some(secret)) => Ok(Value::sensitive(secret.clone())),
        ("Symbol", Some(text @ Value::String(_))) => Ok(text.clone()),
        ("Regexp", Some(Value::String(source))) => {
            let pattern = Regexp::new(source.clone(), Options::default());
            pattern.regex().map_err(|error| Fault::new(error.message.clone()))?;
            Ok(Value::Regexp(Arc::new(pattern)))
        }
        ("Type", Some(Value::String(text))) => parse(text, &mut BuiltInOnly).map(Value::Type),
        ("Deferred", None) => {
            let of = |name| member(name).cloned().unwrap_or_default();
            object::construct(&object::deferred(), &[of("name"), of("arguments")])
        }
        (name, Some(text @ Value::String(_))) if OF_TEXT.contains(&name) => {
            new_instance(&parse(name, &mut BuiltInOnly)?, std::slice::from_ref(text), &mut BuiltInOnly)
        }
        (kind, None) if entries.len() == 1 => Ok(plain_type(kind).unwrap_or_else(|| Value::hash(entries))),
        _ => Ok(Value::hash(entries)),
    }
}

/// Returns the type whose class is this one and that has no attributes: `Pcore::StringType`.
fn plain_type(class: &str) -> Option<Value> {
    let name = class.strip_prefix("Pcore::")?.strip_suffix("Type")?;
    parse(name, &mut BuiltInOnly).ok().filter(|found| found.to_string() == name).map(Value::Type)
}
