//! Floats: fixed, with an exponent, the shorter of the two, and hexadecimal.

use std::fmt::Write;

use super::Spec;
use super::integer::Whole;
use super::rounding::{Count, at_half};
use crate::text::push_integer;

/// No float has more digits than this after its point; further ones are zeros.
const FRACTION_DIGITS: usize = 1_100;

const DEFAULT_PRECISION: usize = 6;

/// A whole number with `%f`, exact as no float is.
pub(super) fn push_whole(out: &mut String, spec: &Spec, value: Whole) {
    let Whole { negative, mut digits } = value;
    let precision = spec.precision.unwrap_or(DEFAULT_PRECISION);
    if precision > 0 {
        digits.push('.');
        super::push_fill(&mut digits, '0', precision);
    }
    spec.push_number(out, spec.sign(negative), &digits);
}

pub(super) fn push(out: &mut String, spec: &Spec, letter: u8, value: f64) {
    let negative = value.is_sign_negative() && !value.is_nan();
    if !value.is_finite() {
        let shown = if value.is_nan() { "NaN" } else { "Inf" };
        return Spec { zero: false, ..*spec }.push_number(out, spec.sign(negative), shown);
    }
    let magnitude = value.abs();
    let mut before = spec.sign(negative).to_owned();
    let mut digits = match letter.to_ascii_lowercase() {
        b'f' => fixed(magnitude, spec.precision.unwrap_or(DEFAULT_PRECISION), spec.sharp),
        b'e' => exponential(magnitude, spec.precision.unwrap_or(DEFAULT_PRECISION), spec.sharp),
        b'g' => shorter(magnitude, spec.precision.unwrap_or(DEFAULT_PRECISION).max(1), spec.sharp),
        _ => {
            before.push_str("0x");
            hexadecimal(magnitude, spec.precision, spec.sharp)
        }
    };
    if letter.is_ascii_uppercase() {
        before.make_ascii_uppercase();
        digits.make_ascii_uppercase();
    }
    spec.push_number(out, &before, &digits);
}

/// `%.10g`, for messages.
pub(super) fn general(value: f64) -> String {
    let mut out = String::new();
    push(&mut out, &Spec { precision: Some(10), ..Spec::default() }, b'g', value);
    out
}

/// A number that has no more digits after its point than are wanted: it need not be rounded.
fn unrounded(value: f64, precision: usize) -> Option<String> {
    /// So far, what a float leaves out of a decimal fraction is far less than a half of its last digit.
    const MOST: f64 = 1e15;
    if !(1..=15).contains(&precision) {
        return None;
    }
    let scale = 10_u64.pow(precision as u32);
    let scaled = value * scale as f64;
    let digits = scaled as u64;
    if scaled >= MOST || digits as f64 != scaled || scaled / scale as f64 != value {
        return None;
    }
    let mut out = String::with_capacity(24);
    push_integer(&mut out, (digits / scale) as i64);
    // A one in front keeps the zeros at the beginning; the point takes its place.
    let point = out.len();
    push_integer(&mut out, (scale + digits % scale) as i64);
    out.replace_range(point..=point, ".");
    Some(out)
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    if let Some(text) = unrounded(value, precision) {
        return text;
    }
    let mut text = match at_half(value, Count::Fraction(precision)) {
        Some((digits, power)) => placed(&digits, power, precision),
        None => format!("{value:.0$}", precision.min(FRACTION_DIGITS)),
    };
    super::push_fill(&mut text, '0', precision.saturating_sub(FRACTION_DIGITS));
    if point && precision == 0 {
        text.push('.');
    }
    text
}

/// Digits with the point where it belongs.
fn placed(digits: &str, power: i32, precision: usize) -> String {
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let mut all = zeros(-power) + digits;
    let whole = usize::try_from(power).unwrap_or(0) + 1;
    all.push_str(&zeros((whole + precision) as i32 - all.len() as i32));
    let (whole, fraction) = all.split_at(whole);
    let dot = if precision > 0 { "." } else { "" };
    format!("{whole}{dot}{}", &fraction[..precision.min(fraction.len())])
}

