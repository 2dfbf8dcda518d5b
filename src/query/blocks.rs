//! What answers rest on, by blocks of leaves.
//!
//! A catalog rests on thousands of answers of the disk, and most of them its neighbours rest on too. Leaves that were first
//! asked one after the other are a block: what all have in common is held, and looked at after an edit, once.

use std::sync::Arc;

use super::database::Db;
use crate::pcore::{Digest, Digester};
use crate::world::{LeafId, Rests};

/// Which leaves, block by block: the number of the block, and which of it.
#[derive(Clone, Default, Debug)]
pub(super) struct Leaning(Arc<[(u32, u64)]>);

/// Leaves of one block.
#[salsa::interned]
struct Block<'db> {
    #[returns(copy)]
    number: u32,
    #[returns(copy)]
    which: u64,
}

/// Names what these leaves say.
#[salsa::tracked(returns(copy))]
fn digest<'db>(db: &'db dyn Db, block: Block<'db>) -> Digest {
    let mut digester = Digester::new(b"block");
    let (first, which) = (block.number(db) * u64::BITS, block.which(db));
    for at in (0..u64::BITS).filter(|at| which >> at & 1 == 1) {
        digester.digest(db.leaf(LeafId::at(first + at)));
    }
    digester.finish()
}

impl Leaning {
    pub(super) fn on(rests: &Rests) -> Leaning {
        let mut blocks: Vec<(u32, u64)> = Vec::new();
        for (id, _) in rests.iter() {
            add(&mut blocks, id.index() as u32 / u64::BITS, 1 << (id.index() as u32 % u64::BITS));
        }
        Leaning::of(blocks)
    }

    fn of(mut blocks: Vec<(u32, u64)>) -> Leaning {
        blocks.sort_unstable();
        blocks.dedup_by(|(number, which), (known, all)| {
            number == known && {
                *all |= *which;
                true
            }
        });
        Leaning(blocks.into())
    }

    /// The query that runs rests on these leaves.
    pub(super) fn depend(&self, db: &dyn Db) {
        for (number, which) in &*self.0 {
            digest(db, Block::new(db, *number, *which));
        }
    }

    /// Those, and these beside them.
    pub(super) fn and(&self, more: &Leaning) -> Leaning {
        match more.0.is_empty() {
            true => self.clone(),
            false => Leaning::of(self.0.iter().chain(&*more.0).copied().collect()),
        }
    }

    pub(super) fn without(&self, known: &Leaning) -> Leaning {
        let others =
            |number: u32| known.0.binary_search_by_key(&number, |(number, _)| *number).map_or(0, |at| known.0[at].1);
        let rest = self.0.iter().map(|(number, which)| (*number, which & !others(*number)));
        Leaning(rest.filter(|(_, which)| *which != 0).collect())
    }
}

/// Leaves mostly come in order.
fn add(blocks: &mut Vec<(u32, u64)>, number: u32, which: u64) {
    match blocks.last_mut() {
        Some((last, all)) if *last == number => *all |= which,
        _ => blocks.push((number, which)),
    }
}
