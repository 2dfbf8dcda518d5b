//! Markdown for GitHub: text in which nothing is markup, and reports that stay below the limit of a comment.

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

/// Text in which nothing is markup: neither of Markdown, nor of HTML, nor a name that would be called.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Code, whatever backquotes are in it.
pub(crate) fn code(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Lines of code in a block, whatever backquotes are in them.
pub(crate) fn code_block(language: &str, text: &str, indent: &str) -> String {
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
        assert_eq!(escape("<b> *x* @you [a](b)"), r"&lt;b&gt; \*x\* &#64;you \[a\](b)");
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
