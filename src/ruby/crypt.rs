//! The hashes of passwords that crypt(3) of Linux knows, and PBKDF2. Knows nothing of how they are asked for.

use md5::{Digest, Md5};
use pantin_base::budget;
use sha2::{Sha256, Sha512};

use super::des_crypt::des_crypt;

/// What crypt(3) says of a salt that it does not take.
const REFUSED: &str = "*0";

/// A digest of a few bytes takes as long as so many steps of the node's budget; whoever counts these sees that
/// there were too many.
pub(super) const STEPS_OF_DIGEST: u64 = 10;

/// So long takes a key of Blowfish that is made once more, twice.
const STEPS_OF_BLOWFISH: u64 = 2_000;

/// More rounds take longer than anybody waits.
const MOST_ROUNDS: u32 = 1_000_000;
const MOST_COST: u32 = 14;

/// Returns the password as crypt(3) hashes it, by a salt that says how. `None`: in a way that is not known here, or
/// that takes too long.
pub(super) fn crypt(password: &[u8], salt: &str) -> Option<String> {
    if !salt.starts_with(['$', '_']) {
        return Some(des_crypt(password, salt.as_bytes()).unwrap_or_else(|| REFUSED.into()));
    }
    let (kind, rest) = salt.strip_prefix('$')?.split_once('$')?;
    let is_plain = |salt: &str| salt.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/'));
    if let "2a" | "2b" | "2y" = kind {
        let cost: u32 = rest.split('$').next()?.parse().ok()?;
        return if cost > MOST_COST {
            None
        } else {
            Some(bcrypt(password, rest, kind).unwrap_or_else(|| REFUSED.into()))
        };
    }
    let (rounds, rest) = match rest.strip_prefix("rounds=").filter(|_| kind != "1") {
        Some(rest) => {
            let (rounds, rest) = rest.split_once('$')?;
            (Some(rounds.parse::<u32>().ok().filter(|rounds| *rounds <= MOST_ROUNDS)?), rest)
        }
        None => (None, rest),
    };
    let salt = rest.split('$').next().filter(|salt| is_plain(salt))?;
    match (kind, rounds) {
        ("5" | "6", Some(..1000)) => Some(REFUSED.into()),
        ("1", _) => Some(md5_crypt(password, salt)),
        ("5", _) => Some(sha_crypt::<Sha256>(password, salt, "5", rounds)),
        ("6", _) => Some(sha_crypt::<Sha512>(password, salt, "6", rounds)),
        _ => None,
    }
}

/// The alphabet of crypt(3): six bits a letter.
pub(super) const LETTERS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The lowest bits first.
fn push_bits(out: &mut String, mut bits: u32, letters: usize) {
    for _ in 0..letters {
        out.push(char::from(LETTERS[(bits & 63) as usize]));
        bits >>= 6;
    }
}

fn push_three(out: &mut String, digest: &[u8], places: [usize; 3]) {
    let bits = places.iter().fold(0, |bits, &place| bits << 8 | u32::from(digest[place]));
    push_bits(out, bits, 4);
}

/// `$1$`: MD5, a thousand times.
pub fn md5_crypt(password: &[u8], salt: &str) -> String {
    let salt = &salt[..salt.len().min(8)];
    let inner = Md5::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let mut whole = Md5::new().chain_update(password).chain_update("$1$").chain_update(salt);
    whole.update(inner.iter().cycle().take(password.len()).copied().collect::<Vec<u8>>());
    let mut length = password.len();
    while length > 0 {
        whole.update(if length & 1 == 1 { &[0][..] } else { &password[..1] });
        length >>= 1;
    }
    let mut digest = whole.finalize();
    for round in 0..1000 {
        let mut next = Md5::new();
        if round % 2 == 1 {
            next.update(password)
        } else {
            next.update(digest)
        }
        if round % 3 != 0 {
            next.update(salt);
        }
        if round % 7 != 0 {
            next.update(password);
        }
        if round % 2 == 1 {
            next.update(digest)
        } else {
            next.update(password)
        }
        digest = next.finalize();
    }
    let mut out = format!("$1${salt}$");
    for places in [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]] {
        push_three(&mut out, &digest, places);
    }
    push_bits(&mut out, digest[11].into(), 2);
    out
}

