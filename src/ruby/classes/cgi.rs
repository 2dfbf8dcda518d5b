//! CGI: texts escaped for a URL, and back.

use crate::ruby::class::Core;
use crate::ruby::native::{Side, Table, method};
use crate::ruby::value::Value;

pub(super) const TABLES: &[Table] = &[(
    Core::Cgi,
    Side::Class,
    &[
        method("escape", 1, 1, |interp, given| {
            let text = interp.text_arg(given.arg(0))?;
            Ok(Value::text(escaped(&text)))
        }),
        method("unescape", 1, 1, |interp, given| {
            let text = interp.text_arg(given.arg(0))?;
            match String::from_utf8(unescaped(text.as_bytes())) {
                Ok(text) => Ok(Value::text(text)),
                Err(_) => interp.unsupported("CGI.unescape of what is not UTF-8"),
            }
        }),
    ],
)];

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
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let digits = text.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(code.unwrap_or(if byte == b'+' { b' ' } else { byte }));
        at += if code.is_some() { 3 } else { 1 };
    }
    out
}
