//! A text encoded as a delta decodes to itself, and damaged deltas are rejected.

use super::*;

fn told(base: &[u8], text: &[u8]) -> Vec<u8> {
    let delta = encode(base, &Blocks::from_base(base), text);
    assert_eq!(apply(base, &delta, text.len()).as_deref(), Some(text));
    delta
}

/// Bytes that do not repeat.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    blake3::Hasher::new().update(&seed.to_le_bytes()).finalize_xof().fill(&mut bytes);
    bytes
}

#[test]
fn the_same_takes_a_few_bytes() {
    for length in [16, 17, 31, 100, 5000] {
        let base = noise(1, length);
        assert!(told(&base, &base).len() < 8, "{length}");
    }
}

#[test]
fn what_differs_is_written_and_no_more() {
    let base = noise(1, 10_000);
    let mut text = base.clone();
    text[3000..3010].copy_from_slice(b"0123456789");
    text.splice(6000..6000, *b"inserted");
    text.splice(8000..8100, *b"");
    let delta = told(&base, &text);
    assert!(delta.len() < 60, "{}", delta.len());
}

#[test]
fn what_stands_elsewhere_is_found() {
    let base = noise(1, 10_000);
    let text = [&base[5000..], &base[..5000]].concat();
    assert!(told(&base, &text).len() < 20);
}

#[test]
fn what_repeats_leads_nowhere_wrong() {
    let base = b"package { 'ntp': ensure => present }\n".repeat(300);
    let mut text = base.clone();
    text.splice(500..503, *b"chrony");
    told(&base, &text);
    told(&base, b"");
    told(b"", &base);
    told(b"", b"");
    told(b"short", b"shorter");
}

#[test]
fn any_two_read_back() {
    for seed in 0..200 {
        let random = noise(seed, 400);
        // Of few letters, so that much is in both, and much of it twice.
        let letters: Vec<u8> = random.iter().map(|byte| b"ab"[usize::from(byte & 1)]).collect();
        let cut = usize::from(random[0]);
        told(&letters, &[&letters[cut..], &letters[..cut / 2], &random[..cut % 7]].concat());
    }
}

#[test]
fn hostile_bytes_are_nothing() {
    let base = noise(1, 1000);
    let text = [&base[..700], b"something new", &base[300..]].concat();
    let delta = told(&base, &text);
    for cut in 0..delta.len() {
        assert_ne!(apply(&base, &delta[..cut], text.len()), Some(text.clone()), "{cut}");
    }
    assert_eq!(apply(&base, &delta, text.len() - 1), None);
    assert_eq!(apply(&base, &delta, text.len() + 1), None);
    assert_eq!(apply(&base[..900], &delta, text.len()), None);
    for seed in 0..2000 {
        let bytes = noise(seed, 12);
        assert!(apply(&base, &bytes, 500).is_none_or(|text| text.len() == 500));
    }
    // Lengths and places beyond all bounds.
    for bytes in [[0xff; 10].to_vec(), vec![0, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0]] {
        assert_eq!(apply(&base, &bytes, usize::MAX), None);
    }
}
