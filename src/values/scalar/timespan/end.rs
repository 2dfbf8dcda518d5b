//! The end of a range of timespans: one that was given as a float stays it, with the digits and the fraction it has.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::Timespan;
use crate::scalar::nanoseconds::PER_SECOND;

#[derive(Clone, Copy, Debug)]
pub enum SpanEnd {
    Exactly(Timespan),
    /// So many nanoseconds. Finite.
    Float(f64),
}

impl SpanEnd {
    /// None for what is no end at all: seconds that are not finite as nanoseconds.
    pub fn from_seconds(seconds: f64) -> Option<SpanEnd> {
        let nanoseconds = seconds * PER_SECOND as f64;
        nanoseconds.is_finite().then_some(SpanEnd::Float(nanoseconds))
    }
}

impl From<Timespan> for SpanEnd {
    fn from(span: Timespan) -> SpanEnd {
        SpanEnd::Exactly(span)
    }
}

/// As numbers, whatever they are kept as.
impl Ord for SpanEnd {
    fn cmp(&self, other: &SpanEnd) -> Ordering {
        match (self, other) {
            (SpanEnd::Exactly(left), SpanEnd::Exactly(right)) => left.cmp(right),
            (SpanEnd::Float(left), SpanEnd::Float(right)) => (left + 0.0).total_cmp(&(right + 0.0)),
            (SpanEnd::Exactly(left), SpanEnd::Float(right)) => against_float(left.nanoseconds(), *right),
            (SpanEnd::Float(left), SpanEnd::Exactly(right)) => against_float(right.nanoseconds(), *left).reverse(),
        }
    }
}

/// A float that is too big for the integer is the farther one all the same.
fn against_float(whole: i128, float: f64) -> Ordering {
    let floor = float.floor();
    let has_fraction = float > floor;
    whole.cmp(&(floor as i128)).then(if has_fraction { Ordering::Less } else { Ordering::Equal })
}

impl PartialOrd for SpanEnd {
    fn partial_cmp(&self, other: &SpanEnd) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SpanEnd {
    fn eq(&self, other: &SpanEnd) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SpanEnd {}

impl Hash for SpanEnd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            SpanEnd::Exactly(span) => span.nanoseconds().hash(state),
            SpanEnd::Float(nanoseconds) => (nanoseconds.floor() as i128).hash(state),
        }
    }
}

/// A float is taken apart as a float, and what is below the second keeps the zeros it has as a number.
impl fmt::Display for SpanEnd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = match self {
            SpanEnd::Exactly(span) => return write!(out, "{span}"),
            SpanEnd::Float(nanoseconds) => nanoseconds,
        };
        let sign = if *nanoseconds < 0.0 { "-" } else { "" };
        let second = PER_SECOND as f64;
        let total = nanoseconds.abs();
        let days = (total / (86_400.0 * second)).trunc();
        let hours = ((total / (3600.0 * second)) % 24.0).trunc();
        let minutes = ((total / (60.0 * second)) % 60.0).trunc();
        let seconds = ((total / second) % 60.0).trunc();
        write!(out, "{sign}{days:.0}-{hours:02.0}:{minutes:02.0}:{seconds:02.0}.")?;
        match total % second {
            // Ruby writes these with an exponent, and of that text the digits at its start are taken.
            tiny if tiny > 0.0 && tiny < 1e-4 => write!(out, "{}", &format!("{tiny:e}")[..1]),
            rest => write!(out, "{:.0}", rest.trunc()),
        }
    }
}
