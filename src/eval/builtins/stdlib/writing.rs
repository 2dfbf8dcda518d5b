//! Functions that write values: as JSON, YAML, TOML, Python, Ruby.

use pantin_base::{budget, number, stack};
use pantin_model::catalog::Rich;
use pantin_values::data::json;
use pantin_values::data::yaml::{Layout, to_yaml_in};
use pantin_values::sprintf::{inspect, push_inspect};
use pantin_values::{Fault, Hash, Value};

use super::ruby::{Result, fail, text_of};
use crate::{Builtin, Flow, Invocation, Overload, optional, overload, required};

pub(super) static OLD: &[Builtin] = &[
    Builtin::typed("to_json", JSON, JSON_DOC),
    Builtin::typed("to_json_pretty", PRETTY, PRETTY_DOC),
    Builtin::typed("to_python", PYTHON, PYTHON_DOC),
    Builtin::typed("to_ruby", RUBY, RUBY_DOC),
    Builtin::typed("to_toml", TOML, TOML_DOC),
    Builtin::typed("to_yaml", YAML, YAML_DOC),
];

pub(super) static NEW: &[Builtin] = &[
    Builtin::typed("stdlib::to_json", JSON, JSON_DOC),
    Builtin::typed("stdlib::to_json_pretty", PRETTY, PRETTY_DOC),
    Builtin::typed("stdlib::to_python", PYTHON, PYTHON_DOC),
    Builtin::typed("stdlib::to_ruby", RUBY, RUBY_DOC),
    Builtin::typed("stdlib::to_toml", TOML, TOML_DOC),
    Builtin::typed("stdlib::to_yaml", YAML, YAML_DOC),
];

const JSON_DOC: &str = "A value as JSON, on one line.";
const PRETTY_DOC: &str = "A value as JSON that people read.";
const PYTHON_DOC: &str = "A value as Python has it.";
const RUBY_DOC: &str = "A value as Ruby has it.";
const TOML_DOC: &str = "A hash as TOML.";
const YAML_DOC: &str = "A value as YAML.";

const JSON: &[Overload] =
    &[overload(&[required("Any", "data")], None, |call| Ok(Json::plain().written(call.arg(0))?.into()))];
const PRETTY: &[Overload] = &[overload(
    &[
        required("Variant[Hash, Array]", "data"),
        optional("Optional[Boolean]", "skip_undef"),
        optional(
            "Struct[{
indent       => Optional[String],
space        => Optional[String],
space_before => Optional[String],
object_nl    => Optional[String],
array_nl     => Optional[String],
allow_nan    => Optional[Boolean],
max_nesting  => Optional[Integer[-1,default]],
}]",
            "opts",
        ),
    ],
    None,
    to_json_pretty,
)];
const PYTHON: &[Overload] = &[overload(&[required("Any", "object")], None, |call| written_as(call, &PYTHON_WORDS))];
const RUBY: &[Overload] = &[overload(&[required("Any", "object")], None, |call| written_as(call, &RUBY_WORDS))];
const TOML: &[Overload] = &[overload(&[required("Hash", "data")], None, |call| Ok(super::toml::toml(call.arg(0))?))];
const YAML: &[Overload] = &[overload(&[required("Any", "data"), optional("Hash", "options")], None, to_yaml)];

// ---- JSON ----

/// How JSON is laid out.
struct Json {
    indent: String,
    space: String,
    space_before: String,
    object_end: String,
    array_end: String,
    allows_nan: bool,
    /// Nothing where it may nest without end.
    depth: Option<usize>,
}

impl Json {
    fn plain() -> Json {
        Json {
            indent: String::new(),
            space: String::new(),
            space_before: String::new(),
            object_end: String::new(),
            array_end: String::new(),
            allows_nan: false,
            depth: Some(100),
        }
    }

    fn written(&self, value: &Value) -> Result<String> {
        let mut out = String::new();
        self.push(&mut out, value, 0)?;
        Ok(out)
    }

