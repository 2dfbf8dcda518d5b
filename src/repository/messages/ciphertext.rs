//! Encrypted texts of eyaml in messages, cut to what tells one from another.

use std::borrow::Cow;

const START: &str = "ENC[";

/// So many letters of the encrypted text are shown.
const SHOWN: usize = 12;

/// Returns a message in which `ENC[PKCS7,…]` is short.
pub fn shorten_ciphertexts(text: &str) -> Cow<'_, str> {
    if !text.contains(START) {
        return text.into();
    }
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(START) {
        let (before, from) = rest.split_at(at);
        short.push_str(before);
        let end = from.find(']').unwrap_or(from.len());
        let body = from[..end].find(',').map_or(START.len(), |comma| comma + 1);
        let cut = from[body..end].char_indices().nth(SHOWN).map_or(end, |(cut, _)| body + cut);
        short.push_str(&from[..cut]);
        if cut < end {
            short.push('…');
        }
        rest = &from[end..];
    }
    short.push_str(rest);
    short.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_ciphertext_is_cut() {
        let long = format!("decrypting ENC[PKCS7,{}] when", "MIIBygYJKoZI".repeat(9));
        assert_eq!(shorten_ciphertexts(&long), "decrypting ENC[PKCS7,MIIBygYJKoZI…] when");
        for same in ["none", "ENC[PKCS7,abc]", "ENC[", "ENC[a", "x ENC[é,ü] y"] {
            assert_eq!(shorten_ciphertexts(same), same);
        }
    }
}
