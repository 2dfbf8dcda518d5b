//! Entities in texts: `&lt;` for `<`, and back.

use super::names::name;
use crate::class::Core;
use crate::interp::Interp;
use crate::stop::Flow;

/// All that references make may take so many bytes.
const MOST: usize = 10_240;

/// Returns a text as it is written in a document.
pub(super) fn normalized(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '>' => out.push_str("&gt;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            other => out.push(other),
        }
    }
    out
}

/// Returns what a text of a document means.
pub(super) fn unnormalized(interp: &mut Interp<'_>, text: &str) -> Flow<String> {
    let text = one_line_end(text);
    let (mut out, mut rest, mut made) = (String::with_capacity(text.len()), text.as_str(), 0);
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(reference) = reference(rest) else {
            out.push('&');
            rest = &rest[1..];
            continue;
        };
        let meant = expanded(interp, reference)?;
        made += meant.len();
        if made > MOST {
            return interp.raise(Core::RuntimeError, "entity expansion has grown too large");
        }
        out.push_str(&meant);
        rest = &rest[reference.len()..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Returns a reference that a text begins with.
fn reference(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('&')?;
    let length = match inside.strip_prefix('#') {
        Some(number) => {
            let (skipped, is_digit): (usize, fn(&char) -> bool) = match number.strip_prefix('x') {
                Some(_) => (1, char::is_ascii_hexdigit),
                None => (0, char::is_ascii_digit),
            };
            let digits = number[skipped..].chars().take_while(is_digit).count();
            (digits > 0).then_some(1 + skipped + digits)?
        }
        None => name(inside)?.len(),
    };
    inside[length..].starts_with(';').then(|| &text[..length + 2])
}

fn expanded(interp: &mut Interp<'_>, reference: &str) -> Flow<String> {
    let inside = &reference[1..reference.len() - 1];
    if let Some(number) = inside.strip_prefix('#') {
        let code = match number.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return match code.ok().and_then(char::from_u32) {
            Some(letter) => Ok(letter.to_string()),
            None => interp.unsupported(format!("the reference {reference} to what is no letter")),
        };
    }
    Ok(match inside {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => reference,
    }
    .to_owned())
}

/// With `\n` for each end of a line.
pub(super) fn one_line_end(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
