//! Text within XML and HTML.

use super::printable::is_harmful;

/// As content, or as the value of an attribute. XML has no way to say some control characters.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // A runner that reads the log takes it for the beginning of a command.
            '[' if escaped.ends_with("##") => escaped.push_str("&#91;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\u{FFFE}' | '\u{FFFF}' => escaped.push('\u{FFFD}'),
            _ if is_harmful(letter) => escaped.push('\u{FFFD}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_xml_cannot_say_is_replaced() {
        assert_eq!(
            escape("a<b>&\"'\n\u{1b}[0m\u{FFFF}\u{202e}é##[x"),
            "a&lt;b&gt;&amp;&quot;'&#10;\u{FFFD}[0m\u{FFFD}\u{FFFD}é##&#91;x"
        );
    }
}
