//! Whole numbers of any size in the four radixes; negative ones as two's complement without an end where no sign is asked for.

use pantin_base::{limits, number};

use super::{Spec, push_fill};
use crate::Fault;

/// A whole number, its magnitude in decimal digits.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) negative: bool,
    pub(super) digits: String,
}

impl From<i64> for Whole {
    fn from(value: i64) -> Whole {
        Whole { negative: value < 0, digits: value.unsigned_abs().to_string() }
    }
}

/// Returns a number as nearly every directive wants it: in decimal, or not negative, with neither a prefix nor a
/// precision. Whether it is such a one, and so was written.
pub(super) fn push_plain(out: &mut String, spec: &Spec, letter: u8, value: i64) -> bool {
    if spec.precision.is_some() || spec.sharp {
        return false;
    }
    let mut buffer = [0; 64];
    let magnitude = value.unsigned_abs();
    let digits = match letter {
        b'd' | b'i' | b'u' => digits_of(&mut buffer, magnitude, 10, LOWER),
        _ if value < 0 => return false,
        b'o' => digits_of(&mut buffer, magnitude, 8, LOWER),
        b'x' => digits_of(&mut buffer, magnitude, 16, LOWER),
        b'X' => digits_of(&mut buffer, magnitude, 16, UPPER),
        _ => digits_of(&mut buffer, magnitude, 2, LOWER),
    };
    spec.push_number(out, spec.sign(value < 0), digits);
    true
}

const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

/// Returns the digits of a number, without the machinery of `fmt`: numbers in texts are common.
#[inline]
fn digits_of<'b>(buffer: &'b mut [u8; 64], mut rest: u64, radix: u64, letters: &[u8; 16]) -> &'b str {
    let mut start = buffer.len();
    loop {
        start -= 1;
        buffer[start] = letters[(rest % radix) as usize];
        rest /= radix;
        if rest == 0 {
            break;
        }
    }
    // Digits are ASCII.
    std::str::from_utf8(&buffer[start..]).unwrap_or_default()
}

pub(super) fn push(out: &mut String, spec: &Spec, letter: u8, whole: Whole) -> Result<(), Fault> {
    let bits = match letter {
        b'o' => 3,
        b'x' | b'X' => 4,
        b'b' | b'B' => 1,
        _ => {
            push_digits(out, spec, Parts { sign: spec.sign(whole.negative), digits: whole.digits, ..Parts::default() });
            return Ok(());
        }
    };
    if whole.digits.len() > limits::NUMBER_DIGITS {
        let digits = limits::NUMBER_DIGITS;
        return Err(Fault::limit(format!("a number of more than {digits} digits is shown in decimal only")));
    }
    let with_sign = spec.plus || spec.space;
    let complement = whole.negative && !with_sign;
    let magnitude = bits_of(&whole.digits);
    let mut digits = match complement {
        true => complement_digits(magnitude, bits),
        false => grouped(&magnitude, bits),
    };
    if letter == b'X' {
        digits.make_ascii_uppercase();
    }
    let prefix = match letter {
        _ if !spec.sharp => "",
        b'o' => "0",
        b'x' => "0x",
        b'X' => "0X",
        b'b' => "0b",
        _ => "0B",
    };
    let sign = if with_sign { spec.sign(whole.negative) } else { "" };
    let fill = match (complement, bits) {
        (false, _) => '0',
        (_, 3) => '7',
        (_, 4) if letter == b'X' => 'F',
        (_, 4) => 'f',
        _ => '1',
    };
    push_digits(out, spec, Parts { sign, prefix, dots: complement, fill, digits });
    Ok(())
}

struct Parts {
    sign: &'static str,
    prefix: &'static str,
    /// It goes on to the left without an end.
    dots: bool,
    fill: char,
    digits: String,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts { sign: "", prefix: "", dots: false, fill: '0', digits: String::new() }
    }
}

fn push_digits(out: &mut String, spec: &Spec, parts: Parts) {
    let Parts { sign, mut prefix, dots, fill, mut digits } = parts;
    let mut width = spec.width.unwrap_or(0) as i64 - sign.len() as i64;
    let mut precision = spec.precision.map_or(-1, |precision| precision as i64);
    if dots {
        precision -= 2;
        width -= 2;
    }
    let count = digits.len() as i64;
    if prefix == "0" {
        if dots {
            prefix = "";
        } else if digits == "0" {
            digits.clear();
            precision -= i64::from(spec.precision.is_some());
        } else if spec.precision.is_some() && precision > count {
            prefix = "";
        }
    } else if digits == "0" {
        prefix = "";
    }
    width -= prefix.len() as i64;
    let count = digits.len() as i64;
    if spec.zero && !spec.minus && spec.precision.is_none() {
        precision = width;
        width = 0;
    } else {
        if precision < count {
            // A zero without any digit.
            if prefix.is_empty() && precision == 0 && digits == "0" {
                digits.clear();
            }
            precision = digits.len() as i64;
        }
        width -= precision;
    }
    let padding = usize::try_from(width).unwrap_or(0);
    if !spec.minus {
        push_fill(out, ' ', padding);
    }
    out.push_str(sign);
    out.push_str(prefix);
    if dots {
        out.push_str("..");
    }
    push_fill(out, fill, usize::try_from(precision - digits.len() as i64).unwrap_or(0));
    out.push_str(&digits);
    if spec.minus {
        push_fill(out, ' ', padding);
    }
}

/// Returns the bits of a decimal number, highest first, without leading zeros.
fn bits_of(decimal: &str) -> Vec<u8> {
    let hex = match decimal.parse::<u64>() {
        Ok(number) => format!("{number:x}"),
        Err(_) => number::hex_text(decimal, 10),
    };
    let nibbles = hex.chars().filter_map(|digit| digit.to_digit(16));
    let bits = nibbles.flat_map(|nibble| (0..4).rev().map(move |bit| (nibble >> bit & 1) as u8));
    bits.skip_while(|&bit| bit == 0).collect()
}

/// Digits of so many bits each.
fn grouped(bits: &[u8], size: usize) -> String {
    if bits.is_empty() {
        return "0".to_owned();
    }
    let digit = |group: &[u8]| char::from_digit(group.iter().fold(0, |n, &bit| n * 2 + u32::from(bit)), 16);
    let first = bits.len() % size;
    let (head, tail) = bits.split_at(first);
    let head = (!head.is_empty()).then(|| digit(head)).flatten();
    head.into_iter().chain(tail.chunks(size).filter_map(digit)).collect()
}

/// Returns the negative of a magnitude: all ones to the left, of which one digit is shown.
fn complement_digits(mut bits: Vec<u8>, size: usize) -> String {
    // One digit more than the magnitude has: it holds the sign.
    let padding = (size - bits.len() % size) % size + size;
    bits.splice(0..0, std::iter::repeat_n(0, padding));
    bits.iter_mut().for_each(|bit| *bit ^= 1);
    for bit in bits.iter_mut().rev() {
        *bit ^= 1;
        if *bit == 1 {
            break;
        }
    }
    let digits = grouped(&bits, size);
    let sign = digits.chars().next().unwrap_or('f');
    let rest = digits.trim_start_matches(sign);
    format!("{sign}{rest}")
}
