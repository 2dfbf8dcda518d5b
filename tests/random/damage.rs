//! Damaged copies of texts.

use super::numbers::Numbers;

/// The text with one token cut off, deleted, swapped, doubled or put elsewhere; `None` where there is little to damage.
pub(crate) fn damaged(text: &str, numbers: &mut Numbers) -> Option<String> {
    let words = words(text);
    if words.len() < 4 {
        return None;
    }
    let one = words[numbers.below(words.len())];
    let other = words[numbers.below(words.len())];
    let (first, second) = if one.0 < other.0 { (one, other) } else { (other, one) };
    let piece = |word: (usize, usize)| &text[word.0..word.1];
    let mutant = match numbers.below(5) {
        0 => text[..one.1].to_owned(),
        1 => format!("{}{}", &text[..one.0], &text[one.1..]),
        2 if first != second => {
            let between = &text[first.1..second.0];
            format!("{}{}{between}{}{}", &text[..first.0], piece(second), piece(first), &text[second.1..])
        }
        3 => format!("{}{} {}", &text[..one.1], piece(one), &text[one.1..]),
        _ => format!("{}{}{}", &text[..one.0], piece(other), &text[one.0..]),
    };
    (mutant != text).then_some(mutant)
}

/// Words and single other characters: tokens, roughly.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        match words.last_mut() {
            Some(last) if last.1 == at && is_word(character) && text[last.0..last.1].ends_with(is_word) => last.1 = end,
            _ if character.is_whitespace() => {}
            _ => words.push((at, end)),
        }
    }
    words
}
