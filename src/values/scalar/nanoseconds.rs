//! A number of nanoseconds, wide enough for any year that is likely to be written.
//!
//! Knows nothing of what is counted: a length of time, or the time since 1970.

use super::ScalarError;

pub(super) const PER_SECOND: i128 = 1_000_000_000;

const TOO_FAR: ScalarError = ScalarError::Limit("the time is out of range: its seconds do not fit in 64 bits");

/// Kept as whole seconds, rounded down, and what is left of one: so the order of the fields is the order of the
/// numbers, and sixteen bytes are enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Nanoseconds {
    seconds: i64,
    rest: u32,
}

impl Nanoseconds {
    pub(super) fn new(total: i128) -> Result<Nanoseconds, ScalarError> {
        let seconds = i64::try_from(total.div_euclid(PER_SECOND)).map_err(|_| TOO_FAR)?;
        Ok(Nanoseconds { seconds, rest: total.rem_euclid(PER_SECOND) as u32 })
    }

    pub(super) const fn from_seconds(seconds: i64) -> Nanoseconds {
        Nanoseconds { seconds, rest: 0 }
    }

    pub(super) fn from_float_seconds(seconds: f64) -> Result<Nanoseconds, ScalarError> {
        Nanoseconds::new(whole(seconds * PER_SECOND as f64)?)
    }

    pub(super) fn total(self) -> i128 {
        i128::from(self.seconds) * PER_SECOND + i128::from(self.rest)
    }

    /// Whole seconds, rounded down.
    pub(super) fn seconds(self) -> i64 {
        self.seconds
    }

    /// Returns what there is above the whole seconds.
    pub(super) fn rest(self) -> u32 {
        self.rest
    }

    pub(super) fn to_seconds(self) -> f64 {
        ratio(self.total(), PER_SECOND)
    }
}

/// Returns the whole part of a float, as Ruby's `to_i`.
pub(super) fn whole(value: f64) -> Result<i128, ScalarError> {
    if value.is_nan() {
        return Err(ScalarError::argument("NaN"));
    }
    if value.is_infinite() {
        return Err(ScalarError::argument(if value > 0.0 { "Infinity" } else { "-Infinity" }));
    }
    if value.abs() >= i128::MAX as f64 { Err(TOO_FAR) } else { Ok(value as i128) }
}

pub(super) fn checked(total: Option<i128>) -> Result<i128, ScalarError> {
    total.ok_or(TOO_FAR)
}

/// Returns the float of a quotient, as Ruby's `fdiv` gives it: reduced, and as two floats if both numbers fit in its 63
/// bits.
pub(super) fn ratio(dividend: i128, divisor: i128) -> f64 {
    let common = greatest_common_divisor(dividend.unsigned_abs(), divisor.unsigned_abs()).max(1) as i128;
    let (dividend, divisor) = (dividend / common, divisor / common);
    let small = |number: i128| number.unsigned_abs() < 1 << 62;
    if divisor == 0 || (small(dividend) && small(divisor)) {
        return dividend as f64 / divisor as f64;
    }
    let negative = (dividend < 0) != (divisor < 0);
    let magnitude = nearest(dividend.unsigned_abs(), divisor.unsigned_abs());
    if negative { -magnitude } else { magnitude }
}

fn greatest_common_divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Returns the quotient to at least 64 significant bits, its last one set if anything was left: so that rounding it to
/// a float rounds the true quotient.
fn nearest(dividend: u128, divisor: u128) -> f64 {
    let mut quotient = dividend / divisor;
    let mut rest = dividend % divisor;
    let mut exponent = 0;
    while rest != 0 && quotient < 1 << 64 && rest <= u128::MAX / 2 {
        rest *= 2;
        quotient = quotient * 2 + u128::from(rest >= divisor);
        rest -= if rest >= divisor { divisor } else { 0 };
        exponent -= 1;
    }
    (quotient | u128::from(rest != 0)) as f64 * 2_f64.powi(exponent)
}
