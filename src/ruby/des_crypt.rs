//! The oldest hash of passwords that crypt(3) knows: DES, 25 times, with two letters of salt. Only as quick as it has to be.

use super::crypt::LETTERS;

const INITIAL: [u8; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, 62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32,
    24, 16, 8, 57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, 61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47,
    39, 31, 23, 15, 7,
];
const FINAL: [u8; 64] = [
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31, 38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21,
    61, 29, 36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27, 34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9,
    49, 17, 57, 25,
];
const EXPANSION: [u8; 48] = [
    32, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 8, 9, 10, 11, 12, 13, 12, 13, 14, 15, 16, 17, 16, 17, 18, 19, 20, 21, 20, 21,
    22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1,
];
const PERMUTATION: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4,
    25,
];
const KEY_CHOICE: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36, 63, 55,
    47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];
const ROUND_KEY_CHOICE: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47, 55, 30,
    40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];
const SHIFTS: [usize; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];
#[rustfmt::skip]
const BOXES: [[u8; 64]; 8] = [
    [14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7, 0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
     4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0, 15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13],
    [15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10, 3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
     0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15, 13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9],
    [10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8, 13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
     13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7, 1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12],
    [7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15, 13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
     10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4, 3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14],
    [2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9, 14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
     4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14, 11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3],
    [12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11, 10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
     9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6, 4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13],
    [4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1, 13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
     1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2, 6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12],
    [13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7, 1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
     7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8, 2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11],
];

/// Returns the hash of a password. `None`: the salt has other letters than crypt(3) takes.
pub(super) fn des_crypt(password: &[u8], salt: &[u8]) -> Option<String> {
    let [first, second, ..] = *salt else { return None };
    let place = |letter: u8| LETTERS.iter().position(|known| *known == letter);
    let mut expansion = EXPANSION;
    for (half, value) in [place(first)?, place(second)?].into_iter().enumerate() {
        for bit in (0..6).filter(|bit| value >> bit & 1 == 1) {
            expansion.swap(6 * half + bit, 6 * half + bit + 24);
        }
    }
    let keys = round_keys(password);
    let mut block = [false; 66];
    for _ in 0..25 {
        let encrypted = encrypt(&block[..64], &keys, &expansion);
        block[..64].copy_from_slice(&encrypted);
    }
    let mut hash = format!("{}{}", char::from(first), char::from(second));
    hash.extend(block.chunks(6).map(|bits| char::from(LETTERS[number(bits)])));
    Some(hash)
}

/// Seven bits of each of the first eight letters.
fn round_keys(password: &[u8]) -> [[bool; 48]; 16] {
    let mut key = [false; 64];
    for (letter, bits) in password.iter().zip(key.chunks_mut(8)) {
        (0..7).for_each(|bit| bits[bit] = letter >> (6 - bit) & 1 == 1);
    }
    let mut halves = KEY_CHOICE.map(|bit| key[usize::from(bit) - 1]);
    SHIFTS.map(|shift| {
        halves[..28].rotate_left(shift);
        halves[28..].rotate_left(shift);
        ROUND_KEY_CHOICE.map(|bit| halves[usize::from(bit) - 1])
    })
}

fn encrypt(block: &[bool], keys: &[[bool; 48]; 16], expansion: &[u8; 48]) -> [bool; 64] {
    let mut state = INITIAL.map(|bit| block[usize::from(bit) - 1]);
    for key in keys {
        let (left, right) = state.split_at(32);
        let mut chosen = [false; 32];
        for (number_of_box, bits) in chosen.chunks_mut(4).enumerate() {
            let at = |place: usize| {
                let place = 6 * number_of_box + place;
                right[usize::from(expansion[place]) - 1] ^ key[place]
            };
            let row = number(&[at(0), at(5)]);
            let column = number(&[at(1), at(2), at(3), at(4)]);
            let value = BOXES[number_of_box][16 * row + column];
            (0..4).for_each(|bit| bits[bit] = value >> (3 - bit) & 1 == 1);
        }
        let mut next = [false; 64];
        next[..32].copy_from_slice(right);
        for (place, bit) in PERMUTATION.iter().enumerate() {
            next[32 + place] = left[place] ^ chosen[usize::from(*bit) - 1];
        }
        state = next;
    }
    // The halves are not exchanged after the last round.
    state.rotate_left(32);
    FINAL.map(|bit| state[usize::from(bit) - 1])
}

/// Returns the highest bit first.
fn number(bits: &[bool]) -> usize {
    bits.iter().fold(0, |number, bit| number << 1 | usize::from(*bit))
}

#[cfg(test)]
mod tests {
    use super::des_crypt;

    /// What crypt(3) of Linux says.
    #[test]
    fn hashes_are_those_of_crypt() {
        for (password, salt, hash) in [
            ("abc", "ab", Some("abFZSxKKdq5s6")),
            ("", "..", Some("..X8NBuQ4l6uQ")),
            ("abcdefghijk", "Ab", Some("AbZWccL2EBpV6")),
            ("\u{e4}", "zz", Some("zz1rrbYd4uFDg")),
            ("a", "a!", None),
            ("a", "!a", None),
            ("a", "a b", None),
        ] {
            assert_eq!(des_crypt(password.as_bytes(), salt.as_bytes()).as_deref(), hash, "{password} {salt}");
        }
    }
}
