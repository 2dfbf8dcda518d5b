//! Headers, and the sizes of files and functions, with lists that may only shrink.

use super::File;
use super::tokens::tokens;

const FILE_LINES: usize = 800;
const FUNCTION_LINES: usize = 70;

/// Files that are larger, for now.
const LARGE_FILES: [&str; 0] = [];

/// Functions that are longer, for now: file and name.
const LONG_FUNCTIONS: [(&str, &str); 1] = [("src/syntax/children.rs", "each_child")];

pub(super) fn headers(files: &[File]) -> Vec<String> {
    let rust = files.iter().filter(|file| file.is_rust() && !file.text.starts_with("//!"));
    rust.map(|file| format!("{}:1: begin it with a line `//! …` that says what it is for", file.path)).collect()
}

pub(super) fn complaints(files: &[File]) -> Vec<String> {
    complaints_with(files, &LARGE_FILES, &LONG_FUNCTIONS)
}

pub(super) fn complaints_with(files: &[File], large: &[&str], long: &[(&str, &str)]) -> Vec<String> {
    let mut complaints = Vec::new();
    let (mut large_seen, mut long_seen) = (Vec::new(), Vec::new());
    for file in files.iter().filter(|file| file.is_rust()) {
        let path = file.path.as_str();
        let lines = file.text.lines().count();
        if lines > FILE_LINES {
            large_seen.push(path);
            if !large.contains(&path) {
                complaints.push(format!("{path}:1: {lines} lines, more than {FILE_LINES}: divide it by what it does"));
            }
        }
        for function in functions(&file.text).into_iter().filter(|function| function.lines > FUNCTION_LINES) {
            if !long.contains(&(path, function.name)) {
                complaints.push(format!(
                    "{path}:{}: fn {} has {} lines of code, more than {FUNCTION_LINES}: divide it into steps with names",
                    function.line, function.name, function.lines
                ));
            }
            long_seen.push((path, function.name));
        }
    }
    let advice = "is small enough now: take it from its list in tests/harness/tidy/sizes.rs";
    complaints.extend(large.iter().filter(|path| !large_seen.contains(path)).map(|path| format!("{path}:1: {advice}")));
    let small = long.iter().filter(|function| !long_seen.contains(function));
    complaints.extend(small.map(|(path, name)| format!("{path}:1: fn {name} {advice}")));
    complaints
}

struct Function<'a> {
    name: &'a str,
    line: usize,
    /// Lines of its body that hold code.
    lines: usize,
}

fn functions(text: &str) -> Vec<Function<'_>> {
    let tokens = tokens(text);
    let mut functions = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.text == "fn") {
        let Some(name) = tokens.get(at + 1).filter(|name| name.text != "(") else { continue };
        let Some(open) = body(&tokens[at..].iter().map(|token| token.text).collect::<Vec<_>>()) else { continue };
        let mut depth = 0;
        let (mut lines, mut last) = (0, 0);
        for token in &tokens[at + open..] {
            depth += i32::from(token.text == "{") - i32::from(token.text == "}");
            if depth == 0 {
                break;
            }
            lines += usize::from(token.line != last);
            last = token.line;
        }
        functions.push(Function { name: name.text, line: token.line, lines });
    }
    functions
}

/// Where the body opens; a function of a trait may have none.
fn body(tokens: &[&str]) -> Option<usize> {
    let mut brackets = 0;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets -= 1,
            ";" if brackets == 0 => return None,
            "{" if brackets == 0 => return Some(at),
            _ => {}
        }
    }
    None
}
