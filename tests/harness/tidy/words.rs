//! Words that a source does not hold: what is unfinished, and what only one machine knows.

use super::File;

const UNFINISHED: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:")];

/// Beginnings of paths that are at home on a machine where this was written.
const PRIVATE: [&str; 2] = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];

/// Cases of the machines of `tests/apply`, where such a path is one of that machine.
const OF_OTHER_MACHINES: &str = "tests/apply/";

const SOURCES: [&str; 6] = [".rs", ".rb", ".toml", ".yml", "justfile", ".sh"];

pub(super) fn complaints(files: &[File]) -> Vec<String> {
    let here = env!("CARGO_MANIFEST_DIR");
    let mut complaints = Vec::new();
    for file in files {
        let is_source = SOURCES.iter().any(|ending| file.path.ends_with(ending));
        for (line, text) in file.text.lines().enumerate() {
            let at = format!("{}:{}", file.path, line + 1);
            let private = PRIVATE.iter().filter(|_| !file.path.starts_with(OF_OTHER_MACHINES));
            if let Some(path) = private.chain([&here]).find(|path| text.contains(*path)) {
                complaints.push(format!("{at}: '{path}' is a path of one machine: work it out, or take a neutral one"));
            }
            if let Some(word) = UNFINISHED.iter().find(|word| is_source && is_word(text, word)) {
                complaints.push(format!("{at}: '{word}': do it, or say in an issue what is left"));
            }
        }
    }
    complaints
}

fn is_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let after = text[at + word.len()..].chars().next();
        !is_part(text[..at].chars().next_back()) && !is_part(after)
    })
}

/// Words of a line that makes a key, a digest, or a question of an answer.
const NAMING: [&str; 6] = ["digest", "Digest", "Key::of", "_key", "hash(", "shape"];

/// What `Debug` prints may leave something out, or hide a secret: then two things have one name.
pub(super) fn debug_in_keys(files: &[File]) -> Vec<String> {
    let is_source = |file: &&File| {
        let is_code = file.path.starts_with("src/") || file.path.starts_with("cache/src/");
        file.is_rust() && is_code && !file.path.contains("tests")
    };
    let mut complaints = Vec::new();
    for file in files.iter().filter(is_source) {
        let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        for (line, text) in code.lines().enumerate() {
            let text = text.split("// ").next().unwrap_or_default();
            if text.contains(":?}") && NAMING.iter().any(|word| text.contains(word)) && !is_for_people(text) {
                complaints.push(format!(
                    "{}:{}: what Debug prints names nothing: implement Digestible, with a tag for each field",
                    file.path,
                    line + 1
                ));
            }
        }
    }
    complaints
}

fn is_for_people(text: &str) -> bool {
    ["write!(", "panic!(", "assert", "Fault::", "debug_struct"].iter().any(|mark| text.contains(mark))
}
