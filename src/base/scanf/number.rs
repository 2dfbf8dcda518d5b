//! A number at the beginning of a text: how far it reaches, and what it is.

use super::{ScanError, ScannedValue};

const TOO_LARGE: ScanError = ScanError("the number does not fit in 64 bits");

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberKind {
    Decimal,
    Hexadecimal,
    Octal,
    /// In the base that its beginning tells.
    Any,
    Float,
}

impl NumberKind {
    pub(super) fn from_letter(letter: char) -> Option<NumberKind> {
        Some(match letter {
            'd' | 'u' => NumberKind::Decimal,
            'x' | 'X' => NumberKind::Hexadecimal,
            'o' => NumberKind::Octal,
            'i' => NumberKind::Any,
            'a' | 'e' | 'f' | 'g' | 'A' | 'E' | 'F' | 'G' => NumberKind::Float,
            _ => return None,
        })
    }

    /// A signed octal number of one digit is one of none.
    pub(super) fn checked_width(self, width: Option<usize>) -> Result<Option<usize>, ScanError> {
        match (self, width) {
            (NumberKind::Octal, Some(1)) => Err(ScanError("upper is smaller than lower in repeat range")),
            _ => Ok(width),
        }
    }

    pub(super) fn length(self, text: &str, width: Option<usize>) -> Option<usize> {
        let bytes = text.as_bytes();
        match (self, width) {
            (NumberKind::Float, None) => float_length(bytes),
            (NumberKind::Float, Some(width)) => {
                float_length(bytes)?;
                let word = text.chars().take(width).take_while(|ch| !super::is_space(*ch));
                Some(word.map(char::len_utf8).sum())
            }
            (NumberKind::Any, None) => any_length(bytes, usize::MAX),
            // A digit by itself will do, but is the last thing that is tried.
            (NumberKind::Any, Some(width)) => {
                any_length(bytes, width).or_else(|| bytes.first()?.is_ascii_digit().then_some(1))
            }
            (_, width) => self.integer_length(bytes, width.unwrap_or(usize::MAX)),
        }
    }

    fn is_digit(self, byte: u8) -> bool {
        match self {
            NumberKind::Hexadecimal => byte.is_ascii_hexdigit(),
            NumberKind::Octal => matches!(byte, b'0'..=b'7'),
            _ => byte.is_ascii_digit(),
        }
    }

    fn integer_length(self, text: &[u8], width: usize) -> Option<usize> {
        let sign = sign(text);
        let prefix = if self == NumberKind::Hexadecimal && is_hexadecimal(&text[sign..]) { 2 } else { 0 };
        // With the prefix, if a digit follows it in time.
        [prefix, 0].into_iter().find_map(|prefix| {
            let before = sign + prefix;
            let room = width.checked_sub(before).filter(|room| *room > 0)?;
            let digits = count(&text[before..], room, |byte| self.is_digit(byte));
            (digits > 0).then_some(before + digits)
        })
    }

    pub(super) fn value(self, text: &str) -> Result<ScannedValue, ScanError> {
        if self == NumberKind::Float {
            return Ok(ScannedValue::Float(float(text)));
        }
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let prefixed = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
        let (digits, base) = match (self, prefixed) {
            (NumberKind::Hexadecimal, _) => (prefixed.unwrap_or(digits), 16),
            (NumberKind::Any, Some(digits)) => (digits, 16),
            (NumberKind::Octal, _) => (digits, 8),
            (NumberKind::Any, None) if digits.starts_with('0') => (digits, 8),
            _ => (digits, 10),
        };
        let magnitude = i128::from_str_radix(digits, base).map_err(|_| TOO_LARGE)?;
        let number = if negative { -magnitude } else { magnitude };
        i64::try_from(number).map(ScannedValue::Integer).map_err(|_| TOO_LARGE)
    }
}

fn sign(text: &[u8]) -> usize {
    usize::from(matches!(text.first(), Some(b'+' | b'-')))
}

fn is_hexadecimal(text: &[u8]) -> bool {
    matches!(text, [b'0', b'x' | b'X', ..])
}

fn count(text: &[u8], most: usize, of: impl Fn(u8) -> bool) -> usize {
    text.iter().take(most).take_while(|byte| of(**byte)).count()
}

/// More than one digit: a zero and octal digits, a prefix and hexadecimal ones, or decimal ones. Without a width,
/// one decimal digit that is not zero is enough.
fn any_length(text: &[u8], width: usize) -> Option<usize> {
    let sign = sign(text);
    let unlimited = width == usize::MAX;
    let rest = &text[sign..];
    let with = |before: usize, least: usize, of: fn(u8) -> bool| {
        let room = width.checked_sub(before)?;
        let digits = count(&text[before..], room, of);
        (digits >= least).then_some(before + digits)
    };
    match rest {
        [b'1'..=b'9', ..] => with(sign + 1, usize::from(!unlimited), |byte| byte.is_ascii_digit()),
        [b'0', b'x' | b'X', ..] => with(sign + 2, 1, |byte| byte.is_ascii_hexdigit()),
        [b'0', ..] => with(sign + 1, 1, |byte| matches!(byte, b'0'..=b'7')),
        _ => None,
    }
}

