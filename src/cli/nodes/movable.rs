//! What was answered in one folder and is told in another: where its texts name files of the one, they name those of the
//! other; and where files have other lines, those. Only texts of which it is certain what they name may be told so.

use memchr::memmem;

use super::moved_files::MovedFiles;

/// What a text is, which says where in it a path of the folder stands, if any does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// The path of a file.
    Path,
    /// A catalog: each path is the `file` of a resource.
    Catalog,
    /// A line of the log: each path stands in a `(file: …)`.
    Line,
    /// No path of the folder may stand in it.
    Other,
}

/// What is kept, as its texts.
pub(crate) trait Movable {
    fn each_text(&mut self, visit: &mut dyn FnMut(Sort, &mut String));

    /// Whether each path below a folder stands where one may.
    fn can_leave(&mut self, folder: &str) -> bool {
        let mut can = true;
        self.each_text(&mut |sort, text| can = can && stands_right(sort, text, folder));
        can
    }

    /// Everything stands on the lines on which it stands now. Whether all of it could be found.
    fn go_to_lines(&mut self, moved: &MovedFiles<'_>) -> bool {
        let mut could = true;
        self.each_text(&mut |sort, text| could = could && moved.are_followed(sort, text));
        could
    }

    /// Everything that lay in one folder lies in the other.
    fn go(&mut self, from: &str, to: &str) {
        self.each_text(&mut |_, text| {
            if memmem::find(text.as_bytes(), from.as_bytes()).is_some() {
                *text = text.replace(from, to);
            }
        });
    }
}

fn stands_right(sort: Sort, text: &str, folder: &str) -> bool {
    let before: &[&str] = match sort {
        Sort::Path => &[""],
        Sort::Catalog => &["\"file\":\"", "\"file\": \""],
        Sort::Line => &["(file: "],
        Sort::Other => &[],
    };
    memmem::find_iter(text.as_bytes(), folder.as_bytes()).all(|at| {
        text[at + folder.len()..].starts_with('/')
            && (sort != Sort::Path || at == 0)
            && before.iter().any(|before| text[..at].ends_with(before))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_where_they_are_places_of_files() {
        let fine = |sort, text| stands_right(sort, text, "/a/b");
        assert!(fine(Sort::Path, "/a/b/c.pp") && fine(Sort::Path, "/x") && fine(Sort::Other, "/a"));
        assert!(!fine(Sort::Path, "/x/a/b/c.pp") && !fine(Sort::Path, "/a/bc") && !fine(Sort::Other, "/a/b/c"));
        assert!(fine(Sort::Catalog, r#"{"file":"/a/b/c.pp"} {"file": "/a/b/d.pp"}"#));
        assert!(!fine(Sort::Catalog, r#"{"file":"/a/b/c.pp"} {"content":"/a/b/d.pp"}"#));
        assert!(fine(Sort::Line, "no (file: /a/b/c.pp, line: 1) (file: /a/b/d.pp)"));
        assert!(!fine(Sort::Line, "(file: /a/b) no") && !fine(Sort::Line, "/a/b/c"));
    }
}
