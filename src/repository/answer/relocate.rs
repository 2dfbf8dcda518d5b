//! Texts and paths of an answer, stored relative to the repository's folder and to declarations, so that they can be
//! written for another checkout or for moved lines.
//!
//! A text may name the folder only where it gives the place of something: `(file: …`. What names it anywhere else is told
//! in its own folder alone.

use memchr::memmem;
use pantin_base::MovedLines;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::persist::MovedFile;

/// Stands before the path of a file in a message.
const BEFORE_PLACE: &str = "(file: ";

/// A text in pieces: between them stands the repository's folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct RelocatableText(Vec<String>);

/// The path of a file, or another path.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum RelocatablePath {
    /// Below the repository's folder.
    Inside(String),
    Elsewhere(String),
}

/// Takes texts apart, and notes whether all of them can be told of another folder.
pub(crate) struct Detacher<'r> {
    folder: &'r str,
    finder: memmem::Finder<'r>,
    pub(crate) is_movable: bool,
}

impl<'r> Detacher<'r> {
    pub(crate) fn new(folder: &'r str) -> Detacher<'r> {
        Detacher { folder, finder: memmem::Finder::new(folder.as_bytes()), is_movable: true }
    }

    /// A text in which places of files may stand.
    pub(super) fn text(&mut self, text: &str) -> RelocatableText {
        let mut pieces = Vec::new();
        let mut begin = 0;
        for at in self.finder.find_iter(text.as_bytes()) {
            let end = at + self.folder.len();
            let is_place = text[end..].starts_with('/') && text[..at].ends_with(BEFORE_PLACE);
            self.is_movable &= is_place;
            pieces.push(text[begin..at].to_owned());
            begin = end;
        }
        pieces.push(text[begin..].to_owned());
        RelocatableText(pieces)
    }

    /// A text in which no place of a file stands.
    pub(super) fn plain(&mut self, text: &str) {
        self.is_movable &= self.finder.find(text.as_bytes()).is_none();
    }

    pub(super) fn path(&mut self, path: &str) -> RelocatablePath {
        match path.strip_prefix(self.folder).and_then(|rest| rest.strip_prefix('/')) {
            Some(inside) => {
                self.plain(inside);
                RelocatablePath::Inside(inside.to_owned())
            }
            None => {
                self.plain(path);
                RelocatablePath::Elsewhere(path.to_owned())
            }
        }
    }
}

/// Returns true if a text gives the place of something, in a file.
pub(super) fn has_place(text: &str) -> bool {
    memmem::find(text.as_bytes(), BEFORE_PLACE.as_bytes()).is_some()
}

/// Puts texts together again: for this folder, and for the lines of today.
pub(crate) struct Attacher<'r> {
    folder: &'r str,
    moved: FxHashMap<&'r str, &'r MovedLines>,
}

impl<'r> Attacher<'r> {
    /// `None`: a file that has moved lines has no name that could be found.
    pub(crate) fn new(folder: &'r str, moved: &'r [MovedFile]) -> Option<Attacher<'r>> {
        let moved = moved.iter().map(|file| Some((file.path.to_str()?, &*file.lines))).collect::<Option<_>>()?;
        Some(Attacher { folder, moved })
    }

    /// `None`: it names a file whose lines have moved.
    pub(super) fn text(&self, text: &RelocatableText) -> Option<String> {
        let text = text.0.join(self.folder);
        (!self.moved.keys().any(|path| text.contains(path))).then_some(text)
    }

    pub(super) fn path(&self, path: &RelocatablePath) -> String {
        match path {
            RelocatablePath::Inside(path) => format!("{}/{path}", self.folder),
            RelocatablePath::Elsewhere(path) => path.clone(),
        }
    }

    /// Returns true if every file has the lines that it had.
    pub(super) fn moves_no_lines(&self) -> bool {
        self.moved.is_empty()
    }

    /// Returns true if a file has the lines that it had.
    pub(super) fn has_old_lines(&self, path: &str) -> bool {
        !self.moved.contains_key(path)
    }

    /// Returns the line on which stands today what stood on this one. `None`: nobody can say.
    pub(super) fn line(&self, path: &str, line: u32) -> Option<u32> {
        self.moved.get(path).map_or(Some(line), |lines| lines.now(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_moves_if_it_names_the_folder_as_a_place_alone() {
        let moved = |text: &str| {
            let mut detacher = Detacher::new("/a/b");
            let stored = detacher.text(text);
            let attached = Attacher::new("/other", &[]).unwrap().text(&stored).unwrap();
            detacher.is_movable.then_some(attached)
        };
        assert_eq!(moved("no (file: /a/b/c.pp, line: 1)").as_deref(), Some("no (file: /other/c.pp, line: 1)"));
        assert_eq!(moved("nothing").as_deref(), Some("nothing"));
        assert_eq!(moved("see /a/b/c.pp"), None);
        assert_eq!(moved("(file: /a/bc)"), None);
    }

    #[test]
    fn paths_below_the_folder_move() {
        let mut detacher = Detacher::new("/a/b");
        let paths = ["/a/b/c.pp", "/etc/x"].map(|path| detacher.path(path));
        assert!(detacher.is_movable);
        let attacher = Attacher::new("/o", &[]).unwrap();
        assert_eq!(paths.map(|path| attacher.path(&path)), ["/o/c.pp", "/etc/x"]);
        detacher.path("/x/a/b/c");
        assert!(!detacher.is_movable);
    }
}
