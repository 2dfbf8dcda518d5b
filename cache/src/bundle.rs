//! A bundle: named small values that share one weak key, in one entry.
//!
//! It must not know files or locks: it reads a payload and makes the next one.
//!
//! Payload: the bundle's generation and its number of names, then for each
//! name, in ascending order and once: the generation that wrote it, the length
//! of the name, the length of the value, the name, the value. Numbers are 8
//! bytes little-endian. Each merge is one generation, so the oldest names can
//! go first when a bundle grows too large.

use std::collections::BTreeMap;
use std::ops::Range;

const NUMBER_BYTES: usize = 8;
const BUNDLE_OVERHEAD: usize = 2 * NUMBER_BYTES;
const NAME_OVERHEAD: usize = 3 * NUMBER_BYTES;

/// The named values under one weak key, as they were when it was read.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    payload: Vec<u8>,
    generation: u64,
    /// Ascending by name.
    slots: Vec<Slot>,
}

#[derive(Clone, Debug)]
struct Slot {
    generation: u64,
    name: Range<usize>,
    value: Range<usize>,
}

/// What a merge comes to.
#[derive(Debug)]
pub(crate) enum Merged {
    /// Every addition was there already, with the same value.
    Unchanged,
    /// The next payload, and how many old names it had no room for.
    Payload { payload: Vec<u8>, trimmed: u64 },
    /// The additions alone are beyond the limit.
    TooLarge,
}

impl Bundle {
    /// The value under `name`.
    #[must_use]
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&[u8]> {
        let name = name.as_ref();
        let found = self
            .slots
            .binary_search_by(|slot| self.payload[slot.name.clone()].cmp(name));
        found
            .ok()
            .map(|index| &self.payload[self.slots[index].value.clone()])
    }

    /// All names and values, ascending by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], &[u8])> {
        self.slots.iter().map(|slot| {
            (
                &self.payload[slot.name.clone()],
                &self.payload[slot.value.clone()],
            )
        })
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Reads any bytes at all: what is not a bundle to its last byte is `None`.
    pub(crate) fn decode(payload: Vec<u8>) -> Option<Self> {
        let mut reader = Reader {
            payload: &payload,
            offset: 0,
        };
        let generation = reader.number()?;
        let count = reader.number()?;
        // Nothing is reserved by `count`: it is only a claim so far.
        let mut slots: Vec<Slot> = Vec::new();
        for _ in 0..count {
            let slot_generation = reader.number()?;
            let name_length = reader.number()?;
            let value_length = reader.number()?;
            let name = reader.range(name_length)?;
            let value = reader.range(value_length)?;
            let ascending = slots
                .last()
                .is_none_or(|last| payload[last.name.clone()] < payload[name.clone()]);
            if !ascending || slot_generation > generation {
                return None;
            }
            slots.push(Slot {
                generation: slot_generation,
                name,
                value,
            });
        }
        let at_the_end = reader.offset == payload.len();
        at_the_end.then_some(Self {
            payload,
            generation,
            slots,
        })
    }

    /// This bundle with `additions` put over it. Of two additions with one
    /// name the last counts.
    pub(crate) fn merge(&self, additions: &[(Vec<u8>, Vec<u8>)], max_bytes: u64) -> Merged {
        let mut fresh: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
        for (name, value) in additions {
            fresh.insert(name, value);
        }
        if fresh
            .iter()
            .all(|(name, value)| self.get(name) == Some(value))
        {
            return Merged::Unchanged;
        }

        let mut size = BUNDLE_OVERHEAD as u64;
        for (name, value) in &fresh {
            size += named_size(name, value);
        }
        if size > max_bytes {
            return Merged::TooLarge;
        }
        // A generation cannot overflow in fact; a damaged one that would wraps
        // into being the oldest, which only costs its names their place.
        let generation = self.generation.wrapping_add(1);
        let mut next: BTreeMap<&[u8], (u64, &[u8])> = fresh
            .into_iter()
            .map(|(name, value)| (name, (generation, value)))
            .collect();

        // The youngest of the old names are kept, as far as there is room.
        let mut old: Vec<&Slot> = self.slots.iter().collect();
        old.sort_by_key(|slot| std::cmp::Reverse(slot.generation));
        let mut trimmed = 0;
        for slot in old {
            let name = &self.payload[slot.name.clone()];
            if next.contains_key(name) {
                continue;
            }
            let value = &self.payload[slot.value.clone()];
            size += named_size(name, value);
            if size > max_bytes {
                trimmed += 1;
            } else {
                next.insert(name, (slot.generation.min(generation), value));
            }
        }
        Merged::Payload {
            payload: encode(generation, &next),
            trimmed,
        }
    }
}

fn named_size(name: &[u8], value: &[u8]) -> u64 {
    (NAME_OVERHEAD + name.len() + value.len()) as u64
}

fn encode(generation: u64, names: &BTreeMap<&[u8], (u64, &[u8])>) -> Vec<u8> {
    let mut payload = Vec::new();
    let number = |payload: &mut Vec<u8>, value: u64| {
        payload.extend_from_slice(&value.to_le_bytes());
    };
    number(&mut payload, generation);
    number(&mut payload, names.len() as u64);
    for (name, (generation, value)) in names {
        number(&mut payload, *generation);
        number(&mut payload, name.len() as u64);
        number(&mut payload, value.len() as u64);
        payload.extend_from_slice(name);
        payload.extend_from_slice(value);
    }
    payload
}

struct Reader<'a> {
    payload: &'a [u8],
    offset: usize,
}

impl Reader<'_> {
    fn range(&mut self, length: u64) -> Option<Range<usize>> {
        let end = self.offset.checked_add(usize::try_from(length).ok()?)?;
        if end > self.payload.len() {
            return None;
        }
        let range = self.offset..end;
        self.offset = end;
        Some(range)
    }

    fn number(&mut self) -> Option<u64> {
        let range = self.range(NUMBER_BYTES as u64)?;
        let bytes = self.payload.get(range)?.try_into().ok()?;
        Some(u64::from_le_bytes(bytes))
    }
}

#[cfg(test)]
#[path = "bundle_tests.rs"]
mod tests;