/// Hexadecimal with an exponent; digits alone; or digits around a point, and maybe an exponent.
fn float_length(text: &[u8]) -> Option<usize> {
    let digits = |from: usize, of: fn(&u8) -> bool| count(&text[from..], usize::MAX, |byte| of(&byte));
    let decimal = |from: usize| digits(from, u8::is_ascii_digit);
    let begin = sign(text);
    if let Some(end) = hexadecimal_length(text, begin) {
        return Some(end);
    }
    let whole = begin + decimal(begin);
    if text.get(whole) != Some(&b'.') {
        return (whole > begin).then_some(whole);
    }
    let end = whole + 1 + decimal(whole + 1);
    Some(exponent_length(text, end, b'e').unwrap_or(end))
}

/// Returns the end of an exponent that begins here, with this letter.
fn exponent_length(text: &[u8], at: usize, letter: u8) -> Option<usize> {
    if text.get(at)?.to_ascii_lowercase() != letter {
        return None;
    }
    let begin = at + 1 + sign(&text[at + 1..]);
    let digits = count(&text[begin..], usize::MAX, |byte| byte.is_ascii_digit());
    (digits > 0).then_some(begin + digits)
}

fn hexadecimal_length(text: &[u8], begin: usize) -> Option<usize> {
    if !is_hexadecimal(&text[begin..]) {
        return None;
    }
    let digits = |from: usize| count(&text[from..], usize::MAX, |byte| byte.is_ascii_hexdigit());
    let whole = digits(begin + 2);
    let mut end = begin + 2 + whole;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    exponent_length(text, end, b'p')
}

fn float(text: &str) -> f64 {
    let bytes = text.as_bytes();
    let begin = sign(bytes);
    if hexadecimal_length(bytes, begin).is_some() {
        let magnitude = hexadecimal_float(&text[begin + 2..]);
        return if text.starts_with('-') { -magnitude } else { magnitude };
    }
    let digits = count(&bytes[begin..], usize::MAX, |byte| byte.is_ascii_digit());
    // `5.e+3`: without a sign, the exponent behind a bare point does not count.
    let bare = begin + digits + 1;
    let signed_exponent = matches!(bytes.get(bare - 1..), Some([b'.', b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..]));
    if digits > 0 && signed_exponent {
        return leading_float(&format!("{}{}", &text[..bare - 1], &text[bare..]));
    }
    leading_float(text)
}

fn hexadecimal_float(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let value = |digits: &str| {
        digits.chars().filter_map(|ch| ch.to_digit(16)).fold(0.0, |sum, digit| sum * 16.0 + f64::from(digit))
    };
    let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    let digits = exponent.trim_end_matches(|ch: char| !ch.is_ascii_digit());
    let exponent = digits.parse::<i32>().unwrap_or(if digits.starts_with('-') { i32::MIN } else { i32::MAX });
    (value(whole) + value(fraction) / 16_f64.powi(places)) * 2_f64.powi(exponent)
}

/// The float a text begins with, as Ruby's `to_f` reads it: single underscores between digits do not count.
fn leading_float(text: &str) -> f64 {
    let bytes = text.as_bytes();
    let mut number = String::new();
    let mut at = sign(bytes);
    number.push_str(&text[..at]);
    if is_hexadecimal(&bytes[at..]) {
        // Only behind a sign does Ruby look into it.
        let digits = &text[at + 2..];
        let end = digits.find(|ch: char| !ch.is_ascii_hexdigit()).unwrap_or(digits.len());
        let magnitude = if at > 0 { hexadecimal_float(&digits[..end]) } else { 0.0 };
        return if text.starts_with('-') { -magnitude } else { magnitude };
    }
    let digits = |at: &mut usize, number: &mut String| {
        let begin = number.len();
        while let Some(byte) = bytes.get(*at) {
            let between = number.len() > begin && bytes.get(*at + 1).is_some_and(u8::is_ascii_digit);
            match byte {
                b'0'..=b'9' => number.push(char::from(*byte)),
                b'_' if between => {}
                _ => break,
            }
            *at += 1;
        }
        number.len() > begin
    };
    if !digits(&mut at, &mut number) {
        number.push('0');
    }
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        at += 1;
        number.push('.');
        digits(&mut at, &mut number);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let begin = at + 1 + sign(&bytes[at + 1..]);
        if bytes.get(begin).is_some_and(u8::is_ascii_digit) {
            number.push_str(&text[at..begin]);
            at = begin;
            digits(&mut at, &mut number);
        }
    }
    number.parse().unwrap_or(0.0)
}
