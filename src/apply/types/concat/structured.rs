//! Fragments of YAML and JSON, joined by what they say.

use pantin_values::data::{json, yaml};
use pantin_values::{Hash, Value};

use crate::failure::Failure;
use crate::value::text;

/// Joins fragments in one of the formats `yaml`, `json`, `json-array`, `json-pretty`, `json-array-pretty`.
pub(super) fn join(format: &str, fragments: &[&[u8]], overrides: bool) -> Result<Vec<u8>, Failure> {
    let is_yaml = format == "yaml";
    let parsed = fragments.iter().map(|fragment| if is_yaml { read_yaml(fragment) } else { read_json(fragment) });
    let parsed = parsed.collect::<Result<Vec<Value>, Failure>>()?;
    let value = if format.starts_with("json-array") {
        Value::array(parsed)
    } else {
        let empty = Value::Hash(Hash::default());
        parsed.into_iter().try_fold(empty, |memo, next| merge(memo, next, overrides))?
    };
    let written = match is_yaml {
        true => yaml::to_yaml(&value).map_err(Failure::new)?,
        false => {
            let mut out = String::new();
            write_json(&mut out, &value, format.ends_with("pretty").then_some(0));
            out
        }
    };
    Ok(written.into_bytes())
}

fn read_yaml(fragment: &[u8]) -> Result<Value, Failure> {
    yaml::load(fragment, "<unknown>", yaml::Options::default()).map_err(|error| Failure::new(error.to_string()))
}

fn read_json(fragment: &[u8]) -> Result<Value, Failure> {
    json::load(fragment).map_err(|error| Failure::new(error.to_string()))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Undef => true,
        Value::Hash(entries) => entries.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// Merges two values: lists without doubles, hashes key by key, where the earlier value stays.
fn merge(first: Value, second: Value, overrides: bool) -> Result<Value, Failure> {
    if is_empty(&second) {
        return Ok(first);
    }
    if is_empty(&first) {
        return Ok(second);
    }
    match (first, second) {
        (Value::Array(first), Value::Array(second)) => {
            let mut items: Vec<Value> = Vec::new();
            for item in first.iter().chain(second.iter()) {
                if !items.contains(item) {
                    items.push(item.clone());
                }
            }
            Ok(Value::array(items))
        }
        (Value::Hash(first), Value::Hash(second)) => {
            let mut merged = first.clone();
            for (key, new) in second.iter() {
                let value = match first.get(key) {
                    None => new.clone(),
                    Some(old) => merge_entry(key, old, new, overrides)?,
                };
                merged.insert(key.clone(), value);
            }
            Ok(Value::Hash(merged))
        }
        (first, _) => Err(Failure::new(format!("undefined method `merge' for {}", text(&first)))),
    }
}

fn merge_entry(key: &Value, old: &Value, new: &Value, overrides: bool) -> Result<Value, Failure> {
    match (old, new) {
        (Value::Hash(_), Value::Hash(_)) | (Value::Array(_), Value::Array(_)) => {
            merge(old.clone(), new.clone(), overrides)
        }
        _ if old == new || overrides => Ok(old.clone()),
        _ => Err(Failure::new(format!(
            "Duplicate key '{}' found with values '{}' and {}'. Use 'force' attribute to merge keys.",
            text(key),
            text(old),
            text(new)
        ))),
    }
}

/// Writes JSON as Ruby does: in one line, or indented by two spaces a level.
fn write_json(out: &mut String, value: &Value, indent: Option<usize>) {
    match value {
        Value::Undef => out.push_str("null"),
        Value::Hash(entries) => write_all(out, entries.len(), indent, ('{', '}'), |out, index, inner| {
            if let Some((key, value)) = entries.entry_at(index) {
                write_text(out, &text(key));
                out.push_str(if inner.is_some() { ": " } else { ":" });
                write_json(out, value, inner);
            }
        }),
        Value::Array(items) => write_all(out, items.len(), indent, ('[', ']'), |out, index, inner| {
            if let Some(item) = items.get(index) {
                write_json(out, item, inner);
            }
        }),
        Value::String(_) | Value::Symbol(_) => write_text(out, &text(value)),
        other => out.push_str(&text(other)),
    }
}

fn write_text(out: &mut String, text: &str) {
    out.push_str(&serde_json::Value::String(text.to_owned()).to_string());
}

fn write_all(
    out: &mut String,
    count: usize,
    indent: Option<usize>,
    (open, close): (char, char),
    write: impl Fn(&mut String, usize, Option<usize>),
) {
    out.push(open);
    let inner = indent.map(|level| level + 1);
    let new_line = |out: &mut String, level: Option<usize>| {
        if let Some(level) = level {
            out.push('\n');
            out.push_str(&"  ".repeat(level));
        }
    };
    for index in 0..count {
        if index > 0 {
            out.push(',');
        }
        new_line(out, inner);
        write(out, index, inner);
    }
    // An indented list that is empty has an empty line in it, and a hash none.
    if count == 0 && indent.is_some() && open == '[' {
        out.push('\n');
    }
    new_line(out, indent);
    out.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(format: &str, fragments: &[&str], overrides: bool) -> Result<String, String> {
        let fragments: Vec<&[u8]> = fragments.iter().map(|fragment| fragment.as_bytes()).collect();
        let bytes = join(format, &fragments, overrides).map_err(|failure| failure.to_string())?;
        Ok(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn hashes_are_merged_and_lists_have_no_doubles() {
        let fragments = [r#"{"a": 1, "h": {"x": 1}, "l": [1, 2]}"#, r#"{"h": {"y": null}, "l": [2, 3]}"#];
        assert_eq!(joined("json", &fragments, false).unwrap(), r#"{"a":1,"h":{"x":1,"y":null},"l":[1,2,3]}"#);
        assert_eq!(joined("json-array", &["{}", "[]"], false).unwrap(), "[{},[]]");
        assert_eq!(
            joined("json-pretty", &[r#"{"a": [1], "b": {}}"#], false).unwrap(),
            "{\n  \"a\": [\n    1\n  ],\n  \"b\": {\n  }\n}"
        );
    }

    #[test]
    fn keys_that_differ_are_refused_unless_the_first_is_to_stay() {
        let fragments = [r#"{"a": 1}"#, r#"{"a": 2}"#];
        let refused = "Duplicate key 'a' found with values '1' and 2'. Use 'force' attribute to merge keys.";
        assert_eq!(joined("json", &fragments, false).unwrap_err(), refused);
        assert_eq!(joined("json", &fragments, true).unwrap(), r#"{"a":1}"#);
    }
}
