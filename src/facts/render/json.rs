//! JSON laid out as Ruby's `pretty_generate` lays it out.

use pantin_values::{Value, ops};

/// Returns the JSON of a value, without a line end at its end.
pub fn to_json(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, 0, &Syntax::JSON);
    out
}

/// What differs between JSON and the text for a person.
pub(super) struct Syntax {
    pub arrow: &'static str,
    pub quotes_names: bool,
    pub string: fn(&str) -> String,
}

impl Syntax {
    const JSON: Syntax = Syntax { arrow: ": ", quotes_names: true, string: quoted };
}

pub(super) fn write(out: &mut String, value: &Value, depth: usize, syntax: &Syntax) {
    match value {
        Value::Hash(hash) => {
            out.push_str("{\n");
            for (at, (name, value)) in hash.iter().enumerate() {
                if at > 0 {
                    out.push_str(",\n");
                }
                indent(out, depth + 1);
                let name = key(name);
                if syntax.quotes_names {
                    out.push_str(&quoted(&name))
                } else {
                    out.push_str(&inner(&quoted(&name)))
                }
                out.push_str(syntax.arrow);
                write(out, value, depth + 1, syntax);
            }
            if !hash.is_empty() {
                out.push('\n');
            }
            indent(out, depth);
            out.push('}');
        }
        Value::Array(items) => {
            out.push_str("[\n");
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(",\n");
                }
                indent(out, depth + 1);
                write(out, item, depth + 1, syntax);
            }
            out.push('\n');
            indent(out, depth);
            out.push(']');
        }
        Value::Undef => out.push_str("null"),
        Value::Boolean(_) | Value::Integer(_) | Value::Large(_) | Value::Float(_) => out.push_str(&ops::to_s(value)),
        Value::String(text) => out.push_str(&(syntax.string)(text)),
        other => out.push_str(&(syntax.string)(&ops::to_s(other))),
    }
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

pub(super) fn key(name: &Value) -> String {
    match name {
        Value::String(name) => name.to_string(),
        other => ops::to_s(other),
    }
}

/// Returns a text in quotes, with escapes.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns what stands between the quotes.
pub(super) fn inner(quoted: &str) -> String {
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(quoted).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_laid_out_as_ruby_does() {
        let pair = |name: &str, value: Value| (Value::from(name), value);
        let value = Value::hash([
            pair("a", Value::array([Value::Integer(1), Value::Undef])),
            pair("b", Value::hash([])),
            pair("c", Value::from("x\n\"y\" \\ é")),
            pair("d", Value::Float(2.0)),
            pair("e", Value::array([])),
        ]);
        let expected = "{\n  \"a\": [\n    1,\n    null\n  ],\n  \"b\": {\n  },\n  \"c\": \"x\\n\\\"y\\\" \\\\ é\",\n  \"d\": 2.0,\n  \"e\": [\n\n  ]\n}";
        assert_eq!(to_json(&value), expected);
    }
}
