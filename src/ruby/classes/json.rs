//! JSON.

use pantin_values::data::json;

use crate::border;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Json, Side::Class, JSON), (Core::Kernel, Side::Instance, ON_ALL)];

const JSON: &[NativeMethod] = &[
    method("parse", 1, 2, parse),
    method("parse!", 1, 2, parse),
    method("[]", 1, 2, |interp, given| match given.arg(0) {
        Value::String(_) => parse(interp, given),
        value => generated(interp, value, Style::default(), given.arg(1)),
    }),
    method("load", 1, 3, |interp, given| if given.arg(0).is_nil() { Ok(Value::Nil) } else { parse(interp, given) }),
    method("generate", 1, 2, |interp, given| generated(interp, given.arg(0), Style::default(), given.arg(1))),
    method("dump", 1, 3, |interp, given| match given.args {
        [value] => {
            generated(interp, value, Style { allows_nan: true, max_nesting: 0, ..Style::default() }, &Value::Nil)
        }
        _ => interp.unsupported("JSON.dump to an object, or with a limit"),
    }),
    method("pretty_generate", 1, 2, |interp, given| {
        let style = Style {
            indent: "  ".to_owned(),
            space: " ".to_owned(),
            object_line: "\n".to_owned(),
            array_line: "\n".to_owned(),
            ..Style::default()
        };
        generated(interp, given.arg(0), style, given.arg(1))
    }),
];

const ON_ALL: &[NativeMethod] =
    &[method("to_json", 0, ANY, |interp, given| generated(interp, given.receiver, Style::default(), given.arg(0)))];

/// How JSON is laid out.
struct Style {
    indent: String,
    space: String,
    space_before: String,
    object_line: String,
    array_line: String,
    max_nesting: i64,
    allows_nan: bool,
    ascii_only: bool,
    escape_slash: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            indent: String::new(),
            space: String::new(),
            space_before: String::new(),
            object_line: String::new(),
            array_line: String::new(),
            max_nesting: 100,
            allows_nan: false,
            ascii_only: false,
            escape_slash: false,
        }
    }
}

impl Style {
    /// The options of a call; those that JSON does not know are none.
    fn set(&mut self, interp: &mut Interp<'_>, options: &Value) -> Flow<()> {
        let options = match options {
            Value::Nil => return Ok(()),
            Value::Hash(options) => options,
            other => {
                let of = interp.conversion_name(other);
                return interp.raise(Core::TypeError, format!("can't convert {of} into Hash"));
            }
        };
        let texts = [
            ("indent", &mut self.indent),
            ("space", &mut self.space),
            ("space_before", &mut self.space_before),
            ("object_nl", &mut self.object_line),
            ("array_nl", &mut self.array_line),
        ];
        for (name, text) in texts {
            if let Some(value) = options.get_symbol(name) {
                *text = interp.text_arg(&value)?;
            }
        }
        if let Some(most) = options.get_symbol("max_nesting") {
            self.max_nesting = if most.is_truthy() { interp.int_arg(&most)? } else { 0 };
        }
        let is_on = |name: &str| options.get_symbol(name).is_some_and(|wanted| wanted.is_truthy());
        self.allows_nan |= is_on("allow_nan");
        self.ascii_only = is_on("ascii_only");
        self.escape_slash = is_on("escape_slash");
        if is_on("depth") {
            return interp.unsupported("the option depth of JSON");
        }
        Ok(())
    }
}

fn parse(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    let is_on = |name: &str| match given.args.get(1) {
        Some(Value::Hash(options)) => options.get_symbol(name).is_some_and(|wanted| wanted.is_truthy()),
        _ => false,
    };
    if is_on("symbolize_names") && is_on("create_additions") {
        let message = "options :symbolize_names and :create_additions cannot be  used in conjunction";
        return interp.raise(Core::ArgumentError, message);
    }
    // Whose objects are made of what says so.
    if is_on("create_additions") && text.contains("json_class") {
        return interp.unsupported("JSON that is read with the option create_additions");
    }
    if let Some(Value::Hash(options)) = given.args.get(1) {
        for option in ["object_class", "array_class", "decimal_class"] {
            let is_default =
                |value: &Value| matches!(value, Value::Class(class) if class.is(Core::Hash) || class.is(Core::Array));
            if options.get_symbol(option).is_some_and(|value| value.is_truthy() && !is_default(&value)) {
                return interp.unsupported(format!("JSON that is read with the option {option}"));
            }
        }
    }
    let load = if is_on("allow_nan") { json::load_with_nan } else { json::load };
    match load(text.as_bytes()) {
        Ok(value) => {
            let value = border::inward(&value);
            Ok(if is_on("symbolize_names") { symbolized(&value) } else { value })
        }
        Err(error) => interp.raise(Core::JsonParserError, error.message),
    }
}

