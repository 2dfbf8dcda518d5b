//! A value of the language: small, cheap to clone, immutable once it is shared.

use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use pantin_base::{limits, stack};

use super::entry_order::hash_in_any_order;
use super::{
    Array, Binary, Hash, Object, Referred, Regexp, SemVer, SemVerRange, Sequence, Timespan, Timestamp, Type, Uri,
};

/// Text: up to 15 bytes in place, longer text shared by reference count.
pub type Str = ecow::EcoString;

#[derive(Clone, Default)]
pub enum Value {
    #[default]
    Undef,
    Default,
    /// A symbol of Ruby's that is no word of the language: what code in Ruby gives, and YAML that it reads. It is none of the texts.
    Symbol(Str),
    Boolean(bool),
    Integer(i64),
    /// An integer that 64 bits do not hold. Data, facts and Ruby code may have one, which goes wherever values go, but not
    /// into a resource; nothing that Puppet's own code works out is one.
    Large(Arc<BigInt>),
    Float(f64),
    String(Str),
    /// A text in no encoding, by its letters: see [`super::unencoded`].
    Unencoded(Str),
    Regexp(Arc<Regexp>),
    Array(Array),
    Hash(Hash),
    Type(Type),
    /// What a reference is as the value of a parameter.
    Resource(Arc<Referred>),
    /// What it holds is never shown: not by `Debug`, not in a message, not in the dump of a trace.
    Sensitive(Arc<Value>),
    Timespan(Timespan),
    Timestamp(Timestamp),
    SemVer(Arc<SemVer>),
    SemVerRange(Arc<SemVerRange>),
    Uri(Arc<Uri>),
    Binary(Binary),
    Object(Arc<Object>),
    /// A lazy sequence: `reverse_each` or `step` without a block.
    Iterator(Arc<Sequence>),
}

const _: () = assert!(size_of::<Value>() <= 24, "a value is 24 bytes; think before it grows");

impl Value {
    pub fn string(text: impl Into<Str>) -> Value {
        Value::String(text.into())
    }

    pub fn array(items: impl IntoIterator<Item = Value>) -> Value {
        Value::Array(items.into_iter().collect())
    }

