//! Digests of secrets in a trace, keyed so that nobody can guess the secret from the digest.

use pantin_values::Digest;

/// The key that digests of secrets are made with: of a process, or of a folder of kept answers.
#[derive(Clone)]
pub struct Secrets([u8; 32]);

impl Secrets {
    pub fn new(key: [u8; 32]) -> Secrets {
        Secrets(key)
    }

    /// Returns a key that nobody knows: of this process alone, drawn as those of hash maps are.
    pub fn for_process() -> Secrets {
        use std::hash::{BuildHasher, RandomState};
        let mut key = [0; 32];
        for (number, part) in key.chunks_exact_mut(8).enumerate() {
            part.copy_from_slice(&RandomState::new().hash_one(number).to_le_bytes());
        }
        Secrets(key)
    }

    /// Returns a digest that may be kept.
    pub fn seal(&self, digest: Digest) -> Digest {
        if digest.is_secret() { digest.seal(&self.0) } else { digest }
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}
