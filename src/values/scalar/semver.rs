//! A version after semver.org, compared as the `semantic_puppet` library does it.

use pantin_base::{Digester, Digestible};
use std::cmp::Ordering;
use std::fmt;

use super::ScalarError;

/// Stands for infinity as a major number; no version that is read has it.
const INFINITE: u64 = u64::MAX;

const TOO_LARGE: ScalarError = ScalarError::Limit("a number of a version does not fit in 64 bits");

/// Equality looks at the build too, the order does not: so there is no `Ord`, but [`SemVer::compare`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SemVer {
    pub major: u64,
    pub minor: u64,
    pub patch: u64,
    /// Present and empty only in the lowest of all versions.
    prerelease: Option<Box<[Identifier]>>,
    build: Option<Box<[Box<str>]>>,
}

/// A part of a pre-release.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Identifier {
    /// Decimal digits without zeros before them, of any number.
    Number(Box<str>),
    Text(Box<str>),
}

pantin_base::digestible!(struct SemVer { 1 = major, 2 = minor, 3 = patch, 4 = prerelease, 5 = build });

impl Digestible for Identifier {
    fn add_to(&self, digester: &mut Digester) {
        match self {
            Identifier::Number(digits) => digester.number(0).text(digits),
            Identifier::Text(text) => digester.number(1).text(text),
        };
    }
}

impl SemVer {
    pub fn parse(text: &str) -> Result<SemVer, ScalarError> {
        let unable = || ScalarError::argument(format!("Unable to parse '{text}' as a semantic version identifier"));
        // A line end may follow, and is no part of it.
        let version = text.strip_suffix('\n').unwrap_or(text);
        let (core, suffix) = version.split_at(version.find(['-', '+']).unwrap_or(version.len()));
        let numbers: Vec<&str> = core.split('.').collect();
        let [major, minor, patch] = numbers[..] else { return Err(unable()) };
        if ![major, minor, patch].into_iter().all(is_number) {
            return Err(unable());
        }
        let (prerelease, build) = qualifiers(suffix).ok_or_else(unable)?;
        SemVer::from_numbers(number(major)?, number(minor)?, number(patch)?).qualified(prerelease, build)
    }

    pub fn is_valid(text: &str) -> bool {
        SemVer::parse(text).is_ok()
    }

    /// From numbers and texts. Here, a pre-release is not taken apart: `rc.1` is one identifier.
    pub fn from_parts(major: u64, minor: u64, patch: u64, prerelease: Option<&str>, build: Option<&str>) -> SemVer {
        SemVer {
            prerelease: prerelease.map(|text| [Identifier::Text(text.into())].into()),
            build: build.map(|text| [text.into()].into()),
            ..SemVer::from_numbers(major, minor, patch)
        }
    }

    pub(super) fn from_numbers(major: u64, minor: u64, patch: u64) -> SemVer {
        SemVer { major, minor, patch, prerelease: None, build: None }
    }

    /// The same numbers with what is written behind them.
    pub(super) fn qualified(self, prerelease: Option<&str>, build: Option<&str>) -> Result<SemVer, ScalarError> {
        let prerelease =
            prerelease.map(|text| text.split('.').map(identifier).collect::<Result<_, _>>()).transpose()?;
        let build = build.map(|text| text.split('.').map(Box::from).collect());
        Ok(SemVer { prerelease, build, ..self })
    }

    /// Lower than any version that can be written.
    pub fn lowest() -> SemVer {
        SemVer { prerelease: Some([].into()), ..SemVer::from_numbers(0, 0, 0) }
    }

    /// Higher than any version that can be written.
    pub fn highest() -> SemVer {
        SemVer::from_numbers(INFINITE, 0, 0)
    }

    pub(super) fn next_patch(&self) -> SemVer {
        SemVer::from_numbers(self.major, self.minor, self.patch.saturating_add(1))
    }

    /// Returns true if it is higher than any that can be written.
    pub fn is_infinite(&self) -> bool {
        self.major == INFINITE
    }

    /// The same without its pre-release.
    pub fn to_stable(&self) -> SemVer {
        SemVer { prerelease: None, ..self.clone() }
    }

    /// Returns true if it is no pre-release.
    pub fn is_stable(&self) -> bool {
        self.prerelease.as_ref().is_none_or(|identifiers| identifiers.is_empty())
    }

    /// Returns the pre-release as it is written, without its hyphen.
    pub fn prerelease(&self) -> Option<String> {
        (!self.is_stable()).then(|| joined(self.prerelease.as_deref().unwrap_or_default()))
    }

    /// Returns the build as it is written, without its plus.
    pub fn build(&self) -> Option<String> {
        self.build.as_ref().map(|parts| parts.join("."))
    }

    /// Returns which of two versions comes first. Versions that differ in their build alone do not differ in this.
    pub fn compare(&self, other: &SemVer) -> Ordering {
        let numbers = |version: &SemVer| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| match (&self.prerelease, &other.prerelease) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(mine), Some(theirs)) => {
                let pairs = mine.iter().zip(theirs).map(|(one, other)| one.compare(other));
                pairs.reduce(Ordering::then).unwrap_or(Ordering::Equal).then(mine.len().cmp(&theirs.len()))
            }
        })
    }

    pub(super) fn same_numbers(&self, other: &SemVer) -> bool {
        (self.major, self.minor, self.patch) == (other.major, other.minor, other.patch)
    }
}

