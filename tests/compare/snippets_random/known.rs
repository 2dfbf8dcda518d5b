//! The ways in which the small Ruby differs on purpose, or that are not its own.

use super::super::ruby::real;

/// A class of differences.
pub(super) struct Known {
    pub(super) why: &'static str,
    is: fn(source: &str, theirs: &str, ours: &str) -> bool,
}

pub(super) const KNOWN: [Known; 5] = [
    Known {
        why: "an object is shown with the place where it lies in memory",
        is: |_, theirs, ours| {
            theirs.contains("#<Class:0x") || (theirs.contains(":0x") && without_places(theirs) == without_places(ours))
        },
    },
    Known {
        why: "what is shown of numbers and symbols is a text in US-ASCII to Ruby: nothing but its encoding, and a byte \
              that is put behind it, says so",
        is: |source, theirs, ours| {
            let same = |said: &String| without_places(said) == without_places(ours);
            (source.contains(".encoding") && as_utf8(source).as_ref().is_some_and(same))
                || ((source.contains("<<") || is_ascii(theirs)) && theirs.replace("\\x", "\\u00") == ours)
        },
    },
    Known {
        why: "a number beyond all letters of Unicode 13, made a letter by `%c`, is shown by Ruby as the number",
        is: |source, theirs, ours| source.contains("%c") && theirs.contains("\\u{") && letters_shown(theirs) == ours,
    },
    Known {
        why: "a choice by chance is another one in each",
        is: |source, _, _| [".sample", ".shuffle"].iter().any(|chance| source.contains(chance)),
    },
    Known {
        why: "the small Ruby has limits of its own: of steps, depth and memory",
        is: |_, theirs, ours| theirs.starts_with("SystemStackError") || ours.contains("at most"),
    },
];

/// Whether no byte beyond ASCII is shown by its number.
fn is_ascii(shown: &str) -> bool {
    shown.split("\\x").skip(1).all(|piece| piece.starts_with(|digit: char| ('0'..='7').contains(&digit)))
}

/// `\u{1E240}` as the letter.
fn letters_shown(text: &str) -> String {
    let mut pieces = text.split("\\u{");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |shown, piece| match piece.split_once('}') {
        Some((hex, rest)) => {
            let letter = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
            shown + &letter.map_or_else(String::new, String::from) + rest
        }
        None => shown + piece,
    })
}

/// What Ruby says where each text whose encoding is asked is one in UTF-8.
fn as_utf8(source: &str) -> Option<String> {
    const CONVERTED: &str =
        ".then { |it| it.is_a?(String) && it.encoding == Encoding::US_ASCII ? it.encode('UTF-8') : it }.encoding";
    real(&[source.replace(".encoding", CONVERTED)]).ok()?.pop()
}

/// Without what stands in `#<…>` behind the name of a class.
fn without_places(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("#<") {
        let (before, object) = rest.split_at(at + 2);
        kept.push_str(before);
        let name = object.find(|letter: char| !letter.is_alphanumeric() && letter != ':').unwrap_or(object.len());
        kept.push_str(object[..name].split(":0x").next().unwrap_or_default());
        rest = &object[end_of(object)..];
    }
    kept + rest
}

/// Where the `>` stands that ends an object.
fn end_of(object: &str) -> usize {
    let (mut depth, mut before) = (1, ' ');
    for (at, letter) in object.char_indices() {
        match (before, letter) {
            ('#', '<') => depth += 1,
            ('=' | '-', '>') => {}
            (_, '>') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        before = letter;
    }
    object.len()
}

/// The class that a difference is of.
pub(in super::super) fn known(source: &str, theirs: &str, ours: &str) -> Option<usize> {
    KNOWN.iter().position(|known| (known.is)(source, theirs, ours))
}
