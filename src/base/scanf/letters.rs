//! A set of characters, as it stands between brackets in a format.

use super::{ScanError, is_space};

/// Some characters and ranges of them, or everything else.
#[derive(Debug)]
pub(super) struct Letters {
    negated: bool,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Range(char, char),
    Class(fn(char) -> bool),
    NotClass(fn(char) -> bool),
}

const UNSUPPORTED: ScanError = ScanError("this set of characters is not supported in a format");

impl Letters {
    pub(super) fn not_space() -> Letters {
        Letters { negated: true, parts: vec![Part::Class(is_space)] }
    }

    pub(super) fn contain(&self, ch: char) -> bool {
        let in_part = |part: &Part| match part {
            Part::Range(first, last) => (*first..=*last).contains(&ch),
            Part::Class(class) => class(ch),
            Part::NotClass(class) => !class(ch),
        };
        self.parts.iter().any(in_part) != self.negated
    }
}

/// Returns the set that a text begins with, and the text behind it. `None` if the bracket is not closed.
pub(super) fn read(text: &str) -> Result<Option<(Letters, &str)>, ScanError> {
    if let Some((name, rest)) = text.strip_prefix("[[:").and_then(|text| text.split_once(":]]"))
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        let class = class(name).ok_or(UNSUPPORTED)?;
        return Ok(Some((Letters { negated: false, parts: vec![Part::Class(class)] }, rest)));
    }
    let Some((content, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) else { return Ok(None) };
    let members = content.strip_prefix('^').unwrap_or(content);
    if members.is_empty() {
        return Err(ScanError("empty char-class"));
    }
    let negated = members.len() < content.len();
    Ok(Some((Letters { negated, parts: parts(members)? }, rest)))
}

fn parts(members: &str) -> Result<Vec<Part>, ScanError> {
    if members.contains("&&") || members.contains('[') {
        return Err(UNSUPPORTED);
    }
    let mut parts = Vec::new();
    let mut chars = members.chars().peekable();
    while let Some(ch) = chars.next() {
        let first = match part(ch, &mut chars)? {
            Ok(class) => {
                parts.push(class);
                continue;
            }
            Err(single) => single,
        };
        let mut ahead = chars.clone();
        if ahead.next() == Some('-')
            && let Some(end) = ahead.next()
        {
            let Err(last) = part(end, &mut ahead)? else { return Err(UNSUPPORTED) };
            if last < first {
                return Err(ScanError("empty range in char class"));
            }
            parts.push(Part::Range(first, last));
            chars = ahead;
        } else {
            parts.push(Part::Range(first, first));
        }
    }
    Ok(parts)
}

/// Returns a class, or a character by itself; a backslash takes what follows it.
fn part(ch: char, chars: &mut impl Iterator<Item = char>) -> Result<Result<Part, char>, ScanError> {
    if ch != '\\' {
        return Ok(Err(ch));
    }
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    Ok(match chars.next() {
        // The backslash that was to keep the bracket: the set ends with it.
        None => return Err(ScanError("premature end of char-class")),
        Some('d') => Ok(Part::Class(|ch| ch.is_ascii_digit())),
        Some('D') => Ok(Part::NotClass(|ch| ch.is_ascii_digit())),
        Some('w') => Ok(Part::Class(is_word)),
        Some('W') => Ok(Part::NotClass(is_word)),
        Some('s') => Ok(Part::Class(is_space)),
        Some('S') => Ok(Part::NotClass(is_space)),
        Some('h') => Ok(Part::Class(|ch| ch.is_ascii_hexdigit())),
        Some('H') => Ok(Part::NotClass(|ch| ch.is_ascii_hexdigit())),
        Some('n') => Err('\n'),
        Some('t') => Err('\t'),
        Some('r') => Err('\r'),
        Some('f') => Err('\x0c'),
        Some('v') => Err('\x0b'),
        Some('e') => Err('\x1b'),
        Some(ch) if ch.is_alphanumeric() => return Err(UNSUPPORTED),
        Some(ch) => Err(ch),
    })
}

fn class(name: &str) -> Option<fn(char) -> bool> {
    Some(match name {
        "alpha" => char::is_alphabetic,
        "digit" => |ch| ch.is_ascii_digit(),
        "alnum" => char::is_alphanumeric,
        "upper" => char::is_uppercase,
        "lower" => char::is_lowercase,
        "space" => char::is_whitespace,
        "blank" => |ch| ch == '\t' || (ch.is_whitespace() && !ch.is_control()),
        "cntrl" => char::is_control,
        "punct" => |ch| ch.is_ascii_punctuation(),
        "graph" => |ch| !ch.is_control() && !ch.is_whitespace(),
        "print" => |ch| !ch.is_control(),
        "xdigit" => |ch| ch.is_ascii_hexdigit(),
        "word" => |ch| ch.is_alphanumeric() || ch == '_',
        "ascii" => |ch| ch.is_ascii(),
        _ => return None,
    })
}
