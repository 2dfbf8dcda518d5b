//! Examples of the book: commands, and what they print. Shared with the tests that apply catalogs to machines.

use std::fs;
use std::path::Path;

/// A command of an example, and what it prints, where `[..]` is anything in a line and a line `...` any lines.
pub(crate) struct Example {
    pub(crate) place: String,
    pub(crate) at: ExamplePlace,
    pub(crate) command: String,
    pub(crate) expected: Vec<String>,
}

/// Where an example is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExamplePlace {
    /// In the control repository of the fixtures: `console`.
    ControlRepository,
    /// In the module of the book: `console,module`.
    Module,
    /// In a repository on a machine that is made for it: `console,machine`.
    Machine,
}

/// Returns the examples of a page, in their order.
pub(crate) fn examples(page: &Path) -> Vec<Example> {
    let text = fs::read_to_string(page).unwrap();
    let mut examples: Vec<Example> = Vec::new();
    let mut block: Option<ExamplePlace> = None;
    for (index, line) in text.lines().enumerate() {
        match (line, block) {
            ("```console", None) => block = Some(ExamplePlace::ControlRepository),
            ("```console,module", None) => block = Some(ExamplePlace::Module),
            ("```console,machine", None) => block = Some(ExamplePlace::Machine),
            ("```", Some(_)) => block = None,
            (line, Some(at)) => {
                let place = format!("{}:{}", page.file_name().unwrap().to_string_lossy(), index + 1);
                if let Some(command) = line.strip_prefix("$ ") {
                    examples.push(Example { place, at, command: command.to_owned(), expected: Vec::new() });
                } else if let (Some(more), Some(last)) = (line.strip_prefix('>'), examples.last_mut())
                    && last.expected.is_empty()
                {
                    last.command.push_str(&format!("\n{}", more.strip_prefix(' ').unwrap_or(more)));
                } else if let Some(last) = examples.last_mut() {
                    last.expected.push(line.to_owned());
                }
            }
            _ => {}
        }
    }
    examples
}

/// Returns true if a line fits a pattern.
pub(crate) fn fits_line(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (index, part) in parts.iter().enumerate() {
        if index + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

/// Returns true if lines fit what is expected.
pub(crate) fn fits(expected: &[String], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((first, rest)) => lines.first().is_some_and(|line| fits_line(first, line)) && fits(rest, &lines[1..]),
    }
}
