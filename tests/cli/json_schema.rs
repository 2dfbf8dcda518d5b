//! A validator for the part of JSON Schema 2020-12 that `docs/*.schema.json` uses. A keyword that it does not know fails.

use std::fs;
use std::path::Path;

use pantin::values::regex::{Options, Regex};
use serde_json::Value;

pub(crate) struct Schema(Value);

impl Schema {
    /// A schema of the book.
    pub(crate) fn read(name: &str) -> Schema {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
        let schema = serde_json::from_str(&fs::read_to_string(&path).unwrap());
        Schema(schema.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    /// What is not as the schema says, each with its place.
    pub(crate) fn violations(&self, value: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.check(&self.0, value, "", &mut found);
        found
    }

    fn is_valid(&self, schema: &Value, value: &Value) -> bool {
        let mut found = Vec::new();
        self.check(schema, value, "", &mut found);
        found.is_empty()
    }

    fn check(&self, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
        for (keyword, wanted) in schema.as_object().unwrap() {
            let is_fine = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" => true,
                "$ref" => {
                    let pointer = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                    let target = self.0.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in the schema"));
                    self.check(target, value, at, found);
                    true
                }
                "type" => types(wanted).any(|name| is_of_type(value, name)),
                "const" => value == wanted,
                "enum" => wanted.as_array().unwrap().contains(value),
                "oneOf" => wanted.as_array().unwrap().iter().filter(|one| self.is_valid(one, value)).count() == 1,
                "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
                "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
                "pattern" => value.as_str().is_none_or(|text| {
                    let pattern = Regex::new(wanted.as_str().unwrap(), Options::default()).unwrap();
                    pattern.is_match(text).unwrap()
                }),
                "required" => value.as_object().is_none_or(|object| {
                    wanted.as_array().unwrap().iter().all(|name| object.contains_key(name.as_str().unwrap()))
                }),
                "additionalProperties" => {
                    assert_eq!(*wanted, false, "{at}: nothing else is checked");
                    let known = schema["properties"].as_object().unwrap();
                    value.as_object().is_none_or(|object| object.keys().all(|name| known.contains_key(name)))
                }
                "properties" => {
                    for (name, schema) in wanted.as_object().unwrap() {
                        let Some(value) = value.get(name) else { continue };
                        self.check(schema, value, &format!("{at}/{name}"), found);
                    }
                    true
                }
                "items" => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(wanted, item, &format!("{at}/{number}"), found);
                    }
                    true
                }
                other => panic!("{at}: this validator does not know {other}"),
            };
            if !is_fine {
                found.push(format!("{at}: {keyword} {wanted} of {value}"));
            }
        }
    }
}

fn types(wanted: &Value) -> impl Iterator<Item = &str> {
    let several = wanted.as_array().into_iter().flatten();
    several.chain(std::iter::once(wanted)).filter_map(Value::as_str)
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("JSON Schema has no type {other}"),
    }
}

#[test]
fn what_a_schema_forbids_is_found() {
    use serde_json::json;
    let schema = Schema(json!({
        "type": "object",
        "required": ["version"],
        "additionalProperties": false,
        "properties": {
            "version": {"const": 1},
            "names": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/name"}},
            "line": {"type": ["integer", "null"], "minimum": 1},
            "side": {"oneOf": [{"type": "null"}, {"enum": ["old", "new"]}]},
        },
        "$defs": {"name": {"type": "string", "pattern": "^[a-z]+$"}},
    }));
    let violations = |value: Value| schema.violations(&value).len();
    assert_eq!(violations(json!({"version": 1, "names": ["a"], "line": null, "side": "new"})), 0);
    for wrong in [
        json!([]),
        json!({}),
        json!({"version": 2}),
        json!({"version": 1, "more": 1}),
        json!({"version": 1, "names": []}),
        json!({"version": 1, "names": ["A"]}),
        json!({"version": 1, "names": [1]}),
        json!({"version": 1, "line": 0}),
        json!({"version": 1, "line": 1.5}),
        json!({"version": 1, "side": "other"}),
    ] {
        assert_eq!(violations(wrong.clone()), 1, "{wrong}");
    }
}
