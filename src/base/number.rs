//! Numbers as text, the way Ruby writes them: floats, and integers of any size.
//!
//! Knows nothing of values or of where a number stood.

use super::limits;

/// Returns the shortest text that reads back as the same number: `1.5`, `1.0e+20`, `1.0e-05`.
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() };
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let mut digits: String = mantissa.chars().filter(|&ch| ch != '.').collect();
    if digits.len() >= 16 {
        end_evenly(&mut digits, value.abs());
    }
    // Where the decimal point stands, counted from before the first digit.
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = digits.len() as i32;
    // One digit more is written out only where a fraction follows it.
    if (1..=15).contains(&point) || (point == 16 && count > point) {
        if count <= point {
            let zeros = "0".repeat((point - count) as usize);
            format!("{sign}{digits}{zeros}.0")
        } else {
            let (whole, fraction) = digits.split_at(point as usize);
            format!("{sign}{whole}.{fraction}")
        }
    } else if (-3..=0).contains(&point) {
        if digits == "0" {
            return format!("{sign}0.0");
        }
        let zeros = "0".repeat(-point as usize);
        format!("{sign}0.{zeros}{digits}")
    } else {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        let power = point - 1;
        let power_sign = if power < 0 { '-' } else { '+' };
        format!("{sign}{first}.{rest}e{power_sign}{:02}", power.abs())
    }
}

/// Of two texts of the same length that are equally near, Ruby takes the one that ends in an even digit.
fn end_evenly(digits: &mut String, value: f64) {
    let exact = format!("{value:.*e}", digits.len());
    let Some((mantissa, _)) = exact.split_once('e') else { return };
    let Some((lower, "5")) = mantissa.split_at_checked(mantissa.len() - 1) else { return };
    // All digits there are, and no more: a tie is one exactly.
    let is_exact = format!("{value:.*e}", digits.len() + 40).split_once('e').is_some_and(|(more, _)| {
        more.strip_prefix(mantissa).is_some_and(|rest| rest.bytes().all(|digit| digit == b'0'))
    });
    let lower: String = lower.chars().filter(|&ch| ch != '.').collect();
    if is_exact
        && lower.len() == digits.len()
        && matches!(lower.as_bytes().last(), Some(b'0' | b'2' | b'4' | b'6' | b'8'))
    {
        *digits = lower;
    }
}

/// Returns the decimal digits of an integer that is written with `radix`, be it ever so large.
pub fn decimal_text(written: &str, radix: u8) -> String {
    let digits = significant(written, radix);
    if radix == 10 || digits.len() > limits::NUMBER_DIGITS {
        return digits.to_owned();
    }
    let mut limbs = limbs_of(digits, radix);
    let mut groups = Vec::new();
    while !limbs.is_empty() {
        groups.push(divide(&mut limbs, DECIMAL_GROUP));
    }
    let mut text = groups.pop().unwrap_or(0).to_string();
    for group in groups.iter().rev() {
        text.push_str(&format!("{group:019}"));
    }
    text
}

/// Returns the hexadecimal digits of an integer that is written with `radix`, without a prefix.
pub fn hex_text(written: &str, radix: u8) -> String {
    let digits = significant(written, radix);
    if radix == 16 || digits.len() > limits::NUMBER_DIGITS {
        return digits.to_ascii_lowercase();
    }
    let limbs = limbs_of(digits, radix);
    let mut text = format!("{:x}", limbs.last().copied().unwrap_or(0));
    for limb in limbs.iter().rev().skip(1) {
        text.push_str(&format!("{limb:016x}"));
    }
    text
}

/// The largest power of ten that 64 bits hold.
const DECIMAL_GROUP: u64 = 10_000_000_000_000_000_000;

/// Returns the digits without prefix and leading zeros.
fn significant(written: &str, radix: u8) -> &str {
    let digits = match radix {
        16 => written.trim_start_matches("0x").trim_start_matches("0X"),
        _ => written,
    };
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0" } else { digits }
}

/// Returns the number in base 2^64, lowest first; empty for zero.
fn limbs_of(digits: &str, radix: u8) -> Vec<u64> {
    let mut limbs: Vec<u64> = Vec::with_capacity(digits.len() / 16 + 1);
    // As many digits at once as 64 bits hold in each of the three radixes.
    for group in digits.as_bytes().chunks(15) {
        let mut value = 0_u64;
        let mut scale = 1_u64;
        for &digit in group {
            value = value * u64::from(radix) + u64::from((digit as char).to_digit(16).unwrap_or(0));
            scale *= u64::from(radix);
        }
        let mut carry = value;
        for limb in &mut limbs {
            let wide = u128::from(*limb) * u128::from(scale) + u128::from(carry);
            *limb = wide as u64;
            carry = (wide >> 64) as u64;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    limbs
}

/// Divides in place and gives the remainder.
fn divide(limbs: &mut Vec<u64>, divisor: u64) -> u64 {
    let mut rest = 0_u64;
    for limb in limbs.iter_mut().rev() {
        let wide = u128::from(rest) << 64 | u128::from(*limb);
        *limb = (wide / u128::from(divisor)) as u64;
        rest = (wide % u128::from(divisor)) as u64;
    }
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    rest
}

/// Whether a minus stands before a number, and what stands behind its sign, if it has one.
pub fn split_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

#[cfg(test)]
mod tests {
    use super::{decimal_text, float_text, hex_text};

    /// Each text is what Ruby 3.1 prints.
    #[test]
    fn floats_print_as_ruby_prints_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.5, "1.5"),
            (100.0, "100.0"),
            (123456789.123, "123456789.123"),
            (1e14, "100000000000000.0"),
            (123456789012345.0, "123456789012345.0"),
            (999999999999999.9, "999999999999999.9"),
            (1e15, "1.0e+15"),
            (1234567890123456.0, "1.234567890123456e+15"),
            (1234567890123456.5, "1234567890123456.5"),
            (1e15 + 0.5, "1000000000000000.5"),
            // As near to one text as to the other.
            (1693508753313333.2, "1693508753313333.2"),
            (1693508753313333.8, "1693508753313333.8"),
            (1e20, "1.0e+20"),
            (1e100, "1.0e+100"),
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.001234, "0.001234"),
            (0.00001, "1.0e-05"),
            (9.9999e-5, "9.9999e-05"),
            (5e-324, "5.0e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, "Infinity"),
        ] {
            assert_eq!(float_text(value), text);
        }
    }

    #[test]
    fn integers_of_any_size_change_radix() {
        assert_eq!(decimal_text("99999999999999999999", 10), "99999999999999999999");
        assert_eq!(decimal_text("0xFFFFFFFFFFFFFFFFF", 16), "295147905179352825855");
        assert_eq!(decimal_text("0777777777777777777777777777", 8), "2417851639229258349412351");
        assert_eq!(hex_text("99999999999999999999", 10), "56bc75e2d630fffff");
        assert_eq!(hex_text("9223372036854775808", 10), "8000000000000000");
        assert_eq!(hex_text("0777777777777777777777777777", 8), "1ffffffffffffffffffff");
        assert_eq!(decimal_text("0x100000000000000000000000000000000", 16), "340282366920938463463374607431768211456");
    }
}
