//! CGI: texts escaped for a URL or for HTML, and back.

use std::rc::Rc;

use super::libraries::escaped_html;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::text::{Encoding, Text};
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Cgi, Side::Class, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("escape", 1, 1, |interp, given| {
        let text = interp.text_arg(given.arg(0))?;
        Ok(Value::text(escaped(&text)))
    }),
    method("unescape", 1, 2, |interp, given| {
        let text = interp.text_arg(given.arg(0))?;
        if let Some(encoding) = given.args.get(1)
            && !matches!(interp.text_of(encoding)?.as_str(), "UTF-8" | "utf-8")
        {
            return interp.unsupported("CGI.unescape to another encoding than UTF-8");
        }
        Ok(Value::String(Rc::new(Text::with_encoding(Encoding::Utf8, unescaped(text.as_bytes())))))
    }),
    method("escapeHTML", 1, 1, escape_html),
    method("escape_html", 1, 1, escape_html),
    method("h", 1, 1, escape_html),
    method("unescapeHTML", 1, 1, unescape_html),
    method("unescape_html", 1, 1, unescape_html),
];

fn escape_html(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    Ok(Value::text(escaped_html(&text)))
}

fn unescape_html(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    let (mut out, mut rest) = (String::with_capacity(text.len()), text.as_str());
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let named = rest.find(';').map(|end| &rest[1..end]);
        match named.and_then(meant) {
            Some(letter) => {
                out.push(letter);
                rest = &rest[named.map_or(0, str::len) + 2..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Ok(Value::text(out))
}

/// Returns the letter that stands as this between `&` and `;`.
fn meant(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = match number.strip_prefix(['x', 'X']) {
                Some(digits) => (digits, 16),
                None => (number, 10),
            };
            if !digits.chars().all(|digit| digit.is_digit(radix)) {
                return None;
            }
            // The last letter of all Ruby leaves as it is.
            u32::from_str_radix(digits, radix).ok().filter(|code| *code < 0x0010_ffff).and_then(char::from_u32)?
        }
    })
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            byte if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => out.push(byte as char),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn unescaped(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| text.get(at).and_then(|byte| (*byte as char).to_digit(16));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            _ => {
                out.push(if byte == b'+' { b' ' } else { byte });
                at += 1;
            }
        }
    }
    out
}
