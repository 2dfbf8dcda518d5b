//! Texts that hiera-eyaml has encrypted: `ENC[PKCS7,…]`, a key for AES under a key of RSA's, in a CMS envelope.
//!
//! What is decrypted is a secret: it stands in no error, and keys are not shown. Knows no files: keys come as PEM.

use std::fmt;

use aes::{Aes128, Aes192, Aes256};
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockDecryptMut, KeyIvInit};
use cms::content_info::ContentInfo;
use cms::enveloped_data::{EncryptedContentInfo, EnvelopedData, RecipientIdentifier, RecipientInfo};
use der::asn1::{ObjectIdentifier, OctetString};
use der::referenced::OwnedToRef;
use der::{Decode, DecodePem};
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::{Pkcs1v15Encrypt, RsaPrivateKey, RsaPublicKey};
use x509_cert::Certificate;

use super::Error;
use crate::Binary;
use crate::scalar::BinaryFormat;

const AES_128_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.2");
const AES_192_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.22");
const AES_256_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.42");

/// Returns true if hiera-eyaml would look into a text: `ENC[` and `]` on one line.
pub fn is_encrypted(text: &str) -> bool {
    let closes = |line: &str| line.split_once("ENC[").is_some_and(|(_, rest)| rest.contains(']'));
    text.split('\n').any(closes)
}

/// What is wrong with a text that hiera-eyaml has encrypted, as far as that shows without a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SealedProblem {
    /// Nothing closes it.
    Open,
    NoBase64,
    /// It has not as many characters as base64 has.
    CutOff,
}

/// Looks for damage in a text that begins as an encrypted one, of a scheme that writes base64.
pub fn problem_of_sealed(text: &str) -> Option<SealedProblem> {
    let text = text.trim();
    let inside = text.strip_prefix("ENC[")?;
    let (scheme, rest) = inside.split_once(',').unwrap_or(("PKCS7", inside));
    if !matches!(scheme, "PKCS7" | "GPG") {
        return None;
    }
    let Some((base64, _)) = rest.split_once(']') else { return Some(SealedProblem::Open) };
    let base64: String = base64.split_ascii_whitespace().collect();
    let digits = base64.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/".contains(&byte);
    if !digits.bytes().all(is_digit) {
        return Some(SealedProblem::NoBase64);
    }
    let is_whole = base64.len().is_multiple_of(4) && base64.len() - digits.len() <= 2 && !digits.is_empty();
    (!is_whole).then_some(SealedProblem::CutOff)
}

/// A private key, and the certificate that values are encrypted for.
pub struct Keys {
    private: RsaPrivateKey,
    certificate: Certificate,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

impl Keys {
    pub fn from_pem(private: &[u8], public: &[u8]) -> Result<Keys, Error> {
        let private = std::str::from_utf8(private).ok().and_then(|text| {
            let text = text.trim_start();
            RsaPrivateKey::from_pkcs1_pem(text).or_else(|_| RsaPrivateKey::from_pkcs8_pem(text)).ok()
        });
        let private = private.ok_or_else(|| Error::new("Neither PUB key nor PRIV key: unsupported"))?;
        let certificate = Certificate::from_pem(public).map_err(|_| Error::new("PEM_read_bio_X509: no start line"))?;
        let named = RsaPublicKey::try_from(certificate.tbs_certificate.subject_public_key_info.owned_to_ref());
        if named.ok() != Some(private.to_public_key()) {
            return Err(Error::new("private key does not match certificate"));
        }
        Ok(Keys { private, certificate })
    }