    fn push(&self, out: &mut String, value: &Value, depth: usize) -> Result<()> {
        match value {
            _ if budget::is_over() => {}
            Value::Undef => out.push_str("null"),
            Value::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Value::Integer(number) => out.push_str(&number.to_string()),
            Value::Large(number) => out.push_str(&number.to_string()),
            Value::Float(number) if !number.is_finite() && !self.allows_nan => {
                return fail(format!("920: {} not allowed in JSON", number::float_text(*number)));
            }
            Value::Float(number) => out.push_str(&number::float_text(*number)),
            Value::String(text) => push_json_text(out, text),
            Value::Array(items) => stack::with_room(|| self.push_array(out, items, self.deeper(depth)?))?,
            Value::Hash(entries) => stack::with_room(|| self.push_hash(out, entries, self.deeper(depth)?))?,
            other => push_json_text(out, &text_of(other)),
        }
        Ok(())
    }

    fn deeper(&self, depth: usize) -> Result<usize> {
        match self.depth {
            Some(most) if depth + 1 > most => fail(format!("nesting of {depth} is too deep")),
            _ => Ok(depth + 1),
        }
    }

    fn push_array(&self, out: &mut String, items: &[Value], depth: usize) -> Result<()> {
        out.push('[');
        if self.has_steps(depth) {
            out.push_str(&self.array_end);
        }
        for (index, item) in items.iter().enumerate() {
            if !self.has_steps(depth) {
                break;
            }
            if index > 0 {
                out.push(',');
                out.push_str(&self.array_end);
            }
            out.push_str(&self.indent.repeat(depth));
            self.push(out, item, depth)?;
        }
        self.close(out, &self.array_end, depth);
        out.push(']');
        Ok(())
    }

    fn push_hash(&self, out: &mut String, entries: &Hash, depth: usize) -> Result<()> {
        out.push('{');
        for (index, (key, value)) in entries.iter().enumerate() {
            if !self.has_steps(depth) {
                break;
            }
            out.push_str(if index > 0 { "," } else { "" });
            out.push_str(&self.object_end);
            out.push_str(&self.indent.repeat(depth));
            push_json_text(out, &text_of(key));
            out.push_str(&self.space_before);
            out.push(':');
            out.push_str(&self.space);
            self.push(out, value, depth)?;
        }
        self.close(out, &self.object_end, depth);
        out.push('}');
        Ok(())
    }

    /// Takes steps for an element: for the bytes of its indentation, and of what else stands around it. Returns false where none is
    /// left: then nothing more is written.
    fn has_steps(&self, depth: usize) -> bool {
        let around = self.space.len() + self.space_before.len() + self.object_end.len() + self.array_end.len();
        budget::spend((self.indent.len() * depth + around) as u64)
    }

    fn close(&self, out: &mut String, end: &str, depth: usize) {
        if !end.is_empty() && self.has_steps(depth) {
            out.push_str(end);
            out.push_str(&self.indent.repeat(depth - 1));
        }
    }
}

fn push_json_text(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            other => out.push(other),
        }
    }
    out.push('"');
}

fn to_json_pretty(call: &mut Invocation<'_, '_>) -> Flow {
    let (data, skips, options) = (call.take(0), call.take(1), call.take(2));
    let mut layout = Json {
        indent: "  ".to_owned(),
        space: " ".to_owned(),
        object_end: "\n".to_owned(),
        array_end: "\n".to_owned(),
        ..Json::plain()
    };
    if let Value::Hash(options) = &options {
        let text = |name: &str, slot: &mut String| {
            if let Some(Value::String(text)) = options.get_str(name) {
                *slot = text.to_string();
            }
        };
        text("indent", &mut layout.indent);
        text("space", &mut layout.space);
        text("space_before", &mut layout.space_before);
        text("object_nl", &mut layout.object_end);
        text("array_nl", &mut layout.array_end);
        layout.allows_nan = options.get_str("allow_nan").is_some_and(Value::is_truthy);
        if let Some(Value::Integer(depth)) = options.get_str("max_nesting") {
            layout.depth = usize::try_from(*depth).ok().filter(|depth| *depth > 0);
        }
    }
    let data = match data {
        data if !skips.is_truthy() => data,
        Value::Array(items) => Value::array(items.iter().filter(|item| !item.is_undef()).cloned()),
        Value::Hash(entries) => {
            let kept = entries.iter().filter(|(_, value)| !value.is_undef());
            Value::hash(kept.map(|(key, value)| (key.clone(), value.clone())))
        }
        other => other,
    };
    Ok(format!("{}\n", layout.written(&data)?).into())
}

