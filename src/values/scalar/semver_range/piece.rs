//! A range without gaps: everything, one bound, or two.

use pantin_base::{Digester, Digestible};
use std::fmt;

use super::{ScalarError, SemVer};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Piece {
    All,
    /// Below the lowest of all versions.
    Nothing,
    Greater(SemVer),
    GreaterOrEqual(SemVer),
    Less(SemVer),
    LessOrEqual(SemVer),
    Equal(SemVer),
    /// Within both. Neither is itself two.
    Both(Box<[Piece; 2]>),
}

impl Digestible for Piece {
    fn add_to(&self, digester: &mut Digester) {
        match self {
            Piece::All => digester.number(0),
            Piece::Nothing => digester.number(1),
            Piece::Greater(version) => digester.number(2).item(version),
            Piece::GreaterOrEqual(version) => digester.number(3).item(version),
            Piece::Less(version) => digester.number(4).item(version),
            Piece::LessOrEqual(version) => digester.number(5).item(version),
            Piece::Equal(version) => digester.number(6).item(version),
            Piece::Both(both) => digester.number(7).item(&both[..]),
        };
    }
}

impl Piece {
    fn both(least: &Piece, most: &Piece) -> Piece {
        let least = if let Piece::Both(bounds) = least { &bounds[0] } else { least };
        let most = if let Piece::Both(bounds) = most { &bounds[1] } else { most };
        Piece::Both(Box::new([least.clone(), most.clone()]))
    }

    pub(super) fn from_to(least: SemVer, below: SemVer) -> Piece {
        Piece::Both(Box::new([Piece::GreaterOrEqual(least), Piece::Less(below)]))
    }

    pub(super) fn includes(&self, version: &SemVer) -> bool {
        match self {
            Piece::All => true,
            Piece::Nothing => false,
            Piece::Greater(bound) => version.compare(bound).is_gt(),
            Piece::GreaterOrEqual(bound) => version.compare(bound).is_ge(),
            Piece::Less(bound) => version.compare(bound).is_lt(),
            Piece::LessOrEqual(bound) => version.compare(bound).is_le(),
            Piece::Equal(only) => version == only,
            Piece::Both(bounds) => bounds.iter().all(|bound| bound.includes(version)),
        }
    }

    /// Returns true if the range says that it wants pre-releases with the numbers of this version.
    pub(super) fn names_prerelease_of(&self, version: &SemVer) -> bool {
        match self {
            Piece::All => true,
            Piece::Nothing => false,
            Piece::Both(bounds) => bounds.iter().any(|bound| bound.names_prerelease_of(version)),
            Piece::Greater(bound)
            | Piece::GreaterOrEqual(bound)
            | Piece::Less(bound)
            | Piece::LessOrEqual(bound)
            | Piece::Equal(bound) => !bound.is_stable() && bound.same_numbers(version),
        }
    }

    pub(super) fn begin(&self) -> SemVer {
        match self {
            Piece::All | Piece::Nothing | Piece::Less(_) | Piece::LessOrEqual(_) => SemVer::lowest(),
            Piece::Greater(bound) | Piece::GreaterOrEqual(bound) | Piece::Equal(bound) => bound.clone(),
            Piece::Both(bounds) => bounds[0].begin(),
        }
    }

    pub(super) fn end(&self) -> SemVer {
        match self {
            Piece::All | Piece::Greater(_) | Piece::GreaterOrEqual(_) => SemVer::highest(),
            Piece::Nothing => SemVer::lowest(),
            Piece::Less(bound) | Piece::LessOrEqual(bound) | Piece::Equal(bound) => bound.clone(),
            Piece::Both(bounds) => bounds[1].end(),
        }
    }

    pub(super) fn excludes_begin(&self) -> bool {
        match self {
            Piece::Greater(_) => true,
            Piece::Both(bounds) => bounds[0].excludes_begin(),
            _ => false,
        }
    }

    pub(super) fn excludes_end(&self) -> bool {
        match self {
            Piece::Less(_) | Piece::Nothing => true,
            Piece::Both(bounds) => bounds[1].excludes_end(),
            _ => false,
        }
    }

    fn has_lower_bound(&self) -> bool {
        match self {
            Piece::Greater(_) => true,
            Piece::GreaterOrEqual(bound) | Piece::Equal(bound) => *bound != SemVer::lowest(),
            Piece::Both(bounds) => bounds[0].has_lower_bound(),
            _ => false,
        }
    }

