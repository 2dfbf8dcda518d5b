//! Divides a text among the fields of a format: each takes as much as it can, and gives back what a later one needs.
//!
//! Knows nothing of units. What failed once at a place is not tried there again, so the time is bounded.

use super::ScalarError;

/// How many pairs of a piece and a place are looked at.
const MOST_STATES: usize = 1 << 24;

#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    Literal(&'a str),
    /// Digits, or digits and white space: at least so many, at most so many.
    Run {
        spaces: bool,
        least: usize,
        most: usize,
    },
    /// White space, which is not part of what is captured, then digits.
    SpacesThenDigits,
}

impl Piece<'_> {
    pub(super) fn digits(least: usize, most: usize) -> Piece<'static> {
        Piece::Run { spaces: false, least, most }
    }

    pub(super) fn digits_and_spaces(least: usize, most: usize) -> Piece<'static> {
        Piece::Run { spaces: true, least, most }
    }

    /// Where what is captured begins, and where it can end: from the farthest place to the nearest.
    fn spans(&self, text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
        let run = |from: usize, spaces: bool| {
            let fits = |byte: &&u8| byte.is_ascii_digit() || (spaces && is_space(**byte));
            text[from..].iter().take_while(fits).count()
        };
        match *self {
            Piece::Literal(literal) => {
                text[at..].starts_with(literal.as_bytes()).then_some((at, at + literal.len(), at + literal.len()))
            }
            Piece::Run { spaces, least, most } => {
                let longest = run(at, spaces).min(most);
                (longest >= least).then_some((at, at + longest, at + least))
            }
            Piece::SpacesThenDigits => {
                let begin = at + text[at..].iter().take_while(|byte| is_space(**byte)).count();
                let digits = run(begin, false);
                (digits > 0).then_some((begin, begin + digits, begin + 1))
            }
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A piece that has taken something: from `begin` to `end`, and could do with as little as up to `nearest`.
struct Taken {
    begin: usize,
    end: usize,
    nearest: usize,
}

/// Returns what each piece takes of the text, all of which they have to take. A minus sign may come first.
pub(super) fn captures<'t>(pieces: &[Piece<'_>], text: &'t str) -> Result<Option<Vec<&'t str>>, ScalarError> {
    if pieces.len().saturating_mul(text.len() + 1) > MOST_STATES {
        return Err(ScalarError::Limit("the text or the format of a timespan is too long"));
    }
    let mut failed = vec![false; (pieces.len() + 1) * (text.len() + 1)];
    let starts = if text.starts_with('-') { [Some(1), Some(0)] } else { [Some(0), None] };
    for start in starts.into_iter().flatten() {
        if let Some(taken) = divide(pieces, text.as_bytes(), start, &mut failed) {
            return Ok(Some(taken.iter().map(|piece| &text[piece.begin..piece.end]).collect()));
        }
    }
    Ok(None)
}

fn divide(pieces: &[Piece<'_>], text: &[u8], start: usize, failed: &mut [bool]) -> Option<Vec<Taken>> {
    let state = |piece: usize, at: usize| piece * (text.len() + 1) + at;
    let mut taken: Vec<Taken> = Vec::with_capacity(pieces.len());
    loop {
        let at = taken.last().map_or(start, |piece| piece.end);
        let depth = taken.len();
        let next = pieces.get(depth).filter(|_| !failed[state(depth, at)]).and_then(|piece| piece.spans(text, at));
        if depth == pieces.len() && at == text.len() {
            return Some(taken);
        }
        if let Some((begin, end, nearest)) = next {
            taken.push(Taken { begin, end, nearest });
            continue;
        }
        failed[state(depth, at)] = true;
        // Back to the last piece that can do with less.
        loop {
            let last = taken.last_mut()?;
            if last.end > last.nearest {
                last.end -= 1;
                break;
            }
            taken.pop();
            let at = taken.last().map_or(start, |piece| piece.end);
            failed[state(taken.len(), at)] = true;
        }
    }
}
