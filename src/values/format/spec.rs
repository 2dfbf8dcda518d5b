//! One format as it is written, and maps from types to formats.

use std::sync::{Arc, LazyLock};

use crate::{Fault, Str, Type, Value, types};

/// `%[flags][width][.precision]letter`, and for a container how its elements are set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Format {
    /// As written.
    pub(super) text: Str,
    pub(super) letter: char,
    pub(super) alternate: bool,
    pub(super) left: bool,
    /// A blank among the flags: no delimiters, unless there is a flag for them.
    pub(super) blank: bool,
    pub(super) delimiter: Option<char>,
    pub(super) width: Option<u64>,
    pub(super) precision: Option<u64>,
    pub(super) separator: Option<Str>,
    pub(super) separator2: Option<Str>,
    pub(super) elements: Option<Arc<FormatMap>>,
}

pub(super) type FormatMap = Vec<(Type, Format)>;

const DELIMITERS: [char; 5] = ['[', '{', '(', '<', '|'];

impl Format {
    pub(super) fn parse(text: &str) -> Result<Format, Fault> {
        let Some((flags, width, precision, letter)) = lines(text).find_map(split) else {
            return Err(Fault::new(format!(
                "The format '{text}' is not a valid format on the form '%<flags><width>.<prec><format>'"
            )));
        };
        if flags.char_indices().any(|(at, flag)| flags[..at].contains(flag)) {
            return Err(Fault::new(format!("The same flag can only be used once, got '{text}'")));
        }
        let mut delimiters = DELIMITERS.into_iter().filter(|&delimiter| flags.contains(delimiter));
        let delimiter = delimiters.next();
        if delimiters.next().is_some() {
            return Err(Fault::new(format!(
                "Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'"
            )));
        }
        Ok(Format {
            text: text.into(),
            letter,
            alternate: flags.contains('#'),
            left: flags.contains('-'),
            blank: flags.contains(' '),
            delimiter,
            width,
            precision,
            separator: None,
            separator2: None,
            elements: None,
        })
    }

    fn known(text: &'static str, letter: char) -> Format {
        Format {
            text: text.into(),
            letter,
            alternate: false,
            left: false,
            blank: false,
            delimiter: None,
            width: None,
            precision: None,
            separator: None,
            separator2: None,
            elements: None,
        }
    }

    /// Returns true if it says nothing but its letter.
    pub(super) fn is_plain(&self) -> bool {
        self.text.len() == 2
    }

    pub(super) fn delimiters(&self, default: (&'static str, &'static str)) -> (&'static str, &'static str) {
        match self.delimiter {
            Some('[') => ("[", "]"),
            Some('{') => ("{", "}"),
            Some('(') => ("(", ")"),
            Some('<') => ("<", ">"),
            Some(_) => ("|", "|"),
            None if self.blank => ("", ""),
            None => default,
        }
    }

    /// `higher` decides; what it does not say is as in `self`.
    fn merged(&self, higher: &Format) -> Format {
        let mut merged = higher.clone();
        merged.separator = higher.separator.clone().or_else(|| self.separator.clone());
        merged.separator2 = higher.separator2.clone().or_else(|| self.separator2.clone());
        merged.elements = match (&self.elements, &higher.elements) {
            (Some(lower), Some(higher)) => Some(Arc::new(merge(lower, higher))),
            (lower, higher) => higher.clone().or_else(|| lower.clone()),
        };
        merged
    }
}

/// Where a line starts: a format may be one line among others.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    starts.map(|start| &text[start..])
}

type Split<'a> = (&'a str, Option<u64>, Option<u64>, char);

fn split(text: &str) -> Option<Split<'_>> {
    let rest = text.strip_prefix('%')?;
    let is_flag = |character: char| {
        matches!(character, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r' | '+' | '#' | '0' | '-')
            || DELIMITERS.contains(&character)
    };
    let end = rest.find(|character| !is_flag(character))?;
    let (flags, rest) = rest.split_at(end);
    let (width, rest) = digits(rest);
    let (precision, rest) = match rest.strip_prefix('.') {
        Some(rest) => match digits(rest) {
            (None, _) => return None,
            read => read,
        },
        None => (None, rest),
    };
    let mut characters = rest.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    matches!(characters.next(), None | Some('\n')).then_some((flags, width, precision, letter))
}

fn digits(text: &str) -> (Option<u64>, &str) {
    let (digits, rest) = text.split_at(text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len()));
    // More than 64 bits hold is too much for whoever sets the field, and said there.
    ((!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX)), rest)
}

/// The formats that are used where none are given.
pub(super) struct Defaults {
    pub(super) object: Format,
    pub(super) float: Format,
    pub(super) number: Format,
    pub(super) array: Format,
    pub(super) hash: Format,
    pub(super) binary: Format,
    pub(super) other: Format,
    /// Of what is in a container.
    pub(super) element: Format,
}