pub(super) fn symbolized(value: &Value) -> Value {
    match value {
        Value::Array(list) => Value::array(list.items.borrow().iter().map(symbolized).collect()),
        Value::Hash(table) => Value::hash(HashTable::from_pairs(table.pairs().into_iter().map(|(key, value)| {
            let key = match &key {
                Value::String(text) => text.as_str().map_or(Value::Nil, |text| Value::symbol(&text)),
                _ => key.clone(),
            };
            (key, symbolized(&value))
        }))),
        other => other.clone(),
    }
}

fn generated(interp: &mut Interp<'_>, value: &Value, mut style: Style, options: &Value) -> Flow {
    style.set(interp, options)?;
    let mut out = String::new();
    push(interp, &mut out, value, &style, 0)?;
    Ok(Value::text(out))
}

fn push(interp: &mut Interp<'_>, out: &mut String, value: &Value, style: &Style, depth: usize) -> Flow<()> {
    interp.check_bytes(out.len())?;
    match value {
        Value::Nil => out.push_str("null"),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => out.push_str(&interp.text_of(value)?),
        Value::Float(number) if number.is_finite() || style.allows_nan => out.push_str(&interp.text_of(value)?),
        Value::Float(number) => {
            let shown = interp.text_of(value)?;
            // The number is of a line of the library's own source.
            let line = if number.is_nan() { 1003 } else { 1000 };
            return interp.raise(Core::JsonGeneratorError, format!("{line}: {shown} not allowed in JSON"));
        }
        Value::Array(list) => {
            let items = list.items.borrow().clone();
            check_nesting(interp, style, depth)?;
            interp.deeper(|interp| {
                out.push('[');
                out.push_str(&style.array_line);
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                        out.push_str(&style.array_line);
                    }
                    push_indent(out, style, depth + 1);
                    push(interp, out, item, style, depth + 1)?;
                }
                push_end(out, style, &style.array_line, depth);
                out.push(']');
                Ok(())
            })?;
        }
        Value::Hash(table) => {
            let pairs = table.pairs();
            check_nesting(interp, style, depth)?;
            interp.deeper(|interp| {
                out.push('{');
                for (at, (key, value)) in pairs.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    out.push_str(&style.object_line);
                    push_indent(out, style, depth + 1);
                    push_text(out, &interp.text_of(key)?, style);
                    out.push_str(&style.space_before);
                    out.push(':');
                    out.push_str(&style.space);
                    push(interp, out, value, style, depth + 1)?;
                }
                push_end(out, style, &style.object_line, depth);
                out.push('}');
                Ok(())
            })?;
        }
        Value::Object(_) if interp.method_of(value, "to_json").is_some_and(|method| method.is_own()) => {
            if depth > 0 && !style.array_line.is_empty() {
                return interp.unsupported("an object with a to_json of its own, laid out");
            }
            let text = interp.send(value, "to_json", &[Value::Nil])?;
            out.push_str(&interp.text_of(&text)?);
        }
        other => push_text(out, &interp.text_of(other)?, style),
    }
    Ok(())
}

fn check_nesting(interp: &mut Interp<'_>, style: &Style, depth: usize) -> Flow<()> {
    let inner = depth as i64 + 1;
    if style.max_nesting != 0 && inner > style.max_nesting {
        return interp.raise(Core::JsonNestingError, format!("nesting of {depth} is too deep"));
    }
    Ok(())
}

fn push_indent(out: &mut String, style: &Style, depth: usize) {
    out.extend(std::iter::repeat_n(style.indent.as_str(), depth));
}

/// Before the bracket that closes: it stands on a line of its own where its elements do.
fn push_end(out: &mut String, style: &Style, line: &str, depth: usize) {
    if !line.is_empty() {
        out.push_str(line);
        push_indent(out, style, depth);
    }
}

fn push_text(out: &mut String, text: &str, style: &Style) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '/' if style.escape_slash => out.push_str("\\/"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if u32::from(control) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other if style.ascii_only && !other.is_ascii() => {
                other.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
