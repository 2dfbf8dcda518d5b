//! Values as JSON: what JSON can say as itself, all else as Puppet's rich data has it, with `__ptype`.

use pantin_values::{Binary, Hash, Type, Value, ops, unencoded};
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::value::RawValue;

use super::rich_type::RichType;

const TYPE: &str = "__ptype";
const VALUE: &str = "__pvalue";

/// JSON that nests deeper is more than most readers of it take.
const DEPTH: u32 = 500;

/// A value on its way into JSON.
#[derive(Clone, Copy, Debug)]
pub struct Rich<'a> {
    value: &'a Value,
    reader: Reader,
    /// How much deeper it may nest.
    depth: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reader {
    Person,
    /// What is sensitive is there, types are objects, symbols are texts.
    Agent,
    /// The same, and symbols are objects.
    Code,
}

impl<'a> Rich<'a> {
    /// For people: without secrets.
    pub fn from_value(value: &'a Value) -> Rich<'a> {
        Rich { value, reader: Reader::Person, depth: DEPTH }
    }

    /// As an agent gets it: with secrets.
    pub fn on_the_wire(value: &'a Value) -> Rich<'a> {
        Rich { value, reader: Reader::Agent, depth: DEPTH }
    }

    /// As all can be read back that it was.
    pub fn for_code(value: &'a Value) -> Rich<'a> {
        Rich { value, reader: Reader::Code, depth: DEPTH }
    }

    fn inner<'b>(&self, value: &'b Value) -> Rich<'b> {
        Rich { value, reader: self.reader, depth: self.depth - 1 }
    }

    fn hash<S: Serializer>(&self, entries: &Hash, to: S) -> Result<S::Ok, S::Error> {
        if entries.iter().all(|(key, _)| key.as_str().is_some_and(|key| key != TYPE)) {
            let mut map = to.serialize_map(Some(entries.len()))?;
            self.members(entries, &mut map)?;
            return map.end();
        }
        let flat: Vec<Rich<'_>> =
            entries.iter().flat_map(|(key, value)| [key, value]).map(|value| self.inner(value)).collect();
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry(TYPE, "Hash")?;
        map.serialize_entry(VALUE, &flat)?;
        map.end()
    }

    fn members<M: SerializeMap>(&self, entries: &Hash, map: &mut M) -> Result<(), M::Error> {
        for (key, value) in entries.iter() {
            let name = key.as_str().unwrap_or_default();
            match key {
                Value::Unencoded(_) => map.serialize_entry(&unencoded::display_text(name), &self.inner(value))?,
                _ => map.serialize_entry(name, &self.inner(value))?,
            }
        }
        Ok(())
    }
}

impl Serialize for Rich<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.depth == 0 {
            return Err(S::Error::custom("the value is nested too deep for JSON"));
        }
        match self.value {
            Value::Undef => to.serialize_unit(),
            Value::Boolean(truth) => to.serialize_bool(*truth),
            Value::Integer(number) => to.serialize_i64(*number),
            Value::Large(number) => RawValue::from_string(number.to_string()).map_err(S::Error::custom)?.serialize(to),
            // JSON knows neither NaN nor infinity.
            Value::Float(number) if number.is_finite() => serialize_float(*number, to),
            Value::Symbol(name) if self.reader == Reader::Code => tagged("Symbol", name, to),
            Value::String(text) | Value::Symbol(text) => to.serialize_str(text),
            // A person reads its letters.
            Value::Unencoded(letters) if self.reader == Reader::Person => {
                to.serialize_str(&unencoded::display_text(letters))
            }
            Value::Unencoded(letters) => tagged("Binary", &Binary::new(&*unencoded::bytes(letters)).to_base64(), to),
            Value::Array(items) => {
                let mut list = to.serialize_seq(Some(items.len()))?;
                for item in items.iter() {
                    list.serialize_element(&self.inner(item))?;
                }
                list.end()
            }
            Value::Hash(entries) => self.hash(entries, to),
            Value::Default => {
                let mut map = to.serialize_map(Some(1))?;
                map.serialize_entry(TYPE, "Default")?;
                map.end()
            }
            Value::Sensitive(secret) if self.reader != Reader::Person => {
                let mut map = to.serialize_map(Some(2))?;
                map.serialize_entry(TYPE, "Sensitive")?;
                map.serialize_entry(VALUE, &self.inner(secret))?;
                map.end()
            }
            Value::Sensitive(_) => tagged("Sensitive", "[value redacted]", to),
            Value::Regexp(pattern) => tagged("Regexp", pattern.source(), to),
            Value::Binary(bytes) => tagged("Binary", &bytes.to_base64(), to),
            Value::Type(of) if self.reader != Reader::Person => RichType(of).serialize(to),
            Value::Type(of) => tagged("Type", &of.to_string(), to),
            Value::Object(object) => {
                let attributes = object.init_hash();
                let mut map = to.serialize_map(None)?;
                map.serialize_entry(TYPE, object.label())?;
                self.members(&attributes, &mut map)?;
                map.end()
            }
            other => tagged(Type::infer(other).simple_name(), &ops::to_s(other), to),
        }
    }
}

/// As Ruby writes it, `1.0e+20`.
fn serialize_float<S: Serializer>(number: f64, to: S) -> Result<S::Ok, S::Error> {
    let text = ops::to_s(&Value::Float(number));
    RawValue::from_string(text).map_err(S::Error::custom)?.serialize(to)
}

fn tagged<S: Serializer>(name: &str, text: &str, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(2))?;
    map.serialize_entry(TYPE, name)?;
    map.serialize_entry(VALUE, text)?;
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value) -> String {
        serde_json::to_string(&Rich::from_value(value)).unwrap()
    }

    #[test]
    fn what_json_can_say_is_said_plainly_and_in_order() {
        let list = Value::array([1.into(), 1.5.into(), Value::Undef, true.into()]);
        let value = Value::hash([("b".into(), list), ("a".into(), "x".into())]);
        assert_eq!(shown(&value), r#"{"b":[1,1.5,null,true],"a":"x"}"#);
    }

    #[test]
    fn all_else_says_what_it_is() {
        assert_eq!(shown(&Value::Default), r#"{"__ptype":"Default"}"#);
        let odd = Value::hash([(1.into(), "one".into())]);
        assert_eq!(shown(&odd), r#"{"__ptype":"Hash","__pvalue":[1,"one"]}"#);
        let secret = shown(&Value::sensitive("hidden".into()));
        assert_eq!(secret, r#"{"__ptype":"Sensitive","__pvalue":"[value redacted]"}"#);
        assert_eq!(shown(&Type::INTEGER.into()), r#"{"__ptype":"Type","__pvalue":"Integer"}"#);
    }

    #[test]
    fn what_nests_without_end_is_refused() {
        let deep = (0..DEPTH).fold(Value::Undef, |inner, _| Value::array([inner]));
        assert!(serde_json::to_string(&Rich::from_value(&deep)).is_err());
    }
}
