//! Libraries that ship with Ruby: Base64, ERB::Util, Shellwords.

use std::rc::Rc;

use super::packing::{decode_any_base64, decode_base64};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[
    (Core::Base64, Side::Class, BASE64),
    (Core::ErbUtil, Side::Class, ERB_UTIL),
    (Core::Shellwords, Side::Class, SHELLWORDS),
    (Core::String, Side::Instance, ON_TEXTS),
    (Core::Array, Side::Instance, ON_LISTS),
];

const BASE64: &[NativeMethod] = &[
    method("strict_encode64", 1, 1, |interp, given| {
        Ok(Value::text(encoded(&bytes_of(interp, given.arg(0))?, STANDARD)))
    }),
    method("encode64", 1, 1, |interp, given| {
        let text = encoded(&bytes_of(interp, given.arg(0))?, STANDARD);
        let lines: Vec<&str> = text.as_bytes().chunks(60).filter_map(|line| std::str::from_utf8(line).ok()).collect();
        Ok(Value::text(lines.iter().map(|line| format!("{line}\n")).collect::<String>()))
    }),
    method("urlsafe_encode64", 1, 2, |interp, given| {
        let text = encoded(&bytes_of(interp, given.arg(0))?, URL_SAFE);
        let padding = match given.arg(1) {
            Value::Hash(options) => options.get_symbol("padding").is_none_or(|padding| padding.is_truthy()),
            _ => true,
        };
        Ok(Value::text(if padding { text } else { text.trim_end_matches('=').to_owned() }))
    }),
    method("strict_decode64", 1, 1, |interp, given| {
        let bytes = bytes_of(interp, given.arg(0))?;
        decoded(interp, decode_base64(&bytes))
    }),
    method("decode64", 1, 1, |interp, given| {
        let bytes = bytes_of(interp, given.arg(0))?;
        decoded(interp, Some(decode_any_base64(&bytes)))
    }),
    method("urlsafe_decode64", 1, 1, |interp, given| {
        let bytes = bytes_of(interp, given.arg(0))?;
        decoded(interp, of_url_safe(bytes))
    }),
];

const ERB_UTIL: &[NativeMethod] = &[
    method("html_escape", 1, 1, html_escape),
    method("h", 1, 1, html_escape),
    method("url_encode", 1, 1, url_encode),
    method("u", 1, 1, url_encode),
];

const SHELLWORDS: &[NativeMethod] = &[
    method("escape", 1, 1, |interp, given| Ok(Value::text(shell_escaped(&interp.text_of(given.arg(0))?)))),
    method("shellescape", 1, 1, |interp, given| Ok(Value::text(shell_escaped(&interp.text_of(given.arg(0))?)))),
    method("join", 1, 1, |interp, given| shell_joined(interp, given.arg(0))),
    method("shelljoin", 1, 1, |interp, given| shell_joined(interp, given.arg(0))),
    method("split", 1, 1, |interp, given| shell_split(interp, given.arg(0))),
    method("shellsplit", 1, 1, |interp, given| shell_split(interp, given.arg(0))),
    method("shellwords", 1, 1, |interp, given| shell_split(interp, given.arg(0))),
];

const ON_TEXTS: &[NativeMethod] = &[
    method("shellescape", 0, 0, |interp, given| {
        interp.check_required("shellwords", given)?;
        Ok(Value::text(shell_escaped(&interp.own_text(given)?)))
    }),
    method("shellsplit", 0, 0, |interp, given| {
        interp.check_required("shellwords", given)?;
        shell_split(interp, given.receiver)
    }),
];

const ON_LISTS: &[NativeMethod] = &[method("shelljoin", 0, 0, |interp, given| {
    interp.check_required("shellwords", given)?;
    shell_joined(interp, given.receiver)
})];

pub(super) fn bytes_of(interp: &mut Interp<'_>, value: &Value) -> Flow<Vec<u8>> {
    match value {
        Value::String(text) => Ok(text.bytes().to_vec()),
        other => interp.text_arg(other).map(String::into_bytes),
    }
}

// ---- Base64 ----

pub(super) const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
pub(super) const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(super) fn encoded(bytes: &[u8], letters: &[u8; 64]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = u32::from(chunk[0]) << 16
            | u32::from(chunk.get(1).copied().unwrap_or(0)) << 8
            | u32::from(chunk.get(2).copied().unwrap_or(0));
        for place in 0..4 {
            let letter = letters[(group >> (18 - 6 * place)) as usize & 63];
            text.push(if place > chunk.len() { '=' } else { letter as char });
        }
    }
    text
}

fn decoded(interp: &mut Interp<'_>, bytes: Option<Vec<u8>>) -> Flow {
    match bytes {
        Some(bytes) => Ok(Value::String(Rc::new(Text::binary(bytes)))),
        None => interp.raise(Core::ArgumentError, "invalid base64"),
    }
}

/// What is not filled up to a whole group is taken too.
fn of_url_safe(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    if !bytes.ends_with(b"=") {
        bytes.resize(bytes.len().next_multiple_of(4), b'=');
    }
    for letter in &mut bytes {
        match letter {
            b'-' => *letter = b'+',
            b'_' => *letter = b'/',
            _ => {}
        }
    }
    decode_base64(&bytes)
}

// ---- ERB::Util ----

fn html_escape(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_of(given.arg(0))?;
    Ok(Value::text(escaped_html(&text)))
}

pub(super) fn escaped_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

fn url_encode(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_of(given.arg(0))?;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~') {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    Ok(Value::text(out))
}

// ---- Shellwords ----

fn shell_escaped(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("'\n'"),
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' | '.' | ',' | ':' | '+' | '/' | '@' => out.push(letter),
            other => out.extend(['\\', other]),
        }
    }
    out
}

fn shell_joined(interp: &mut Interp<'_>, list: &Value) -> Flow {
    let mut words = Vec::new();
    for word in interp.items(list)? {
        words.push(shell_escaped(&interp.text_of(&word)?));
    }
    Ok(Value::text(words.join(" ")))
}

fn shell_split(interp: &mut Interp<'_>, text: &Value) -> Flow {
    let line = interp.text_arg(text)?;
    let (mut words, mut word, mut inside) = (Vec::new(), String::new(), false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => {
                if std::mem::take(&mut inside) {
                    words.push(Value::text(std::mem::take(&mut word)));
                }
                continue;
            }
            '\\' => word.extend(letters.next()),
            '\'' | '"' => loop {
                match letters.next() {
                    Some(end) if end == letter => break,
                    Some('\\') if letter == '"' => match letters.next() {
                        Some(escaped @ ('$' | '`' | '"' | '\\' | '\n')) => word.push(escaped),
                        Some(other) => word.extend(['\\', other]),
                        None => return interp.raise(Core::ArgumentError, format!("Unmatched quote: {line}")),
                    },
                    Some(other) => word.push(other),
                    None => return interp.raise(Core::ArgumentError, format!("Unmatched quote: {line}")),
                }
            },
            other => word.push(other),
        }
        inside = true;
    }
    if inside {
        words.push(Value::text(word));
    }
    Ok(Value::array(words))
}
