//! A range of versions, as the `semantic_puppet` library reads and compares it.
//!
//! What makes that library special is kept, the errors it makes by accident among it.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{ScalarError, SemVer};
use piece::Piece;

mod parse;
mod piece;
#[cfg(test)]
mod tests;

#[derive(Clone, Debug)]
pub struct SemVerRange {
    /// A version is in the range if it is in one of them.
    pieces: Vec<Piece>,
    text: String,
}

pantin_base::digestible!(struct SemVerRange { 1 = pieces, 2 = text });

impl SemVerRange {
    pub fn parse(text: &str) -> Result<SemVerRange, ScalarError> {
        match parse::pieces(text)? {
            None => Ok(SemVerRange { pieces: vec![Piece::All], text: "*".to_owned() }),
            Some(pieces) => SemVerRange::new(pieces, Some(text)),
        }
    }

    /// From one version to another, `None` being the lowest or the highest. Written in a way that cannot be read
    /// back: the library confuses the two.
    pub fn between(least: Option<SemVer>, most: Option<SemVer>, exclude_end: bool) -> Result<SemVerRange, ScalarError> {
        let least = least.unwrap_or_else(SemVer::lowest);
        let most = most.unwrap_or_else(SemVer::highest);
        let (text, upper) = if exclude_end {
            (format!(">={most} <{least}"), Piece::Less(most))
        } else {
            (format!("{most} - {least}"), Piece::LessOrEqual(most))
        };
        let pieces = Piece::GreaterOrEqual(least).intersection(&upper).into_iter().collect();
        SemVerRange::new(pieces, Some(&text))
    }

    /// Returns the range that holds one version alone.
    pub fn exactly(version: &SemVer) -> SemVerRange {
        let upper = Piece::LessOrEqual(version.clone());
        let pieces = Piece::GreaterOrEqual(version.clone()).intersection(&upper).into_iter().collect();
        SemVerRange { pieces, text: format!("{version} - {version}") }
    }

    /// Merges what can be merged.
    fn new(mut pieces: Vec<Piece>, text: Option<&str>) -> Result<SemVerRange, ScalarError> {
        let mut merged = true;
        while pieces.len() > 1 && merged {
            merged = false;
            let mut kept = Vec::new();
            while let Some(mut sum) = pieces.pop() {
                let mut others = Vec::new();
                for piece in pieces {
                    match sum.merge(&piece)? {
                        Some(larger) => {
                            merged = true;
                            sum = larger;
                        }
                        None => others.push(piece),
                    }
                }
                kept.push(sum);
                pieces = others;
            }
            kept.reverse();
            pieces = kept;
        }
        if pieces.is_empty() {
            pieces.push(Piece::Nothing);
        }
        let text = text.map_or_else(|| joined(&pieces), str::to_owned);
        Ok(SemVerRange { pieces, text })
    }

    /// Returns true if a version is in the range. A pre-release is so only where the range names one of the same
    /// numbers.
    pub fn includes(&self, version: &SemVer) -> bool {
        let fits =
            |piece: &Piece| piece.includes(version) && (version.is_stable() || piece.names_prerelease_of(version));
        self.pieces.iter().any(fits)
    }

    pub fn intersection(&self, other: &SemVerRange) -> Result<SemVerRange, ScalarError> {
        let mut pieces: Vec<Piece> = Vec::new();
        for one in &self.pieces {
            for other in &other.pieces {
                if let Some(common) = one.intersection(other)
                    && !pieces.contains(&common)
                {
                    pieces.push(common);
                }
            }
        }
        SemVerRange::new(pieces, None)
    }

    /// Returns the range in the words of the library, whatever it was written as.
    pub fn canonical(&self) -> String {
        joined(&self.pieces)
    }

    /// Returns the first version, if there is one beginning.
    pub fn begin(&self) -> Option<SemVer> {
        self.single().map(Piece::begin)
    }

    /// Returns the last version, if there is one end.
    pub fn end(&self) -> Option<SemVer> {
        self.single().map(Piece::end)
    }

    /// Whether the beginning is not in the range, if there is one beginning.
    pub fn excludes_begin(&self) -> Option<bool> {
        self.single().map(Piece::excludes_begin)
    }

    /// Whether the end is not in the range, if there is one end.
    pub fn excludes_end(&self) -> Option<bool> {
        self.single().map(Piece::excludes_end)
    }

    fn single(&self) -> Option<&Piece> {
        match &self.pieces[..] {
            [piece] => Some(piece),
            _ => None,
        }
    }

    /// One piece, or the error that comes of looking at the ends of several.
    fn piece(&self, method: &str) -> Result<&Piece, ScalarError> {
        self.single().ok_or_else(|| ScalarError::argument(format!("undefined method `{method}' for nil:NilClass")))
    }

    /// Returns true if all of this range is in the other one. Neither may have several pieces.
    pub fn is_covered_by(&self, other: &SemVerRange) -> Result<bool, ScalarError> {
        let theirs = other.piece("<=")?;
        let Some(mine) = self.single() else {
            return Err(ScalarError::argument("comparison of SemanticPuppet::Version with nil failed"));
        };
        let (my_end, their_end) = (mine.end(), theirs.end());
        Ok(theirs.begin().compare(&mine.begin()).is_le()
            && (their_end.compare(&my_end).is_gt()
                || (their_end == my_end && (!theirs.excludes_end() || mine.excludes_end()))))
    }

    /// The range that has the versions of both, if they overlap or one follows the other: how a type of several
    /// ranges makes them fewer. Neither may have several pieces.
    pub fn merge(&self, other: &SemVerRange) -> Result<Option<SemVerRange>, ScalarError> {
        let (one, two) = (self.piece("stable?")?, other.piece("stable?")?);
        let (begin, other_begin, end, other_end) = (one.begin(), two.begin(), one.end(), two.end());
        if self.includes(&other_begin) || other.includes(&begin) {
            let most = if other_end.compare(&end).is_gt() { other_end.clone() } else { end.clone() };
            let exclude = if one.excludes_end() {
                most == end && (most.compare(&other_end).is_gt() || two.excludes_end())
            } else {
                two.excludes_end() && most == other_end && most.compare(&end).is_gt()
            };
            let least = if other_begin.compare(&begin).is_lt() { other_begin } else { begin };
            SemVerRange::between(Some(least), Some(most), exclude).map(Some)
        } else if one.excludes_end() && end == other_begin {
            SemVerRange::between(Some(begin), Some(other_end), two.excludes_end()).map(Some)
        } else if two.excludes_end() && other_end == begin {
            SemVerRange::between(Some(other_begin), Some(end), one.excludes_end()).map(Some)
        } else {
            Ok(None)
        }
    }
}

fn joined(pieces: &[Piece]) -> String {
    pieces.iter().map(Piece::to_string).collect::<Vec<_>>().join(" || ")
}

/// How it is written does not count.
impl PartialEq for SemVerRange {
    fn eq(&self, other: &SemVerRange) -> bool {
        self.pieces == other.pieces
    }
}

impl Eq for SemVerRange {}

impl Hash for SemVerRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.pieces.hash(state);
    }
}

/// As it was written, if it was.
impl fmt::Display for SemVerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
