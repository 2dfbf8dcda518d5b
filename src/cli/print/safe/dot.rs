//! Text in Graphviz's language.

use super::printable::printable;
use super::workflow_log::without_commands;

/// Returns a text between quotes, in which nothing stands for anything else.
pub(crate) fn quoted(text: &str) -> String {
    let text = without_commands(&printable(text)).into_owned();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_does_not_end_before_its_quote() {
        assert_eq!(super::quoted("a\"]\\N\n\u{1b}"), r#""a\"]\\N\n�""#);
    }
}
