//! The sets of characters that escapes, POSIX brackets and properties name.
//!
//! The tables are those of a newer Unicode than Ruby's: what came after 13.0 is taken out again.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::blocks;
use super::syntax::Alphabet;

pub(super) fn from_ranges(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|(low, high)| ClassUnicodeRange::new(*low, *high)))
}

/// Returns a set of one character.
pub(super) fn single(character: char) -> ClassUnicode {
    from_ranges(&[(character, character)])
}

fn all() -> ClassUnicode {
    from_ranges(&[('\0', char::MAX)])
}

fn ascii() -> ClassUnicode {
    from_ranges(&[('\0', '\x7F')])
}

/// Returns what a newer Unicode has under a name that its tables know.
fn table(name: &str) -> Option<ClassUnicode> {
    let hir = regex_syntax::Parser::new().parse(&format!("\\p{{{name}}}")).ok()?;
    match hir.into_kind() {
        HirKind::Class(Class::Unicode(set)) => Some(set),
        HirKind::Literal(literal) => {
            let character = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(from_ranges(&[(character, character)]))
        }
        _ => None,
    }
}

/// The characters of Unicode 13.
static ASSIGNED: LazyLock<ClassUnicode> = LazyLock::new(|| {
    let mut set = table("age=13.0").unwrap_or_else(all);
    // What is never to be a character has an age too.
    set.difference(&table("cn").unwrap_or_else(ClassUnicode::empty));
    set
});

/// Properties that hold for what is no character yet.
const BEYOND: [&str; 8] = [
    "di",
    "defaultignorablecodepoint",
    "odi",
    "otherdefaultignorablecodepoint",
    "extpict",
    "extendedpictographic",
    "patsyn",
    "patternsyntax",
];

/// As `table`, of Unicode 13.
fn known(name: &str) -> ClassUnicode {
    let mut set = table(name).unwrap_or_else(ClassUnicode::empty);
    set.intersect(&ASSIGNED);
    set
}

fn joined(names: &[&str]) -> ClassUnicode {
    let mut set = ClassUnicode::empty();
    for name in names {
        set.union(&known(name));
    }
    set
}

fn without(mut set: ClassUnicode, names: &[&str]) -> ClassUnicode {
    set.difference(&joined(names));
    set
}

static WORD: LazyLock<ClassUnicode> = LazyLock::new(|| joined(&["alphabetic", "m", "nd", "pc"]));

/// Returns what `\b` and `[[:word:]]` count as parts of words.
pub(super) fn word() -> &'static ClassUnicode {
    &WORD
}

/// Returns the POSIX brackets, of all of Unicode.
fn posix(name: &str) -> Option<ClassUnicode> {
    Some(match name {
        "alnum" => joined(&["alphabetic", "nd"]),
        "alpha" => known("alphabetic"),
        "blank" => {
            let mut set = known("zs");
            set.union(&from_ranges(&[('\t', '\t')]));
            set
        }
        "cntrl" => known("cc"),
        "digit" => known("nd"),
        "graph" => without(ASSIGNED.clone(), &["whitespace", "cc"]),
        "lower" => known("lowercase"),
        "print" => {
            let mut set = without(ASSIGNED.clone(), &["whitespace", "cc"]);
            set.union(&known("zs"));
            set
        }
        "punct" => {
            let mut set = known("p");
            set.union(&from_ranges(&[
                ('$', '$'),
                ('+', '+'),
                ('<', '>'),
                ('^', '^'),
                ('`', '`'),
                ('|', '|'),
                ('~', '~'),
            ]));
            set
        }
        "space" => known("whitespace"),
        "upper" => known("uppercase"),
        "xdigit" => from_ranges(&[('0', '9'), ('A', 'F'), ('a', 'f')]),
        "ascii" => ascii(),
        "word" => WORD.clone(),
        _ => return None,
    })
}

/// Returns a POSIX bracket, or nothing of that name.
pub(super) fn bracket(name: &str, alphabet: Alphabet) -> Option<ClassUnicode> {
    let mut set = posix(name)?;
    if alphabet == Alphabet::Ascii {
        set.intersect(&ascii());
    }
    Some(set)
}

/// `\w`, `\d`, `\s`, `\h`, and what is not these.
pub(super) fn escape(letter: char, alphabet: Alphabet) -> ClassUnicode {
    let wide = alphabet == Alphabet::Unicode;
    let mut set = match letter.to_ascii_lowercase() {
        'h' => from_ranges(&[('0', '9'), ('A', 'F'), ('a', 'f')]),
        'w' if wide => WORD.clone(),
        'w' => from_ranges(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        'd' if wide => known("nd"),
        'd' => from_ranges(&[('0', '9')]),
        _ if wide => known("whitespace"),
        _ => from_ranges(&[('\t', '\r'), (' ', ' ')]),
    };
    if letter.is_ascii_uppercase() {
        set.negate();
    }
    set
}

/// Returns a property by its name, in lower case and without blanks, hyphens and underscores.
pub(super) fn property(name: &str) -> ClassUnicode {
    match name {
        "punct" => return known("p"),
        "xposixpunct" => return posix("punct").unwrap_or_else(ClassUnicode::empty),
        _ => {}
    }
    if let Some(set) = posix(name) {
        return set;
    }
    match name {
        "any" => return all(),
        "assigned" => return ASSIGNED.clone(),
        "cn" | "unassigned" | "zzzz" | "unknown" => {
            let mut set = ASSIGNED.clone();
            set.negate();
            return set;
        }
        "c" | "other" => {
            let mut set = ASSIGNED.clone();
            set.negate();
            set.union(&known("c"));
            return set;
        }
        _ => {}
    }
    if let Some(block) = name.strip_prefix("in")
        && let Some(set) = blocks::block(block)
    {
        return set;
    }
    if BEYOND.contains(&name) {
        return table(name).unwrap_or_else(ClassUnicode::empty);
    }
    match name.strip_prefix("graphemeclusterbreak=") {
        Some("control") => table("gcb=control").unwrap_or_else(ClassUnicode::empty),
        Some(value) => known(&format!("gcb={value}")),
        None => known(name),
    }
}