// ---- Python and Ruby ----

struct Words {
    nothing: &'static str,
    yes: &'static str,
    no: &'static str,
    arrow: &'static str,
}

const PYTHON_WORDS: Words = Words { nothing: "None", yes: "True", no: "False", arrow: ": " };
const RUBY_WORDS: Words = Words { nothing: "nil", yes: "true", no: "false", arrow: " => " };

/// What data cannot say is said as rich data.
fn written_as(call: &mut Invocation<'_, '_>, words: &Words) -> Flow {
    let text = serde_json::to_string(&Rich::for_code(call.arg(0)));
    let text = text.map_err(|error| Fault::new(error.to_string()))?;
    let data = json::load(text.as_bytes()).map_err(|error| Fault::new(error.message))?;
    let mut out = String::new();
    push_words(&mut out, &data, words);
    Ok(out.into())
}

fn push_words(out: &mut String, value: &Value, words: &Words) {
    match value {
        Value::Undef => out.push_str(words.nothing),
        Value::Boolean(truth) => out.push_str(if *truth { words.yes } else { words.no }),
        Value::Array(items) => stack::with_room(|| {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                push_words(out, item, words);
            }
            out.push(']');
        }),
        Value::Hash(entries) => stack::with_room(|| {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                push_words(out, key, words);
                out.push_str(words.arrow);
                push_words(out, value, words);
            }
            out.push('}');
        }),
        other => push_inspect(out, other),
    }
}

// ---- YAML ----

fn to_yaml(call: &mut Invocation<'_, '_>) -> Flow {
    let (data, options) = (call.take(0), call.take(1));
    let options = match options {
        Value::Hash(options) => options,
        _ => Hash::default(),
    };
    let name = call.name();
    if options.get_str("canonical").is_some_and(Value::is_truthy) {
        return Err(call.fault(format!("{name}(): the option 'canonical' is not supported")));
    }
    let mut layout = Layout::default();
    match options.get_str("indentation") {
        Some(Value::Integer(columns)) => layout.step = usize::try_from(*columns).unwrap_or(0),
        None | Some(Value::Undef) => {}
        Some(other) => return Err(call.fault(format!("{name}(): indentation is no number: {}", inspect(other)))),
    }
    if !(2..=9).contains(&layout.step) {
        layout.step = 2;
    }
    match options.get_str("line_width") {
        None | Some(Value::Undef | Value::Integer(0)) => {}
        Some(Value::Integer(width)) if *width < 0 => layout.width = usize::MAX,
        Some(other) => {
            let message = format!("{name}(): the option 'line_width' is -1 or 0 here, and not {}", inspect(other));
            return Err(call.fault(message));
        }
    }
    let text = to_yaml_in(layout, &data);
    let text = text.map_err(|of| call.fault(format!("{name}(): a value of the type {of} is not written as YAML")))?;
    let is_headed = options.get_str("header").is_some_and(Value::is_truthy);
    Ok(if is_headed { format!("%YAML 1.1\n{text}") } else { text }.into())
}

#[cfg(test)]
mod tests {
    use pantin_base::budget::Steps;

    use super::*;

    #[test]
    fn what_stands_around_each_element_takes_steps() {
        let long = || "a".repeat(1_000_000);
        let numbers = Value::array((0..100_000).map(Value::Integer));
        let deep = (0..3_000).fold(numbers.clone(), |inner, _| Value::array([inner, Value::Integer(1)]));
        for (json, value) in [
            (Json { indent: long(), ..Json::plain() }, &numbers),
            (Json { array_end: long(), ..Json::plain() }, &numbers),
            (Json { array_end: long(), object_end: long(), depth: None, ..Json::plain() }, &deep),
            (Json { indent: "  ".to_owned(), depth: None, ..Json::plain() }, &deep),
        ] {
            let steps = Steps::begin(3_000_000);
            let written = json.written(value).unwrap();
            assert!(steps.is_over() && written.len() < 10_000_000, "{}", written.len());
        }
    }
}
