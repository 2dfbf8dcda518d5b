//! Markdown for GitHub: text in which nothing is markup, and reports that stay below the limit of a comment.

use super::printable::{printable, printable_line};
use super::workflow_log::without_commands;

/// GitHub takes 65,536 characters: this leaves room for a line or two around the report.
const MOST_CHARACTERS: usize = 60_000;

/// A report that leaves out what has no room.
pub(crate) struct LimitedText {
    text: String,
    characters: usize,
    /// How many items there was no room for.
    pub(crate) left_out: usize,
}

impl LimitedText {
    pub(crate) fn new(beginning: String) -> LimitedText {
        LimitedText { characters: beginning.chars().count(), text: beginning, left_out: 0 }
    }

    /// Adds a part, if there is room for it and was for all items before it; false, if not. What begins with `- ` is an item.
    pub(crate) fn add(&mut self, text: &str) -> bool {
        let characters = text.chars().count();
        if self.left_out > 0 || self.characters + characters > MOST_CHARACTERS {
            self.left_out += usize::from(text.starts_with("- "));
            return false;
        }
        self.characters += characters;
        self.text.push_str(text);
        true
    }

    /// Adds what ends something that was begun: there is room for it.
    pub(crate) fn close(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// With the end, for which there is room.
    pub(crate) fn finish(self, end: &str) -> String {
        self.text + end
    }
}

/// As much of a text as so many characters.
pub(crate) fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Text in which nothing is markup: neither of Markdown, nor of HTML, nor a name that would be called, nor an address that would
/// be a link. A line of it stays a line, and nothing of it begins a block.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let text = printable(text);
    let text = text.trim_end_matches('\n');
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => escaped.push_str("<br>"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("&#64;"),
            '$' => escaped.push_str("&#36;"),
            ':' if text[at..].starts_with("://") => escaped.push_str("&#58;"),
            '.' if ends_with_www(&escaped) => escaped.push_str("&#46;"),
            '-' | '+' | '=' | '!' if escaped.is_empty() || escaped.ends_with("<br>") => {
                escaped.push('\\');
                escaped.push(letter);
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

fn ends_with_www(text: &str) -> bool {
    text.len() >= 3 && text.as_bytes()[text.len() - 3..].eq_ignore_ascii_case(b"www")
}

/// Code, whatever backquotes are in it: one line, for a blank one would end it.
pub(crate) fn code(text: &str) -> String {
    let text = without_commands(&printable_line(text)).into_owned();
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // Of blanks alone it would be none.
    let space = if longest > 0 || text.trim().is_empty() { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Code in a cell of a table, where a bar would end the cell, even within code.
pub(crate) fn code_in_cell(text: &str) -> String {
    code(&text.replace('|', "\u{2502}"))
}

/// Lines of code in a block, whatever backquotes are in them.
pub(crate) fn code_block(language: &str, text: &str, indent: &str) -> String {
    let text = without_commands(&printable(text)).into_owned();
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: String = text.lines().map(|line| format!("{indent}{line}\n")).collect();
    format!("{indent}{fence}{language}\n{lines}{indent}{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_message_is_markup() {
        assert_eq!(escape("<b> *x* @you ![a](b)"), r"&lt;b&gt; \*x\* &#64;you !\[a\](b)");
        assert_eq!(escape("a\n\n# b\n- c\u{1b}\n"), r"a<br><br>\# b<br>\- c�");
        assert_eq!(escape("https://a.b www.c.d $x$"), "https&#58;//a.b www&#46;c.d &#36;x&#36;");
        assert_eq!(code("a\n\n# b ##[error]"), "`a��# b #\u{200B}#[error]`");
        assert_eq!(code(" "), "`   `");
        assert_eq!(code("a => b"), "`a => b`");
        assert_eq!(code("a `b`` c"), "``` a `b`` c ```");
        assert_eq!(code_block("diff", "-a\n+```\n", " "), " ````diff\n -a\n +```\n ````\n");
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let mut text = LimitedText::new("begin\n".to_owned());
        let item = format!("- {}\n", "é".repeat(1000));
        (0..100).for_each(|_| assert!(text.add(&item) || text.left_out > 0));
        let left_out = text.left_out;
        let report = text.finish("end\n");
        assert!(report.chars().count() < 65_536 && left_out > 30 && report.ends_with("end\n"));
    }
}
