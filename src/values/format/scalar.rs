//! Values without elements, each kind with the letters it knows.

use num_bigint::BigInt;
use pantin_base::inspect::push_symbol;
use pantin_base::names::sentence_case;
use pantin_regex::Options;

use super::spec::Format;
use super::{Indentation, illegal, program};
use crate::{Binary, Fault, Object, Regexp, Type, Uri, Value, sprintf, text};

/// Ruby's `Kernel.format` of a format as written.
fn kernel(format: &Format, value: Value) -> Result<String, Fault> {
    sprintf::format(&format.text, &[value])
}

/// The same with another letter in the place of the format's.
fn kernel_as(format: &Format, from: char, to: &str, value: impl Into<Value>) -> Result<String, Fault> {
    sprintf::format(&format.text.as_str().replace(from, to), &[value.into()])
}

/// Returns a text in its field: width, precision, side.
fn set(format: &Format, text: &str) -> Result<String, Fault> {
    if !format.left && format.width.is_none() && format.precision.is_none() {
        return Ok(text.to_owned());
    }
    let width = format.width.map(|width| width.to_string()).unwrap_or_default();
    let precision = format.precision.map(|precision| format!(".{precision}")).unwrap_or_default();
    sprintf::format(&format!("%{}{width}{precision}s", if format.left { "-" } else { "" }), &[text.into()])
}

fn double_quoted(content: &str) -> String {
    let mut out = String::new();
    text::push_double_quoted(&mut out, content);
    out
}

pub(super) fn undef(format: &Format) -> Result<String, Fault> {
    let (plain, alternate) = match format.letter {
        'n' => ("nil", "null"),
        'u' => ("undef", "undefined"),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => ("NaN", "NaN"),
        'v' => ("n/a", "n/a"),
        'V' => ("N/A", "N/A"),
        's' => ("", "\"\""),
        'p' => ("undef", "\"undef\""),
        letter => return Err(illegal("Undef", letter, "nudxXobBeEfgGaAvVsp")),
    };
    set(format, if format.alternate { alternate } else { plain })
}

pub(super) fn default(format: &Format) -> Result<String, Fault> {
    let (plain, alternate) = match format.letter {
        'd' | 's' | 'p' => ("default", "\"default\""),
        'D' => ("Default", "\"Default\""),
        letter => return Err(illegal("Default", letter, "dDsp")),
    };
    set(format, if format.alternate { alternate } else { plain })
}

pub(super) fn boolean(format: &Format, value: bool) -> Result<String, Fault> {
    let (yes, no) = match format.letter {
        't' => ("true", "false"),
        'T' => ("True", "False"),
        'y' => ("yes", "no"),
        'Y' => ("Yes", "No"),
        's' | 'p' => return set(format, if value { "true" } else { "false" }),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => return kernel(format, i64::from(value).into()),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => return kernel(format, f64::from(u8::from(value)).into()),
        letter => return Err(illegal("Boolean", letter, "tTyYdxXobBeEfgGaAsp")),
    };
    let word = if value { yes } else { no };
    set(format, if format.alternate { &word[..1] } else { word })
}

pub(super) fn integer(format: &Format, value: i64) -> Result<String, Fault> {
    match format.letter {
        'd' | 'p' if format.is_plain() => Ok(value.to_string()),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'p' => kernel(format, value.into()),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => kernel(format, (value as f64).into()),
        'c' => {
            let character = character(value)?;
            let shown = if format.alternate { format!("\"{character}\"") } else { character.to_string() };
            kernel_as(format, 'c', "s", shown)
        }
        's' => kernel_as(format, 's', if format.alternate { "p" } else { "s" }, value.to_string()),
        letter => Err(illegal("Integer", letter, "dxXobBeEfgGaAspc")),
    }
}

/// Beyond 64 bits a number is shown as its decimal digits alone.
pub(super) fn large(format: &Format, value: &BigInt) -> Result<String, Fault> {
    match format.letter {
        'd' | 'p' if format.is_plain() => Ok(value.to_string()),
        's' => kernel_as(format, 's', if format.alternate { "p" } else { "s" }, value.to_string()),
        letter => Err(Fault::limit(format!("The number {value} is too large for the format %{letter}"))),
    }
}

fn character(value: i64) -> Result<char, Fault> {
    let code = u32::try_from(value).map_err(|_| Fault::new("pack(U): value out of range"))?;
    char::from_u32(code).ok_or_else(|| Fault::new("pack(U): value out of range"))
}

pub(super) fn float(format: &Format, value: f64) -> Result<String, Fault> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' | 'p' => {
            kernel(format, value.into())
        }
        's' => {
            let shown = text::display(&value.into());
            kernel(format, if format.alternate { format!("\"{shown}\"").into() } else { Value::String(shown) })
        }
        letter => Err(illegal("Float", letter, "dxXobBeEfgGaAsp")),
    }
}

pub(super) fn string(format: &Format, value: &str) -> Result<String, Fault> {
    let (changed, letter) = match format.letter {
        's' if format.is_plain() => return Ok(value.to_owned()),
        's' => return kernel(format, value.into()),
        'p' if format.alternate => return set(format, &double_quoted(value)),
        'p' => return set(format, &text::quoted(value)),
        'c' => (sentence_case(value), 'c'),
        'C' => (segments(value), 'C'),
        'u' => (value.to_uppercase(), 'u'),
        'd' => (value.to_lowercase(), 'd'),
        't' => (stripped(value).to_owned(), 't'),
        letter => return Err(illegal("String", letter, "cCudspt")),
    };
    if format.alternate {
        return set(format, &text::quoted(&changed));
    }
    kernel_as(format, letter, "s", changed)
}

