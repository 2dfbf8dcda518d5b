//! The name of a value by its content: 128 bits, the same in every process and on every machine.
//!
//! Typed: `1` and `'1'` differ, and the order of a hash counts. What fits is held in place, so that
//! the digest of a small value costs nothing; all else is hashed with blake3.

use super::{Object, Type, Value};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Digest([u8; 16]);

/// First byte of a digest of its own kind.
mod kind {
    pub(super) const ATOM: u8 = 0;
    pub(super) const BOOLEAN: u8 = 1;
    pub(super) const INTEGER: u8 = 2;
    pub(super) const FLOAT: u8 = 3;
    pub(super) const SHORT_TEXT: u8 = 4;
    pub(super) const HASHED: u8 = 5;
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
#[derive(Debug)]
pub struct Digester(blake3::Hasher);

impl Digester {
    pub fn new(tag: &[u8]) -> Digester {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[tag.len() as u8]);
        hasher.update(tag);
        Digester(hasher)
    }

    pub fn number(&mut self, number: u64) -> &mut Digester {
        self.0.update(&number.to_le_bytes());
        self
    }

    pub fn text(&mut self, text: &str) -> &mut Digester {
        self.number(text.len() as u64);
        self.0.update(text.as_bytes());
        self
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Digester {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
        self
    }

    pub fn digest(&mut self, digest: Digest) -> &mut Digester {
        self.0.update(&digest.0);
        self
    }

    pub fn value(&mut self, value: &Value) -> &mut Digester {
        self.digest(value.digest())
    }

    pub fn finish(&self) -> Digest {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        bytes[0] = kind::HASHED;
        Digest(bytes)
    }
}

impl Value {
    pub fn digest(&self) -> Digest {
        match self {
            Value::Undef => Digest::atom(0),
            Value::Default => Digest::atom(1),
            Value::Boolean(value) => Digest::small(kind::BOOLEAN, &[u8::from(*value)]),
            Value::Integer(value) => Digest::small(kind::INTEGER, &value.to_le_bytes()),
            Value::Float(value) => Digest::small(kind::FLOAT, &value.to_bits().to_le_bytes()),
            Value::String(text) => Digest::of_text(text),
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
            Value::Sensitive(secret) => {
                let mut digester = Digester::new(b"sensitive");
                digester.value(secret).finish()
            }
            Value::Timespan(span) => text_digest(b"timespan", &span.to_string()),
            Value::Timestamp(time) => text_digest(b"timestamp", &time.to_string()),
            Value::SemVer(version) => text_digest(b"semver", &version.to_string()),
            Value::SemVerRange(range) => text_digest(b"semverrange", &range.to_string()),
            Value::Uri(uri) => text_digest(b"uri", &uri.to_string()),
            Value::Binary(binary) => text_digest(b"binary", &binary.to_string()),
            Value::Object(object) => object_digest(object),
            Value::Iterator(sequence) => {
                let mut digester = Digester::new(b"iterator");
                for item in sequence.iter() {
                    digester.value(&item);
                }
                digester.finish()
            }
        }
    }
}

fn text_digest(tag: &[u8], text: &str) -> Digest {
    Digester::new(tag).text(text).finish()
}

fn type_digest(kind: &Type) -> Digest {
    text_digest(b"type", &kind.to_string())
}

fn object_digest(object: &Object) -> Digest {
    let mut digester = Digester::new(b"object");
    digester.digest(type_digest(&Type::Object(object.class.clone())));
    for value in &object.values {
        digester.value(value);
    }
    digester.finish()
}
