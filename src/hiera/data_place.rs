//! Where in a file of data something stands: what is wrong there, and what gave a value. For a person's eyes alone.
//!
//! Values know no places. A file is read once more, as a whole: an error that shows a line depends on all of its file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{Diagnostic, Sighting, Source, Span};
use pantin_values::Str;

use super::outside::Outside;
use super::search::Search;
use super::store::BrokenData;
use super::trouble::{Trouble, TroubleKind};

/// What gave a key its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueOrigin {
    /// The entry of the hierarchy, as an explanation names it.
    pub level: String,
    pub file: Option<PathBuf>,
}

impl ValueOrigin {
    /// As part of a sentence: the level, and the place in the file.
    pub fn describe(&self, key: &str, outside: &mut dyn Outside) -> String {
        let Some(file) = &self.file else { return self.level.clone() };
        let line = outside.read(file).ok().flatten().and_then(|bytes| source_of(file, &bytes)).and_then(|source| {
            let span = key_span(source.text(), key)?;
            source.place(span.start).line()
        });
        let line = line.map(|line| format!(", line: {line}")).unwrap_or_default();
        format!("{} (file: {}{line})", self.level, file.display())
    }
}

impl Trouble {
    /// With the text whose expression failed: the innermost counts.
    pub(super) fn about(self, subject: &Str) -> Trouble {
        Trouble { subject: self.subject.or_else(|| Some(subject.clone())), ..self }
    }

    /// With the line that a person is shown. Line and column count from one.
    pub(super) fn seen_at(self, path: &Path, bytes: &[u8], line: Option<u32>, column: Option<u32>) -> Trouble {
        let (Some(source), Some(line)) = (source_of(path, bytes), line) else { return self };
        if self.sighting.is_some() {
            return self;
        }
        match Diagnostic::in_source(&source, line, column, &self.message) {
            Some(diagnostic) => self.with_sighting(source, diagnostic),
            None => self,
        }
    }

    fn with_sighting(self, source: Source, diagnostic: Diagnostic) -> Trouble {
        let seen = Sighting { source: Some(Arc::new(source)), diagnostic };
        Trouble { sighting: Some(Arc::new(seen)), ..self }
    }
}

impl Search<'_> {
    /// Of a file of data that cannot be parsed.
    pub(super) fn unparsed(&mut self, path: &Path, broken: &BrokenData) -> Trouble {
        let trouble = Trouble::lookup(format!("Unable to parse {}", broken.message));
        match self.outside.read(path) {
            Ok(Some(bytes)) => trouble.seen_at(path, &bytes, broken.line, broken.column),
            _ => trouble,
        }
    }

    /// Returns the error of an expression in the value of a key, with its line.
    pub(super) fn locate(&mut self, trouble: Trouble, path: &Path, key: &str) -> Trouble {
        // A limit also ends look-ups that are asked again.
        if trouble.sighting.is_some() || trouble.kind == TroubleKind::Limit {
            return trouble;
        }
        let Ok(Some(bytes)) = self.outside.read(path) else { return trouble };
        let Some(source) = source_of(path, &bytes) else { return trouble };
        let Some(of_key) = key_span(source.text(), key) else { return trouble };
        let subject = trouble.subject.clone().unwrap_or_default();
        let behind = of_key.end() as usize;
        let found = source.text()[behind..].find(subject.as_str()).filter(|_| !subject.is_empty());
        let span = match found {
            Some(at) => Span { start: (behind + at) as u32, len: subject.len() as u32 },
            None => of_key,
        };
        let diagnostic = Diagnostic::at_span(&source, span, &trouble.message);
        trouble.with_sighting(source, diagnostic)
    }
}

fn source_of(path: &Path, bytes: &[u8]) -> Option<Source> {
    Source::from_bytes(Some(path.to_str()?), bytes.to_vec()).ok()
}

/// Returns the line on which a key of a file of data stands.
pub fn line_of_key(path: &Path, bytes: &[u8], key: &str) -> Option<u32> {
    let source = source_of(path, bytes)?;
    let span = key_span(source.text(), key)?;
    source.place(span.start).line()
}

/// Returns a key of the outermost hash: of YAML at the start of a line, of JSON in double quotes before a colon.
fn key_span(text: &str, key: &str) -> Option<Span> {
    let mut start = 0;
    let mut nested = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if let Some(len) = key_at(&line[indent..], key) {
            let span = Span { start: (start + indent) as u32, len: len as u32 };
            if indent == 0 {
                return Some(span);
            }
            nested.get_or_insert(span);
        }
        start += line.len();
    }
    nested
}

/// Returns how long a key is, with its quotes, if this text begins with it.
fn key_at(text: &str, key: &str) -> Option<usize> {
    let quotes = ["", "'", "\""];
    quotes.iter().find_map(|quote| {
        let rest = text.strip_prefix(quote)?.strip_prefix(key)?.strip_prefix(quote)?;
        let is_key = rest.trim_start().strip_prefix(':').is_some_and(|rest| !rest.starts_with(':'));
        is_key.then_some(key.len() + 2 * quote.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_key_is_found_in_yaml_and_json() {
        let key_line = |text: &str, key| {
            let span = key_span(text, key)?;
            Some(text[..span.start as usize].matches('\n').count() + 1)
        };
        let yaml = "---\n# a: 0\nb:\n  a: 1\na::b: 2\n'a': 3\n";
        assert_eq!(key_line(yaml, "a"), Some(6));
        assert_eq!(key_line(yaml, "a::b"), Some(5));
        assert_eq!(key_line(yaml, "b"), Some(3));
        assert_eq!(key_line(yaml, "c"), None);
        assert_eq!(key_line("{\n  \"a::b\": 1,\n  \"a\" : 2\n}\n", "a"), Some(3));
    }
}