/// Mantissa and exponent.
fn scientific(value: f64, precision: usize) -> (String, i32) {
    if let Some((digits, power)) = at_half(value, Count::All(precision + 1)) {
        return (placed(&digits, 0, precision), power);
    }
    let mut text = String::with_capacity(precision.min(FRACTION_DIGITS) + 8);
    // Writing to a text does not fail.
    let _ = write!(text, "{value:.0$e}", precision.min(FRACTION_DIGITS));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (mantissa, exponent) = (mantissa.len(), exponent.parse().unwrap_or(0));
    text.truncate(mantissa);
    super::push_fill(&mut text, '0', precision.saturating_sub(FRACTION_DIGITS));
    (text, exponent)
}

fn with_exponent(mut mantissa: String, exponent: i32) -> String {
    mantissa.push_str(match (exponent < 0, exponent.abs() < 10) {
        (true, true) => "e-0",
        (true, false) => "e-",
        (false, true) => "e+0",
        (false, false) => "e+",
    });
    push_integer(&mut mantissa, i64::from(exponent.abs()));
    mantissa
}

fn exponential(value: f64, precision: usize, point: bool) -> String {
    let (mut mantissa, exponent) = scientific(value, precision);
    if point && precision == 0 {
        mantissa.push('.');
    }
    with_exponent(mantissa, exponent)
}

/// `%g`: so many digits in all, without the zeros at the end unless they are wanted.
fn shorter(value: f64, precision: usize, keep_zeros: bool) -> String {
    if let Some((digits, power)) = at_half(value, Count::All(precision)) {
        let count = if keep_zeros { precision } else { digits.len() } as i32;
        if power < -4 || power >= precision as i32 {
            return with_exponent(placed(&digits, 0, count as usize - 1), power);
        }
        let point = if keep_zeros && count == power + 1 { "." } else { "" };
        return placed(&digits, power, (count - 1 - power).max(0) as usize) + point;
    }
    let (mantissa, exponent) = scientific(value, precision - 1);
    let cut = |mut text: String| {
        if keep_zeros {
            if !text.contains('.') {
                text.push('.');
            }
        } else if text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        text
    };
    if exponent < -4 || exponent >= precision as i32 {
        return with_exponent(cut(mantissa), exponent);
    }
    cut(fixed(value, (precision as i32 - 1 - exponent).max(0) as usize, false))
}

/// `%a` without the `0x`: one bit before the point.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    const FRACTION_BITS: u32 = 52;
    let bits = value.to_bits();
    let mut exponent = (bits >> FRACTION_BITS) as i32 - 1023;
    let mut mantissa = bits & ((1 << FRACTION_BITS) - 1);
    if exponent > -1023 {
        mantissa |= 1 << FRACTION_BITS;
    } else if mantissa > 0 {
        let shift = mantissa.leading_zeros() - (63 - FRACTION_BITS);
        mantissa <<= shift;
        exponent = -1022 - shift as i32;
    } else {
        exponent = 0;
    }
    if let Some(count) = precision.filter(|&count| count < 13) {
        let dropped = FRACTION_BITS - 4 * count as u32;
        let rest = mantissa & ((1 << dropped) - 1);
        let half = 1 << (dropped - 1);
        mantissa >>= dropped;
        if rest > half || rest == half && mantissa & 1 == 1 {
            mantissa += 1;
        }
        mantissa <<= dropped;
        if mantissa >> (FRACTION_BITS + 1) > 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    if precision == Some(13) && mantissa & 1 == 1 {
        // With all 13 digits asked for, Ruby rounds the last bit away.
        mantissa = if mantissa & 2 == 2 { mantissa + 1 } else { mantissa - 1 };
    }
    let whole = mantissa >> FRACTION_BITS;
    let all = format!("{:013x}", mantissa & ((1 << FRACTION_BITS) - 1));
    let mut fraction = match precision {
        Some(count) => all[..count.min(13)].to_owned(),
        None => all.trim_end_matches('0').to_owned(),
    };
    super::push_fill(&mut fraction, '0', precision.unwrap_or(0).saturating_sub(13));
    let dot = if point || !fraction.is_empty() { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{whole}{dot}{fraction}p{sign}{}", exponent.abs())
}
