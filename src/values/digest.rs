//! The name of a value by its content: 128 bits, the same in every process and on every machine.
//!
//! Typed: `1` and `'1'` differ, and the order of a hash counts. What fits is held in place, so that
//! the digest of a small value costs nothing; all else is hashed with blake3.

use smallvec::SmallVec;

use super::{Items, Object, Sequence, Type, Value};

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

    fn small(kind: u8, payload: &[u8]) -> Digest {
        let mut bytes = [0; 16];
        bytes[0] = kind;
        bytes[1] = payload.len() as u8;
        bytes[2..2 + payload.len()].copy_from_slice(payload);
        Digest(bytes)
    }

    /// Of nothing but a tag: an answer without content.
    pub fn atom(tag: u8) -> Digest {
        Digest::small(kind::ATOM, &[tag])
    }

    /// Whether a secret went into it. Such a digest is for comparing in memory; what is kept is [`Digest::sealed`].
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
    pub fn sealed(&self, key: &[u8; 32]) -> Digest {
        Digest::hashed(kind::SEALED, &blake3::keyed_hash(key, &self.0))
    }

    fn hashed(kind: u8, hash: &blake3::Hash) -> Digest {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.as_bytes()[..16]);
        bytes[0] = kind;
        Digest(bytes)
    }

    pub fn of_text(text: &str) -> Digest {
        if text.len() <= 14 {
            Digest::small(kind::SHORT_TEXT, text.as_bytes())
        } else {
            let mut digester = Digester::new(b"text");
            digester.text(text);
            digester.finish()
        }
    }
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
    fn secret(tag: &[u8]) -> Digester {
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

    pub fn value(&mut self, value: &Value) -> &mut Digester {
        self.digest(value.digest())
    }

    pub fn finish(&self) -> Digest {
        let hash = match &self.hasher {
            None => blake3::hash(&self.begun),
            Some(hasher) => hasher.clone().update(&self.begun).finalize(),
        };
        Digest::hashed(if self.secret { kind::SECRET } else { kind::HASHED }, &hash)
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

impl Value {
    pub fn digest(&self) -> Digest {
        match self {
            Value::Undef => Digest::atom(0),
            Value::Default => Digest::atom(1),
            Value::Boolean(value) => Digest::small(kind::BOOLEAN, &[u8::from(*value)]),
            Value::Integer(value) => Digest::small(kind::INTEGER, &value.to_le_bytes()),
            Value::Symbol(name) => text_digest(b"symbol", name),
            Value::Large(value) => text_digest(b"integer", &value.to_string()),
            Value::Float(value) => Digest::small(kind::FLOAT, &value.to_bits().to_le_bytes()),
            Value::String(text) => Digest::of_text(text),
            Value::Unencoded(letters) => text_digest(b"unencoded", letters),
            Value::Array(items) => items.cached_digest(|| {
                let mut digester = Digester::new(b"array");
                digester.number(items.len() as u64);
                for item in items.iter() {
                    digester.value(item);
                }
                digester.finish()
            }),
            Value::Hash(entries) => entries.cached_digest(|| {
                let mut digester = Digester::new(b"hash");
                digester.number(entries.len() as u64);
                for (key, value) in entries.iter() {
                    digester.value(key).value(value);
                }
                digester.finish()
            }),
            Value::Regexp(regexp) => text_digest(b"regexp", &regexp.to_string()),
            Value::Type(kind) => type_digest(kind),
            Value::Resource(resource) => text_digest(b"resource", &resource.to_string()),
            Value::Sensitive(secret) => {
                let mut digester = Digester::secret(b"sensitive");
                digester.value(secret).finish()
            }
            // By what they are, not by how they print: spans, versions and ranges that differ may print the same.
            Value::Timespan(span) => nanoseconds_digest(b"timespan", span.nanoseconds()),
            Value::Timestamp(time) => nanoseconds_digest(b"timestamp", time.nanoseconds()),
            Value::SemVer(version) => text_digest(b"semver", &format!("{version:?}")),
            Value::SemVerRange(range) => text_digest(b"semverrange", &format!("{range:?}")),
            Value::Uri(uri) => text_digest(b"uri", &uri.to_string()),
            Value::Binary(binary) => text_digest(b"binary", &binary.to_string()),
            Value::Object(object) => object_digest(object),
            Value::Iterator(sequence) => {
                let mut digester = Digester::new(b"iterator");
                digester.text(sequence.ruby_class());
                push_sequence(&mut digester, sequence);
                digester.finish()
            }
        }
    }
}

fn text_digest(tag: &[u8], text: &str) -> Digest {
    Digester::new(tag).text(text).finish()
}

fn nanoseconds_digest(tag: &[u8], nanoseconds: i128) -> Digest {
    Digester::new(tag).bytes(&nanoseconds.to_le_bytes()).finish()
}

/// By what it is made of: of numbers there may be more than anybody can go through.
fn push_sequence(digester: &mut Digester, sequence: &Sequence) {
    match &sequence.items {
        Items::Numbers { first, step, count } => {
            digester.number(*first as u64).number(*step as u64).number(*count);
        }
        Items::Steps { of, by } => {
            digester.number(*by);
            push_sequence(digester, of);
        }
        Items::Values(items) | Items::Pairs(items) | Items::Tree { pairs: items, .. } => {
            items.iter().for_each(|item| _ = digester.value(item));
        }
    }
}

fn type_digest(kind: &Type) -> Digest {
    text_digest(b"type", &kind.exact().to_string())
}

fn object_digest(object: &Object) -> Digest {
    let mut digester = Digester::new(b"object");
    digester.digest(type_digest(&Type::Object(object.class.clone())));
    for value in &object.values {
        digester.value(value);
    }
    digester.finish()
}