/// `$5$` and `$6$`: SHA-2, five thousand times, unless the salt says how often.
pub fn sha_crypt<D: Digest>(password: &[u8], salt: &str, prefix: &str, rounds: Option<u32>) -> String {
    let salt = &salt[..salt.len().min(16)];
    let size = <D as Digest>::output_size();
    let inner = D::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let repeated = |digest: &[u8], length: usize| digest.iter().cycle().take(length).copied().collect::<Vec<u8>>();
    let mut whole = D::new().chain_update(password).chain_update(salt);
    whole.update(repeated(&inner, password.len()));
    let mut length = password.len();
    while length > 0 {
        if length & 1 == 1 {
            whole.update(&inner)
        } else {
            whole.update(password)
        }
        length >>= 1;
    }
    let mut digest = whole.finalize();
    let of_password = (0..password.len()).fold(D::new(), |all, _| all.chain_update(password)).finalize();
    let of_password = repeated(&of_password, password.len());
    let of_salt = (0..16 + usize::from(digest[0])).fold(D::new(), |all, _| all.chain_update(salt)).finalize();
    let of_salt = repeated(&of_salt, salt.len());
    for round in 0..rounds.unwrap_or(5000) {
        if !budget::spend(STEPS_OF_DIGEST) {
            break;
        }
        let mut next = D::new();
        if round % 2 == 1 {
            next.update(&of_password)
        } else {
            next.update(&digest)
        }
        if round % 3 != 0 {
            next.update(&of_salt);
        }
        if round % 7 != 0 {
            next.update(&of_password);
        }
        if round % 2 == 1 {
            next.update(&digest)
        } else {
            next.update(&of_password)
        }
        digest = next.finalize();
    }
    let said = rounds.map(|rounds| format!("rounds={rounds}$")).unwrap_or_default();
    let mut out = format!("${prefix}${said}{salt}$");
    // The bytes are taken in threes that lie a third of the digest apart, and turned by one each time.
    let third = size / 3;
    let turn = if size == 32 { 2 } else { 1 };
    for step in 0..third {
        let mut places = [step, step + third, step + 2 * third];
        places.rotate_left(step * turn % 3);
        push_three(&mut out, &digest, places);
    }
    match size {
        32 => push_bits(&mut out, u32::from(digest[31]) << 8 | u32::from(digest[30]), 3),
        _ => push_bits(&mut out, digest[63].into(), 2),
    }
    out
}

/// `$2b$`: Blowfish with a key that is made slowly. `salt`: the cost, a dollar sign and 22 letters.
pub fn bcrypt(password: &[u8], salt: &str, prefix: &str) -> Option<String> {
    let (cost, letters) = salt.split_once('$')?;
    let letters = letters.get(..22)?;
    let rounds = cost.parse::<u32>().ok().filter(|cost| (4..=31).contains(cost))?;
    let salt = bits_of(letters)?;
    // The key ends in a nought, and no more than 72 bytes of it count.
    let key: Vec<u8> = password.iter().copied().chain([0]).take(72).collect();
    let mut state: blowfish::Blowfish = blowfish::Blowfish::bc_init_state();
    state.salted_expand_key(&salt, &key);
    for _ in 0..1_u64 << rounds {
        if !budget::spend(STEPS_OF_BLOWFISH) {
            break;
        }
        state.bc_expand_key(&key);
        state.bc_expand_key(&salt);
    }
    let mut words = [0x4f72_7068, 0x6561_6e42, 0x6568_6f6c, 0x6465_7253, 0x6372_7944, 0x6f75_6274];
    for pair in words.chunks_exact_mut(2) {
        for _ in 0..64 {
            let [left, right] = state.bc_encrypt([pair[0], pair[1]]);
            (pair[0], pair[1]) = (left, right);
        }
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_be_bytes()).take(23).collect();
    // Of the last letter of the salt only two bits count, which is how it is written.
    Some(format!("${prefix}${cost}${}{}", letters_of(&salt), letters_of(&bytes)))
}

/// The alphabet of bcrypt has the same letters in another order, and its highest bits first.
const BCRYPT_LETTERS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

fn bits_of(letters: &str) -> Option<[u8; 16]> {
    let mut bits = 0_u128;
    for (place, letter) in letters.bytes().enumerate() {
        let value = BCRYPT_LETTERS.iter().position(|known| *known == letter)? as u128;
        // 22 letters are 132 bits, of which the last four are dropped.
        bits = if place == 21 { bits << 2 | value >> 4 } else { bits << 6 | value };
    }
    Some(bits.to_be_bytes())
}

fn letters_of(bytes: &[u8]) -> String {
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for letter in 0..=three.len() {
            out.push(char::from(BCRYPT_LETTERS[(bits >> (18 - 6 * letter) & 63) as usize]));
        }
    }
    out
}

/// PBKDF2 with HMAC and SHA-512: 128 bytes.
pub fn pbkdf2(password: &[u8], salt: &[u8], rounds: u32) -> Vec<u8> {
    let mut key = [0_u8; 128];
    if password.len() > key.len() {
        key[..64].copy_from_slice(&Sha512::digest(password));
    } else {
        key[..password.len()].copy_from_slice(password);
    }
    let inner = Sha512::new().chain_update(key.map(|byte| byte ^ 0x36));
    let outer = Sha512::new().chain_update(key.map(|byte| byte ^ 0x5c));
    let hmac = |inner: Sha512| outer.clone().chain_update(inner.finalize()).finalize();
    let mut made = Vec::with_capacity(128);
    for block in 1_u32..=2 {
        let mut last = hmac(inner.clone().chain_update(salt).chain_update(block.to_be_bytes()));
        let mut all = last;
        for _ in 1..rounds {
            if !budget::spend(2 * STEPS_OF_DIGEST) {
                break;
            }
            last = hmac(inner.clone().chain_update(last));
            all.iter_mut().zip(&last).for_each(|(sum, byte)| *sum ^= byte);
        }
        made.extend_from_slice(&all);
    }
    made
}
