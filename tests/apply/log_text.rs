//! The lines that a run prints, without what is another one in each run: times, temporary names, colours.

use std::sync::LazyLock;

use pantin::regex::{Options, Regex};

/// Lines that say nothing of the machine: how long it took, and from where it was compiled.
const LEFT_OUT: [&str; 9] = [
    "Notice: Compiled catalog for ",
    "Notice: Applied catalog in ",
    "Info: Creating state file ",
    "Info: Applying configuration version ",
    "Info: Loading facts",
    "Info: Using environment ",
    "Info: Using configured environment ",
    "Error: Facter: ",
    "Warning: Could not retrieve either serverip",
];

/// Pattern, and what stands there instead; `\1` is the first group.
const REPLACEMENTS: [(&str, &str); 12] = [
    (r"\e\[[0-9;]*m", ""),
    (r"^--- \S+\t.*$", "--- OLD"),
    (r"^\+\+\+ \S+\t.*$", "+++ NEW"),
    (r"\b(?:19|20)\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?: ?(?:[+-]\d\d:?\d\d|UTC|Z))?", "TIME"),
    (r#"(/[^\s'"]*/)(?:\.[^\s'"/]+|[^\s'"/]*20\d{6}-\d+-[a-z0-9]+[^\s'"/]*)(?=' returned)"#, r"\1TEMPORARY"),
    (r#"(/[^\s'"]*/)[^\s'"/]*20\d{6}-\d+-[a-z0-9]+(?:\.lock)?"#, r"\1TEMPORARY"),
    (r"(A directory component in \S*/)\S+ does not", r"\1TEMPORARY does not"),
    (r"( @ \w+ - \S*/)\.[^\s/]+", r"\1TEMPORARY"),
    (r"\b\d+\.\d+ seconds\b", "N seconds"),
    (r"\bpid[= ]\d+", "pid N"),
    (r"\(- installed on [^)]*\)", "(- installed on TIME)"),
    (r"#<([A-Z][\w:]*):0x[0-9a-f]+", r"#<\1:0xADDRESS"),
];

static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let compiled = |(pattern, with)| (Regex::new(pattern, Options::default()).unwrap(), with);
    REPLACEMENTS.map(compiled).into_iter().collect()
});

/// Returns the lines of a stream as they are compared.
pub(crate) fn lines(stream: &[u8]) -> Vec<String> {
    let text = normalised(&String::from_utf8_lossy(stream));
    let is_kept = |line: &&str| !line.is_empty() && !LEFT_OUT.iter().any(|start| line.starts_with(start));
    text.split('\n').filter(is_kept).map(str::to_owned).collect()
}

pub(crate) fn normalised(text: &str) -> String {
    PATTERNS.iter().fold(text.to_owned(), |text, (regex, with)| replace_all(&text, regex, with))
}

fn replace_all(text: &str, regex: &Regex, with: &str) -> String {
    let mut replaced = String::new();
    let mut at = 0;
    while let Some(found) = regex.find_at(text, at).unwrap() {
        let (start, end) = found.get(0).unwrap();
        replaced.push_str(&text[at..start]);
        let group = found.get(1).map_or("", |(start, end)| &text[start..end]);
        replaced.push_str(&with.replace(r"\1", group));
        at = end.max(start + 1).min(text.len());
        if at == text.len() {
            break;
        }
    }
    replaced.push_str(&text[at..]);
    replaced
}
