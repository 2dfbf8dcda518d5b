//! Reads numbers and words out of a text after a format, as the `scanf` library of Ruby does.
//!
//! Knows nothing of the language that asks. Whatever the format wants and the text does not have ends the reading; what
//! was read until then is the answer.

mod letters;
mod number;

use letters::Letters;

/// The widest field there is.
const WIDEST: usize = 100_000;

#[derive(Clone, Debug, PartialEq)]
pub enum ScannedValue {
    Integer(i64),
    Float(f64),
    Text(String),
}

/// What is wrong with a format, or a number that does not fit in 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanError(&'static str);

impl std::fmt::Display for ScanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for ScanError {}

pub fn scan(text: &str, format: &str) -> Result<Vec<ScannedValue>, ScanError> {
    let specifiers = specifiers(format)?;
    let mut scanned = Vec::new();
    let mut rest = text;
    for specifier in &specifiers {
        if !specifier.counts_space {
            rest = rest.trim_start_matches(is_space);
        }
        let Some((begin, end)) = specifier.kind.matched(rest) else { break };
        if !specifier.skipped
            && let Some(value) = specifier.kind.value(&rest[begin..end])?
        {
            scanned.push(value);
        }
        rest = &rest[end..];
        if rest.is_empty() {
            break;
        }
    }
    Ok(scanned)
}

fn is_space(ch: char) -> bool {
    matches!(ch, ' ' | '\t'..='\r')
}

#[derive(Debug)]
struct Specifier {
    kind: SpecifierKind,
    /// Matched, but not part of the answer.
    skipped: bool,
    /// White space before it is not skipped.
    counts_space: bool,
}

#[derive(Debug)]
enum SpecifierKind {
    /// What stands in the format, or whatever is no specifier.
    Literal(String),
    Percent,
    Number(number::NumberKind, Option<usize>),
    /// Characters of a set, and how many of them.
    Letters(Letters, usize),
    /// So many characters of any kind.
    Any(usize),
}

impl SpecifierKind {
    /// Returns where what is matched begins and ends.
    fn matched(&self, text: &str) -> Option<(usize, usize)> {
        let after = |count: usize| text.char_indices().nth(count).map_or(text.len(), |(place, _)| place);
        let (begin, length) = match self {
            SpecifierKind::Literal(literal) => (0, text.starts_with(literal.as_str()).then_some(literal.len())?),
            SpecifierKind::Percent => {
                let begin = text.len() - text.trim_start_matches(is_space).len();
                (begin, text[begin..].starts_with('%').then_some(1)?)
            }
            SpecifierKind::Number(kind, width) => (0, kind.length(text, *width)?),
            SpecifierKind::Letters(letters, most) => {
                let count = text.chars().take(*most).take_while(|ch| letters.contain(*ch)).count();
                (0, after(count))
            }
            SpecifierKind::Any(count) => (0, after(*count)),
        };
        (length > 0).then_some((begin, begin + length))
    }

    fn value(&self, text: &str) -> Result<Option<ScannedValue>, ScanError> {
        match self {
            SpecifierKind::Literal(_) | SpecifierKind::Percent => Ok(None),
            SpecifierKind::Number(kind, _) => kind.value(text).map(Some),
            SpecifierKind::Letters(..) | SpecifierKind::Any(_) => Ok(Some(ScannedValue::Text(text.to_owned()))),
        }
    }
}

/// Takes a format apart. What fits nowhere in it, a percent sign or white space by itself, is passed over.
fn specifiers(format: &str) -> Result<Vec<Specifier>, ScanError> {
    let mut specifiers = Vec::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if let Some((specifier, length)) = specifier(rest)? {
            specifiers.push(specifier);
            rest = &rest[length..];
        } else if first == '%' || is_space(first) {
            rest = &rest[1..];
        } else {
            let length = rest.find(|ch| ch == '%' || is_space(ch)).unwrap_or(rest.len());
            specifiers.push(literal(&rest[..length]));
            rest = &rest[length..];
        }
    }
    Ok(specifiers)
}

fn literal(text: &str) -> Specifier {
    Specifier { kind: SpecifierKind::Literal(text.to_owned()), skipped: false, counts_space: false }
}