    fn has_upper_bound(&self) -> bool {
        match self {
            Piece::Less(_) | Piece::Nothing => true,
            Piece::LessOrEqual(bound) | Piece::Equal(bound) => *bound != SemVer::highest(),
            Piece::Both(bounds) => bounds[1].has_upper_bound(),
            _ => false,
        }
    }

    /// Returns what is in both, if there is anything.
    pub(super) fn intersection(&self, other: &Piece) -> Option<Piece> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        if *self == Piece::All {
            return Some(other.clone());
        }
        match self.begin().compare(&other.end()) {
            Greater => return None,
            Equal if self.excludes_begin() || other.excludes_end() => return None,
            Equal => return Some(Piece::Equal(self.begin())),
            Less => {}
        }
        match other.begin().compare(&self.end()) {
            Greater => return None,
            Equal if other.excludes_begin() || self.excludes_end() => return None,
            Equal => return Some(Piece::Equal(other.begin())),
            Less => {}
        }
        let least = match self.begin().compare(&other.begin()) {
            Greater => self,
            Equal if self.excludes_begin() => self,
            _ => other,
        };
        let most = match self.end().compare(&other.end()) {
            Less => self,
            Equal if self.excludes_end() => self,
            _ => other,
        };
        Some(if !most.has_upper_bound() {
            least.clone()
        } else if !least.has_lower_bound() {
            most.clone()
        } else {
            Piece::both(least, most)
        })
    }

    /// Returns what is in either, if that has no gap.
    pub(super) fn merge(&self, other: &Piece) -> Result<Option<Piece>, ScalarError> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        if *self == Piece::All {
            return Ok(Some(Piece::All));
        }
        let (begin, other_begin, end, other_end) = (self.begin(), other.begin(), self.end(), other.end());
        if self.includes(&other_begin) || other.includes(&begin) {
            let (least, exclude_begin) = match begin.compare(&other_begin) {
                Less => (begin, self.excludes_begin()),
                Greater => (other_begin, other.excludes_begin()),
                Equal => (begin, self.excludes_begin() && other.excludes_begin()),
            };
            let (most, exclude_end) = match end.compare(&other_end) {
                Greater => (end, self.excludes_end()),
                Less => (other_end, other.excludes_end()),
                // A slip in the library: it asks for a method that is not there.
                Equal => return Err(ScalarError::argument(no_exclude_end(self))),
            };
            let lower = if exclude_begin { Piece::Greater(least) } else { Piece::GreaterOrEqual(least) };
            let upper = if exclude_end { Piece::Less(most) } else { Piece::LessOrEqual(most) };
            return Ok(lower.intersection(&upper));
        }
        let precedes = |one: &Piece, two: &Piece| {
            !two.excludes_begin()
                && (one.end() == two.begin() && one.excludes_end()
                    || !one.excludes_end() && one.end().next_patch() == two.begin())
        };
        Ok(if precedes(self, other) {
            self.joined_to(other)
        } else if precedes(other, self) {
            other.joined_to(self)
        } else {
            None
        })
    }

    /// From the beginning of one to the end of another.
    fn joined_to(&self, other: &Piece) -> Option<Piece> {
        let (begin, end) = (self.begin(), other.end());
        let lower = if self.excludes_begin() { Piece::Greater(begin) } else { Piece::GreaterOrEqual(begin) };
        let upper = if other.excludes_end() { Piece::Less(end) } else { Piece::LessOrEqual(end) };
        lower.intersection(&upper)
    }
}

fn no_exclude_end(piece: &Piece) -> String {
    let class = match piece {
        Piece::All => "AllRange",
        Piece::Nothing | Piece::Less(_) => "LtRange",
        Piece::LessOrEqual(_) => "LtEqRange",
        Piece::Greater(_) => "GtRange",
        Piece::GreaterOrEqual(_) => "GtEqRange",
        Piece::Equal(_) => "EqRange",
        Piece::Both(_) => return format!("undefined local variable or method `exclude_end' for {piece}"),
    };
    format!("undefined local variable or method `exclude_end' for #<SemanticPuppet::VersionRange::{class}>")
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Piece::All => f.write_str("*"),
            Piece::Nothing => f.write_str("<0.0.0"),
            Piece::Greater(bound) => write!(f, ">{bound}"),
            Piece::GreaterOrEqual(bound) => write!(f, ">={bound}"),
            Piece::Less(bound) => write!(f, "<{bound}"),
            Piece::LessOrEqual(bound) => write!(f, "<={bound}"),
            Piece::Equal(only) => write!(f, "{only}"),
            Piece::Both(bounds) => write!(f, "{} {}", bounds[0], bounds[1]),
        }
    }
}
