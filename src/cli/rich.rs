//! Values as JSON: what JSON can say as itself, all else as Puppet's rich data has it, with `__ptype`.

use serde_json::{Map, Value as Json, json};

use crate::pcore::{Hash, Type, Value, ops};

const TYPE: &str = "__ptype";
const VALUE: &str = "__pvalue";

/// JSON that nests deeper is more than most readers of it take.
const DEPTH: u32 = 500;

/// The value is nested too deep for JSON.
#[derive(Debug)]
pub(super) struct TooDeep;

pub(super) fn to_json(value: &Value) -> Result<Json, TooDeep> {
    convert(value, DEPTH)
}

fn convert(value: &Value, depth: u32) -> Result<Json, TooDeep> {
    let Some(below) = depth.checked_sub(1) else { return Err(TooDeep) };
    Ok(match value {
        Value::Undef => Json::Null,
        Value::Boolean(truth) => json!(truth),
        Value::Integer(number) => json!(number),
        // JSON knows neither NaN nor infinity.
        Value::Float(number) if number.is_finite() => json!(number),
        Value::String(text) => json!(text.as_str()),
        Value::Array(items) => Json::Array(items.iter().map(|item| convert(item, below)).collect::<Result<_, _>>()?),
        Value::Hash(entries) => hash(entries, below)?,
        Value::Default => json!({ TYPE: "Default" }),
        // What is sensitive is not shown.
        Value::Sensitive(_) => tagged("Sensitive", "[value redacted]"),
        Value::Regexp(pattern) => tagged("Regexp", pattern.source()),
        Value::Binary(bytes) => tagged("Binary", &bytes.to_base64()),
        Value::Type(of) => tagged("Type", &of.to_string()),
        Value::Object(object) => {
            let attributes = object.init_hash();
            let mut members = members(&attributes, below)?;
            members.insert(TYPE.to_owned(), json!(object.label()));
            Json::Object(members)
        }
        other => tagged(Type::of(other).simple_name(), &ops::to_s(other)),
    })
}

fn tagged(name: &str, text: &str) -> Json {
    json!({ TYPE: name, VALUE: text })
}

/// An object where all keys are strings, else keys and values in turn.
fn hash(entries: &Hash, depth: u32) -> Result<Json, TooDeep> {
    if entries.iter().all(|(key, _)| key.as_str().is_some_and(|key| key != TYPE)) {
        return members(entries, depth).map(Json::Object);
    }
    let Some(below) = depth.checked_sub(1) else { return Err(TooDeep) };
    let flat = entries.iter().flat_map(|(key, value)| [convert(key, below), convert(value, below)]);
    Ok(json!({ TYPE: "Hash", VALUE: flat.collect::<Result<Vec<_>, _>>()? }))
}

fn members(entries: &Hash, depth: u32) -> Result<Map<String, Json>, TooDeep> {
    let named = entries.iter().filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value)));
    named.map(|(name, value)| Ok((name, convert(value, depth)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value) -> Json {
        to_json(value).unwrap()
    }

    #[test]
    fn what_json_can_say_is_said_plainly() {
        let value = Value::hash([("a".into(), Value::array([1.into(), 1.5.into(), Value::Undef, true.into()]))]);
        assert_eq!(shown(&value), json!({ "a": [1, 1.5, null, true] }));
    }

    #[test]
    fn all_else_says_what_it_is() {
        assert_eq!(shown(&Value::Default), json!({ "__ptype": "Default" }));
        let odd = Value::hash([(1.into(), "one".into())]);
        assert_eq!(shown(&odd), json!({ "__ptype": "Hash", "__pvalue": [1, "one"] }));
        let secret = shown(&Value::sensitive("hidden".into()));
        assert_eq!(secret, json!({ "__ptype": "Sensitive", "__pvalue": "[value redacted]" }));
        assert_eq!(shown(&Type::INTEGER.into()), json!({ "__ptype": "Type", "__pvalue": "Integer" }));
    }

    #[test]
    fn what_nests_without_end_is_refused() {
        let deep = (0..DEPTH).fold(Value::Undef, |inner, _| Value::array([inner]));
        assert!(to_json(&deep).is_err());
    }
}
