//! The word a person probably meant, among those the language knows. Only ever help, never a verdict.

/// What may stand where a name stands at the start of a statement.
const WORDS: [&str; 28] = [
    "case", "class", "contain", "debug", "default", "define", "else", "elsif", "err", "fail", "false", "function",
    "include", "info", "inherits", "node", "notice", "realize", "require", "return", "tag", "true", "type", "undef",
    "unless", "warning", "break", "next",
];

/// The word of the language that `name` is a slip of the keyboard away from.
pub(super) fn word_near(name: &str) -> Option<&'static str> {
    let slips = match name.len() {
        0..=3 => return None,
        4..=5 => 1,
        _ => 2,
    };
    WORDS
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(name, word), word))
        .filter(|&(distance, _)| (1..=slips).contains(&distance))
        .min()
        .map(|(_, word)| word)
}
