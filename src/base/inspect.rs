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
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'#')) {
        out.push_str(text);
        out.push('"');
        return;
    }
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

/// A symbol: in quotes where it could not be written without.
pub fn push_symbol(out: &mut String, name: &str) {
    const OPERATORS: [&str; 28] = [
        "[]", "[]=", "+", "-", "*", "/", "%", "**", "==", "!=", "<", "<=", ">", ">=", "<=>", "===", "=~", "!~", "<<",
        ">>", "!", "~", "+@", "-@", "&", "|", "^", "`",
    ];
    let bare = name.trim_end_matches(['?', '!', '=']);
    let is_word = !bare.is_empty()
        && name.len() - bare.len() <= 1
        && !bare.starts_with(|first: char| first.is_ascii_digit())
        && bare
            .trim_start_matches(['@', '$'])
            .chars()
            .all(|ch| ch.is_ascii_alphanumeric() || ch == '_' || !ch.is_ascii() && is_shown(ch));
    out.push(':');
    if is_word || OPERATORS.contains(&name) {
        out.push_str(name);
    } else {
        push_quoted(out, name);
    }
}

/// Returns true if a letter is shown as it is.
pub fn is_shown(letter: char) -> bool {
    let mut quoted = String::new();
    push_quoted(&mut quoted, letter.encode_utf8(&mut [0; 4]));
    !quoted.contains('\\')
}

#[cfg(test)]
mod tests {
    use super::{push_pattern, push_quoted, push_symbol};

    fn quoted(push: fn(&mut String, &str), text: &str) -> String {
        let mut out = String::new();
        push(&mut out, text);
        out
    }

    #[test]
    fn texts_are_quoted_as_ruby_quotes_them() {
        assert_eq!(quoted(push_quoted, "a\"\\\n\u{1}\u{7f}ä"), "\"a\\\"\\\\\\n\\u0001\\x7Fä\"");
        assert_eq!(quoted(push_quoted, "#{a} #b"), "\"\\#{a} #b\"");
    }

    #[test]
    fn symbols_are_quoted_where_they_are_no_words() {
        let of = |name| quoted(push_symbol, name);
        assert_eq!([of("a_b?"), of("[]="), of("@a"), of("ä")], [":a_b?", ":[]=", ":@a", ":ä"]);
        assert_eq!([of("a b"), of("1a"), of("a-b"), of("")], [":\"a b\"", ":\"1a\"", ":\"a-b\"", ":\"\""]);
    }

    #[test]
    fn slashes_of_patterns_are_escaped_once() {
        assert_eq!(quoted(push_pattern, r"a/b\/c\\/"), r"a\/b\/c\\\/");
    }
}
