//! Parts of a line on a terminal: how they look, and that they are no longer than there is room.

use super::printable::printable_line;

/// How a part looks, where there are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextStyle {
    Plain,
    Good,
    Bad,
    Odd,
    Faint,
    Strong,
}

/// Ends whatever looks otherwise.
pub(crate) const PLAIN_AGAIN: &str = "\x1b[0m";

impl TextStyle {
    pub(crate) fn escape(self) -> &'static str {
        match self {
            TextStyle::Plain => "",
            TextStyle::Good => "\x1b[32m",
            TextStyle::Bad => "\x1b[31m",
            TextStyle::Odd => "\x1b[33m",
            TextStyle::Faint => "\x1b[2m",
            TextStyle::Strong => "\x1b[1m",
        }
    }
}

/// As much of a text as there are columns for, in one line.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let text = printable_line(text);
    match console::measure_text_width(&text) <= columns {
        true => text.into_owned(),
        false => console::truncate_str(&text, columns, "…").into_owned(),
    }
}

/// As much of the end of a text as there are columns for, in one line.
pub(crate) fn cut_front(text: &str, columns: usize) -> String {
    let text = printable_line(text);
    let mut rest = text.as_ref();
    if console::measure_text_width(rest) <= columns {
        return rest.to_owned();
    }
    while console::measure_text_width(rest) >= columns.max(1) {
        let mut letters = rest.chars();
        letters.next();
        rest = letters.as_str();
    }
    format!("…{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_has_as_many_columns_as_there_are() {
        for (cut, of_front) in [(cut as fn(&str, usize) -> String, false), (cut_front, true)] {
            assert_eq!(cut("héllo", 5), "héllo");
            assert_eq!(cut("héllo", 4), if of_front { "…llo" } else { "hél…" });
            assert_eq!(cut("ab", 1), "…");
        }
    }
}
