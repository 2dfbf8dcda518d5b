//! The text that is written, and what libyaml keeps in mind of its end.

use pantin_base::budget;

use super::Layout;

#[derive(Default)]
pub(super) struct Writer {
    layout: Layout,
    text: String,
    /// Characters of the line so far.
    column: usize,
    /// The last character was a blank, or there is none.
    is_blank: bool,
    /// There is nothing but indentation, and what counts as that, on the line.
    is_indent: bool,
    /// The last block of lines keeps all line ends that follow: the document needs an end of its own.
    is_open: bool,
}

impl Writer {
    pub(super) fn new(layout: Layout) -> Writer {
        Writer { layout, ..Writer::default() }
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// `before`: a blank stands before it; `is_blank`: it counts as one; `is_indent`: and as indentation.
    pub(super) fn indicator(&mut self, text: &str, before: bool, is_blank: bool, is_indent: bool) {
        if before && !self.is_blank && !self.text.is_empty() {
            self.put(' ');
        }
        self.text.push_str(text);
        self.column += text.chars().count();
        self.is_blank = is_blank;
        self.is_indent = self.is_indent && is_indent;
    }

    /// A line that begins with so many blanks; the one that has been begun, where it has no more yet.
    pub(super) fn new_line(&mut self, indent: usize) {
        if !self.is_indent || self.column > indent || (self.column == indent && !self.is_blank) {
            self.line_end();
        }
        // The bytes of indentation are steps. Where none is left, nothing is written.
        while self.column < indent && budget::spend(1) {
            self.put(' ');
        }
        self.is_blank = true;
        self.is_indent = true;
    }

    pub(super) fn put(&mut self, letter: char) {
        self.text.push(letter);
        self.column += 1;
    }

    /// A letter of a text.
    pub(super) fn letter(&mut self, letter: char) {
        self.put(letter);
        self.is_indent = false;
    }

    pub(super) fn line_end(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    /// A line end of a text: others than the line feed stand as they are.
    pub(super) fn break_of_text(&mut self, letter: char) {
        match letter {
            '\n' => self.line_end(),
            other => {
                self.text.push(other);
                self.column = 0;
            }
        }
        self.is_indent = true;
    }

    pub(super) fn begin_block(&mut self) {
        self.line_end();
        self.is_blank = true;
        self.is_indent = true;
    }

    pub(super) fn column(&self) -> usize {
        self.column
    }

    pub(super) fn is_blank(&self) -> bool {
        self.is_blank
    }

    pub(super) fn is_at_indent(&self) -> bool {
        self.is_indent
    }

    pub(super) fn set_plain(&mut self) {
        self.is_blank = false;
        self.is_indent = false;
    }

    pub(super) fn leave_open(&mut self, is_open: bool) {
        self.is_open = is_open;
    }

    pub(super) fn finish(mut self) -> String {
        if self.column > 0 {
            self.line_end();
        }
        if self.is_open {
            self.text.push_str("...\n");
        }
        self.text
    }
}
