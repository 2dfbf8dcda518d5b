//! Versions of Debian's packages, and ranges of them: `>=1.2-3 <2`.

use std::cmp::Ordering;
use std::fmt;

/// A version: `EPOCH:UPSTREAM-REVISION`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DebianVersion {
    epoch: u64,
    upstream: String,
    revision: Option<String>,
}

impl DebianVersion {
    /// Reads a version; `None` if it is none.
    pub(super) fn parse(written: &str) -> Option<DebianVersion> {
        let (epoch, rest) = match written.split_once(':') {
            Some((epoch, rest)) if !epoch.is_empty() && epoch.bytes().all(|byte| byte.is_ascii_digit()) => {
                (epoch.parse().ok()?, rest)
            }
            Some(_) => return None,
            None => (0, written),
        };
        let is_part = |part: &str, allowed: &str| {
            part.chars().all(|letter| letter.is_ascii_alphanumeric() || allowed.contains(letter))
        };
        // The first hyphen ends the upstream version, if no further one comes.
        let split = rest.char_indices().filter(|(place, letter)| *letter == '-' && *place > 0);
        let divided = split.map(|(place, _)| (&rest[..place], &rest[place + 1..]));
        let whole = divided.clone().find(|(upstream, revision)| is_part(upstream, ".+~-") && is_part(revision, ".+~"));
        let (upstream, revision) = match whole {
            Some((upstream, revision)) => (upstream, Some(revision.to_owned())),
            None if !rest.is_empty() && is_part(rest, ".+~-") => (rest, None),
            None => return None,
        };
        Some(DebianVersion { epoch, upstream: upstream.to_owned(), revision })
    }
}

impl fmt::Display for DebianVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.epoch != 0 {
            write!(f, "{}:", self.epoch)?;
        }
        f.write_str(&self.upstream)?;
        match &self.revision {
            Some(revision) => write!(f, "-{revision}"),
            None => Ok(()),
        }
    }
}

impl Ord for DebianVersion {
    fn cmp(&self, other: &DebianVersion) -> Ordering {
        let revision = |version: &DebianVersion| version.revision.clone().unwrap_or_default();
        let of_upstream = || compare_parts(&self.upstream, &other.upstream);
        let of_revision = || compare_parts(&revision(self), &revision(other));
        self.epoch.cmp(&other.epoch).then_with(of_upstream).then_with(of_revision)
    }
}

impl PartialOrd for DebianVersion {
    fn partial_cmp(&self, other: &DebianVersion) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A test for a kind of letters.
type IsOfKind = fn(char) -> bool;

/// Compares two parts as Puppet does: tildes, letters, other signs and digits in turn.
fn compare_parts(mine: &str, yours: &str) -> Ordering {
    let (mut mine, mut yours) = (mine, yours);
    while !mine.is_empty() && !yours.is_empty() {
        let kinds: [(IsOfKind, Compare); 4] = [
            (|letter| letter == '~', |mine, yours| yours.len().cmp(&mine.len())),
            (|letter| letter.is_ascii_alphabetic(), |mine, yours| mine.cmp(yours)),
            (|letter| ".+-".contains(letter), |mine, yours| mine.cmp(yours)),
            (|letter| letter.is_ascii_digit(), compare_numbers),
        ];
        for (is_of_kind, compare) in kinds {
            let (my_part, my_rest) = take_while(mine, is_of_kind);
            let (your_part, your_rest) = take_while(yours, is_of_kind);
            (mine, yours) = (my_rest, your_rest);
            match compare(my_part, your_part) {
                Ordering::Equal => {}
                other => return other,
            }
        }
    }
    match () {
        () if mine.starts_with('~') => Ordering::Less,
        () if yours.starts_with('~') => Ordering::Greater,
        () => mine.len().cmp(&yours.len()),
    }
}

type Compare = fn(&str, &str) -> Ordering;

fn take_while(text: &str, is_of_kind: fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|letter| !is_of_kind(letter)).unwrap_or(text.len()))
}

