//! Tests of an entry's bytes: what is written reads back, and nothing else
//! does.

use super::*;

const LIMIT: u64 = 1 << 20;

fn stamp(kind: Kind, content: &[u8]) -> Stamp {
    Stamp {
        kind,
        format_version: 3,
        build_identity: Key::of(b"build"),
        key: Key::of(content),
    }
}

fn entry(stamp: &Stamp, content: &[u8]) -> Vec<u8> {
    encode(stamp, content, &Key::of(content))
}

/// Bytes that no compression makes smaller.
fn noise(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    blake3::Hasher::new().finalize_xof().fill(&mut bytes);
    bytes
}

#[test]
fn every_length_reads_back() {
    let text: Vec<u8> = b"package { 'ntp': }\n".repeat(20);
    let noise = noise(text.len());
    for length in 0..=text.len() {
        for content in [&text[..length], &noise[..length]] {
            let stamp = stamp(Kind::Blob, content);
            let bytes = entry(&stamp, content);
            assert!(bytes.len() <= HEADER_BYTES + length);
            assert_eq!(decode(&stamp, &bytes, LIMIT).as_deref(), Ok(content));
        }
    }
}

#[test]
fn what_repeats_is_compressed_and_noise_is_not() {
    let text = b"present ".repeat(1000);
    let bytes = entry(&stamp(Kind::Answer, &text), &text);
    assert_eq!(bytes[11], CODEC_LZ4);
    assert!(bytes.len() < text.len() / 10);
    let noise = noise(8000);
    let bytes = entry(&stamp(Kind::Answer, &noise), &noise);
    assert_eq!(bytes[11], CODEC_PLAIN);
    assert_eq!(bytes.len(), HEADER_BYTES + noise.len());
}

#[test]
fn another_stamp_is_misplaced() {
    let content = b"content";
    let written = stamp(Kind::Answer, content);
    let bytes = entry(&written, content);
    let others = [
        Stamp {
            kind: Kind::Bundle,
            ..written
        },
        Stamp {
            format_version: 4,
            ..written
        },
        Stamp {
            build_identity: Key::of(b"other build"),
            ..written
        },
        Stamp {
            key: Key::of(b"other"),
            ..written
        },
    ];
    for other in others {
        assert_eq!(decode(&other, &bytes, LIMIT), Err(Damage::Misplaced));
    }
}

#[test]
fn the_layout_is_as_documented() {
    let content = b"abc";
    let stamp = stamp(Kind::Bundle, content);
    let mut expected = Vec::new();
    expected.extend_from_slice(b"PNTNCACH");
    expected.extend_from_slice(&[1, 0, 2, 0, 3, 0, 0, 0]);
    expected.extend_from_slice(Key::of(b"build").as_bytes());
    expected.extend_from_slice(Key::of(content).as_bytes());
    expected.extend_from_slice(&[3, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend_from_slice(&[3, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend_from_slice(blake3::hash(content).as_bytes());
    expected.extend_from_slice(content);
    assert_eq!(entry(&stamp, content), expected);
}

#[test]
fn another_magic_or_layout_is_foreign() {
    let stamp = stamp(Kind::Answer, b"abc");
    for offset in 0..10 {
        let mut bytes = entry(&stamp, b"abc");
        bytes[offset] ^= 1;
        assert_eq!(decode(&stamp, &bytes, LIMIT), Err(Damage::Foreign));
    }
}

#[test]
fn the_limit_is_on_what_comes_out() {
    let content = vec![b'x'; 10_000];
    let stamp = stamp(Kind::Answer, &content);
    let bytes = entry(&stamp, &content);
    assert!(bytes.len() < 300);
    assert!(decode(&stamp, &bytes, 10_000).is_ok());
    assert_eq!(decode(&stamp, &bytes, 9_999), Err(Damage::TooLarge));
}

#[test]
fn a_length_that_the_bytes_cannot_reach_asks_for_no_memory() {
    let content = vec![b'x'; 10_000];
    let stamp = stamp(Kind::Answer, &content);
    let mut bytes = entry(&stamp, &content);
    for claim in [1_u64 << 40, u64::MAX] {
        bytes[88..96].copy_from_slice(&claim.to_le_bytes());
        // If it were believed, this would abort: no machine has so much.
        assert_eq!(decode(&stamp, &bytes, u64::MAX), Err(Damage::Length));
    }
}

#[test]
fn a_wrong_plain_length_is_damage() {
    let content = vec![b'x'; 10_000];
    let stamp = stamp(Kind::Answer, &content);
    for claim in [0, 9_999, 10_001, 12_000_u64] {
        let mut bytes = entry(&stamp, &content);
        bytes[88..96].copy_from_slice(&claim.to_le_bytes());
        assert_eq!(decode(&stamp, &bytes, LIMIT), Err(Damage::Payload));
    }
}

#[test]
fn a_well_made_entry_cannot_pass_for_another_blob() {
    let wanted = stamp(Kind::Blob, b"the true content");
    let forged = entry(&wanted, b"another content");
    assert_eq!(decode(&wanted, &forged, LIMIT), Err(Damage::Payload));
}
