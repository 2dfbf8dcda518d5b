//! Encryption of stored answers that hold a secret. The key lies outside of the store.
//!
//! The nonce is made of the key, of what is sealed and of what it is kept as: the same is sealed to the same, so that
//! what is kept twice is kept once, and no nonce ever serves two texts.

use std::io;
use std::path::Path;

use chacha20poly1305::aead::{Aead, KeyInit, OsRng, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use pantin_values::Digest;
use pantin_world::{Disk, write_secret};

/// The key of one user, or of a pipeline.
#[derive(Clone)]
pub struct Seal {
    key: [u8; Seal::BYTES],
    /// Several machines share the cache: what was not signed with this key may be of somebody else.
    signs: bool,
}

/// Fewer letters could be guessed, by whoever reads the cache and tries one after the other: as many as `openssl rand -hex 16`
/// writes.
const SHORTEST: usize = 32;

const NONCE: usize = 24;

impl Seal {
    const BYTES: usize = 32;

    /// Of any text that is long enough.
    pub fn from_text(text: &str) -> Result<Seal, String> {
        let text = text.trim();
        if text.len() < SHORTEST {
            return Err(format!(
                "a key for secrets in the cache has at least {SHORTEST} letters: openssl rand -hex 32 makes one"
            ));
        }
        let key = blake3::derive_key("pantin 2026 key of secrets in the cache", text.as_bytes());
        Ok(Seal { key, signs: true })
    }

    /// The key in this file; where there is none it is drawn, for the eyes of its owner alone.
    pub fn from_file(disk: &dyn Disk, file: &Path) -> Result<Seal, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("no key for secrets in {}: {error}", file.display());
        let read = || disk.read(file).map_err(|error| wrong(&error));
        if let Some(bytes) = read()? {
            return Seal::from_bytes(&bytes).map_err(|error| wrong(&error));
        }
        let drawn = XChaCha20Poly1305::generate_key(&mut OsRng);
        match write_secret(file, &drawn) {
            Ok(()) => Ok(Seal { key: drawn.into(), signs: false }),
            // Another process was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let bytes = read()?.ok_or_else(|| wrong(&error))?;
                Seal::from_bytes(&bytes).map_err(|error| wrong(&error))
            }
            Err(error) => Err(wrong(&error)),
        }
    }

    fn from_bytes(bytes: &[u8]) -> Result<Seal, String> {
        let key = bytes.try_into().map_err(|_| format!("it has {} bytes and not {}", bytes.len(), Seal::BYTES))?;
        Ok(Seal { key, signs: false })
    }

    /// `about`: what it is kept as; it is opened as nothing else. `None`: it is too large.
    pub fn seal(&self, plain: &[u8], about: &[u8]) -> Option<Vec<u8>> {
        // What is sealed looks like noise: it can be made smaller only before.
        let plain = &lz4_flex::compress_prepend_size(plain);
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&(about.len() as u64).to_le_bytes()).update(about).update(plain);
        let hash = hasher.finalize();
        let nonce = &hash.as_bytes()[..NONCE];
        let payload = Payload { msg: plain, aad: about };
        let sealed = self.cipher().encrypt(XNonce::from_slice(nonce), payload).ok()?;
        Some([nonce, &sealed].concat())
    }

    /// `None`: it was not sealed with this key, or is kept as something else.
    pub fn open(&self, sealed: &[u8], about: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE)?;
        let plain = self.cipher().decrypt(XNonce::from_slice(nonce), Payload { msg: sealed, aad: about }).ok()?;
        lz4_flex::decompress_size_prepended(&plain).ok()
    }

    /// Puts a keyed hash before bytes that are no secret, where the key is one of several machines. `about`: what they are kept as.
    pub fn signed(&self, bytes: Vec<u8>, about: &[u8]) -> Vec<u8> {
        if self.signs { [&self.signature(&bytes, about).as_bytes()[..], &bytes].concat() } else { bytes }
    }

    /// Returns the bytes that were signed; `None`: not with this key, or as something else.
    pub fn verified<'b>(&self, signed: &'b [u8], about: &[u8]) -> Option<&'b [u8]> {
        if !self.signs {
            return Some(signed);
        }
        let (signature, bytes) = signed.split_at_checked(blake3::OUT_LEN)?;
        let signature: [u8; blake3::OUT_LEN] = signature.try_into().ok()?;
        (self.signature(bytes, about) == blake3::Hash::from_bytes(signature)).then_some(bytes)
    }

    fn signature(&self, bytes: &[u8], about: &[u8]) -> blake3::Hash {
        let key = blake3::derive_key("pantin 2026 key of entries in a shared cache", &self.key);
        let mut hasher = blake3::Hasher::new_keyed(&key);
        hasher.update(&(about.len() as u64).to_le_bytes()).update(about).update(bytes);
        hasher.finalize()
    }

    /// Returns true if every entry of the cache is signed.
    pub fn signs(&self) -> bool {
        self.signs
    }

    /// Returns a digest that tells nobody what went into it.
    pub fn digest(&self, digest: Digest) -> Digest {
        digest.seal(&self.key)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.key.into())
    }
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal")
    }
}