impl Identifier {
    fn compare(&self, other: &Identifier) -> Ordering {
        use Identifier::{Number, Text};
        match (self, other) {
            (Number(one), Number(other)) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
            (Number(_), Text(_)) => Ordering::Less,
            (Text(_), Number(_)) => Ordering::Greater,
            (Text(one), Text(other)) => one.cmp(other),
        }
    }

    fn text(&self) -> &str {
        match self {
            Identifier::Number(text) | Identifier::Text(text) => text,
        }
    }
}

fn identifier(text: &str) -> Result<Identifier, ScalarError> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Identifier::Text(text.into()));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(ScalarError::argument("Numeric pre-release identifiers MUST NOT contain leading zeroes"));
    }
    Ok(Identifier::Number(text.into()))
}

fn joined(identifiers: &[Identifier]) -> String {
    identifiers.iter().map(Identifier::text).collect::<Vec<_>>().join(".")
}

/// Digits without zeros before them.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
}

/// Returns a number that leaves room for the next one, and for infinity.
pub(super) fn number(digits: &str) -> Result<u64, ScalarError> {
    digits.parse().ok().filter(|number| *number < INFINITE - 1).ok_or(TOO_LARGE)
}

/// Returns what stands behind the numbers: a pre-release after a hyphen, a build after a plus. `None` if it is neither.
pub(super) fn qualifiers(suffix: &str) -> Option<(Option<&str>, Option<&str>)> {
    let (prerelease, build) = match suffix.split_once('+') {
        Some((before, build)) => (before, Some(build)),
        None => (suffix, None),
    };
    let prerelease = if prerelease.is_empty() { None } else { Some(prerelease.strip_prefix('-')?) };
    let fits = |parts: Option<&str>| parts.is_none_or(|parts| parts.split('.').all(is_identifier));
    (fits(prerelease) && fits(build)).then_some((prerelease, build))
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl fmt::Display for SemVer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.major == INFINITE {
            f.write_str("Infinity")?;
        } else {
            write!(f, "{}", self.major)?;
        }
        write!(f, ".{}.{}", self.minor, self.patch)?;
        if let Some(identifiers) = &self.prerelease {
            write!(f, "-{}", joined(identifiers))?;
        }
        if let Some(build) = &self.build {
            write!(f, "+{}", build.join("."))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_stand_in_the_order_of_the_specification() {
        let rising = [
            "0.0.0-a",
            "0.0.0",
            "1.0.0-0",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.1",
            "1.2.0",
            "1.10.0",
            "2.0.0",
        ];
        let versions: Vec<_> = rising.iter().map(|text| SemVer::parse(text).unwrap()).collect();
        for (left, one) in versions.iter().enumerate() {
            assert_eq!(one.to_string(), rising[left]);
            for (right, other) in versions.iter().enumerate() {
                assert_eq!(one.compare(other), left.cmp(&right), "{one} {other}");
            }
            assert_eq!(SemVer::lowest().compare(one), Ordering::Less);
            assert_eq!(SemVer::highest().compare(one), Ordering::Greater);
        }
    }

    #[test]
    fn the_build_counts_for_equality_alone() {
        let [one, other] = ["1.0.0+a.1", "1.0.0+b"].map(|text| SemVer::parse(text).unwrap());
        assert_eq!(one.compare(&other), Ordering::Equal);
        assert_ne!(one, other);
        assert_eq!((one.build().as_deref(), one.prerelease()), (Some("a.1"), None));
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for text in
            ["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3+", "1.2.3-a..b", "v1.2.3", "1.2.3-é", "1.2.3\n\n"]
        {
            let expected = format!("Unable to parse '{text}' as a semantic version identifier");
            assert_eq!(SemVer::parse(text).unwrap_err().to_string(), expected);
        }
        let zeros = "Numeric pre-release identifiers MUST NOT contain leading zeroes";
        assert_eq!(SemVer::parse("1.0.0-a.01").unwrap_err().to_string(), zeros);
        assert!(SemVer::parse("1.0.0-01a").is_ok() && SemVer::parse("1.2.3\n").is_ok());
        assert!(matches!(SemVer::parse("99999999999999999999.0.0"), Err(ScalarError::Limit(_))));
    }

    #[test]
    fn texts_given_one_by_one_are_not_taken_apart() {
        let version = SemVer::from_parts(1, 2, 3, Some("rc.1"), Some("b.2"));
        assert_eq!(version.to_string(), "1.2.3-rc.1+b.2");
        assert_ne!(version, SemVer::parse("1.2.3-rc.1+b.2").unwrap());
        assert_eq!(SemVer::lowest().to_string(), "0.0.0-");
        assert_eq!(SemVer::highest().to_string(), "Infinity.0.0");
    }
}