/// Compares numbers of any length.
fn compare_numbers(mine: &str, yours: &str) -> Ordering {
    let (mine, yours) = (mine.trim_start_matches('0'), yours.trim_start_matches('0'));
    mine.len().cmp(&yours.len()).then_with(|| mine.cmp(yours))
}

/// Versions that will do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum VersionRange {
    Exactly(DebianVersion),
    Bound(Bound, DebianVersion),
    Both(Box<VersionRange>, Box<VersionRange>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Above,
    From,
    Below,
    To,
}

impl Bound {
    fn sign(self) -> &'static str {
        match self {
            Bound::Above => ">",
            Bound::From => ">=",
            Bound::Below => "<",
            Bound::To => "<=",
        }
    }
}

impl VersionRange {
    /// Reads a range; `None` if it is none.
    pub(super) fn parse(written: &str) -> Option<VersionRange> {
        let mut simple = written.split_whitespace().map(VersionRange::parse_simple).collect::<Option<Vec<_>>>()?;
        if written.starts_with(char::is_whitespace) || simple.is_empty() {
            return None;
        }
        simple.truncate(2);
        let second = if simple.len() == 2 { simple.pop() } else { None };
        let first = simple.pop()?;
        Some(match second {
            Some(second) => VersionRange::Both(Box::new(first), Box::new(second)),
            None => first,
        })
    }

    fn parse_simple(written: &str) -> Option<VersionRange> {
        let version = written.trim_start_matches(['<', '>', '=']);
        let operator = &written[..written.len() - version.len()];
        let version = DebianVersion::parse(version)?;
        let bound = match operator {
            "" => return Some(VersionRange::Exactly(version)),
            ">" => Bound::Above,
            ">=" => Bound::From,
            "<" => Bound::Below,
            "<=" => Bound::To,
            _ => return None,
        };
        Some(VersionRange::Bound(bound, version))
    }

    pub(super) fn contains(&self, version: &DebianVersion) -> bool {
        match self {
            VersionRange::Exactly(wanted) => version == wanted,
            VersionRange::Bound(Bound::Above, bound) => version > bound,
            VersionRange::Bound(Bound::From, bound) => version >= bound,
            VersionRange::Bound(Bound::Below, bound) => version < bound,
            VersionRange::Bound(Bound::To, bound) => version <= bound,
            VersionRange::Both(one, other) => one.contains(version) && other.contains(version),
        }
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VersionRange::Exactly(version) => write!(f, "{version}"),
            VersionRange::Bound(bound, version) => write!(f, "{}{version}", bound.sign()),
            VersionRange::Both(one, other) => write!(f, "{one} {other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(mine: &str, yours: &str) -> Ordering {
        DebianVersion::parse(mine).unwrap().cmp(&DebianVersion::parse(yours).unwrap())
    }

    #[test]
    fn versions_are_ordered_as_debian_orders_them() {
        let ordered = ["1.0~rc1", "1.0", "1.0-1", "1.0-1+b1", "1.0.1", "1.9", "1.10", "2", "1:0.1"];
        for pair in ordered.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
        assert_eq!(compare("1.02", "1.2"), Ordering::Equal);
    }

    #[test]
    fn a_range_has_one_bound_or_two() {
        let version = |written: &str| DebianVersion::parse(written).unwrap();
        let range = VersionRange::parse(">=1.0 <2.0-1").unwrap();
        assert!(range.contains(&version("1.0")) && range.contains(&version("1.9-3")));
        assert!(!range.contains(&version("2.0-1")));
        assert_eq!(range.to_string(), ">=1.0 <2.0-1");
        assert_eq!(VersionRange::parse("==1.0"), None);
        assert_eq!(VersionRange::parse(" 1.0"), None);
        assert_eq!(VersionRange::parse("a b:c"), None);
    }

    #[test]
    fn a_version_shows_as_it_was_written() {
        for written in ["1:2.3-4", "2.3", "1.0-rc1-2", "held"] {
            assert_eq!(DebianVersion::parse(written).unwrap().to_string(), written);
        }
        assert_eq!(DebianVersion::parse("1 2"), None);
    }
}
