//! The text of a range: alternatives between `||`, each of them a span or comparisons that all have to hold.

use super::piece::Piece;
use super::{ScalarError, SemVer};
use crate::scalar::semver::{is_number, number, qualifiers};

const OPERATORS: [&str; 8] = ["<=", ">=", "~>", "~=", "<", ">", "=", "~"];

/// A version, the end of which may be missing.
struct Partial<'a> {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Option<&'a str>,
    build: Option<&'a str>,
}

/// Returns the alternatives, each once; those that no version is in are left out. `None` if the text is empty:
/// everything.
pub(super) fn pieces(text: &str) -> Result<Option<Vec<Piece>>, ScalarError> {
    let tidied = without_spaces_after_operators(text);
    let mut alternatives: Vec<&str> = split_alternatives(&tidied);
    while alternatives.last().is_some_and(|last| last.is_empty()) {
        alternatives.pop();
    }
    if alternatives.is_empty() {
        return Ok(None);
    }
    let mut pieces = Vec::new();
    for alternative in alternatives {
        if let Some(piece) = alternative_piece(alternative, text)?
            && !pieces.contains(&piece)
        {
            pieces.push(piece);
        }
    }
    Ok(Some(pieces))
}

fn is_space(ch: char) -> bool {
    matches!(ch, ' ' | '\t'..='\r')
}

/// White space after an operator, or a `v` there, does not count.
fn without_spaces_after_operators(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(operator) = rest.find(['>', '<', '=', '~', '^']) {
        let (before, after) = rest.split_at(operator + 1);
        tidied.push_str(before);
        let trimmed = after.trim_start_matches(is_space);
        rest = if trimmed.len() == after.len() { after.strip_prefix('v').unwrap_or(after) } else { trimmed };
    }
    tidied.push_str(rest);
    tidied
}

/// Returns the parts between `||`, without the white space around those.
fn split_alternatives(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = text.split("||").collect();
    let last = parts.len() - 1;
    for (index, part) in parts.iter_mut().enumerate() {
        if index > 0 {
            *part = part.trim_start_matches(is_space);
        }
        if index < last {
            *part = part.trim_end_matches(is_space);
        }
    }
    parts
}

fn unparsable(text: &str) -> ScalarError {
    ScalarError::argument(format!("Unparsable version range: \"{text}\""))
}

fn alternative_piece(alternative: &str, text: &str) -> Result<Option<Piece>, ScalarError> {
    if let Some((least, most)) = hyphenated(alternative) {
        let least = Piece::GreaterOrEqual(partial(least, text)?.version()?);
        return Ok(least.intersection(&Piece::LessOrEqual(partial(most, text)?.version()?)));
    }
    let mut words: Vec<&str> = split_words(alternative);
    while words.last().is_some_and(|last| last.is_empty()) {
        words.pop();
    }
    let simples = words.iter().map(|word| simple(word, text)).collect::<Result<Vec<_>, _>>()?;
    let mut simples = simples.into_iter();
    let mut common = simples.next();
    for piece in simples {
        let Some(so_far) = common else {
            return Err(ScalarError::argument("undefined method `intersection' for nil:NilClass"));
        };
        common = so_far.intersection(&piece);
    }
    Ok(common)
}

/// Split at runs of white space; one at the beginning leaves an empty word before it.
fn split_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(is_space) {
        words.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(is_space);
    }
    words.push(rest);
    words
}

/// Two versions and a hyphen between, with white space around it.
fn hyphenated(text: &str) -> Option<(&str, &str)> {
    let words = split_words(text);
    let [least, "-", most] = words[..] else { return None };
    (partial(least, text).is_ok() && partial(most, text).is_ok()).then_some((least, most))
}

fn simple(word: &str, text: &str) -> Result<Piece, ScalarError> {
    let (operator, operand) = match word.strip_prefix('^') {
        Some(operand) => ("^", operand),
        None => {
            OPERATORS.iter().find_map(|operator| Some((*operator, word.strip_prefix(operator)?))).unwrap_or(("", word))
        }
    };
    let partial = partial(operand, text)?;
    match operator {
        "~" | "~>" | "~=" => partial.within_minor(true),
        "^" => partial.caret(),
        ">" => partial.above(),
        ">=" => Ok(Piece::GreaterOrEqual(partial.version()?)),
        "<" => Ok(Piece::Less(partial.version()?)),
        "<=" => partial.at_most(),
        _ => partial.within_minor(false),
    }
}