/// The specifier that a format begins with, if it does, and its length.
fn specifier(format: &str) -> Result<Option<(Specifier, usize)>, ScanError> {
    let trimmed = format.trim_start_matches(is_space);
    let spaced = trimmed.len() < format.len();
    let Some(after) = trimmed.strip_prefix('%') else { return Ok(None) };
    let length = |rest: &str| format.len() - rest.len();
    if let Some(rest) = after.strip_prefix('%') {
        return Ok(Some((
            Specifier { kind: SpecifierKind::Percent, skipped: false, counts_space: false },
            length(rest),
        )));
    }
    let starless = after.strip_prefix('*').unwrap_or(after);
    let skipped = starless.len() < after.len();
    let digits = starless.bytes().take_while(u8::is_ascii_digit).count();
    let (width, rest) = starless.split_at(digits);
    let Some(letter) = rest.chars().next() else { return Ok(None) };
    if letter == '[' {
        let Some((letters, rest)) = letters::read(rest)? else { return Ok(None) };
        let kind = SpecifierKind::Letters(letters, field_width(width)?.unwrap_or(usize::MAX));
        return Ok(Some((Specifier { kind, skipped, counts_space: !skipped }, length(rest))));
    }
    if !letter.is_ascii() || !b"diuxofegsca".contains(&(letter as u8).to_ascii_lowercase()) {
        return Ok(None);
    }
    let rest = &rest[1..];
    let width = || field_width(width);
    let kind = match letter {
        's' => SpecifierKind::Letters(Letters::not_space(), width()?.unwrap_or(usize::MAX)),
        'c' => SpecifierKind::Any(width()?.unwrap_or(1)),
        _ => match number::NumberKind::from_letter(letter) {
            Some(kind) => SpecifierKind::Number(kind, kind.checked_width(width()?)?),
            // An upper-case letter that has no meaning stands for itself.
            None => return Ok(Some((literal(&format[..length(rest)]), length(rest)))),
        },
    };
    Ok(Some((Specifier { kind, skipped, counts_space: letter == 'c' && !spaced }, length(rest))))
}

fn field_width(digits: &str) -> Result<Option<usize>, ScanError> {
    if digits.is_empty() {
        return Ok(None);
    }
    match digits.parse::<usize>() {
        Ok(0) => Err(ScanError("upper is smaller than lower in repeat range")),
        Ok(width) if width <= WIDEST => Ok(Some(width)),
        _ => Err(ScanError("too big number for repeat range")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, format: &str) -> String {
        match scan(text, format) {
            Ok(scanned) => {
                let shown = scanned.iter().map(|value| match value {
                    ScannedValue::Integer(number) => number.to_string(),
                    ScannedValue::Float(number) => format!("{number:?}"),
                    ScannedValue::Text(text) => format!("{text:?}"),
                });
                shown.collect::<Vec<_>>().join(" ")
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn values_are_read_until_one_does_not_fit() {
        for (text, format, expected) in [
            ("12 abc 1.5", "%d %s %f", "12 \"abc\" 1.5"),
            ("x", "%d", ""),
            ("12,abc", "%d,%d", "12"),
            ("  7 rest", "%d", "7"),
            ("-0x1F 017 0x1f 0", "%x%o%i%i", "-31 15 31"),
            ("12345", "%2d%*d%d", "12"),
            ("12345", "%2d%2d%*1d", "12 34"),
            ("1e5ab 5.e+3 .5", "%5f%f%f", "100000.0 5000.0 0.5"),
            ("1e5", "%f%s", "1.0 \"e5\""),
            ("0x1.8p1", "%f", "3.0"),
            ("abc123", "%[a-z]%d", "\"abc\" 123"),
            ("abc]x", "%[^\\]]%c", "premature end of char-class"),
            ("héé1", "%3[[:alpha:]]%c", "\"héé\" \"1\""),
            (" ab", "%c%c", "\" \" \"a\""),
            (" ab", " %2c", "\"ab\""),
            ("50 %x", "%d %%%c", "50 \"x\""),
            ("a", "", ""),
            ("1", "%0d", "upper is smaller than lower in repeat range"),
            ("99999999999999999999", "%d", "the number does not fit in 64 bits"),
        ] {
            assert_eq!(shown(text, format), expected, "{text} {format}");
        }
    }
}