    pub fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Hash(entries.into_iter().collect())
    }

    pub fn sensitive(value: Value) -> Value {
        match value {
            // A secret of a secret is that secret.
            Value::Sensitive(_) => value,
            _ => Value::Sensitive(Arc::new(value)),
        }
    }

    /// Returns the integer that is written with a sign and digits, however large; `None` where it is none, or is of
    /// more digits than are read.
    pub fn parse_integer(written: &str, radix: u32) -> Option<Value> {
        match i64::from_str_radix(written, radix) {
            Ok(number) => Some(Value::Integer(number)),
            Err(_) if written.len() > limits::INTEGER_DIGITS => None,
            Err(_) => BigInt::parse_bytes(written.as_bytes(), radix).map(Value::from),
        }
    }

    /// Only `undef` and `false` are not true.
    #[inline]
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }

    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) | Value::Unencoded(text) => Some(text),
            _ => None,
        }
    }

    /// Returns what is in nested arrays, in order; itself, where it is no array.
    pub fn flattened(&self) -> Vec<Value> {
        let Value::Array(items) = self else { return vec![self.clone()] };
        if !items.iter().any(|item| matches!(item, Value::Array(_))) {
            return items.to_vec();
        }
        let mut flat = Vec::new();
        let mut pending = vec![std::slice::from_ref(self).iter()];
        while let Some(items) = pending.last_mut() {
            match items.next() {
                Some(Value::Array(inner)) => pending.push(inner.iter()),
                Some(value) => flat.push(value.clone()),
                None => {
                    pending.pop();
                }
            }
        }
        flat
    }

    /// Returns true if it is, or something in its arrays and hashes is.
    pub fn holds(&self, is: fn(&Value) -> bool) -> bool {
        is(self)
            || stack::with_room(|| match self {
                Value::Array(items) => items.iter().any(|item| item.holds(is)),
                Value::Hash(entries) => entries.iter().any(|(key, value)| key.holds(is) || value.holds(is)),
                _ => false,
            })
    }

    /// Returns true if it is what data files can say: texts, numbers, booleans, undef, and containers of these.
    pub fn is_plain_data(&self) -> bool {
        match self {
            Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Undef => true,
            Value::Array(items) => stack::with_room(|| items.iter().all(Value::is_plain_data)),
            Value::Hash(entries) => {
                stack::with_room(|| entries.iter().all(|(key, value)| key.is_plain_data() && value.is_plain_data()))
            }
            _ => false,
        }
    }

    /// Returns true if a secret is in it, at any depth.
    pub fn holds_sensitive(&self) -> bool {
        match self {
            Value::Sensitive(_) => true,
            Value::Array(items) => {
                items.iter().any(Value::is_composite) && stack::with_room(|| items.iter().any(Value::holds_sensitive))
            }
            Value::Hash(entries) => entries.holds_sensitive(),
            Value::Object(object) => stack::with_room(|| object.values.iter().any(Value::holds_sensitive)),
            Value::Iterator(sequence) => sequence.backing_values().iter().any(Value::holds_sensitive),
            _ => false,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Boolean(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}

/// Also for what 64 bits do not hold.
impl From<BigInt> for Value {
    fn from(value: BigInt) -> Value {
        i64::try_from(&value).map_or_else(|_| Value::Large(Arc::new(value)), Value::Integer)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::String(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::String(value.into())
    }
}

impl From<Str> for Value {
    fn from(value: Str) -> Value {
        Value::String(value)
    }
}

impl From<Type> for Value {
    fn from(value: Type) -> Value {
        Value::Type(value)
    }
}

/// Equal as keys of a hash are (Ruby's `eql?`): the same kind and content, strings by case, `1` not `1.0`.
/// The operator `==` of the language is another question; see `compare`.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Undef, Value::Undef) | (Value::Default, Value::Default) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Symbol(a), Value::Symbol(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Large(a), Value::Large(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b || a.to_bits() == b.to_bits(),
            (Value::String(a) | Value::Unencoded(a), Value::String(b) | Value::Unencoded(b)) => a == b,
            (Value::Regexp(a), Value::Regexp(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Hash(a), Value::Hash(b)) => a == b,
            (Value::Type(a), Value::Type(b)) => a == b,
            (Value::Resource(a), Value::Resource(b)) => a == b,
            (Value::Sensitive(a), Value::Sensitive(b)) => stack::with_room(|| a == b),
            (Value::Timespan(a), Value::Timespan(b)) => a == b,
            (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
            (Value::SemVer(a), Value::SemVer(b)) => a == b,
            (Value::SemVerRange(a), Value::SemVerRange(b)) => a == b,
            (Value::Uri(a), Value::Uri(b)) => a == b,
            (Value::Binary(a), Value::Binary(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => stack::with_room(|| a == b),
            (Value::Iterator(a), Value::Iterator(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Value {}

/// For hash tables in memory alone; what is kept is named by [`super::Digest`].
impl StdHash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // A string's hash is that of its text with its tag, so that a `&str` finds its key: see `entries::TextKey`.
        match self {
            // It may be equal to a string.
            Value::Unencoded(_) => std::mem::discriminant(&Value::String(Str::new())).hash(state),
            _ => std::mem::discriminant(self).hash(state),
        }
        match self {
            Value::Undef | Value::Default => {}
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) => value.hash(state),
            Value::Large(value) => value.hash(state),
            Value::Float(value) => (value + 0.0).to_bits().hash(state),
            Value::String(text) | Value::Symbol(text) | Value::Unencoded(text) => text.as_str().hash(state),
            Value::Regexp(regexp) => regexp.hash(state),
            Value::Array(items) => stack::with_room(|| items.iter().for_each(|item| item.hash(state))),
            Value::Hash(entries) => {
                hash_in_any_order(entries.iter()).hash(state);
            }
            Value::Type(kind) => kind.hash(state),
            Value::Resource(resource) => resource.hash(state),
            Value::Sensitive(secret) => stack::with_room(|| secret.hash(state)),
            Value::Timespan(span) => span.hash(state),
            Value::Timestamp(time) => time.hash(state),
            Value::SemVer(version) => version.hash(state),
            Value::SemVerRange(range) => range.hash(state),
            Value::Uri(uri) => uri.hash(state),
            Value::Binary(binary) => binary.hash(state),
            Value::Object(object) => stack::with_room(|| object.hash(state)),
            Value::Iterator(sequence) => (Arc::as_ptr(sequence) as usize).hash(state),
        }
    }
}

/// For the developer; a secret stays one.
impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Undef => f.write_str("undef"),
            Value::Default => f.write_str("default"),
            Value::Symbol(name) => write!(f, ":{name}"),
            Value::Boolean(value) => write!(f, "{value}"),
            Value::Integer(value) => write!(f, "{value}"),
            Value::Large(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::String(text) => write!(f, "{:?}", text.as_str()),
            Value::Unencoded(letters) => write!(f, "bytes {:?}", letters.as_str()),
            Value::Regexp(regexp) => write!(f, "/{}/", regexp.source()),
            Value::Array(items) => write!(f, "{items:?}"),
            Value::Hash(entries) => write!(f, "{entries:?}"),
            Value::Type(kind) => write!(f, "{kind:?}"),
            Value::Resource(resource) => write!(f, "{resource:?}"),
            Value::Sensitive(_) => f.write_str("Sensitive [value redacted]"),
            Value::Timespan(span) => write!(f, "{span:?}"),
            Value::Timestamp(time) => write!(f, "{time:?}"),
            Value::SemVer(version) => write!(f, "{version:?}"),
            Value::SemVerRange(range) => write!(f, "{range:?}"),
            Value::Uri(uri) => write!(f, "{uri:?}"),
            Value::Binary(binary) => write!(f, "{binary:?}"),
            Value::Object(object) => stack::with_room(|| write!(f, "{object:?}")),
            Value::Iterator(sequence) => write!(f, "{sequence:?}"),
        }
    }
}
