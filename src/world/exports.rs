//! Resources that other nodes export, as PuppetDB's export lists them.

use serde_json::Value as Json;

use crate::pcore::{Str, Value};

/// A resource of another node that may be collected.
#[derive(Clone, Debug)]
pub struct ExportedResource {
    /// The node that exports it.
    pub certname: Str,
    /// With a capital in each segment.
    pub type_name: Str,
    pub title: Str,
    pub tags: Vec<Str>,
    pub parameters: Vec<(Str, Value)>,
}

impl ExportedResource {
    /// The answer of PuppetDB's query for resources: an array of objects. Those that say that they are not exported are
    /// left out.
    pub fn list(text: &str) -> Result<Vec<ExportedResource>, String> {
        let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Json::Array(items) = json else { return Err("it is no array of resources".to_owned()) };
        let is_exported = |item: &&Json| item.get("exported") != Some(&Json::Bool(false));
        items.iter().enumerate().filter(|(_, item)| is_exported(item)).map(|(at, item)| of_json(at, item)).collect()
    }
}

fn of_json(at: usize, item: &Json) -> Result<ExportedResource, String> {
    let text = |name: &str| {
        let found = item.get(name).and_then(Json::as_str);
        found.map(Str::from).ok_or_else(|| format!("resource {} of the array has no text '{name}'", at + 1))
    };
    let tags = item.get("tags").and_then(Json::as_array).into_iter().flatten();
    let parameters = item.get("parameters").and_then(Json::as_object).into_iter().flatten();
    Ok(ExportedResource {
        certname: text("certname")?,
        type_name: text("type")?,
        title: text("title")?,
        tags: tags.filter_map(|tag| tag.as_str().map(Str::from)).collect(),
        parameters: parameters.map(|(name, value)| (name.as_str().into(), of_value(value))).collect(),
    })
}

fn of_value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => Value::array(items.iter().map(of_value)),
        Json::Object(entries) => Value::hash(entries.iter().map(|(key, value)| (key.as_str().into(), of_value(value)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exported_is_listed() {
        let text = r#"[{"certname":"a","type":"Host","title":"x","exported":true,"tags":["t"],"parameters":{"ip":"::1"}},
                       {"certname":"a","type":"Host","title":"y","exported":false,"tags":[],"parameters":{}}]"#;
        let list = ExportedResource::list(text).unwrap();
        assert_eq!(list.len(), 1);
        assert_eq!((list[0].title.as_str(), list[0].parameters.len()), ("x", 1));
        assert_eq!(ExportedResource::list("{}").unwrap_err(), "it is no array of resources");
        let missing = ExportedResource::list(r#"[{"certname":"a","type":"Host"}]"#).unwrap_err();
        assert_eq!(missing, "resource 1 of the array has no text 'title'");
    }
}
