//! The digest of a value: typed, so that `1` and `'1'` differ, and the order of a hash counts.

use pantin_base::{Digest, Digester, Digestible, budget, stack};

use super::{Items, Object, Sequence, Type, Value};

impl Digestible for Value {
    fn add_to(&self, digester: &mut Digester) {
        digester.digest(self.digest());
    }
}

impl Value {
    pub fn digest(&self) -> Digest {
        match self {
            Value::Undef => Digest::atom(0),
            Value::Default => Digest::atom(1),
            Value::Boolean(value) => Digest::from_boolean(*value),
            Value::Integer(value) => Digest::from_integer(*value),
            Value::Symbol(name) => text_digest(b"symbol", name),
            Value::Large(value) => text_digest(b"integer", &value.to_string()),
            Value::Float(value) => Digest::from_float(*value),
            Value::String(text) => Digest::from_text(text),
            Value::Unencoded(letters) => text_digest(b"unencoded", letters),
            Value::Array(items) => items.cached_digest(|| {
                stack::with_room(|| {
                    let mut digester = Digester::new(b"array");
                    digester.number(items.len() as u64);
                    for item in items.iter() {
                        digester.item(item);
                    }
                    digester.finish()
                })
            }),
            Value::Hash(entries) => entries.cached_digest(|| {
                stack::with_room(|| {
                    let mut digester = Digester::new(b"hash");
                    digester.number(entries.len() as u64);
                    for (key, value) in entries.iter() {
                        digester.item(key).item(value);
                    }
                    digester.finish()
                })
            }),
            Value::Regexp(regexp) => text_digest(b"regexp", &regexp.to_string()),
            Value::Type(kind) => type_digest(kind),
            Value::Resource(resource) => text_digest(b"resource", &resource.to_string()),
            Value::Sensitive(secret) => {
                let mut digester = Digester::secret(b"sensitive");
                stack::with_room(|| digester.item(secret).finish())
            }
            // By what they are, not by how they print: spans, versions and ranges that differ may print the same.
            Value::Timespan(span) => nanoseconds_digest(b"timespan", span.nanoseconds()),
            Value::Timestamp(time) => nanoseconds_digest(b"timestamp", time.nanoseconds()),
            Value::SemVer(version) => Digester::new(b"semver").item(&**version).finish(),
            Value::SemVerRange(range) => Digester::new(b"semverrange").item(&**range).finish(),
            Value::Uri(uri) => text_digest(b"uri", &uri.to_string()),
            Value::Binary(binary) => text_digest(b"binary", &binary.to_string()),
            Value::Object(object) => stack::with_room(|| object_digest(object)),
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
        Items::Steps { source: of, step: by } => {
            digester.number(*by);
            push_sequence(digester, of);
        }
        Items::Values(items) | Items::Pairs(items) | Items::Tree { pairs: items, .. } => {
            items.iter().for_each(|item| _ = digester.item(item));
        }
    }
}

fn type_digest(kind: &Type) -> Digest {
    // Digests are made by whoever keeps answers: they are no steps of the code that runs.
    let _apart = budget::Steps::begin(u64::MAX);
    text_digest(b"type", &kind.exact().to_string())
}

fn object_digest(object: &Object) -> Digest {
    let mut digester = Digester::new(b"object");
    digester.digest(type_digest(&Type::Object(object.class.clone())));
    for value in object.values.iter() {
        digester.item(value);
    }
    digester.finish()
}
