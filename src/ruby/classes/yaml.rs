//! YAML, read and written.

use pantin_values::data::yaml::{
    Layout, Options, Symbols, Wrong, first_alias, load_or_say, to_yaml_in, unknown_alias, unspecified_class,
};

use super::json::symbolized;
use crate::border;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[
    (
        Core::Kernel,
        Side::Instance,
        &[method("to_yaml", 0, 1, |interp, given| written(interp, given.receiver, given.args.first()))],
    ),
    (
        Core::Psych,
        Side::Class,
        &[
            method("dump", 1, 2, |interp, given| written(interp, given.arg(0), given.args.get(1))),
            method("load", 1, 2, |interp, given| {
                let text = interp.text_arg(given.arg(0))?;
                read(interp, given, &text, UNKNOWN, true)
            }),
            method("safe_load", 1, 2, |interp, given| {
                let text = interp.text_arg(given.arg(0))?;
                read(interp, given, &text, UNKNOWN, false)
            }),
            method("load_file", 1, 2, |interp, given| read_file(interp, given, true)),
            method("safe_load_file", 1, 2, |interp, given| read_file(interp, given, false)),
        ],
    ),
];

/// What Ruby calls a text that is of no file.
const UNKNOWN: &str = "<unknown>";

fn read_file(interp: &mut Interp<'_>, given: &CallArguments<'_>, symbols: bool) -> Flow {
    let text = interp.file_text(given.arg(0))?;
    let text = interp.text_arg(&text)?;
    let name = interp.path_arg(given.arg(0))?;
    read(interp, given, &text, &name, symbols)
}

/// Of classes that options allow, symbols and regular expressions are read, and no other objects of Ruby.
fn read(interp: &mut Interp<'_>, given: &CallArguments<'_>, text: &str, name: &str, mut symbols: bool) -> Flow {
    let (mut named_by_symbols, mut regexps, mut aliases) = (false, false, false);
    let mut name = name.to_owned();
    if let Some(Value::Hash(options)) = given.args.get(1) {
        let is_on = |name: &str| options.get_symbol(name).is_some_and(|wanted| wanted.is_truthy());
        named_by_symbols = is_on("symbolize_names");
        aliases = is_on("aliases");
        if let Some(file) = options.get_symbol("filename").filter(|file| !file.is_nil()) {
            name = interp.text_of(&file)?;
        }
        if let Some(classes) = options.get_symbol("permitted_classes") {
            symbols = false;
            for class in interp.array_arg(&classes)? {
                let class = interp.text_of(&class)?;
                symbols |= class == "Symbol";
                regexps |= class == "Regexp";
            }
        }
    }
    let symbols = if symbols { Symbols::Kept } else { Symbols::Refused };
    let options = Options { symbols, regexps, ..Options::default() };
    let read = match first_alias(text.as_bytes()).filter(|_| !aliases) {
        Some(alias) => Err(Wrong::Alias(alias)),
        None => load_or_say(text.as_bytes(), &name, options),
    };
    match read {
        Ok(value) if value.holds(|value| matches!(value, pantin_values::Value::Binary(_))) => {
            interp.unsupported("a document of YAML with bytes that are no text")
        }
        Ok(value) => {
            let value = border::inward(&value);
            Ok(if named_by_symbols { symbolized(&value) } else { value })
        }
        Err(Wrong::Syntax(error)) => interp.raise(Core::PsychSyntaxError, error.message),
        Err(Wrong::Alias(alias)) => interp.raise(Core::PsychBadAlias, unknown_alias(&alias)),
        Err(Wrong::Class(class)) => interp.raise(Core::PsychDisallowedClass, unspecified_class(&class)),
        Err(Wrong::Else(error)) => {
            interp.unsupported(format!("a document of YAML that is not read ({}),", error.message))
        }
    }
}

fn written(interp: &mut Interp<'_>, value: &Value, options: Option<&Value>) -> Flow {
    let Written { layout, longest, has_header } = layout(interp, options)?;
    let value = interp.settle(value.clone())?;
    if longest.is_some_and(|longest| is_longer(&value, longest)) {
        return interp.unsupported("YAML of a text that is longer than its lines are to be");
    }
    if let Some(of) = not_plain(interp, &value) {
        return interp.unsupported(format!("YAML of {of}"));
    }
    let value = interp.leaving(&value)?;
    match to_yaml_in(layout, &value) {
        Ok(text) => Ok(Value::text(if has_header { format!("%YAML 1.1\n{text}") } else { text })),
        Err(of) => interp.unsupported(format!("YAML of a value of the type {of}")),
    }
}

/// How it is to be laid out.
#[derive(Default)]
struct Written {
    layout: Layout,
    /// Longer texts are folded.
    longest: Option<usize>,
    /// Whether the version stands above.
    has_header: bool,
}

fn is_longer(value: &Value, longest: usize) -> bool {
    pantin_base::stack::with_room(|| match value {
        Value::String(text) => text.as_str().is_none_or(|text| text.chars().count() > longest),
        Value::Array(list) => list.items.borrow().iter().any(|item| is_longer(item, longest)),
        Value::Hash(table) => {
            table.pairs().iter().any(|(key, value)| is_longer(key, longest) || is_longer(value, longest))
        }
        _ => false,
    })
}

fn layout(interp: &mut Interp<'_>, options: Option<&Value>) -> Flow<Written> {
    let (mut layout, mut longest) = (Layout::default(), None);
    let options = match options {
        None | Some(Value::Nil) => return Ok(Written::default()),
        Some(Value::Hash(options)) => options,
        Some(_) => return interp.unsupported("YAML that is written into an object"),
    };
    let is_on = |name: &str| options.get_symbol(name).is_some_and(|wanted| wanted.is_truthy());
    for other in ["canonical", "version", "stringify_names"] {
        if is_on(other) {
            return interp.unsupported(format!("the option {other} of YAML"));
        }
    }
    if let Some(step) = options.get_symbol("indentation") {
        layout.step = usize::try_from(interp.int_arg(&step)?).ok().filter(|step| (2..10).contains(step)).unwrap_or(2);
    }
    if let Some(width) = options.get_symbol("line_width") {
        longest = usize::try_from(interp.int_arg(&width)?).ok();
        layout.width = match longest {
            None => usize::MAX,
            Some(width) if width <= 2 * layout.step => layout.width,
            Some(width) => width,
        };
    }
    Ok(Written { layout, longest, has_header: is_on("header") })
}

/// Something that Ruby would write with a tag of its own.
fn not_plain(interp: &Interp<'_>, value: &Value) -> Option<String> {
    pantin_base::stack::with_room(|| match value {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::String(_) | Value::View(_) => None,
        Value::Symbol(name) if is_plain_name(name) => None,
        Value::Symbol(name) => Some(format!("the symbol {name:?}")),
        Value::Array(list) => list.items.borrow().iter().find_map(|item| not_plain(interp, item)),
        Value::Hash(table) => {
            table.pairs().iter().find_map(|(key, value)| not_plain(interp, key).or_else(|| not_plain(interp, value)))
        }
        other => Some(format!("a {}", interp.class_name_of(other))),
    })
}

fn is_plain_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_?!-./".contains(&byte);
    // To Puppet `:undef` is no symbol.
    !matches!(name, "" | "undef") && name.bytes().all(is_letter)
}
