//! Keys: 256-bit blake3 hashes, and the builder that makes one by
//! specification.
//!
//! The specification is part of what is stored: change a byte that the builder
//! feeds to the hash, and every stored key changes its meaning. It must not
//! know what a key stands for.

use std::fmt;

/// A 256-bit blake3 hash: the address of an entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; Key::BYTES]);

impl Key {
    /// The length of a key in bytes.
    pub const BYTES: usize = 32;

    /// The hash of `content`: the address of a blob.
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        Self(*blake3::hash(content).as_bytes())
    }

    /// The key with exactly these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// The key as 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = String::with_capacity(2 * Self::BYTES);
        for byte in self.0 {
            text.push(char::from(DIGITS[usize::from(byte >> 4)]));
            text.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        text
    }

    /// Reads what [`Key::to_hex`] writes, and nothing else: upper-case digits
    /// are refused, so that one key has one spelling on disk.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 2 * Self::BYTES {
            return None;
        }
        let mut bytes = [0; Self::BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = hex_value(pair[0])? << 4 | hex_value(pair[1])?;
        }
        Some(Self(bytes))
    }
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.to_hex())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Key({self})")
    }
}

/// Builds a [`Key`] from typed items.
///
/// Every item is one byte that says its type, then its content: numbers as 8
/// bytes little-endian, floats by their bits, bytes and text after their
/// length, a sequence as its length before its items. So two different calls,
/// or the same calls grouped differently, never feed the same bytes.
#[derive(Clone)]
pub struct KeyBuilder {
    hasher: blake3::Hasher,
}

/// The byte before an item. The numbers are part of the specification.
#[derive(Clone, Copy)]
#[repr(u8)]
enum ItemType {
    Domain = 0,
    Variant = 1,
    Flag = 2,
    Unsigned = 3,
    Signed = 4,
    Float = 5,
    Bytes = 6,
    Text = 7,
    Key = 8,
    Sequence = 9,
    Set = 10,
    Absent = 11,
    Present = 12,
}

impl KeyBuilder {
    /// A builder for keys of one `domain`. The same items in two domains make
    /// two keys.
    #[must_use]
    pub fn new(domain: &str) -> Self {
        let mut builder = Self { hasher: blake3::Hasher::new() };
        builder.sized(ItemType::Domain, domain.as_bytes());
        builder
    }

    /// The number of a variant of an enum; its fields follow as items.
    pub fn variant(&mut self, number: u32) -> &mut Self {
        self.fixed(ItemType::Variant, u64::from(number).to_le_bytes())
    }

    pub fn flag(&mut self, value: bool) -> &mut Self {
        self.fixed(ItemType::Flag, u64::from(value).to_le_bytes())
    }

    pub fn unsigned(&mut self, value: u64) -> &mut Self {
        self.fixed(ItemType::Unsigned, value.to_le_bytes())
    }

    pub fn signed(&mut self, value: i64) -> &mut Self {
        self.fixed(ItemType::Signed, value.to_le_bytes())
    }

    /// A float by its bits: `0.0` and `-0.0` differ, and a NaN equals itself.
    pub fn float(&mut self, value: f64) -> &mut Self {
        self.fixed(ItemType::Float, value.to_bits().to_le_bytes())
    }

    pub fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.sized(ItemType::Bytes, value)
    }

    pub fn text(&mut self, value: &str) -> &mut Self {
        self.sized(ItemType::Text, value.as_bytes())
    }

    pub fn key(&mut self, value: &Key) -> &mut Self {
        self.hasher.update(&[ItemType::Key as u8]);
        self.hasher.update(value.as_bytes());
        self
    }

    /// A sequence: its length, then each item as `add` feeds it.
    pub fn sequence<T>(
        &mut self,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut add: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        let items = items.into_iter();
        self.fixed(ItemType::Sequence, length(items.len()));
        for item in items {
            add(self, item);
        }
        self
    }

    /// A set of keys: sorted, each once, so that neither order nor repetition
    /// counts.
    pub fn set(&mut self, keys: impl IntoIterator<Item = Key>) -> &mut Self {
        let mut keys: Vec<Key> = keys.into_iter().collect();
        keys.sort_unstable();
        keys.dedup();
        self.fixed(ItemType::Set, length(keys.len()));
        for key in &keys {
            self.key(key);
        }
        self
    }

    /// Adds a presence byte, and the value if there is one.
    pub fn option<T>(&mut self, value: Option<T>, add: impl FnOnce(&mut Self, T)) -> &mut Self {
        match value {
            None => {
                self.hasher.update(&[ItemType::Absent as u8]);
            }
            Some(value) => {
                self.hasher.update(&[ItemType::Present as u8]);
                add(self, value);
            }
        }
        self
    }

    /// The key of everything fed so far.
    #[must_use]
    pub fn finish(&self) -> Key {
        Key(*self.hasher.finalize().as_bytes())
    }

    fn fixed(&mut self, item: ItemType, value: [u8; 8]) -> &mut Self {
        // One call to the hasher instead of two: small updates dominate.
        let mut fed = [item as u8; 9];
        fed[1..].copy_from_slice(&value);
        self.hasher.update(&fed);
        self
    }

    fn sized(&mut self, item: ItemType, value: &[u8]) -> &mut Self {
        self.fixed(item, length(value.len()));
        self.hasher.update(value);
        self
    }
}

/// Lengths are hashed as 64 bits on every platform.
fn length(items: usize) -> [u8; 8] {
    (items as u64).to_le_bytes()
}
