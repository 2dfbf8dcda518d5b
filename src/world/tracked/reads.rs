//! The dependencies of a computation: the leaves that it read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pantin_values::Digest;

use super::leaves::LeafId;

/// The answers that something depends on, in the order of their numbers.
pub type Dependencies = std::sync::Arc<[(LeafId, Digest)]>;

/// What something depends on that is used again and again: as long as no answer of the disk is another one, nothing is
/// compared a second time.
#[derive(Default, Debug)]
pub struct CheckedDependencies {
    dependencies: Dependencies,
    bits: Bits,
    /// The epoch of the leaves in which all of it held.
    held_in: AtomicU64,
}

impl CheckedDependencies {
    pub fn new(dependencies: Dependencies) -> CheckedDependencies {
        let mut bits = Bits::default();
        dependencies.iter().for_each(|(id, _)| bits.set(*id));
        CheckedDependencies { dependencies, bits, held_in: AtomicU64::new(0) }
    }

    pub fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    pub(super) fn held_in(&self, epoch: u64) -> bool {
        self.held_in.load(Ordering::Relaxed) == epoch
    }

    pub(super) fn holds_in(&self, epoch: u64) {
        self.held_in.store(epoch, Ordering::Relaxed);
    }
}

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

    pub(super) fn record_all(&self, dependencies: &CheckedDependencies) {
        let mut bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        bits.set_all(&dependencies.bits);
    }

    pub(super) fn ids(&self) -> Vec<LeafId> {
        let bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = (bits.first..).zip(&bits.blocks).flat_map(|(block, bits)| LeafId::in_block(block, *bits));
        ids.collect()
    }
}

impl Bits {
    fn set(&mut self, id: LeafId) {
        let (block, bit) = id.place();
        self.extend_to(block, block);
        self.blocks[(block - self.first) as usize] |= bit;
    }

    fn set_all(&mut self, others: &Bits) {
        let Some(more) = others.blocks.len().checked_sub(1) else { return };
        self.extend_to(others.first, others.first + more as u32);
        let own = &mut self.blocks[(others.first - self.first) as usize..];
        own.iter_mut().zip(&others.blocks).for_each(|(own, other)| *own |= other);
    }

    /// Makes room for all blocks from one to another.
    fn extend_to(&mut self, from: u32, to: u32) {
        if self.blocks.is_empty() {
            self.first = from;
        } else if from < self.first {
            let more = (self.first - from) as usize;
            self.blocks.splice(0..0, std::iter::repeat_n(0, more));
            self.first = from;
        }
        let length = (to - self.first) as usize + 1;
        if self.blocks.len() < length {
            self.blocks.resize(length, 0);
        }
    }
}
