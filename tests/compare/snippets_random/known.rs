//! The ways in which the small Ruby differs on purpose, or that are not its own.

/// A class of differences.
pub(super) struct Known {
    pub(super) why: &'static str,
    is: fn(source: &str, theirs: &str, ours: &str) -> bool,
}

pub(super) const KNOWN: [Known; 3] = [
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
            (source.contains(".encoding") && theirs.replace("US-ASCII", "UTF-8") == ours)
                || (source.contains("<<") && theirs.replace("\\x", "\\u00") == ours)
        },
    },
    Known {
        why: "the small Ruby has limits of its own: of steps, depth and memory",
        is: |_, theirs, ours| theirs.starts_with("SystemStackError") || ours.contains("at most"),
    },
];

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
pub(super) fn known(source: &str, theirs: &str, ours: &str) -> Option<usize> {
    KNOWN.iter().position(|known| (known.is)(source, theirs, ours))
}
