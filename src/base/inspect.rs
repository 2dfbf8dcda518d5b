//! Texts and patterns as Ruby's `inspect` shows them.
//!
//! Knows nothing of what they are part of.

use std::fmt::Write;

/// A pattern with its slashes escaped.
pub fn push_pattern(out: &mut String, pattern: &str) {
    let mut escaped = false;
    for ch in pattern.chars() {
        if ch == '/' && !escaped {
            out.push('\\');
        }
        escaped = ch == '\\' && !escaped;
        out.push(ch);
    }
}

/// A text in double quotes, as Ruby's `inspect` gives it.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '"' | '\\' => out.extend(['\\', ch]),
            '#' if matches!(chars.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{7f}' => out.push_str("\\x7F"),
            control if control.is_control() => drop(write!(out, "\\u{:04X}", control as u32)),
            _ => out.push(ch),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::{push_pattern, push_quoted};

    fn of(push: fn(&mut String, &str), text: &str) -> String {
        let mut out = String::new();
        push(&mut out, text);
        out
    }

    #[test]
    fn texts_are_quoted_as_ruby_quotes_them() {
        assert_eq!(of(push_quoted, "a\"\\\n\u{1}\u{7f}ä"), "\"a\\\"\\\\\\n\\u0001\\x7Fä\"");
        assert_eq!(of(push_quoted, "#{a} #b"), "\"\\#{a} #b\"");
    }

    #[test]
    fn slashes_of_patterns_are_escaped_once() {
        assert_eq!(of(push_pattern, r"a/b\/c\\/"), r"a\/b\/c\\\/");
    }
}
