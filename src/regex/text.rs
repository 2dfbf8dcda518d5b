//! Steps over the characters of a text, whose bytes are known to be UTF-8.

use super::charset;
use super::fold;

/// Returns the character at a position and its length. There is one.
pub(super) fn decode(text: &[u8], pos: usize) -> (char, usize) {
    let byte = |at: usize| u32::from(text.get(pos + at).copied().unwrap_or_default() & 0x3F);
    let first = u32::from(text[pos]);
    let (code, length) = match first {
        0..0x80 => (first, 1),
        0x80..0xE0 => ((first & 0x1F) << 6 | byte(1), 2),
        0xE0..0xF0 => ((first & 0x0F) << 12 | byte(1) << 6 | byte(2), 3),
        _ => ((first & 0x07) << 18 | byte(1) << 12 | byte(2) << 6 | byte(3), 4),
    };
    (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), length)
}

/// Returns the position of the character before one that is not the first.
pub(super) fn before(text: &[u8], pos: usize) -> usize {
    let mut at = pos.saturating_sub(1);
    while at > 0 && text[at] & 0xC0 == 0x80 {
        at -= 1;
    }
    at
}

/// Returns the position behind the character at one that is not the end.
pub(super) fn after(text: &[u8], pos: usize) -> usize {
    pos + match text[pos] {
        ..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

/// Returns the position some characters before.
pub(super) fn back(text: &[u8], mut pos: usize, count: u32) -> Option<usize> {
    for _ in 0..count {
        if pos == 0 {
            return None;
        }
        pos = before(text, pos);
    }
    Some(pos)
}

/// Returns true if the character at a position is part of a word.
pub(super) fn is_word(text: &[u8], pos: usize, unicode: bool) -> bool {
    match text[pos] {
        byte @ ..0x80 => byte.is_ascii_alphanumeric() || byte == b'_',
        _ => unicode && fold::contains(charset::word(), decode(text, pos).0),
    }
}
