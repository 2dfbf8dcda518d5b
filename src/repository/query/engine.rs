//! The engine of `watch`: answers all nodes in parallel, and takes in edits.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use indexmap::IndexMap;
use pantin_compile::UnsettledExports;
use pantin_values::Str;
use pantin_world::{ChangedLeaf, Disk, ExportedResource, Leaves, Remark, Touched};
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};
use salsa::Setter;

use super::Inventory;
use super::answer::Answer;
use super::compiled;
use super::database::{self, AnswerInput, Database, Name, Revision};
use super::exported::{ALONE, Round};
use super::patch::{EditedLeaf, LastAnswer, PatchRefusal, Patcher};
use super::pool::Pool;
use super::recorded::RecordedAnswer;

pub struct Engine {
    database: Database,
    /// What each node was answered last, in each round that it was asked in.
    recorded: IndexMap<(Str, Round), AnswerInput, FxBuildHasher>,
    /// One for each round: what an edit does to a catalog in which nothing is collected yet is another thing than what it does later.
    /// `None`: no catalog is patched.
    patchers: Option<BTreeMap<Round, Patcher>>,
    /// The answers that were asked for since the last edit.
    asked: FxHashSet<(Str, Round)>,
    pool: Pool,
}

/// The answers of nodes.
#[derive(Debug)]
pub struct FleetAnswers {
    pub answers: Vec<Arc<Answer>>,
    /// What the nodes exchange still changes.
    pub unsettled: Option<UnsettledExports>,
}

impl Engine {
    pub fn new(disk: Arc<dyn Disk>, inventory: Arc<dyn Inventory>) -> Engine {
        Engine {
            database: Database::new(Arc::new(Leaves::new(disk).letting_go()), inventory),
            recorded: IndexMap::default(),
            patchers: Some(BTreeMap::default()),
            asked: FxHashSet::default(),
            pool: Pool::default(),
        }
    }

    /// Compiles every affected node, and patches none.
    #[must_use]
    pub fn without_patching(self) -> Engine {
        Engine { patchers: None, ..self }
    }

    /// The nodes that are meant, and what opening the repository had to say.
    pub fn names(&self) -> Result<(Vec<Str>, Vec<Remark>), Arc<str>> {
        let opened = database::opening(&self.database)?;
        Ok((opened.names(), opened.remarks().to_vec()))
    }

    /// The answers of these nodes, in their order. Where nodes collect what the others export, they are asked
    /// in rounds, as `pantin_compile::exchange` has them: a node is asked again in a round if what it sees in it has changed since
    /// it was last asked in that round.
    pub fn answers(&mut self, nodes: &[Str]) -> FleetAnswers {
        if !self.exchanges() {
            let all: Vec<&Str> = nodes.iter().collect();
            let answers = self.bring_up_to_date(&all, ALONE);
            self.end_edit();
            return FleetAnswers { answers, unsettled: None };
        }
        let mut answers: Vec<Arc<Answer>> = Vec::new();
        let settled = pantin_compile::settle(nodes.len(), (0..nodes.len()).collect(), |number, wanted, exports| {
            let round = number as Round;
            self.set_exports(round, exports);
            let names: Vec<&Str> = wanted.iter().map(|at| &nodes[*at]).collect();
            let new = self.bring_up_to_date(&names, round);
            let exchanged = wanted.iter().zip(&new).map(|(at, answer)| (*at, answer.exchange.clone())).collect();
            match number {
                1 => answers = new,
                _ => wanted.iter().zip(new).for_each(|(at, answer)| answers[*at] = answer),
            }
            ControlFlow::Continue(exchanged)
        });
        self.end_edit();
        FleetAnswers { answers, unsettled: settled.unsettled }
    }

    /// The answers of some of the nodes, before all are asked; `None`: they exchange what they export with the others,
    /// and nothing is certain before those were asked.
    pub fn answers_of(&mut self, nodes: &[Str]) -> Option<Vec<Arc<Answer>>> {
        let names: Vec<&Str> = nodes.iter().collect();
        (!self.exchanges()).then(|| self.bring_up_to_date(&names, ALONE))
    }

    /// True if nodes collect what the others export.
    pub fn exchanges(&self) -> bool {
        database::opening(&self.database).is_ok_and(|opened| opened.exchanges())
    }

    /// Asks which of the nodes are affected, patches or compiles these, and records their new answers as inputs of salsa.
    fn bring_up_to_date(&mut self, nodes: &[&Str], round: Round) -> Vec<Arc<Answer>> {
        let recorded: Vec<Option<AnswerInput>> =
            nodes.iter().map(|node| self.recorded.get(&((*node).clone(), round)).copied()).collect();
        self.asked.extend(nodes.iter().map(|node| ((*node).clone(), round)));
        if let Some(patchers) = &mut self.patchers {
            patchers.entry(round).or_default();
        }
        let (patcher, pool) = (self.patchers.as_ref().and_then(|patchers| patchers.get(&round)), &self.pool);
        let update = |database: &mut Database, (node, recorded): (&&Str, &Option<AnswerInput>)| {
            let database: &Database = database;
            let is_affected = recorded.is_none_or(|recorded| {
                database::is_affected(database, Name::new(database, (*node).clone()), round, recorded)
            });
            is_affected.then(|| {
                let last = recorded.as_ref().map(|recorded| recorded.recorded(database));
                update(database, node, round, patcher.map(|patcher| (patcher, last)), pool)
            })
        };
        let new: Vec<Option<RecordedAnswer>> =
            nodes.par_iter().zip(&recorded).map_with(self.database.clone(), update).collect();
        let mut answers = Vec::with_capacity(nodes.len());
        for ((node, recorded), new) in nodes.iter().zip(recorded).zip(new) {
            let Some(new) = new else {
                answers.extend(recorded.map(|recorded| Arc::clone(&recorded.recorded(&self.database).answer)));
                continue;
            };
            answers.push(Arc::clone(&new.answer));
            self.record(node, round, recorded, Arc::new(new));
        }
        answers
    }

