//! What the name of a zone says about its offset: the names and forms that Ruby's `%z` reads.
//!
//! Knows nothing of places and of the history of their clocks: `Europe/Berlin` is no zone here, as it is none there.

use super::zone_names;
use super::{ScalarError, Zone};

const NANOSECONDS_PER_SECOND: i64 = 1_000_000_000;

/// An offset from UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Offset {
    pub(super) nanoseconds: i64,
    /// Written as hours with a fraction. It is rounded to minutes in another way then.
    fractional: bool,
}

/// Returns the offset of a zone; `current` is the one of the machine, `local` seconds from UTC.
pub(super) fn offset(name: &str, local: i32) -> Result<Offset, ScalarError> {
    if name.eq_ignore_ascii_case("current") {
        return Ok(in_seconds(i64::from(local)));
    }
    designator(name.as_bytes())
        .and_then(|length| offset_of(name.get(..length)?))
        .ok_or_else(|| ScalarError::argument(format!("Illegal timezone '{name}'")))
}

/// Returns the zone that a moment is shown in: its offset, in whole minutes.
pub(super) fn display_zone(name: &str, local: i32) -> Result<Zone, ScalarError> {
    if let Some(form) = colon_form(name) {
        return zone_of(name, form);
    }
    let offset = offset(name, local)?;
    let minute = 60 * NANOSECONDS_PER_SECOND;
    let negative = offset.nanoseconds < 0;
    let minutes = if offset.fractional || !negative {
        offset.nanoseconds.unsigned_abs() / minute as u64
    } else {
        offset.nanoseconds.div_euclid(minute).unsigned_abs()
    };
    let sign = if negative { '-' } else { '+' };
    let form = format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60);
    zone_of(&form, (negative, minutes / 60, minutes % 60))
}

/// Two digits, a colon and two digits, behind a sign.
fn colon_form(name: &str) -> Option<(bool, u64, u64)> {
    let [sign @ (b'+' | b'-'), digits @ ..] = name.as_bytes() else { return None };
    let [a, b, b':', c, d] = digits else { return None };
    let pair = |tens: &u8, ones: &u8| {
        (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| u64::from(tens - b'0') * 10 + u64::from(ones - b'0'))
    };
    Some((*sign == b'-', pair(a, b)?, pair(c, d)?))
}

fn zone_of(form: &str, (negative, hours, minutes): (bool, u64, u64)) -> Result<Zone, ScalarError> {
    if minutes > 59 || hours > 99 {
        return Err(ScalarError::argument(format!(
            "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {form}"
        )));
    }
    if hours > 23 {
        return Err(ScalarError::argument("utc_offset out of range"));
    }
    let seconds = (hours * 60 + minutes) as i32 * 60;
    Ok(match (negative, seconds) {
        (true, 0) => Zone::Utc,
        (true, _) => Zone::Offset(-seconds),
        (false, _) => Zone::Offset(seconds),
    })
}

fn in_seconds(seconds: i64) -> Offset {
    Offset { nanoseconds: seconds * NANOSECONDS_PER_SECOND, fractional: false }
}

/// Returns how many bytes at the beginning of a text name a zone.
pub(super) fn designator(text: &[u8]) -> Option<usize> {
    numeric_designator(text).or_else(|| long_designator(text)).or_else(|| short_designator(text))
}

/// `+01`, `-0130`, `UTC+1:30`, `gmt-2.5`.
fn numeric_designator(text: &[u8]) -> Option<usize> {
    let prefix = ["gmt", "utc", "ut"].iter().find(|prefix| begins_with(text, prefix)).map_or(0, |prefix| prefix.len());
    if !matches!(text.get(prefix), Some(b'+' | b'-')) {
        return None;
    }
    let mut end = prefix + 1 + some_digits(&text[prefix + 1..])?;
    if let Some(b',' | b'.' | b':') = text.get(end)
        && let Some(digits) = some_digits(&text[end + 1..])
    {
        end += 1 + digits;
        if let Some(b':') = text.get(end)
            && let Some(digits) = some_digits(&text[end + 1..])
        {
            end += 1 + digits;
        }
    }
    Some(end)
}

