//! Paths as a person reads them: relative to the current folder, where they are below it.

use std::borrow::Cow;
use std::path::Path;

use pantin_repository::provenance::SourcePlace;
use pantin_world::absolute_path;

/// Returns a text whose paths below the current folder are told from there.
pub(crate) fn relative_paths(text: &str) -> Cow<'_, str> {
    if !text.contains('/') {
        return Cow::Borrowed(text);
    }
    let here = absolute_path(Path::new("."));
    match here.to_str() {
        Some(here) if here.len() > 1 => below(text, &format!("{here}/")),
        _ => Cow::Borrowed(text),
    }
}

fn below<'t>(text: &'t str, here: &str) -> Cow<'t, str> {
    let mut pieces = String::new();
    let mut begin = 0;
    for (at, _) in text.match_indices(here) {
        // In the midst of another path it is another folder.
        let is_start = !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'));
        if is_start && at >= begin {
            pieces.push_str(&text[begin..at]);
            begin = at + here.len();
        }
    }
    if begin == 0 {
        return Cow::Borrowed(text);
    }
    pieces.push_str(&text[begin..]);
    Cow::Owned(pieces)
}

/// `FILE:LINE`, as editors take it.
pub(crate) fn place_text(place: &SourcePlace) -> Option<String> {
    let file = relative_paths(place.file.as_deref()?).into_owned();
    Some(match place.line {
        Some(line) => format!("{file}:{line}"),
        None => file,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_folder_are_told_from_there() {
        let told = |text: &'static str| below(text, "/a/b/").into_owned();
        assert_eq!(told("no (file: /a/b/c.pp, line: 1) and /a/b/d"), "no (file: c.pp, line: 1) and d");
        assert_eq!(told("/x/a/b/c and /a/bc"), "/x/a/b/c and /a/bc");
        assert_eq!(told("/a/b/"), "");
        assert_eq!(told("nothing"), "nothing");
    }
}
