//! `URI::DEFAULT_PARSER`: the regular expression of addresses, and what of an address is escaped.

use std::sync::Arc;

use pantin_values::Regexp;
use pantin_values::regex::Options;

use super::uri::parse;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Uri, Side::Class, &[method("regexp", 0, 1, make_regexp)]),
    (Core::UriParser, Side::Class, &[method("new", 0, 0, |_, _| Ok(parser()))]),
    (Core::UriParser, Side::Instance, METHODS),
];

const METHODS: &[NativeMethod] = &[
    method("make_regexp", 0, 1, make_regexp),
    method("parse", 1, 1, parse),
    method("escape", 1, 1, |interp, given| Ok(Value::text(escape(&interp.text_arg(given.arg(0))?)))),
    method("unescape", 1, 1, |interp, given| {
        let text = interp.text_arg(given.arg(0))?;
        match String::from_utf8(unescape(&text)) {
            Ok(text) => Ok(Value::text(text)),
            Err(_) => interp.unsupported("URI::DEFAULT_PARSER.unescape of bytes that are no UTF-8"),
        }
    }),
];

pub(super) fn constant(path: &str) -> Option<Value> {
    (path == "URI::DEFAULT_PARSER").then(parser)
}

fn parser() -> Value {
    Value::object(Core::UriParser.class(), Data::None)
}

/// The expression of an absolute address, as RFC 2396 has it; with schemes, of one with any of these.
fn make_regexp(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let pattern = include_str!("uri_pattern.txt");
    let source = match given.arg(0) {
        Value::Nil => pattern.to_owned(),
        schemes => {
            let schemes = match schemes {
                Value::Array(_) => interp.array_arg(schemes)?,
                one => vec![one.clone()],
            };
            let union = interp.send(&Value::Class(Core::Regexp.class()), "union", &schemes)?;
            let union = interp.send(&union, "to_s", &[])?;
            format!("(?={}:){pattern}", interp.text_of(&union)?)
        }
    };
    Ok(Value::Regex(Arc::new(Regexp::new(source, Options { extended: true, ..Options::default() }))))
}

/// Escapes every byte of what may not stand in an address.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            letter if letter.is_ascii_alphanumeric() || "-_.!~*'();/?:@&=+$,[]".contains(letter) => out.push(letter),
            letter => {
                let mut bytes = [0; 4];
                letter.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            }
        }
    }
    out
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let digit = |place: usize| char::from(*behind.get(place)?).to_digit(16);
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                rest = &behind[2..];
            }
            _ => {
                out.push(first);
                rest = behind;
            }
        }
    }
    out
}