    fn record(&mut self, node: &Str, round: Round, input: Option<AnswerInput>, new: Arc<RecordedAnswer>) {
        match input {
            Some(input) => drop(input.set_recorded(&mut self.database).to(new)),
            None => drop(self.recorded.insert((node.clone(), round), AnswerInput::new(&self.database, new))),
        }
    }

    /// The answers that were asked for, and no others, are up to date.
    fn end_edit(&mut self) {
        for patcher in self.patchers.iter_mut().flat_map(BTreeMap::values_mut) {
            patcher.end_edit();
        }
        let asked = std::mem::take(&mut self.asked);
        // Other answers missed the edit: they cannot be patched any more.
        let others = self.recorded.iter().filter(|(known, _)| !asked.contains(*known)).map(|(_, input)| *input);
        for input in others {
            if input.recorded(&self.database).patchable.is_ok() {
                let recorded = input.recorded(&self.database).without_patching();
                input.set_recorded(&mut self.database).to(Arc::new(recorded));
            }
        }
    }

    /// Sets what the nodes see in a round of what others export.
    fn set_exports(&mut self, round: Round, exports: Vec<ExportedResource>) {
        let mut exported = self.database.shared.exported.write().unwrap_or_else(PoisonError::into_inner);
        let changed = exported.update(round, exports);
        drop(exported);
        for (input, digest) in changed {
            input.set_digest(&mut self.database).to(digest);
        }
    }

    /// Reads again what may have been edited at these paths. Gives the leaves that have changed; nodes that depend on them are
    /// affected from now on.
    pub fn refresh(&mut self, touched: &Touched) -> Vec<EditedLeaf> {
        let leaves = Arc::clone(&self.database.shared.leaves);
        let mut changed = Vec::new();
        for ChangedLeaf { id, digest, before } in leaves.refresh(touched) {
            changed.extend(leaves.leaf(id).map(|leaf| EditedLeaf { id, leaf, before, now: leaves.text(id) }));
            let inputs = self.database.shared.inputs.read().unwrap_or_else(PoisonError::into_inner);
            let input = inputs.get(id.index()).copied().flatten();
            drop(inputs);
            if let Some(input) = input {
                input.set_digest(&mut self.database).to(digest);
            }
        }
        if !changed.is_empty() {
            let revision = Revision::get(&self.database);
            let number = revision.number(&self.database) + 1;
            revision.set_number(&mut self.database).to(number);
        }
        for patcher in self.patchers.iter_mut().flat_map(BTreeMap::values_mut) {
            patcher.add_edit(&changed);
        }
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

/// The answer of an affected node: patched if that is proved to be right, and compiled otherwise. `patching`: the patcher of the
/// round, and what the node was answered last; `None`: no catalog is patched.
fn update(
    database: &Database,
    node: &Str,
    round: Round,
    patching: Option<(&Patcher, Option<&Arc<RecordedAnswer>>)>,
    pool: &Pool,
) -> RecordedAnswer {
    let clock = database::opening(database).ok().and_then(|opened| opened.clock());
    let begun = clock.as_ref().map(|clock| clock.now());
    let basis = compiled::basis(database, node);
    let start = patching.map(|(patcher, last)| (patcher, patchable(database, round, last)));
    let patched = start.map(|(patcher, last)| {
        let (last, before) = last?;
        let patched = patcher.patch(before, basis.as_ref().map_err(|_| PatchRefusal::Unreadable)?, pool)?;
        let state = patched.dependencies.state(database);
        Ok(RecordedAnswer::from_patched(patched, state, last.collected.clone()))
    });
    let new = match patched {
        Some(Ok(patched)) => patched,
        refused => {
            let refusal = refused.and_then(Result::err);
            let new = compiled::compile(database, node, round, basis, refusal, pool);
            if let Some((patcher, Ok((_, before)))) = start {
                patcher.learn(before, new.patchable.as_ref(), pool);
            }
            new
        }
    };
    if let Some((clock, begun)) = clock.zip(begun) {
        clock.record_answer(&new.answer, begun);
    }
    new
}

/// Returns the last answer of a node, if a patch may start from it. What an edit does to a node is learnt, and applied, only where
/// nothing else has changed.
fn patchable<'l>(
    database: &Database,
    round: Round,
    last: Option<&'l Arc<RecordedAnswer>>,
) -> Result<(&'l RecordedAnswer, &'l Arc<LastAnswer>), PatchRefusal> {
    let last = last.ok_or(PatchRefusal::NotCompiledBefore)?;
    if database::collects_anew(database, round, last) {
        return Err(PatchRefusal::ExportsChanged);
    }
    last.patchable.as_ref().map(|before| (&**last, before)).map_err(|refusal| *refusal)
}
