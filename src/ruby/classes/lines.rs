//! The lines of a string: what ends with a line end, with another separator, or with an empty line (a paragraph).

use super::string_parts::{chomps, each};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, by_letters, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::String, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    by_letters("lines", 0, 2, lines),
    method("each_line", 0, 2, |interp, given| {
        let all = interp.send(given.receiver, "lines", given.args)?;
        each(interp, given, all)
    }),
];

/// What lines end with.
enum End<'s> {
    Newline,
    Paragraph,
    Text(&'s str),
}

fn lines(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (text, chomp) = (interp.own_text(given)?, chomps(given));
    let separator = match given.args.first() {
        Some(Value::Nil) => return Ok(Value::array(vec![Value::text(text)])),
        None | Some(Value::Hash(_)) => "\n".to_owned(),
        // Of an empty text Ruby does not look at it.
        Some(_) if text.is_empty() => return Ok(Value::array(Vec::new())),
        Some(separator) => interp.text_arg(separator)?,
    };
    let end = match separator.as_str() {
        "\n" => End::Newline,
        "" => End::Paragraph,
        other => End::Text(other),
    };
    let mut all = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let found = line_end(rest, &end);
        let (length, next) = found.unwrap_or((rest.len(), rest.len()));
        let line = &rest[..length];
        // What is no whole paragraph keeps its end.
        let is_chomped = chomp && (found.is_some() || !matches!(end, End::Paragraph));
        all.push(Value::text(if is_chomped { chomped(line, &end) } else { line }));
        interp.check_texts(all.len())?;
        rest = &rest[next..];
    }
    Ok(Value::array(all))
}

/// Returns how long the first line is, and where the next one begins.
fn line_end(text: &str, end: &End<'_>) -> Option<(usize, usize)> {
    let ends_at = |separator: &str| text.find(separator).map(|at| at + separator.len());
    match end {
        End::Newline => ends_at("\n").map(|at| (at, at)),
        End::Text(separator) => ends_at(separator).map(|at| (at, at)),
        End::Paragraph => {
            let mut from = 0;
            loop {
                from += text[from..].find('\n')? + 1;
                let length = from + newline(&text[from..]);
                if length > from {
                    let mut next = length;
                    while newline(&text[next..]) > 0 {
                        next += newline(&text[next..]);
                    }
                    return Some((length, next));
                }
            }
        }
    }
}

/// Returns how long the line end is that a text begins with.
fn newline(text: &str) -> usize {
    ["\n", "\r\n"].into_iter().find(|end| text.starts_with(end)).map_or(0, str::len)
}

fn chomped<'t>(line: &'t str, end: &End<'_>) -> &'t str {
    match end {
        End::Text(separator) => line.strip_suffix(separator).unwrap_or(line),
        _ => line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n')).unwrap_or(line),
    }
}
