//! The engine: asks all nodes in parallel, and takes in what has changed.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use rayon::prelude::*;
use salsa::Setter;

use super::Inventory;
use super::answer::Answer;
use super::database::{self, Database, Name};
use crate::pcore::Str;
use crate::world::{Disk, Leaf, Leaves, Remark};

pub struct Engine {
    database: Database,
}

impl Engine {
    pub fn new(disk: Arc<dyn Disk>, inventory: Arc<dyn Inventory>) -> Engine {
        Engine { database: Database::new(Arc::new(Leaves::of(disk)), inventory) }
    }

    /// The nodes that are meant, and what opening the repository had to say.
    pub fn names(&self) -> Result<(Vec<Str>, Vec<Remark>), Arc<str>> {
        let opened = database::opening(&self.database)?;
        Ok((opened.names(), opened.remarks().to_vec()))
    }

    /// What one node is answered.
    pub fn answer(&self, node: &Str) -> Arc<Answer> {
        database::answer(&self.database, Name::new(&self.database, node.clone()))
    }

    /// What each of them is answered, in the order of the names.
    pub fn answers(&self, nodes: &[Str]) -> Vec<Arc<Answer>> {
        let ask = |database: &mut Database, node: &Str| {
            let database: &Database = database;
            database::answer(database, Name::new(database, node.clone()))
        };
        nodes.par_iter().map_with(self.database.clone(), ask).collect()
    }

    /// These paths were, or may have been, edited: the questions about them that have another answer now.
    pub fn refresh(&mut self, concerns: impl Fn(&Path) -> bool) -> Vec<Leaf> {
        let leaves = Arc::clone(&self.database.shared.leaves);
        let mut changed = Vec::new();
        for (id, digest) in leaves.refresh(concerns) {
            changed.extend(leaves.leaf(id));
            let inputs = self.database.shared.inputs.read().unwrap_or_else(PoisonError::into_inner);
            let input = inputs.get(id.index()).copied().flatten();
            drop(inputs);
            if let Some(input) = input {
                input.set_digest(&mut self.database).to(digest);
            }
        }
        changed
    }

    /// Every folder and file that was asked about.
    pub fn paths(&self) -> Vec<Arc<Path>> {
        self.database.shared.leaves.paths()
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("leaves", &self.database.shared.leaves).finish_non_exhaustive()
    }
}