pub(super) static DEFAULTS: LazyLock<Defaults> = LazyLock::new(|| {
    let element = Format::known("%p", 'p');
    let container = |text, letter, separator2: &'static str| Format {
        separator: Some(", ".into()),
        separator2: Some(separator2.into()),
        elements: Some(Arc::new(vec![(Type::Any, element.clone())])),
        ..Format::known(text, letter)
    };
    Defaults {
        object: Format::known("%p", 'p'),
        float: Format::known("%f", 'f'),
        number: Format::known("%d", 'd'),
        array: container("%a", 'a', ", "),
        hash: container("%h", 'h', " => "),
        binary: Format::known("%B", 'B'),
        other: Format::known("%s", 's'),
        element: element.clone(),
    }
});

/// The same as a map from types, to be merged with what a call says.
static DEFAULT_MAP: LazyLock<FormatMap> = LazyLock::new(|| {
    let defaults = &*DEFAULTS;
    vec![
        (types::built_in_type("Object").unwrap_or(Type::Any), defaults.object.clone()),
        (Type::FLOAT, defaults.float.clone()),
        (Type::Numeric, defaults.number.clone()),
        (Type::any_array(), defaults.array.clone()),
        (Type::any_hash(), defaults.hash.clone()),
        (Type::Binary, defaults.binary.clone()),
        (Type::Any, defaults.other.clone()),
    ]
});

/// Returns a map as a call gives it, over the defaults.
pub(super) fn over_defaults(given: &FormatMap) -> FormatMap {
    merge(&DEFAULT_MAP, given)
}

/// Returns a map from types to texts or hashes that describe containers.
pub(super) fn read_map(given: &Value) -> Result<FormatMap, Fault> {
    let Value::Hash(entries) = given else {
        let kind = Type::reduced(given);
        return Err(Fault::new(format!("expected a hash with type to format mappings, got instance of '{kind}'")));
    };
    entries
        .iter()
        .map(|(key, value)| match (key, value) {
            (Value::Type(kind), Value::Hash(_)) => Ok((kind.clone(), read_container(value)?)),
            (Value::Type(kind), Value::String(text)) => Ok((kind.clone(), Format::parse(text)?)),
            (Value::Type(_), _) => Err(no_format(value)),
            _ => Err(Fault::new(format!(
                "top level keys in the format hash must be data types, got instance of '{}'",
                Type::reduced(key)
            ))),
        })
        .collect()
}

fn no_format(value: &Value) -> Fault {
    Fault::new(format!("a format must be a String, got {}", Type::reduced(value).simple_name()))
}

fn read_container(given: &Value) -> Result<Format, Fault> {
    let Value::Hash(parts) = given else { return Err(no_format(given)) };
    let text = |name| match parts.get_str(name) {
        None | Some(Value::Undef) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(no_format(other)),
    };
    let mut format = match text("format")? {
        Some(text) => Format::parse(&text)?,
        None => return Err(Fault::new("no implicit conversion of nil into String")),
    };
    format.separator = text("separator")?;
    format.separator2 = text("separator2")?;
    format.elements = match parts.get_str("string_formats") {
        None | Some(Value::Undef) => None,
        Some(given) => Some(Arc::new(read_map(given)?)),
    };
    Ok(format)
}

fn merge(lower: &FormatMap, higher: &FormatMap) -> FormatMap {
    // What is said for a wider type wins over what is known of a narrower one.
    let is_hidden = |kind: &Type| higher.iter().any(|(wider, _)| wider != kind && wider.assignable(kind));
    let of =
        |map: &FormatMap, kind: &Type| map.iter().find(|(known, _)| known == kind).map(|(_, format)| format.clone());
    let mut merged: FormatMap = Vec::with_capacity(lower.len() + higher.len());
    for (kind, format) in lower.iter().filter(|(kind, _)| !is_hidden(kind)) {
        let format = of(higher, kind).map_or_else(|| format.clone(), |over| format.merged(&over));
        merged.push((kind.clone(), format));
    }
    for (kind, format) in higher {
        if !merged.iter().any(|(known, _)| known == kind) {
            merged.push((kind.clone(), format.clone()));
        }
    }
    sort(merged)
}

/// Returns the most specific first. The order that this compares by is not transitive, so the steps of the sort decide:
/// they are those of the C library's merge sort, which Ruby uses.
fn sort(mut map: FormatMap) -> FormatMap {
    if map.len() < 2 {
        return map;
    }
    let second = sort(map.split_off(map.len() / 2));
    let mut first = sort(map).into_iter().peekable();
    let mut second = second.into_iter().peekable();
    let mut sorted = Vec::new();
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        let take_first = goes_before(&a.0, &b.0);
        sorted.extend(if take_first { first.next() } else { second.next() });
    }
    sorted.extend(first);
    sorted.extend(second);
    sorted
}

fn goes_before(a: &Type, b: &Type) -> bool {
    match (b.assignable(a), a.assignable(b)) {
        _ if a == b => true,
        (true, false) => true,
        (false, true) => false,
        _ => match (rank(a), rank(b)) {
            (0, _) | (_, 0) => a.to_string() <= b.to_string(),
            (a, b) => a <= b,
        },
    }
}

fn rank(kind: &Type) -> u8 {
    match kind {
        Type::Struct(_) => 1,
        Type::Hash(_) => 2,
        Type::Tuple(_) => 3,
        Type::Array(_) => 4,
        Type::Pattern(_) => 10,
        Type::Enum(_) => 11,
        Type::String(_) | Type::StringValue(_) => 12,
        _ => 0,
    }
}
