//! The encoding of stored data: the only file that knows bincode.
//!
//! What is read has been verified by its hash, and may still be of a stranger: nothing is believed about lengths, and
//! whatever does not fit is no answer.

use std::fmt;

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most that one answer may take.
const MOST: usize = 256 << 20;

const FORM: Configuration<LittleEndian, Varint, Limit<MOST>> = bincode::config::standard().with_limit::<MOST>();

/// `None`: it is larger than anything that is kept.
pub fn encoded<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    encoded_in(value, 0)
}

/// The same, where so many bytes will come, about.
pub fn encoded_in<T: Serialize>(value: &T, capacity: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(capacity);
    bincode::serde::encode_into_std_write(value, &mut bytes, FORM).ok()?;
    (bytes.len() <= MOST).then_some(bytes)
}

/// `None`: it was not written by [`encoded`] for this.
pub fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, length) = bincode::serde::decode_from_slice(bytes, FORM).ok()?;
    (length == bytes.len()).then_some(value)
}

/// Bytes that are written as they are, and not one by one.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }
        }
        from.deserialize_byte_buf(Reader)
    }
}

/// For `serde(with)`: a digest as one number, and not byte by byte.
pub(super) mod digest {
    use super::{Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(digest: &[u8; 16], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u128(u128::from_le_bytes(*digest))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 16], D::Error> {
        u128::deserialize(from).map(u128::to_le_bytes)
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}
