//! The encoding of a text as a difference from a similar text.
//!
//! Answers of one kind (the catalogs of a fleet) are often the same but for names here and there. No general compressor is
//! of use then: LZ4 looks back 64 KiB, and a base may be many times that long.
//!
//! The form: again and again the length of new bytes, these bytes, the length of a copy, and how far its place in the base
//! is from the end of the copy before, all numbers in seven bits a byte. Applying one takes any bytes at all, and never
//! makes more than it is allowed to. Knows nothing of where texts are kept.

use super::numbers::{put, take};

/// What a base is searched by. Shorter, and more of it is found twice, where
/// it is of no use.
const BLOCK: usize = 16;

/// Marks in the table of blocks.
const NONE: u32 = u32::MAX;
const SEVERAL: u32 = u32::MAX - 1;

/// Where the blocks of a base are that are in it once.
///
/// A block that is there twice leads to the wrong place more often than not; what lies before one that is there once is
/// found by going backwards.
pub(super) struct Blocks {
    places: Vec<u32>,
    bits: u32,
}

impl Blocks {
    /// `base`: less than 4 GiB.
    pub(super) fn from_base(base: &[u8]) -> Self {
        let slots = (base.len() / BLOCK * 4).next_power_of_two().max(64);
        let mut blocks = Self { places: vec![NONE; slots], bits: slots.trailing_zeros() };
        for (number, block) in base.chunks_exact(BLOCK).enumerate() {
            let slot = blocks.slot(block);
            let place = &mut blocks.places[slot];
            *place = match *place {
                NONE => (number * BLOCK) as u32,
                known if block_at(base, known as usize) == Some(block) => SEVERAL,
                // Another one that fell on the same slot; it stays.
                known => known,
            };
        }
        blocks
    }

    fn slot(&self, block: &[u8]) -> usize {
        let half =
            |at: usize| block[at..at + 8].iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let mixed = (half(0) ^ half(8).rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - self.bits)) as usize
    }

    /// Where in `base` the block is with which `text` begins, if it is there once.
    fn find(&self, base: &[u8], text: &[u8]) -> Option<usize> {
        let block = text.get(..BLOCK)?;
        let place = self.places[self.slot(block)] as usize;
        (block_at(base, place) == Some(block)).then_some(place)
    }
}

fn block_at(base: &[u8], place: usize) -> Option<&[u8]> {
    base.get(place..place.checked_add(BLOCK)?)
}

/// `text`, told by `base`.
pub(super) fn encode(base: &[u8], blocks: &Blocks, text: &[u8]) -> Vec<u8> {
    let mut delta = Vec::with_capacity(text.len() / 16);
    // Up to here it is written; where the copy before ended in the base.
    let (mut done, mut ended) = (0, 0);
    let mut at = 0;
    while at < text.len() {
        // What was exchanged for something of the same length is tried first.
        let beside = ended + (at - done);
        let same = text.get(at..at + BLOCK).filter(|block| block_at(base, beside) == Some(block)).map(|_| beside);
        let Some(found) = same.or_else(|| blocks.find(base, &text[at..])) else {
            at += 1;
            continue;
        };
        let back = common(text[done..at].iter().rev(), base[..found].iter().rev());
        let (start, from) = (at - back, found - back);
        let length = back + common_length(&text[at..], &base[found..]);
        put(&mut delta, (start - done) as u64);
        delta.extend_from_slice(&text[done..start]);
        put(&mut delta, length as u64);
        put(&mut delta, zigzag(from as i64 - ended as i64));
        (done, ended) = (start + length, from + length);
        at = done;
    }
    put(&mut delta, (text.len() - done) as u64);
    delta.extend_from_slice(&text[done..]);
    delta
}

/// Returns what `delta` tells by `base`, if that is so many bytes.
pub(super) fn apply(base: &[u8], mut delta: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut ended = 0_i64;
    loop {
        let length_of_new = usize::try_from(take(&mut delta)?).ok()?;
        let new = delta.split_off(..length_of_new)?;
        append(&mut text, new, length)?;
        if delta.is_empty() {
            return (text.len() == length).then_some(text);
        }
        let copied = usize::try_from(take(&mut delta)?).ok()?;
        let from = ended.checked_add(unzigzag(take(&mut delta)?))?;
        let start = usize::try_from(from).ok()?;
        append(&mut text, base.get(start..start.checked_add(copied)?)?, length)?;
        ended = from.checked_add(i64::try_from(copied).ok()?)?;
    }
}

fn append(text: &mut Vec<u8>, more: &[u8], most: usize) -> Option<()> {
    (more.len() <= most - text.len()).then(|| text.extend_from_slice(more))
}

fn common<'a>(a: impl Iterator<Item = &'a u8>, b: impl Iterator<Item = &'a u8>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// Returns how long both are the same: in strides first.
fn common_length(a: &[u8], b: &[u8]) -> usize {
    const STRIDE: usize = 32;
    let strides = a.chunks_exact(STRIDE).zip(b.chunks_exact(STRIDE)).take_while(|(a, b)| a == b).count() * STRIDE;
    strides + common(a[strides..].iter(), b[strides..].iter())
}

/// Small numbers of either sign are small.
fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
#[path = "delta_tests.rs"]
mod tests;
