//! The word a person probably meant, among those the language knows. Only ever help, never a verdict.

use pantin_base::nearest;

/// What may stand where a name stands at the start of a statement.
const WORDS: [&str; 28] = [
    "case", "class", "contain", "debug", "default", "define", "else", "elsif", "err", "fail", "false", "function",
    "include", "info", "inherits", "node", "notice", "realize", "require", "return", "tag", "true", "type", "undef",
    "unless", "warning", "break", "next",
];

/// Returns the word of the language that `name` is a slip of the keyboard away from.
pub(super) fn word_near(name: &str) -> Option<&'static str> {
    if name.len() > 3 { nearest(name, WORDS) } else { None }
}
