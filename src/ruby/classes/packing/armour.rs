//! Bytes as letters that mail lets through, and back: base64, uuencode, quoted-printable.

use super::template::Count;
use crate::classes::libraries::{STANDARD, encoded};

/// A line of base64 or uuencode holds so many bytes, where nothing else is said.
const LINE: usize = 45;

/// In lines of so many bytes, rounded down to groups of three; in one where it says nought.
pub(super) fn base64(given: &[u8], count: Count) -> String {
    match count {
        Count::Times(0) => encoded(given, STANDARD),
        Count::Times(count @ 3..) => lines(given, count / 3 * 3),
        _ => lines(given, LINE),
    }
}

fn lines(given: &[u8], length: usize) -> String {
    given.chunks(length).map(|line| encoded(line, STANDARD) + "\n").collect()
}

pub(super) fn encode_uu(given: &[u8], count: Count) -> Vec<u8> {
    let length = match count {
        Count::Times(64..) => 63,
        Count::Times(count @ 3..) => count / 3 * 3,
        _ => LINE,
    };
    let letter = |value: u8| if value == 0 { b'`' } else { value + b' ' };
    let mut out = Vec::new();
    for line in given.chunks(length) {
        out.push(line.len() as u8 + b' ');
        for group in line.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|at| group.get(at).copied().unwrap_or(0));
            out.extend([a >> 2, (a << 4 | b >> 4) & 63, (b << 2 | c >> 6) & 63, c & 63].map(letter));
        }
        out.push(b'\n');
    }
    out
}

pub(super) fn decode_uu(given: &[u8]) -> Vec<u8> {
    let most = given.len() * 3 / 4;
    let (mut out, mut at) = (Vec::new(), 0);
    let is_letter = |byte: Option<&u8>| byte.is_some_and(|byte| (b' '..b'a').contains(byte));
    while is_letter(given.get(at)) && given[at] > b' ' {
        let wanted = usize::from((given[at] - b' ') & 63).min(most - out.len());
        at += 1;
        let end = out.len() + wanted;
        while out.len() < end {
            let mut group = [0; 4];
            for value in &mut group {
                if is_letter(given.get(at)) {
                    *value = (given[at] - b' ') & 63;
                    at += 1;
                }
            }
            let [a, b, c, d] = group;
            let bytes = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
            out.extend(&bytes[..(end - out.len()).min(3)]);
        }
        // There may be a checksum.
        at += usize::from(given.get(at).is_some_and(|byte| !matches!(byte, b'\r' | b'\n')));
        at += usize::from(given.get(at) == Some(&b'\r'));
        at += usize::from(given.get(at) == Some(&b'\n'));
    }
    out
}

/// In lines of about so many letters.
pub(super) fn quoted_printable(given: &[u8], count: Count) -> Vec<u8> {
    let width = match count {
        Count::Times(count @ 2..) => count,
        _ => 72,
    };
    let (mut out, mut column, mut before) = (Vec::new(), 0, 0);
    for &byte in given {
        match byte {
            b'\n' => {
                if matches!(before, b' ' | b'\t') {
                    out.extend(b"=\n");
                }
                out.push(byte);
                (column, before) = (0, byte);
            }
            b'=' | 127.. => {
                out.extend(format!("={byte:02X}").into_bytes());
                (column, before) = (column + 3, 0);
            }
            _ if byte < b' ' && byte != b'\t' => {
                out.extend(format!("={byte:02X}").into_bytes());
                (column, before) = (column + 3, 0);
            }
            _ => {
                out.push(byte);
                (column, before) = (column + 1, byte);
            }
        }
        if column > width {
            out.extend(b"=\n");
            (column, before) = (0, b'\n');
        }
    }
    if column > 0 {
        out.extend(b"=\n");
    }
    out
}

/// From a sequence on that is none, it stays as it is.
pub(super) fn decode_quoted_printable(given: &[u8]) -> Vec<u8> {
    let digit = |at: usize| given.get(at).and_then(|byte| (*byte as char).to_digit(16));
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(&byte) = given.get(at) {
        if byte != b'=' {
            out.push(byte);
            at += 1;
        } else if given.get(at + 1) == Some(&b'\n') {
            at += 2;
        } else if given.get(at + 1..at + 3) == Some(b"\r\n") {
            at += 3;
        } else if let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) {
            out.push((high << 4 | low) as u8);
            at += 3;
        } else {
            out.extend(&given[at..]);
            break;
        }
    }
    out
}

fn value(letter: u8) -> Option<u8> {
    Some(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Base64 in which letters of any other kind are skipped.
pub(in crate::classes) fn decode_any_base64(given: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(given.len() / 4 * 3);
    let mut group = Vec::with_capacity(4);
    for &letter in given {
        match value(letter) {
            Some(value) => group.push(value),
            // Before the third letter of a group a sign of its end is one of the others.
            None if letter == b'=' && group.len() >= 2 => break,
            None => {}
        }
        if let [a, b, c, d] = group[..] {
            out.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
            group.clear();
        }
    }
    match group[..] {
        [a, b] => out.push(a << 2 | b >> 4),
        [a, b, c] => out.extend([a << 2 | b >> 4, b << 4 | c >> 2]),
        _ => {}
    }
    out
}

/// Base64 in which nothing else may stand, and that is filled up to whole groups.
pub(in crate::classes) fn decode_base64(given: &[u8]) -> Option<Vec<u8>> {
    if !given.len().is_multiple_of(4) {
        return None;
    }
    let mut out = Vec::with_capacity(given.len() / 4 * 3);
    let last = given.len().wrapping_sub(4);
    for (at, group) in given.chunks(4).enumerate() {
        let is_last = at * 4 == last;
        match *group {
            [a, b, b'=', b'='] if is_last => {
                let (a, b) = (value(a)?, value(b)?);
                out.push(a << 2 | b >> 4);
                if b & 15 != 0 {
                    return None;
                }
            }
            [a, b, c, b'='] if is_last => {
                let (a, b, c) = (value(a)?, value(b)?, value(c)?);
                out.extend([a << 2 | b >> 4, b << 4 | c >> 2]);
                if c & 3 != 0 {
                    return None;
                }
            }
            [a, b, c, d] => {
                let (a, b, c, d) = (value(a)?, value(b)?, value(c)?, value(d)?);
                out.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
            }
            _ => return None,
        }
    }
    Some(out)
}
