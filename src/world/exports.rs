//! Resources that other nodes export, as PuppetDB's export lists them.

use std::path::Path;

use pantin_values::{Str, Value};

use super::values::placed_json;
use super::{Disk, absolute_path};

/// A resource of another node that may be collected.
#[derive(Clone, PartialEq, Debug)]
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
    /// The list that a file has.
    pub fn from_file(disk: &dyn Disk, file: &Path) -> Result<Vec<ExportedResource>, String> {
        let wrong = |reason: String| format!("cannot take exported resources from {}: {reason}", file.display());
        let bytes = disk.read(&absolute_path(file)).map_err(|error| wrong(error.to_string()))?;
        let bytes = bytes.ok_or_else(|| wrong("no such file or directory".to_owned()))?;
        let text = String::from_utf8(bytes).map_err(|_| wrong("it is not text in UTF-8".to_owned()))?;
        ExportedResource::list(&text).map_err(wrong)
    }

    /// Returns the answer of PuppetDB's query for resources: an array of objects. Those that say that they are not
    /// exported are left out.
    pub fn list(text: &str) -> Result<Vec<ExportedResource>, String> {
        let listed = placed_json(text.as_bytes())?;
        let Value::Array(items) = listed else { return Err("it is no array of resources".to_owned()) };
        let is_exported = |item: &&Value| member(item, "exported") != Some(&Value::Boolean(false));
        items.iter().enumerate().filter(|(_, item)| is_exported(item)).map(|(at, item)| from_item(at, item)).collect()
    }
}

fn from_item(at: usize, item: &Value) -> Result<ExportedResource, String> {
    let text = |name: &str| {
        let found = member(item, name).and_then(Value::as_str);
        found.map(Str::from).ok_or_else(|| format!("resource {} of the array has no text '{name}'", at + 1))
    };
    let tags = match member(item, "tags") {
        Some(Value::Array(tags)) => tags.iter().filter_map(|tag| tag.as_str().map(Str::from)).collect(),
        _ => Vec::new(),
    };
    let parameters = match member(item, "parameters") {
        Some(Value::Hash(parameters)) => {
            parameters.iter().filter_map(|(name, value)| Some((name.as_str()?.into(), value.clone()))).collect()
        }
        _ => Vec::new(),
    };
    Ok(ExportedResource {
        certname: text("certname")?,
        type_name: text("type")?,
        title: text("title")?,
        tags,
        parameters,
    })
}

fn member<'a>(item: &'a Value, name: &str) -> Option<&'a Value> {
    if let Value::Hash(members) = item { members.get_str(name) } else { None }
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
