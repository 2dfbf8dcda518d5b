//! The rules by which Ruby decides whether a command needs a shell. Must not run anything.

/// With what a shell ends that finds no such program.
pub const NOT_FOUND: i64 = 127;

/// Words that a shell alone knows.
const WORDS: [&str; 33] = [
    "!", ".", ":", "break", "case", "continue", "do", "done", "elif", "else", "esac", "eval", "exec", "exit", "export",
    "fi", "for", "if", "in", "readonly", "return", "set", "shift", "then", "times", "trap", "unset", "until", "while",
    "{", "}", "cd", "ulimit",
];

/// Returns true if a line has anything in it that is for a shell; otherwise its words are a program and what it is
/// given.
pub fn is_for_shell(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    line.contains([
        '*', '?', '{', '}', '[', ']', '<', '>', '(', ')', '~', '&', '|', '\\', '$', ';', '\'', '`', '"', '\n', '#',
    ]) || first.contains('=')
        || first.contains('%')
        || WORDS.contains(&first)
}

/// A word that a shell takes as it is.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}
