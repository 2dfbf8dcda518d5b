//! The options that are in force at one place of a pattern.

use super::Options;

/// Which characters `\w`, `\d`, `\s`, `\b` and POSIX brackets go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// ASCII for the escapes, Unicode for `\b` and POSIX brackets.
    Ruby,
    Ascii,
    Unicode,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Flags {
    pub(crate) ignore_case: bool,
    pub(crate) multi_line: bool,
    pub(crate) extended: bool,
    pub(crate) alphabet: Alphabet,
}

impl From<Options> for Flags {
    /// The flags a pattern starts with.
    fn from(Options { ignore_case, multi_line, extended }: Options) -> Flags {
        Flags { ignore_case, multi_line, extended, alphabet: Alphabet::Ruby }
    }
}

impl Flags {
    /// Turns on or off what a letter in `(?...)` means. Returns false if there is no such letter.
    pub(super) fn set(&mut self, letter: char, on: bool) -> bool {
        match letter {
            'x' => self.extended = on,
            'i' => self.ignore_case = on,
            'm' => self.multi_line = on,
            'a' if on => self.alphabet = Alphabet::Ascii,
            'd' if on => self.alphabet = Alphabet::Ruby,
            'u' if on => self.alphabet = Alphabet::Unicode,
            _ => return false,
        }
        true
    }
}
