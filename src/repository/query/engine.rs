//! The engine of `watch`: answers all nodes in parallel, and takes in edits.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use pantin_compile::UnsettledExports;
use pantin_values::Str;
use pantin_world::{Disk, ExportedResource, Leaves, Refreshed, Remark, Touched};
use rayon::prelude::*;
use salsa::Setter;

use super::Inventory;
use super::answer::Answer;
use super::database::{self, Database, Name};
use super::exported::{ALONE, Round};
use super::patch::EditedLeaf;

pub struct Engine {
    database: Database,
}

/// What nodes were answered.
#[derive(Debug)]
pub struct FleetAnswers {
    pub answers: Vec<Arc<Answer>>,
    /// What the nodes exchange still changes.
    pub unsettled: Option<UnsettledExports>,
}

impl Engine {
    pub fn new(disk: Arc<dyn Disk>, inventory: Arc<dyn Inventory>) -> Engine {
        Engine { database: Database::new(Arc::new(Leaves::new(disk).letting_go()), inventory) }
    }

    /// The nodes that are meant, and what opening the repository had to say.
    pub fn names(&self) -> Result<(Vec<Str>, Vec<Remark>), Arc<str>> {
        let opened = database::opening(&self.database)?;
        Ok((opened.names(), opened.remarks().to_vec()))
    }

    /// What one node is answered that exchanges nothing with others.
    pub fn answer(&self, node: &Str) -> Arc<Answer> {
        database::answer(&self.database, Name::new(&self.database, node.clone()), ALONE)
    }

    /// What each of them is answered, in the order of the names. Where they collect what the others export, they are asked
    /// in rounds, as `pantin_compile::exchange` has them: a node is asked again in a round if what it sees in it has changed since
    /// it was last asked in that round.
    pub fn answers(&mut self, nodes: &[Str]) -> FleetAnswers {
        if !database::opening(&self.database).is_ok_and(|opened| opened.exchanges()) {
            let all: Vec<&Str> = nodes.iter().collect();
            let answers = self.ask(&all, ALONE);
            self.database.shared.patches.settle(nodes);
            return FleetAnswers { answers, unsettled: None };
        }
        let mut answers: Vec<Arc<Answer>> = Vec::new();
        let settled = pantin_compile::settle(nodes.len(), (0..nodes.len()).collect(), |number, wanted, exports| {
            let round = number as Round;
            self.tell(round, exports);
            let names: Vec<&Str> = wanted.iter().map(|at| &nodes[*at]).collect();
            let told = self.ask(&names, round);
            let heard = wanted.iter().zip(&told).map(|(at, answer)| (*at, answer.exchange.clone())).collect();
            match number {
                1 => answers = told,
                _ => wanted.iter().zip(told).for_each(|(at, answer)| answers[*at] = answer),
            }
            ControlFlow::Continue(heard)
        });
        FleetAnswers { answers, unsettled: settled.unsettled }
    }

    /// What some of the nodes are answered, before all are asked; `None`: they exchange what they export with the others,
    /// and nothing is certain before those were asked.
    pub fn answers_of(&self, nodes: &[Str]) -> Option<Vec<Arc<Answer>>> {
        let is_each_alone = database::opening(&self.database).is_ok_and(|opened| !opened.exchanges());
        is_each_alone.then(|| self.ask(&nodes.iter().collect::<Vec<_>>(), ALONE))
    }

    fn ask(&self, nodes: &[&Str], round: Round) -> Vec<Arc<Answer>> {
        let ask = |database: &mut Database, node: &&Str| {
            let database: &Database = database;
            database::answer(database, Name::new(database, (*node).clone()), round)
        };
        nodes.par_iter().map_with(self.database.clone(), ask).collect()
    }

    /// This is what the nodes see in a round.
    fn tell(&mut self, round: Round, exports: Vec<ExportedResource>) {
        let mut exported = self.database.shared.exported.write().unwrap_or_else(PoisonError::into_inner);
        let changed = exported.tell(round, exports);
        drop(exported);
        for (input, digest) in changed {
            input.set_digest(&mut self.database).to(digest);
        }
    }

    /// These paths were, or may have been, edited: the questions about them that have another answer now.
    pub fn refresh(&mut self, touched: &Touched) -> Vec<EditedLeaf> {
        let leaves = Arc::clone(&self.database.shared.leaves);
        let mut changed = Vec::new();
        for Refreshed { id, digest, before } in leaves.refresh(touched) {
            changed.extend(leaves.leaf(id).map(|leaf| EditedLeaf { leaf, before, now: leaves.text(id) }));
            let inputs = self.database.shared.inputs.read().unwrap_or_else(PoisonError::into_inner);
            let input = inputs.get(id.index()).copied().flatten();
            drop(inputs);
            if let Some(input) = input {
                input.set_digest(&mut self.database).to(digest);
            }
        }
        self.database.shared.patches.edited(&changed);
        changed
    }

    /// Every folder and file that was asked about after so many questions, whose number is brought up to date.
    pub fn new_paths(&self, known: &mut usize) -> Vec<Arc<Path>> {
        self.database.shared.leaves.new_paths(known)
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("leaves", &self.database.shared.leaves).finish_non_exhaustive()
    }
}
