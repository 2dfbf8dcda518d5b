//! Base64, as Ruby packs and unpacks it.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().chain(&[0; 2]).take(3).fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte));
        for place in 0..4 {
            let letter = ALPHABET[(bits >> (18 - place * 6)) as usize & 63];
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

fn value(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

/// Groups of four letters; the last one may end in padding, and the bits that it leaves over are zero.
pub(super) fn decode_strict(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.iter().rev().take(2).take_while(|letter| **letter == b'=').count();
    let letters = &text[..text.len() - padding];
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for group in letters.chunks(4) {
        let mut bits = 0;
        for letter in group {
            bits = (bits << 6) | value(*letter)?;
        }
        bits <<= 6 * (4 - group.len());
        let count = group.len() - 1;
        let [_, decoded @ ..] = bits.to_be_bytes();
        if decoded[count..].iter().any(|byte| *byte != 0) {
            return None;
        }
        bytes.extend_from_slice(&decoded[..count]);
    }
    Some(bytes)
}

/// Strict, but in the other alphabet, and the padding may be left out.
pub(super) fn decode_url_safe(text: &str) -> Option<Vec<u8>> {
    let mut text = text.replace('-', "+").replace('_', "/");
    if !text.ends_with('=') {
        let missing = (4 - text.chars().count() % 4) % 4;
        text.push_str(&"=".repeat(missing));
    }
    decode_strict(text.as_bytes())
}

/// Takes the letters there are and skips the rest; padding ends a group.
pub(super) fn decode_relaxed(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut bits = 0_u32;
    let mut count = 0;
    for letter in text {
        if *letter == b'=' {
            if count >= 2 {
                break;
            }
            continue;
        }
        let Some(value) = value(*letter) else { continue };
        bits = (bits << 6) | value;
        count += 1;
        if count == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, count) = (0, 0);
        }
    }
    if count >= 2 {
        let [_, decoded @ ..] = (bits << (6 * (4 - count))).to_be_bytes();
        bytes.extend_from_slice(&decoded[..count as usize - 1]);
    }
    bytes
}
