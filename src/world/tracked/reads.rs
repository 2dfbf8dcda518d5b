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
        let ids = (0..).zip(&*bits).flat_map(|(block, bits)| LeafId::of_block(block, *bits));
        ids.collect()
    }
}

fn set(bits: &mut Vec<u64>, id: LeafId) {
    let (block, bit) = id.place();
    let block = block as usize;
    if bits.len() <= block {
        bits.resize(block + 1, 0);
    }
    bits[block] |= bit;
}
