//! The text of a selector, and how far it is parsed.

use pantin_base::Span;

#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Takes this text if it is next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// Takes one letter.
    pub(super) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    pub(super) fn take_while(&mut self, is_taken: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|letter| !is_taken(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The word that is next, which is not taken.
    pub(super) fn next_word(&self) -> &'t str {
        self.clone().take_while(|letter| letter.is_alphanumeric() || letter == '_')
    }

    /// From there to here.
    pub(super) fn span_from(&self, start: usize) -> Span {
        Span::between(start as u32, self.at as u32)
    }

    /// Returns what an error points at: the word that is next, or the letter.
    pub(super) fn next_span(&self) -> Span {
        let length = match self.next_word().len() {
            0 => self.peek().map_or(0, char::len_utf8),
            length => length,
        };
        Span::new(self.at as u32, length as u32)
    }

    /// The same in words.
    pub(super) fn describe_next(&self) -> String {
        match &self.text[self.next_span().range()] {
            "" => "the end".to_owned(),
            next => format!("`{next}`"),
        }
    }
}
