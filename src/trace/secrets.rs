//! How what holds a secret is named in a trace, so that it cannot be guessed from its name.

use crate::pcore::Digest;

/// The key that digests of secrets are made with: of a process, or of a folder of kept answers.
#[derive(Clone)]
pub struct Secrets([u8; 32]);

impl Secrets {
    pub fn new(key: [u8; 32]) -> Secrets {
        Secrets(key)
    }

    /// A digest that may be kept.
    pub fn seal(&self, digest: Digest) -> Digest {
        if digest.is_secret() { digest.sealed(&self.0) } else { digest }
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}