/// Ruby's `strip`: a NUL goes from the end, too.
fn stripped(text: &str) -> &str {
    let is_space = |character: char| character.is_ascii_whitespace() || character == '\x0b';
    text.trim_start_matches(|character| is_space(character) || character == '\0')
        .trim_end_matches(|character| is_space(character) || character == '\0')
}

/// Each segment of a name; Ruby's `split` forgets empty ones at the end.
fn segments(name: &str) -> String {
    let mut segments: Vec<String> = name.split("::").map(sentence_case).collect();
    while segments.last().is_some_and(String::is_empty) {
        segments.pop();
    }
    segments.join("::")
}

pub(super) fn regexp(format: &Format, value: &Regexp) -> Result<String, Fault> {
    match format.letter {
        'p' => {
            let mut shown = String::new();
            text::push_regexp(&mut shown, value);
            if format.is_plain() { Ok(shown) } else { kernel_as(format, 'p', "s", shown) }
        }
        's' => {
            let mut shown = source_with_options(value);
            if format.alternate {
                shown = text::quoted(&shown);
            }
            if format.is_plain() { Ok(shown) } else { kernel(format, shown.into()) }
        }
        letter => Err(illegal("Regexp", letter, "sp")),
    }
}

fn source_with_options(regexp: &Regexp) -> String {
    let Options { ignore_case, multi_line, extended } = regexp.options();
    if !regexp.has_options() {
        return regexp.source().to_owned();
    }
    let named = |wanted| {
        let flags = [(ignore_case, 'i'), (multi_line, 'm'), (extended, 'x')];
        flags.into_iter().filter(move |flag| flag.0 == wanted).map(|flag| flag.1).collect::<String>()
    };
    let off = named(false);
    let dash = if off.is_empty() { "" } else { "-" };
    format!("(?{}{dash}{off}:{})", named(true), regexp.source())
}

pub(super) fn binary(format: &Format, value: &Binary) -> Result<String, Fault> {
    let letter = format.letter;
    let shown: Value = match letter {
        's' => match std::str::from_utf8(value.bytes()) {
            Ok(text) => text.into(),
            Err(_) => return Err(Fault::new("\"\\xFF\" from ASCII-8BIT to UTF-8")),
        },
        'p' => return Ok(format!("Binary(\"{}\")", kernel_as(format, 'p', "s", value.to_string())?)),
        'b' => relaxed(&value.to_string()).into(),
        'B' => value.to_string().into(),
        'u' => value.to_string().replace('+', "-").replace('/', "_").into(),
        't' => "Binary".into(),
        'T' => "BINARY".into(),
        letter => return Err(illegal("Binary", letter, "bButTsp")),
    };
    kernel_as(format, letter, if format.alternate { "p" } else { "s" }, shown)
}

/// In lines of 60 characters, each with its end.
fn relaxed(base64: &str) -> String {
    let lines = base64.as_bytes().chunks(60).map(|line| String::from_utf8_lossy(line));
    lines.fold(String::new(), |out, line| out + &line + "\n")
}

pub(super) fn kind(format: &Format, value: &Type) -> Result<String, Fault> {
    match format.letter {
        's' if format.alternate => kernel(format, format!("\"{value}\"").into()),
        's' => kernel(format, value.to_string().into()),
        'p' => kernel_as(format, 'p', "s", value.to_string()),
        letter => Err(illegal("Type", letter, "sp")),
    }
}

pub(super) fn uri(format: &Format, value: &Uri) -> Result<String, Fault> {
    let shown = value.to_string();
    match format.letter {
        'p' => {
            let mut out = String::new();
            program::push_uri(&mut out, &shown);
            Ok(out)
        }
        's' if format.alternate => kernel(format, text::quoted(&shown).into()),
        's' => kernel(format, shown.into()),
        letter => Err(illegal("URI", letter, "sp")),
    }
}

pub(super) fn object(format: &Format, value: &Object, indentation: Indentation) -> Result<String, Fault> {
    let indentation = indentation.activated(format.alternate);
    let mut out = String::new();
    match format.letter {
        'p' => program::push_object(&mut out, value, indentation.active.then_some(indentation.level)),
        _ => program::push_object(&mut out, value, None),
    }
    Ok(out)
}

/// Returns a time or a span by one of the letters of numbers: its seconds.
pub(super) fn seconds(format: &Format, whole: i64, seconds: f64, value: &Value) -> Result<String, Fault> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'c' => kernel(format, Value::Integer(whole)),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => kernel(format, Value::Float(seconds)),
        _ => kernel(format, value.clone()),
    }
}

/// Returns a symbol of Ruby's, which has no flags.
pub(super) fn symbol(format: &Format, name: &str) -> Result<String, Fault> {
    let mut out = String::new();
    match format.letter {
        's' => out.push_str(name),
        'p' => text::push_quoted(&mut out, name),
        'q' => push_symbol(&mut out, name),
        letter => return Err(illegal("Runtime", letter, "spq")),
    }
    Ok(out)
}

/// Whatever has no letters of its own: as Ruby's `Kernel.format` shows it.
pub(super) fn other(format: &Format, value: &Value) -> Result<String, Fault> {
    kernel(format, value.clone())
}
