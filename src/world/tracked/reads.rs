//! Which leaves somebody has asked.

use std::sync::{Mutex, PoisonError};

use super::leaves::LeafId;
use crate::pcore::Digest;

/// The answers that something rests on, in the order of their numbers.
pub type Rests = std::sync::Arc<[(LeafId, Digest)]>;

/// A set of leaves: a bit for each, from the first block on that has one. Who asks for a file alone asks leaves that
/// stand side by side, however many others were asked before.
#[derive(Default, Debug)]
pub(super) struct Reads {
    bits: Mutex<Bits>,
}

#[derive(Default, Debug)]
struct Bits {
    first: u32,
    blocks: Vec<u64>,
}

impl Reads {
    pub(super) fn note(&self, id: LeafId) {
        let mut bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        bits.set(id);
    }

    pub(super) fn note_all(&self, rests: &Rests) {
        let mut bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        rests.iter().for_each(|(id, _)| bits.set(*id));
    }

    pub(super) fn ids(&self) -> Vec<LeafId> {
        let bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = (bits.first..).zip(&bits.blocks).flat_map(|(block, bits)| LeafId::of_block(block, *bits));
        ids.collect()
    }
}

impl Bits {
    fn set(&mut self, id: LeafId) {
        let (block, bit) = id.place();
        if self.blocks.is_empty() {
            self.first = block;
        } else if block < self.first {
            let more = (self.first - block) as usize;
            self.blocks.splice(0..0, std::iter::repeat_n(0, more));
            self.first = block;
        }
        let index = (block - self.first) as usize;
        if self.blocks.len() <= index {
            self.blocks.resize(index + 1, 0);
        }
        self.blocks[index] |= bit;
    }
}