    /// Returns the text with each `ENC[…]` in it decrypted, and without the break at its end.
    pub fn decrypt(&self, text: &str) -> Result<String, Error> {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, sealed, after)) = next_sealed(rest) {
            plain.push_str(before);
            plain.push_str(&self.open(&sealed)?);
            rest = after;
        }
        plain.push_str(rest);
        let end = plain.strip_suffix("\r\n").or(plain.strip_suffix('\n')).or(plain.strip_suffix('\r'));
        let end = end.map_or(plain.len(), str::len);
        plain.truncate(end);
        Ok(plain)
    }

    fn open(&self, sealed: &Sealed) -> Result<String, Error> {
        if !sealed.scheme.eq_ignore_ascii_case("PKCS7") {
            let (scheme, lower) = (&sealed.scheme, sealed.scheme.to_ascii_lowercase());
            let advice = format!("Try gem install hiera-eyaml-{lower} ?");
            return Err(Error::new(format!("Could not find hiera-eyaml encryptor: {scheme}. {advice}")));
        }
        let no_envelope = || Error::new("Could not parse the PKCS7: no start line");
        let bytes = Binary::parse(&sealed.base64, BinaryFormat::Relaxed).map_err(|_| no_envelope())?;
        let envelope = ContentInfo::from_der(bytes.bytes())
            .and_then(|info| info.content.decode_as::<EnvelopedData>())
            .map_err(|_| no_envelope())?;
        let key = self.private.decrypt(Pkcs1v15Encrypt, self.sealed_key(&envelope)?).map_err(|_| bad_decrypt())?;
        let plain = decrypt_content(&envelope.encrypted_content, &key)?;
        String::from_utf8(plain).map_err(|_| Error::new("a decrypted value that is not UTF-8 is not supported"))
    }

    /// Returns the key of the content, encrypted for our certificate.
    fn sealed_key<'e>(&self, envelope: &'e EnvelopedData) -> Result<&'e [u8], Error> {
        let ours = &self.certificate.tbs_certificate;
        let recipients = envelope.recip_infos.0.iter();
        let found = recipients.filter_map(|recipient| match recipient {
            RecipientInfo::Ktri(info) => Some(info),
            _ => None,
        });
        let mut found = found.filter(|info| match &info.rid {
            RecipientIdentifier::IssuerAndSerialNumber(rid) => {
                rid.issuer == ours.issuer && rid.serial_number == ours.serial_number
            }
            RecipientIdentifier::SubjectKeyIdentifier(_) => false,
        });
        let info = found.next().ok_or_else(|| Error::new("no recipient matches certificate"))?;
        Ok(info.enc_key.as_bytes())
    }
}

fn bad_decrypt() -> Error {
    Error::new("bad decrypt")
}

fn decrypt_content(content: &EncryptedContentInfo, key: &[u8]) -> Result<Vec<u8>, Error> {
    let algorithm = &content.content_enc_alg;
    let start = algorithm.parameters.as_ref().and_then(|start| start.decode_as::<OctetString>().ok());
    let (Some(start), Some(sealed)) = (start, &content.encrypted_content) else { return Err(bad_decrypt()) };
    match algorithm.oid {
        AES_256_CBC => decrypt_with::<cbc::Decryptor<Aes256>>(key, start.as_bytes(), sealed.as_bytes()),
        AES_192_CBC => decrypt_with::<cbc::Decryptor<Aes192>>(key, start.as_bytes(), sealed.as_bytes()),
        AES_128_CBC => decrypt_with::<cbc::Decryptor<Aes128>>(key, start.as_bytes(), sealed.as_bytes()),
        other => Err(Error::new(format!("the cipher {other} is not supported"))),
    }
}

fn decrypt_with<C: KeyIvInit + BlockDecryptMut>(key: &[u8], start: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
    let cipher = C::new_from_slices(key, start).map_err(|_| bad_decrypt())?;
    cipher.decrypt_padded_vec_mut::<Pkcs7>(sealed).map_err(|_| bad_decrypt())
}

/// What stands in the brackets of `ENC[…]`.
struct Sealed {
    scheme: String,
    base64: String,
}

