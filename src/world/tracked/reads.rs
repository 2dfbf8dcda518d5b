//! Which leaves somebody has asked.

use std::sync::{Mutex, PoisonError};

use super::leaves::LeafId;
use crate::pcore::Digest;

/// The answers that something rests on, in the order of their numbers.
pub type Rests = std::sync::Arc<[(LeafId, Digest)]>;

/// A set of leaves: a bit for each.
#[derive(Default, Debug)]
pub(super) struct Reads {
    bits: Mutex<Vec<u64>>,
}

impl Reads {
    pub(super) fn note(&self, id: LeafId) {
        let mut bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        set(&mut bits, id);
    }

    pub(super) fn note_all(&self, rests: &Rests) {
        let mut bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        rests.iter().for_each(|(id, _)| set(&mut bits, *id));
    }

    pub(super) fn ids(&self) -> Vec<LeafId> {
        let bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = bits.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| LeafId(word as u32 * 64 + bit))
        });
        ids.collect()
    }
}

fn set(bits: &mut Vec<u64>, LeafId(id): LeafId) {
    let word = id as usize / 64;
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    bits[word] |= 1 << (id % 64);
}
