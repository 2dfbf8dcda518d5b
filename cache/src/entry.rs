//! One entry as bytes: a header that says everything the reader must check,
//! then the payload, compressed where that helps.
//!
//! It must not know files or folders, nor what the payload means. Decoding
//! takes any bytes at all: it never panics, and never asks for more memory
//! than the limit or than LZ4 could make of the bytes at hand.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | magic |
//! | 8 | 2 | version of this layout |
//! | 10 | 1 | kind |
//! | 11 | 1 | codec: 0 as is, 1 LZ4 block |
//! | 12 | 4 | format version |
//! | 16 | 32 | build identity |
//! | 48 | 32 | key |
//! | 80 | 8 | stored length |
//! | 88 | 8 | plain length |
//! | 96 | 32 | blake3 of the plain payload |

use crate::Key;
use crate::layout::Kind;

pub(crate) const HEADER_BYTES: usize = 128;
const MAGIC: [u8; 8] = *b"PNTNCACH";
const LAYOUT_VERSION: u16 = 1;
const CODEC_PLAIN: u8 = 0;
const CODEC_LZ4: u8 = 1;
/// Below this there is nothing to win by compression.
const COMPRESS_FROM_BYTES: usize = 64;
/// An LZ4 block cannot grow more than this: one length byte stands for at most
/// 255 bytes of output.
const LZ4_MAX_GROWTH: u64 = 255;

/// What an entry is written as, and must be found as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) kind: Kind,
    pub(crate) format_version: u32,
    pub(crate) build_identity: Key,
    pub(crate) key: Key,
}

/// Why bytes are not the entry asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// Shorter than a header, or not as long as the header says.
    Length,
    /// Not written by this crate, or by another layout of it.
    Foreign,
    /// A sound header, of another entry, kind, version or build.
    Misplaced,
    /// It would decompress beyond the limit.
    TooLarge,
    /// The payload is not what was written.
    Payload,
}

/// The bytes of an entry that holds `plain`. `digest` must be its hash: the
/// caller of a blob has it already.
pub(crate) fn encode(stamp: &Stamp, plain: &[u8], digest: &Key) -> Vec<u8> {
    let mut bytes = vec![0; HEADER_BYTES];
    let codec = append_payload(&mut bytes, plain);
    let stored_length = (bytes.len() - HEADER_BYTES) as u64;

    let mut header = Vec::with_capacity(HEADER_BYTES);
    header.extend_from_slice(&stamp_bytes(stamp, codec));
    header.extend_from_slice(&stored_length.to_le_bytes());
    header.extend_from_slice(&(plain.len() as u64).to_le_bytes());
    header.extend_from_slice(digest.as_bytes());
    bytes[..HEADER_BYTES].copy_from_slice(&header);
    bytes
}

/// Appends the payload and answers with the codec it is in. What LZ4 does not
/// make smaller is kept as it is, so that an entry is never longer than header
/// and value.
fn append_payload(bytes: &mut Vec<u8>, plain: &[u8]) -> u8 {
    if plain.len() >= COMPRESS_FROM_BYTES {
        let room = lz4_flex::block::get_maximum_output_size(plain.len());
        bytes.resize(HEADER_BYTES + room, 0);
        match lz4_flex::block::compress_into(plain, &mut bytes[HEADER_BYTES..]) {
            Ok(length) if length < plain.len() => {
                bytes.truncate(HEADER_BYTES + length);
                return CODEC_LZ4;
            }
            _ => bytes.truncate(HEADER_BYTES),
        }
    }
    bytes.extend_from_slice(plain);
    CODEC_PLAIN
}

/// The first 80 bytes: all that is known before the payload is.
fn stamp_bytes(stamp: &Stamp, codec: u8) -> [u8; 80] {
    let mut bytes = [0; 80];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&LAYOUT_VERSION.to_le_bytes());
    bytes[10] = stamp.kind as u8;
    bytes[11] = codec;
    bytes[12..16].copy_from_slice(&stamp.format_version.to_le_bytes());
    bytes[16..48].copy_from_slice(stamp.build_identity.as_bytes());
    bytes[48..80].copy_from_slice(stamp.key.as_bytes());
    bytes
}

/// The value in `bytes`, if they are the entry of `stamp`, whole and unchanged.
pub(crate) fn decode(stamp: &Stamp, bytes: &[u8], max_plain_bytes: u64) -> Result<Vec<u8>, Damage> {
    let (header, payload) = bytes.split_at_checked(HEADER_BYTES).ok_or(Damage::Length)?;
    if header[..10] != stamp_bytes(stamp, 0)[..10] {
        return Err(Damage::Foreign);
    }
    let codec = header[11];
    if header[..80] != stamp_bytes(stamp, codec) {
        return Err(Damage::Misplaced);
    }
    let stored_length = u64_at(header, 80)?;
    let plain_length = u64_at(header, 88)?;
    if stored_length != payload.len() as u64 {
        return Err(Damage::Length);
    }
    if plain_length > max_plain_bytes {
        return Err(Damage::TooLarge);
    }
    let plain = decompress(codec, payload, plain_length)?;
    let digest = Key::of(&plain);
    if header[96..HEADER_BYTES] != *digest.as_bytes() {
        return Err(Damage::Payload);
    }
    // A blob is its own address. Even a well-made entry cannot pass another
    // content off under it.
    if stamp.kind == Kind::Blob && digest != stamp.key {
        return Err(Damage::Payload);
    }
    Ok(plain)
}

fn decompress(codec: u8, payload: &[u8], plain_length: u64) -> Result<Vec<u8>, Damage> {
    let stored_length = payload.len() as u64;
    match codec {
        CODEC_PLAIN if plain_length == stored_length => Ok(payload.to_vec()),
        CODEC_PLAIN => Err(Damage::Length),
        CODEC_LZ4 => {
            // A length that these bytes cannot reach is refused before memory
            // is asked for.
            if plain_length > stored_length.saturating_mul(LZ4_MAX_GROWTH) {
                return Err(Damage::Length);
            }
            let room = usize::try_from(plain_length).map_err(|_| Damage::TooLarge)?;
            let mut plain = vec![0; room];
            match lz4_flex::block::decompress_into(payload, &mut plain) {
                Ok(length) if length == room => Ok(plain),
                _ => Err(Damage::Payload),
            }
        }
        _ => Err(Damage::Foreign),
    }
}

fn u64_at(header: &[u8], offset: usize) -> Result<u64, Damage> {
    header
        .get(offset..offset + 8)
        .and_then(|bytes| bytes.try_into().ok())
        .map(u64::from_le_bytes)
        .ok_or(Damage::Length)
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