/// `Eastern Standard Time`: the last of the places where it could end.
fn long_designator(text: &[u8]) -> Option<usize> {
    let run = count(text, |byte| byte.is_ascii_alphabetic() || byte == b'.' || is_space(byte));
    (1..=run).rev().find_map(|before| {
        let rest = &text[before..];
        let kind = ["standard", "daylight"].iter().find(|kind| begins_with(rest, kind))?.len();
        let spaces = count(&rest[kind..], is_space);
        let end = before + kind + spaces + "time".len();
        let fits = spaces > 0 && begins_with(&rest[kind + spaces..], "time") && word_ends(text, end);
        fits.then_some(end)
    })
}

/// `CET`, `EST dst`.
fn short_designator(text: &[u8]) -> Option<usize> {
    let word = count(text, |byte| byte.is_ascii_alphabetic());
    if word == 0 {
        return None;
    }
    let spaces = count(&text[word..], is_space);
    let end = word + spaces + "dst".len();
    if spaces > 0 && begins_with(&text[word + spaces..], "dst") && word_ends(text, end) {
        return Some(end);
    }
    word_ends(text, word).then_some(word)
}

fn begins_with(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

fn word_ends(text: &[u8], at: usize) -> bool {
    !text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn count(text: &[u8], of: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| of(**byte)).count()
}

fn some_digits(text: &[u8]) -> Option<usize> {
    Some(count(text, |byte| byte.is_ascii_digit())).filter(|&digits| digits > 0)
}

/// Returns what a designator means, if it is known.
fn offset_of(designator: &str) -> Option<Offset> {
    let lower = designator.to_ascii_lowercase();
    let mut words: Vec<&str> = lower.split(|ch: char| u8::try_from(ch).is_ok_and(is_space)).collect();
    let daylight = summer(&mut words);
    words.retain(|word| !word.is_empty());
    if let Some(seconds) = zone_names::offset(&words.join(" ")) {
        return Some(in_seconds(i64::from(seconds) + if daylight { 3600 } else { 0 }));
    }
    let number = lower.strip_prefix("gmt").or_else(|| lower.strip_prefix("utc")).unwrap_or(&lower);
    number
        .strip_prefix('+')
        .map(|digits| (digits, false))
        .or_else(|| number.strip_prefix('-').map(|digits| (digits, true)))
        .and_then(|(digits, negative)| {
            let offset = numeric(digits)?;
            Some(if negative { Offset { nanoseconds: -offset.nanoseconds, ..offset } } else { offset })
        })
}

/// Takes the words that only say whether the clocks are an hour ahead, and tells whether they are.
fn summer(words: &mut Vec<&str>) -> bool {
    let mut last = |word: &str| {
        while words.len() > 1 && words.last() == Some(&"") {
            words.pop();
        }
        let found = words.len() > 1 && words.last() == Some(&word);
        if found {
            words.pop();
        }
        found
    };
    if last("time") {
        if last("standard") {
            return false;
        }
        if last("daylight") {
            return true;
        }
        words.push("time");
        return false;
    }
    last("dst")
}

/// Hours with a fraction; hours, minutes and seconds between colons; or a row of digits, two for each.
fn numeric(digits: &str) -> Option<Offset> {
    if let Some((hours, fraction)) = digits.split_once(['.', ',']) {
        let hours: i64 = hours.parse().ok().filter(|hours| *hours < 1_000_000)?;
        // Eleven digits of an hour are exact in nanoseconds.
        let kept: String =
            fraction.chars().take_while(char::is_ascii_digit).chain("0".repeat(11).chars()).take(11).collect();
        let fraction: i64 = kept.parse().ok()?;
        return Some(Offset { nanoseconds: hours * 3600 * NANOSECONDS_PER_SECOND + fraction * 36, fractional: true });
    }
    let row = !digits.contains(':') && digits.len() > 2;
    let parts: Vec<&str> = if row {
        let (hours, rest) = digits.split_at(2 - digits.len() % 2);
        [hours, rest.get(..2)?, rest.get(2..4).unwrap_or("0")].to_vec()
    } else {
        digits.split(':').collect()
    };
    let mut seconds = 0;
    for (part, unit) in parts.iter().zip([3600, 60, 1]) {
        seconds += part.parse::<i64>().ok().filter(|number| *number < 1_000_000)? * unit;
    }
    Some(in_seconds(seconds))
}
