//! Files of code that mean what they meant, on other lines: what was said of their lines is said of those of today.
//!
//! A catalog names a line of a file as `file` and `line` of a resource. Everything else that names such a file, a line of the
//! log or an error, is made anew.

use memchr::{memchr2, memmem};
use pantin_base::MovedLines;
use pantin_repository::persist::MovedFile;
use rustc_hash::FxHashMap;

use super::movable::Sort;

pub(crate) struct MovedFiles<'m>(FxHashMap<&'m str, &'m MovedLines>);

/// Where a resource of a catalog stands in its JSON: in an array of an object.
const RESOURCE_DEPTH: usize = 3;

/// Stands in an error that has a place; it could have got into a value.
const PLACE: &str = "(file: ";

impl<'m> MovedFiles<'m> {
    /// `None`: one of them has a name that JSON writes otherwise.
    pub(crate) fn of(files: &'m [MovedFile]) -> Option<MovedFiles<'m>> {
        let is_plain = |path: &&str| !path.contains(|letter: char| letter.is_control() || matches!(letter, '"' | '\\'));
        let files = files.iter().map(|file| Some((file.path.to_str().filter(is_plain)?, &*file.lines)));
        files.collect::<Option<_>>().map(MovedFiles)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all that a text says of their lines could be found, and is right now.
    pub(crate) fn are_followed(&self, sort: Sort, text: &mut String) -> bool {
        match sort {
            Sort::Catalog if text.starts_with('{') => match self.catalog(text) {
                Some(catalog) => {
                    *text = catalog;
                    true
                }
                None => false,
            },
            _ => !self.0.keys().any(|path| text.contains(path)),
        }
    }

    /// A catalog whose resources stand on the lines of today.
    fn catalog(&self, json: &str) -> Option<String> {
        if memmem::find(json.as_bytes(), PLACE.as_bytes()).is_some() {
            return None;
        }
        let mut catalog = String::with_capacity(json.len());
        let mut written = 0;
        let mut lines: Option<&MovedLines> = None;
        let mut scan = Scan { json, at: 0, depth: 0 };
        while let Some(key) = scan.key_of_resource()? {
            match key {
                "file" => lines = scan.text()?.and_then(|path| self.0.get(path)).copied(),
                "line" => {
                    let (begin, line) = scan.number()?;
                    if let Some(lines) = lines.take() {
                        catalog.push_str(&json[written..begin]);
                        catalog.push_str(&lines.now(line)?.to_string());
                        written = scan.at;
                    }
                }
                // The first key of each resource.
                "type" => lines = None,
                _ => {}
            }
        }
        catalog.push_str(&json[written..]);
        Some(catalog)
    }
}

/// A way through JSON that is known to be right.
struct Scan<'j> {
    json: &'j str,
    at: usize,
    depth: usize,
}

impl<'j> Scan<'j> {
    /// The next key of an object that may be a resource, gone past its colon. `Some(None)`: there is none.
    fn key_of_resource(&mut self) -> Option<Option<&'j str>> {
        let bytes = self.json.as_bytes();
        let mut before = b' ';
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'"' => {
                    let text = self.string()?;
                    if self.depth == RESOURCE_DEPTH && matches!(before, b'{' | b',') {
                        self.skip_blanks();
                        if bytes.get(self.at) == Some(&b':') {
                            self.at += 1;
                            return Some(Some(text));
                        }
                    }
                    before = b'"';
                    continue;
                }
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.checked_sub(1)?,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                before = byte;
            }
            self.at += 1;
        }
        Some(None)
    }

    /// The text that comes next, as it is written; `Some(None)`: something else comes.
    fn text(&mut self) -> Option<Option<&'j str>> {
        self.skip_blanks();
        match self.json.as_bytes().get(self.at) {
            Some(b'"') => self.string().map(Some),
            _ => Some(None),
        }
    }

    /// Where the number that comes next begins, and what it is.
    fn number(&mut self) -> Option<(usize, u32)> {
        self.skip_blanks();
        let begin = self.at;
        let digits = self.json.as_bytes()[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += digits;
        Some((begin, self.json[begin..self.at].parse().ok()?))
    }

    /// From one quotation mark to the other.
    fn string(&mut self) -> Option<&'j str> {
        let begin = self.at + 1;
        let mut at = begin;
        loop {
            at += memchr2(b'"', b'\\', self.json.as_bytes().get(at..)?)?;
            if self.json.as_bytes()[at] == b'"' {
                self.at = at + 1;
                return Some(&self.json[begin..at]);
            }
            at += 2;
        }
    }

    fn skip_blanks(&mut self) {
        let blanks = self.json.as_bytes()[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace());
        self.at += blanks.count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pantin_base::Form;

    fn moved(path: &str) -> MovedFile {
        let form = |lines: &[u32]| Form { meaning: [0; 16], lines: lines.to_vec() };
        MovedFile { path: path.into(), lines: form(&[1, 5]).moved_to(&form(&[3, 12])).unwrap().into() }
    }

    fn followed(sort: Sort, text: &str) -> Option<String> {
        let files = [moved("/m/a.pp")];
        let mut text = text.to_owned();
        MovedFiles::of(&files).unwrap().are_followed(sort, &mut text).then_some(text)
    }

    #[test]
    fn resources_of_a_catalog_stand_on_other_lines() {
        let catalog = |one: u32, other: u32| {
            format!(
                r#"{{"tags":["file"],"resources":[{{"type":"File","title":"line \"5\\","file":"/m/a.pp","line":{one},
                "parameters":{{"file":"/m/a.pp","line":5}}}},{{"type":"X","line":5}},{{"type":"X","file":"/m/b.pp", "line": 5}},
                {{"type": "X", "file": "/m/a.pp", "line": {other}}}],"edges":[]}}"#
            )
        };
        assert_eq!(followed(Sort::Catalog, &catalog(5, 1)), Some(catalog(12, 3)));
        assert_eq!(followed(Sort::Catalog, &catalog(5, 2)), None);
        assert_eq!(followed(Sort::Catalog, &catalog(5, 1).replace("\"X\"", "\"at (file: /m/a.pp, line: 5)\"")), None);
    }

    #[test]
    fn what_else_names_the_file_is_made_anew() {
        for sort in [Sort::Line, Sort::Path, Sort::Other] {
            assert_eq!(followed(sort, "no (file: /m/a.pp, line: 5)"), None);
            assert_eq!(followed(sort, "no (file: /m/b.pp, line: 5)").as_deref(), Some("no (file: /m/b.pp, line: 5)"));
        }
        assert!(MovedFiles::of(&[moved("/m/\"a\".pp")]).is_none());
    }
}
