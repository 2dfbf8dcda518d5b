//! Dependency sets: leaves packed in blocks, so that thousands of nodes share them.
//!
//! A catalog depends on thousands of answers of the disk, and most of them its neighbours depend on too. Leaves that were first
//! asked one after the other are a block, and blocks a group: what all have in common is held, and looked at after an edit,
//! once.

use std::sync::Arc;

use pantin_values::{Digest, Digester};
use pantin_world::{Dependencies, LeafId};

use super::database::Db;

/// Which leaves, block by block: the number of the block, and which of it.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct DependencySet(Arc<[(u32, u64)]>);

/// Leaves of one block.
#[salsa::interned]
struct Block<'db> {
    #[returns(copy)]
    number: u32,
    #[returns(copy)]
    which: u64,
}

/// Blocks beside each other: the number of the group, and which of their leaves. What a node depends on alone is in a few, and of the
/// others there are as many times fewer to hold.
#[salsa::interned]
struct Group<'db> {
    #[returns(copy)]
    number: u32,
    #[returns(copy)]
    which: [u64; BLOCKS as usize],
}

/// So many blocks are a group.
const BLOCKS: u32 = 8;

/// Names what these leaves say.
#[salsa::tracked(returns(copy))]
fn digest_of_group<'db>(db: &'db dyn Db, group: Group<'db>) -> Digest {
    let mut digester = Digester::new(b"group");
    for (number, which) in (group.number(db) * BLOCKS..).zip(group.which(db)) {
        if which != 0 {
            digester.digest(digest(db, Block::new(db, number, which)));
        }
    }
    digester.finish()
}

/// Names what these leaves say.
#[salsa::tracked(returns(copy))]
fn digest<'db>(db: &'db dyn Db, block: Block<'db>) -> Digest {
    let mut digester = Digester::new(b"block");
    for leaf in LeafId::in_block(block.number(db), block.which(db)) {
        digester.digest(db.leaf(leaf));
    }
    digester.finish()
}

impl DependencySet {
    pub(super) fn from_dependencies(dependencies: &Dependencies) -> DependencySet {
        let blocks = dependencies.chunk_by(|(one, _), (next, _)| one.place().0 == next.place().0);
        let bits_of = |block: &[(LeafId, Digest)]| {
            let (number, _) = block.first()?.0.place();
            Some((number, block.iter().fold(0, |bits, (id, _)| bits | id.place().1)))
        };
        DependencySet(blocks.filter_map(bits_of).collect())
    }

    pub(super) fn contains(&self, id: LeafId) -> bool {
        let (number, bit) = id.place();
        self.0.binary_search_by_key(&number, |(number, _)| *number).is_ok_and(|at| self.0[at].1 & bit != 0)
    }

    /// Makes the query that runs depend on these leaves.
    pub(super) fn depend(&self, db: &dyn Db) {
        self.groups(db).for_each(drop);
    }

    /// Digest of what these leaves say now.
    pub(super) fn state(&self, db: &dyn Db) -> Digest {
        let mut digester = Digester::new(b"dependencies");
        for digest in self.groups(db) {
            digester.digest(digest);
        }
        digester.finish()
    }

    /// Returns the digest of each group.
    fn groups(&self, db: &dyn Db) -> impl Iterator<Item = Digest> {
        self.0.chunk_by(|(one, _), (next, _)| one / BLOCKS == next / BLOCKS).map(move |group| {
            let mut which = [0; BLOCKS as usize];
            for (number, bits) in group {
                which[(number % BLOCKS) as usize] = *bits;
            }
            let number = group.first().map_or(0, |(number, _)| number / BLOCKS);
            digest_of_group(db, Group::new(db, number, which))
        })
    }

    /// Returns the union of two sets.
    pub(super) fn union(&self, more: &DependencySet) -> DependencySet {
        if more.0.is_empty() {
            return self.clone();
        }
        let mut blocks: Vec<(u32, u64)> = self.0.iter().chain(&*more.0).copied().collect();
        blocks.sort_unstable();
        blocks.dedup_by(|(number, which), (known, all)| {
            let is_same = number == known;
            if is_same {
                *all |= *which;
            }
            is_same
        });
        DependencySet(blocks.into())
    }

    pub(super) fn difference(&self, known: &DependencySet) -> DependencySet {
        let others =
            |number: u32| known.0.binary_search_by_key(&number, |(number, _)| *number).map_or(0, |at| known.0[at].1);
        let rest = self.0.iter().map(|(number, which)| (*number, which & !others(*number)));
        DependencySet(rest.filter(|(_, which)| *which != 0).collect())
    }
}
