//! Rounding where the digits left out are so near to a half that arithmetic in floats cannot tell.
//!
//! Ruby takes those for halves, and rounds to the even digit: `0.35` has `%.1f` `0.4` there, although it is a
//! little less than 0.35. So the arithmetic that it tries first is repeated here, step by step, for these cases alone.

use smallvec::SmallVec;

/// How many digits are wanted.
#[derive(Clone, Copy)]
pub(super) enum Count {
    /// In all.
    All(usize),
    /// After the point.
    Fraction(usize),
}

/// Up to here Ruby tries arithmetic in floats.
const MOST_DIGITS: i64 = 14;

type Digits = SmallVec<[u8; MOST_DIGITS as usize]>;

const POWERS_OF_POWERS: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];

/// Digits and the power of ten of the first, where the rest is a half as Ruby sees it.
pub(super) fn at_half(value: f64, count: Count) -> Option<(String, i32)> {
    if value == 0.0 {
        return None;
    }
    let (mut power, unsure) = estimated_power(value);
    let mut wanted = match count {
        Count::All(digits) => digits as i64,
        Count::Fraction(digits) => digits as i64 + i64::from(power) + 1,
    };
    if !(1..=MOST_DIGITS).contains(&wanted) {
        return None;
    }
    let (mut rest, mut steps) = scaled(value, power);
    if unsure && rest < 1.0 {
        wanted -= i64::from(matches!(count, Count::Fraction(_)));
        if wanted <= 0 {
            return None;
        }
        power -= 1;
        rest *= 10.0;
        steps += 1;
    }
    let error = (f64::from(steps) * rest + 7.0) * f64::EPSILON;
    let error = error * 10_f64.powi(wanted as i32 - 1);
    let mut digits = Digits::new();
    for _ in 1..wanted {
        let digit = rest as u8;
        digits.push(digit);
        rest -= f64::from(digit);
        if rest == 0.0 {
            return None;
        }
        rest *= 10.0;
    }
    let digit = rest as u8;
    digits.push(digit);
    rest -= f64::from(digit);
    if rest == 0.0 || rest > 0.5 + error || rest < 0.5 - error {
        return None;
    }
    if digits.last().is_some_and(|last| last % 2 == 1) {
        power += i32::from(raised(&mut digits));
        without_zeros(&mut digits);
    } else if !is_half_or_more(value, &digits) {
        // Zeros at the end stay, even for `%g`, where the rest is no less than a half.
        without_zeros(&mut digits);
    }
    Some((digits.into_iter().map(|digit| char::from(b'0' + digit)).collect(), power))
}

fn without_zeros(digits: &mut Digits) {
    while digits.len() > 1 && digits.last() == Some(&0) {
        digits.pop();
    }
}

/// Returns true if what follows the digits is a half or more, exactly.
fn is_half_or_more(value: f64, digits: &[u8]) -> bool {
    const ENOUGH: usize = 60;
    let exact = format!("{value:.ENOUGH$e}");
    exact.bytes().filter(u8::is_ascii_digit).nth(digits.len()).is_some_and(|next| next >= b'5')
}

/// Adds one to the last digit; whether all were nines.
fn raised(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return false;
        }
        *digit = 0;
    }
    if let Some(first) = digits.first_mut() {
        *first = 1;
    }
    true
}

/// The power of ten of the first digit, and whether it may be one too high.
fn estimated_power(value: f64) -> (i32, bool) {
    let bits = value.to_bits();
    let mut mantissa = bits & ((1 << 52) - 1);
    let mut exponent = (bits >> 52) as i32 - 1023;
    if exponent == -1023 {
        let shift = mantissa.leading_zeros() as i32 - 11;
        mantissa = mantissa << shift & ((1 << 52) - 1);
        exponent = -1022 - shift;
    }
    let fraction = f64::from_bits(1023 << 52 | mantissa);
    let logarithm =
        (fraction - 1.5) * 0.289529654602168 + 0.1760912590558 + f64::from(exponent) * std::f64::consts::LOG10_2;
    let power = logarithm.floor() as i32;
    match power {
        0..=22 if value < 10_f64.powi(power) => (power - 1, false),
        0..=22 => (power, false),
        _ => (power, true),
    }
}

/// The value with its first digit before the point, and how many steps may have cost precision.
fn scaled(value: f64, power: i32) -> (f64, u32) {
    let mut steps = 2;
    let mut big = power.unsigned_abs() as usize >> 4;
    let small = 10_f64.powi((power.abs()) & 15);
    if power <= 0 {
        let mut rest = value * small;
        for (bit, factor) in POWERS_OF_POWERS.into_iter().enumerate() {
            if big >> bit & 1 == 1 {
                steps += 1;
                rest *= factor;
            }
        }
        return (rest, steps);
    }
    let mut rest = value;
    if big & 16 != 0 {
        big &= 15;
        rest /= POWERS_OF_POWERS[4];
        steps += 1;
    }
    let mut divisor = small;
    for (bit, factor) in POWERS_OF_POWERS.into_iter().enumerate() {
        if big >> bit & 1 == 1 {
            steps += 1;
            divisor *= factor;
        }
    }
    (rest / divisor, steps)
}
