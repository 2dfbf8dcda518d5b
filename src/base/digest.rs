//! Content digests: 128 bits, the same in every process and on every machine.
//!
//! Typed: `1` and `'1'` differ, and order counts. What fits is held in place, so that the digest of a small value costs
//! nothing; all else is hashed with blake3. What has parts says with [`Digestible`] which they are, each with a tag: never
//! by what `Debug` prints of it, which may leave something out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use smallvec::SmallVec;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 16]);

/// First byte of a digest of its own kind.
mod kind {
    pub(super) const ATOM: u8 = 0;
    pub(super) const BOOLEAN: u8 = 1;
    pub(super) const INTEGER: u8 = 2;
    pub(super) const FLOAT: u8 = 3;
    pub(super) const SHORT_TEXT: u8 = 4;
    pub(super) const HASHED: u8 = 5;
    /// Hashed, and a secret went into it: a small one could be guessed from it.
    pub(super) const SECRET: u8 = 6;
    /// A secret's, hashed once more with a key.
    pub(super) const SEALED: u8 = 7;
}

impl Digest {
    pub fn bytes(&self) -> &[u8; 16] {
        &self.0
    }

    pub fn from_boolean(value: bool) -> Digest {
        Digest::small(kind::BOOLEAN, &[u8::from(value)])
    }

    pub fn from_integer(value: i64) -> Digest {
        Digest::small(kind::INTEGER, &value.to_le_bytes())
    }

    /// Hashes the bits, so that -0.0 and 0.0 differ.
    pub fn from_float(value: f64) -> Digest {
        Digest::small(kind::FLOAT, &value.to_bits().to_le_bytes())
    }

    /// Returns all of it, in hexadecimal digits.
    pub fn to_hex(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn small(kind: u8, payload: &[u8]) -> Digest {
        let mut bytes = [0; 16];
        bytes[0] = kind;
        bytes[1] = payload.len() as u8;
        bytes[2..2 + payload.len()].copy_from_slice(payload);
        Digest(bytes)
    }

    /// Makes a digest of a tag alone.
    pub fn atom(tag: u8) -> Digest {
        Digest::small(kind::ATOM, &[tag])
    }

    /// Returns true if a secret went into it. Such a digest is for comparing in memory; what is kept is
    /// [`Digest::sealed`].
    pub fn is_secret(&self) -> bool {
        self.0[0] == kind::SECRET
    }

    /// The same for what is a secret though it does not say so.
    pub fn hidden(self) -> Digest {
        Digester::secret(b"hidden").digest(self).finish()
    }

    pub fn is_sealed(&self) -> bool {
        self.0[0] == kind::SEALED
    }

    /// One that tells nothing to whoever does not have the key.
    pub fn seal(&self, key: &[u8; 32]) -> Digest {
        Digest::from_hash(kind::SEALED, &blake3::keyed_hash(key, &self.0))
    }

    fn from_hash(kind: u8, hash: &blake3::Hash) -> Digest {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.as_bytes()[..16]);
        bytes[0] = kind;
        Digest(bytes)
    }

    pub fn from_text(text: &str) -> Digest {
        if text.len() <= 14 {
            Digest::small(kind::SHORT_TEXT, text.as_bytes())
        } else {
            let mut digester = Digester::new(b"text");
            digester.text(text);
            digester.finish()
        }
    }
}

/// Hashes a name: 128 bits of blake3, for tables that are stored, where another name must not pass for it.
pub fn name_hash(name: &str) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..16]);
    u128::from_le_bytes(bytes)
}

/// Hashes a composite: a tag, then its parts, each with its length or as a digest.
///
/// Most are short: what is hashed is put together first. A hasher that can take any length is two thousand bytes of its own.
#[derive(Debug)]
pub struct Digester {
    begun: SmallVec<[u8; SHORT]>,
    /// Has had all that stood in `begun` before; there only where that became too much.
    hasher: Option<Box<blake3::Hasher>>,
    /// Whether a part is secret, and so the whole.
    secret: bool,
}

const SHORT: usize = 256;

/// One chunk of the hash.
const LONG: usize = 1024;

impl Digester {
    pub fn new(tag: &[u8]) -> Digester {
        let mut digester = Digester { begun: SmallVec::new(), hasher: None, secret: false };
        digester.add(&[tag.len() as u8]);
        digester.add(tag);
        digester
    }

    /// For what holds a secret.
    pub fn secret(tag: &[u8]) -> Digester {
        let mut digester = Digester::new(tag);
        digester.secret = true;
        digester
    }

    #[inline]
    fn add(&mut self, bytes: &[u8]) {
        if self.begun.len() + bytes.len() <= LONG {
            self.begun.extend_from_slice(bytes);
        } else {
            self.add_to_long(bytes);
        }
    }

    #[cold]
    fn add_to_long(&mut self, bytes: &[u8]) {
        let hasher = self.hasher.get_or_insert_with(Box::default);
        hasher.update(&self.begun);
        hasher.update(bytes);
        self.begun.clear();
    }

    pub fn number(&mut self, number: u64) -> &mut Digester {
        self.add(&number.to_le_bytes());
        self
    }

