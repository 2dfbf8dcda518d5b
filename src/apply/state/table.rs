//! A table that is written and read as a whole: a word that names its form, a checksum, and the content.

use std::io;

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Names the form. Whoever changes what is in a table changes this word.
const FORM: &[u8; 16] = b"pantin table 1\n\0";

/// Larger files are no tables.
pub(crate) const LARGEST: u64 = 1 << 30;

const ENCODING: Configuration<LittleEndian, Varint, Limit<{ LARGEST as usize }>> =
    bincode::config::standard().with_limit::<{ LARGEST as usize }>();

const CHECKSUM: usize = blake3::OUT_LEN;

/// Writes a table.
pub(crate) fn write_table<T: Serialize>(content: &T) -> io::Result<Vec<u8>> {
    let start = FORM.len() + CHECKSUM;
    let mut bytes = vec![0; start];
    bincode::serde::encode_into_std_write(content, &mut bytes, ENCODING).map_err(io::Error::other)?;
    let checksum = blake3::hash(&bytes[start..]);
    bytes[..FORM.len()].copy_from_slice(FORM);
    bytes[FORM.len()..start].copy_from_slice(checksum.as_bytes());
    Ok(bytes)
}

/// Reads a table. `None`: it is damaged, or has another form.
pub(crate) fn read_table<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (checksum, content) = bytes.strip_prefix(FORM)?.split_at_checked(CHECKSUM)?;
    if blake3::hash(content).as_bytes() != checksum {
        return None;
    }
    let (value, length) = bincode::serde::decode_from_slice(content, ENCODING).ok()?;
    (length == content.len()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let content = ("a header".to_owned(), vec![Some(1), None]);
        let bytes = write_table(&content).unwrap();
        assert_eq!(read_table::<(String, Vec<Option<u8>>)>(&bytes), Some(content));
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert_eq!(read_table::<(String, Vec<Option<u8>>)>(&damaged), None, "{place}");
            assert_eq!(read_table::<(String, Vec<Option<u8>>)>(&bytes[..place]), None, "{place}");
        }
    }
}