/// Returns the parts of a version. All of it has to be one, or the whole text is to blame.
fn partial<'a>(word: &'a str, text: &str) -> Result<Partial<'a>, ScalarError> {
    let mut numbers = [None; 3];
    let mut rest = word;
    let mut count = 0;
    loop {
        let end = rest.find(['.', '-', '+']).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        numbers[count] = match digits {
            "x" | "X" | "*" => None,
            _ if is_number(digits) => Some(digits),
            _ => return Err(unparsable(text)),
        };
        count += 1;
        rest = after;
        match after.strip_prefix('.') {
            Some(more) if count < 3 => rest = more,
            _ => break,
        }
    }
    if count < 3 && !rest.is_empty() {
        return Err(unparsable(text));
    }
    let (prerelease, build) = qualifiers(rest).ok_or_else(|| unparsable(text))?;
    let [major, minor, patch] = numbers.map(|digits| digits.map(number).transpose());
    Ok(Partial { major: major?, minor: minor?, patch: patch?, prerelease, build })
}

impl Partial<'_> {
    /// What is missing is zero.
    fn version(&self) -> Result<SemVer, ScalarError> {
        let [major, minor, patch] = [self.major, self.minor, self.patch].map(Option::unwrap_or_default);
        SemVer::from_numbers(major, minor, patch).qualified(self.prerelease, self.build)
    }

    /// Everything with the numbers that are there; where none is missing, the version alone, or with a tilde the later
    /// patches too.
    fn within_minor(&self, tilde: bool) -> Result<Piece, ScalarError> {
        Ok(match (self.major, self.minor, self.patch) {
            (None, ..) => Piece::All,
            (Some(major), None, _) => {
                Piece::from_to(SemVer::from_numbers(major, 0, 0), SemVer::from_numbers(major + 1, 0, 0))
            }
            (Some(major), Some(minor), None) => {
                Piece::from_to(SemVer::from_numbers(major, minor, 0), SemVer::from_numbers(major, minor + 1, 0))
            }
            (Some(major), Some(minor), Some(_)) if tilde => {
                Piece::from_to(self.version()?, SemVer::from_numbers(major, minor + 1, 0))
            }
            _ => Piece::Equal(self.version()?),
        })
    }

    fn caret(&self) -> Result<Piece, ScalarError> {
        let Some(major) = self.major else { return Err(no_singleton()) };
        if major == 0 {
            return self.within_minor(true);
        }
        let least = match (self.minor, self.patch, self.prerelease) {
            (Some(_), Some(_), Some(_)) => self.version()?,
            (Some(minor), patch, _) => SemVer::from_numbers(major, minor, patch.unwrap_or(0)),
            (None, ..) => SemVer::from_numbers(major, 0, 0),
        };
        Ok(Piece::from_to(least, SemVer::from_numbers(major + 1, 0, 0)))
    }

    fn above(&self) -> Result<Piece, ScalarError> {
        Ok(match (self.major, self.minor, self.patch) {
            (None, ..) => Piece::Nothing,
            (Some(major), None, _) => Piece::GreaterOrEqual(SemVer::from_numbers(major + 1, 0, 0)),
            (Some(major), Some(minor), None) => Piece::GreaterOrEqual(SemVer::from_numbers(major, minor + 1, 0)),
            _ => Piece::Greater(self.version()?),
        })
    }

    fn at_most(&self) -> Result<Piece, ScalarError> {
        Ok(match (self.major, self.minor, self.patch) {
            (None, ..) => return Err(no_singleton()),
            (Some(major), None, _) => Piece::Less(SemVer::from_numbers(major + 1, 0, 0)),
            (Some(major), Some(minor), None) => Piece::Less(SemVer::from_numbers(major, minor + 1, 0)),
            _ => Piece::LessOrEqual(self.version()?),
        })
    }
}

/// Returns a slip in the library: the range of everything is asked for in a way that does not exist.
fn no_singleton() -> ScalarError {
    ScalarError::argument("undefined method `SINGLETON' for SemanticPuppet::VersionRange::AllRange:Class")
}