    pub fn text(&mut self, text: &str) -> &mut Digester {
        self.bytes(text.as_bytes())
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Digester {
        self.number(bytes.len() as u64);
        self.add(bytes);
        self
    }

    pub fn digest(&mut self, digest: Digest) -> &mut Digester {
        self.add(&digest.0);
        self.secret |= digest.is_secret();
        self
    }

    /// Returns the parts of something, in the order and with the tags that it gives them.
    pub fn item<T: Digestible + ?Sized>(&mut self, item: &T) -> &mut Digester {
        item.add_to(self);
        self
    }

    pub fn finish(&self) -> Digest {
        let hash = match &self.hasher {
            None => blake3::hash(&self.begun),
            Some(hasher) => hasher.clone().update(&self.begun).finalize(),
        };
        Digest::from_hash(if self.secret { kind::SECRET } else { kind::HASHED }, &hash)
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// What it is of, where it holds that in place; else the beginning of the hash, and of a secret nothing.
impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let length = usize::from(self.0[1]).min(14);
        let payload = &self.0[2..2 + length];
        let number = || payload.try_into().map(u64::from_le_bytes).unwrap_or_default();
        match self.0[0] {
            kind::ATOM => match payload {
                [0] => f.write_str("undef"),
                [1] => f.write_str("default"),
                _ => write!(f, "atom {payload:?}"),
            },
            kind::BOOLEAN => write!(f, "{}", payload == [1]),
            kind::INTEGER => write!(f, "{}", number() as i64),
            kind::FLOAT => write!(f, "{:?}", f64::from_bits(number())),
            kind::SHORT_TEXT => write!(f, "{:?}", String::from_utf8_lossy(payload)),
            kind::SECRET | kind::SEALED => f.write_str("Sensitive [value redacted]"),
            _ => {
                f.write_str("#")?;
                self.0[1..5].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

/// Something that has a digest by its parts.
pub trait Digestible {
    fn add_to(&self, digester: &mut Digester);
}

/// Implements [`Digestible`] for a struct by its fields, or for an enum without fields by its variants, each with a number that
/// never changes. Whoever adds one and gives it no number does not get past the compiler.
#[macro_export]
macro_rules! digestible {
    (struct $name:ident { $($tag:literal = $field:ident),* $(,)? }) => {
        impl $crate::Digestible for $name {
            fn add_to(&self, digester: &mut $crate::Digester) {
                let $name { $($field),* } = self;
                $(
                    digester.number($tag);
                    $crate::Digestible::add_to($field, digester);
                )*
            }
        }
    };
    (enum $name:ident { $($tag:literal = $variant:ident),* $(,)? }) => {
        impl $crate::Digestible for $name {
            fn add_to(&self, digester: &mut $crate::Digester) {
                let tag: u64 = match self {
                    $($name::$variant => $tag,)*
                };
                digester.number(tag);
            }
        }
    };
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Digestible for $number {
            fn add_to(&self, digester: &mut Digester) {
                digester.bytes(&self.to_le_bytes());
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize, i32, i64, i128);

impl Digestible for bool {
    fn add_to(&self, digester: &mut Digester) {
        digester.number(u64::from(*self));
    }
}

impl Digestible for str {
    fn add_to(&self, digester: &mut Digester) {
        digester.text(self);
    }
}

impl Digestible for String {
    fn add_to(&self, digester: &mut Digester) {
        digester.text(self);
    }
}

impl Digestible for Path {
    fn add_to(&self, digester: &mut Digester) {
        digester.bytes(self.as_os_str().as_encoded_bytes());
    }
}

impl Digestible for PathBuf {
    fn add_to(&self, digester: &mut Digester) {
        self.as_path().add_to(digester);
    }
}

impl Digestible for Digest {
    fn add_to(&self, digester: &mut Digester) {
        digester.digest(*self);
    }
}

impl<T: Digestible + ?Sized> Digestible for &T {
    fn add_to(&self, digester: &mut Digester) {
        (**self).add_to(digester);
    }
}

impl<T: Digestible + ?Sized> Digestible for Box<T> {
    fn add_to(&self, digester: &mut Digester) {
        (**self).add_to(digester);
    }
}

impl<T: Digestible + ?Sized> Digestible for Arc<T> {
    fn add_to(&self, digester: &mut Digester) {
        (**self).add_to(digester);
    }
}

impl<T: Digestible> Digestible for Option<T> {
    fn add_to(&self, digester: &mut Digester) {
        digester.number(u64::from(self.is_some()));
        self.iter().for_each(|item| item.add_to(digester));
    }
}

impl<T: Digestible> Digestible for [T] {
    fn add_to(&self, digester: &mut Digester) {
        digester.number(self.len() as u64);
        self.iter().for_each(|item| item.add_to(digester));
    }
}

impl<T: Digestible> Digestible for Vec<T> {
    fn add_to(&self, digester: &mut Digester) {
        self.as_slice().add_to(digester);
    }
}

impl<A: Digestible, B: Digestible> Digestible for (A, B) {
    fn add_to(&self, digester: &mut Digester) {
        self.0.add_to(digester);
        self.1.add_to(digester);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pair {
        one: String,
        other: Option<String>,
    }

    digestible!(struct Pair { 1 = one, 2 = other });

    #[test]
    fn parts_are_told_apart() {
        let of = |one: &str, other: Option<&str>| {
            let pair = Pair { one: one.to_owned(), other: other.map(str::to_owned) };
            Digester::new(b"pair").item(&pair).finish()
        };
        assert_eq!(of("a", Some("b")), of("a", Some("b")));
        let all = [of("a", Some("b")), of("ab", None), of("ab", Some("")), of("", Some("ab")), of("a", None)];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[at + 1..].contains(one), "{at}");
        }
        let list = |items: &[&str]| Digester::new(b"list").item(items).finish();
        assert_ne!(list(&["a", "b"]), list(&["ab"]));
        assert_eq!(Digest::from_text("a text that is long enough").to_hex().len(), 32);
    }
}