/// Returns what stands before the first encrypted part, that part, and what follows it.
fn next_sealed(text: &str) -> Option<(&str, Sealed, &str)> {
    for (at, _) in text.match_indices("ENC[") {
        let (inside, after) = text[at + 4..].split_once(']')?;
        let (scheme, base64) = inside.split_once(',').unwrap_or(("PKCS7", inside));
        let is_scheme = !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/ =\n".contains(&byte);
        // White space does not count, but it alone is no value.
        let base64_only: String = base64.split([' ', '\n']).collect();
        if is_scheme && base64.bytes().all(is_base64) && !base64_only.is_empty() {
            return Some((&text[..at], Sealed { scheme: scheme.to_owned(), base64: base64_only }, after));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Keys, is_encrypted};

    // Keys made for these tests by hiera-eyaml 3.3, and values it encrypted for them. They protect nothing.
    const PRIVATE: &[u8] = include_bytes!("../../../tests/data/eyaml/test-only-private-key.pem");
    const PUBLIC: &[u8] = include_bytes!("../../../tests/data/eyaml/test-only-public-key.pem");
    const OTHER_PRIVATE: &[u8] = include_bytes!("../../../tests/data/eyaml/test-only-other-private-key.pem");
    const OTHER_PUBLIC: &[u8] = include_bytes!("../../../tests/data/eyaml/test-only-other-public-key.pem");
    const VALUES: &str = include_str!("../../../tests/data/eyaml/values.txt");

    fn value(index: usize) -> &'static str {
        VALUES.lines().nth(index).unwrap()
    }

    fn opened(text: &str) -> Result<String, String> {
        Keys::from_pem(PRIVATE, PUBLIC).unwrap().decrypt(text).map_err(|error| error.message)
    }

    #[test]
    fn values_of_the_gem_are_decrypted() {
        let (word, lines) = (value(0), value(1));
        assert_eq!(opened(word).unwrap(), "hunter2");
        assert_eq!(opened(lines).unwrap(), "grüße\nline 2");
        assert_eq!(opened(&format!("x {word} y {lines}z")).unwrap(), "x hunter2 y grüße\nline 2\nz");
        let (start, end) = word.split_at(70);
        assert_eq!(opened(&format!("{start}\n  {end}\n")).unwrap(), "hunter2");
        assert_eq!(opened(&word.replace("PKCS7,", "")).unwrap(), "hunter2");
        assert_eq!(opened(&word.replace("PKCS7", "pkcs7")).unwrap(), "hunter2");
        for plain in ["plain", "ENC[PKCS7,]", "ENC[PKCS7,*]", "ENC[PKCS7,AAAA", "DEC::PKCS7[x]!"] {
            assert_eq!(opened(plain).unwrap(), plain);
        }
    }

    #[test]
    fn errors_are_those_of_the_gem_and_hold_no_secret() {
        assert_eq!(opened("ENC[PKCS7,AAAA]").unwrap_err(), "Could not parse the PKCS7: no start line");
        assert_eq!(
            opened("ENC[GPG,AAAA]").unwrap_err(),
            "Could not find hiera-eyaml encryptor: GPG. Try gem install hiera-eyaml-gpg ?"
        );
        let other = Keys::from_pem(OTHER_PRIVATE, OTHER_PUBLIC).unwrap();
        assert_eq!(other.decrypt(value(0)).unwrap_err().message, "bad decrypt");
        assert_eq!(format!("{other:?}"), "Keys");
        let wrong = |private, public| Keys::from_pem(private, public).unwrap_err().message;
        assert_eq!(wrong(OTHER_PRIVATE, PUBLIC), "private key does not match certificate");
        assert_eq!(wrong(b"garbage", PUBLIC), "Neither PUB key nor PRIV key: unsupported");
        assert_eq!(wrong(PRIVATE, b"garbage"), "PEM_read_bio_X509: no start line");
    }

    #[test]
    fn encrypted_is_what_closes_on_its_line() {
        assert!(is_encrypted("a ENC[x] b") && is_encrypted("\nENC[]"));
        assert!(!is_encrypted("ENC[x\n]") && !is_encrypted("]ENC["));
    }
}
