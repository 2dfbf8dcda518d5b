//! The layout of text for a person: whether it has colours, how much room there is, and from where paths are shown.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::text_style::{PLAIN_AGAIN, TextStyle, cut, cut_front};

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) colour: bool,
    /// Columns of the terminal; what goes elsewhere is not cut.
    pub(crate) width: Option<usize>,
    /// Paths below this folder are shown from here.
    pub(crate) here: PathBuf,
}

impl Layout {
    pub(crate) fn in_colour(&self, style: TextStyle, text: &str) -> String {
        if self.colour { format!("{}{text}{PLAIN_AGAIN}", style.escape()) } else { text.to_owned() }
    }

    /// Within the width of the terminal.
    pub(crate) fn cut(&self, text: &str, indent: usize) -> String {
        self.cut_to(1, text, indent)
    }

    /// Within so many lines of the terminal, which breaks them itself.
    pub(crate) fn cut_to(&self, lines: usize, text: &str, indent: usize) -> String {
        cut(text, self.room(lines, indent))
    }

    /// What matters in a place is its end.
    pub(crate) fn cut_place(&self, file: &str, line: impl Display, indent: usize) -> String {
        cut_front(&format!("{}:{line}", short_path(&self.here, file)), self.room(1, indent))
    }

    fn room(&self, lines: usize, indent: usize) -> usize {
        self.width.map_or(usize::MAX, |width| (width * lines).saturating_sub(indent).max(20))
    }
}

/// Breaks a line at blanks, so that each of its lines has so many columns at most; all but the first begin with `indent`. A word that is
/// longer stays whole.
pub(crate) fn wrap(text: &str, width: Option<usize>, indent: &str) -> String {
    let Some(width) = width.filter(|width| console::measure_text_width(text) > *width) else { return text.to_owned() };
    let mut lines: Vec<String> = Vec::new();
    let unindented = text.trim_start_matches(' ');
    let mut line = " ".repeat(text.len() - unindented.len());
    for word in unindented.split(' ') {
        let taken = if lines.is_empty() { 0 } else { console::measure_text_width(indent) };
        let is_full = taken + console::measure_text_width(&line) + 1 + console::measure_text_width(word) > width;
        if is_full && !line.trim().is_empty() {
            lines.push(std::mem::replace(&mut line, word.to_owned()));
        } else {
            if !line.trim().is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.push(line);
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join(&format!("\n{indent}"))
}

/// A path as it is read from a folder, if it is below that.
pub(crate) fn short_path<'f>(here: &Path, file: &'f str) -> &'f str {
    Path::new(file).strip_prefix(here).ok().and_then(Path::to_str).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_at_blanks() {
        assert_eq!(wrap("one two  (three)", Some(8), "| "), "one two\n| (three)");
        assert_eq!(wrap("one two", None, "| "), "one two");
        assert_eq!(wrap("  one two", Some(6), "    "), "  one\n    two");
        assert_eq!(wrap("averylongword and more", Some(10), "  "), "averylongword\n  and more");
        assert_eq!(wrap("averylongword and more", Some(8), "  "), "averylongword\n  and\n  more");
    }
}
