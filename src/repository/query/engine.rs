//! The engine of `watch`: answers all nodes in parallel, and takes in edits.

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
use super::edit_journal::EditJournal;
use super::exported::{ALONE, Round};
use super::patch::{EditedLeaf, LastAnswer, PatchRefusal, Patcher};
use super::pool::Pool;
use super::recorded::{Basis, GoodAnswer, RecordedAnswer};
use super::trace_sweep::TraceSweep;

pub struct Engine {
    database: Database,
    /// What each node was answered last, in each round that it was asked in.
    recorded: IndexMap<(Str, Round), AnswerInput, FxBuildHasher>,
    /// What was edited since the answers that patches start from. `None`: no catalog is patched.
    journal: Option<EditJournal>,
    /// The answers that were asked for since all were up to date.
    asked: FxHashSet<(Str, Round)>,
    /// Some were asked for since the last edit.
    has_answered: bool,
    pool: Pool,
    trace_sweep: TraceSweep,
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
            journal: Some(EditJournal::default()),
            asked: FxHashSet::default(),
            has_answered: false,
            pool: Pool::default(),
            trace_sweep: TraceSweep::default(),
        }
    }

    /// Compiles every affected node, and patches none.
    #[must_use]
    pub fn without_patching(self) -> Engine {
        Engine { journal: None, ..self }
    }

    /// Drops traces that nobody needs each time, and not only where there are many.
    #[must_use]
    pub fn sweeping_always(self) -> Engine {
        Engine { trace_sweep: TraceSweep::eager(), ..self }
    }

    /// The nodes that are meant, and what opening the repository had to say.
    pub fn names(&self) -> Result<(Vec<Str>, Vec<Remark>), Arc<str>> {
        let opened = database::opening(&self.database)?;
        Ok((opened.names(), opened.remarks().to_vec()))
    }

    /// Returns the answers of these nodes, in their order. Where nodes collect what the others export, they are asked
    /// in rounds, as `pantin_compile::exchange` has them: a node is asked again in a round if what it sees in it has
    /// changed since it was last asked in that round.
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

    /// Returns true if nodes collect what the others export.
    pub fn exchanges(&self) -> bool {
        database::opening(&self.database).is_ok_and(|opened| opened.exchanges())
    }

    /// Asks which of the nodes are affected, patches or compiles these, and records their new answers as inputs of salsa.
    fn bring_up_to_date(&mut self, nodes: &[&Str], round: Round) -> Vec<Arc<Answer>> {
        let recorded: Vec<Option<AnswerInput>> =
            nodes.iter().map(|node| self.recorded.get(&((*node).clone(), round)).copied()).collect();
        self.asked.extend(nodes.iter().map(|node| ((*node).clone(), round)));
        self.has_answered = true;
        if let Some(journal) = &mut self.journal {
            journal.prepare_round(round);
        }
        let (journal, pool) = (self.journal.as_ref(), &self.pool);
        let update = |database: &mut Database, (node, recorded): (&&Str, &Option<AnswerInput>)| {
            let database: &Database = database;
            let is_affected = recorded.is_none_or(|recorded| {
                database::is_affected(database, Name::new(database, (*node).clone()), round, recorded)
            });
            is_affected.then(|| {
                let last = recorded.as_ref().map(|recorded| recorded.recorded(database));
                update(database, node, round, journal.map(|journal| (journal, last)), pool)
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
        let asked = std::mem::take(&mut self.asked);
        // Other answers missed the edit: they cannot be patched any more.
        let others = self.recorded.iter().filter(|(known, _)| !asked.contains(*known)).map(|(_, input)| *input);
        for input in others {
            let recorded = input.recorded(&self.database);
            if recorded.patchable.is_ok() || recorded.good.is_some() {
                let recorded = recorded.without_patching();
                input.set_recorded(&mut self.database).to(Arc::new(recorded));
            }
        }
        let database = &self.database;
        if let Some(journal) = &mut self.journal {
            let good = self.recorded.values().filter_map(|input| input.recorded(database).good.as_ref());
            let in_use: FxHashSet<u64> = good.map(|good| good.revision).collect();
            journal.end_edit(Revision::get(database).number(database), |revision| in_use.contains(&revision));
        }
    }

    /// Drops what only answers of before were made from. Comes when nobody waits.
    pub fn free_unused(&mut self) {
        let Engine { database, recorded, trace_sweep, .. } = self;
        let answers = recorded.values().map(|input| input.recorded(&*database));
        trace_sweep.drop_unused(answers.clone());
        let mut swept: FxHashSet<usize> = FxHashSet::default();
        for basis in answers.filter_map(|answer| answer.basis.as_ref().ok()) {
            if swept.insert(Arc::as_ptr(&basis.ready) as usize) {
                basis.ready.site.drop_unused_code();
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
        for ChangedLeaf { id, digest, old_digest, before } in leaves.refresh(touched) {
            let edited = |leaf| EditedLeaf { id, leaf, digests: (old_digest, digest), before, now: leaves.text(id) };
            changed.extend(leaves.leaf(id).map(edited));
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
        if let Some(journal) = &mut self.journal {
            journal.add_edit(&changed, self.has_answered);
        }
        self.has_answered &= changed.is_empty();
        changed
    }

    /// Returns every folder and file that was asked about after so many questions, whose number is brought up to date.
    pub fn new_paths(&self, known: &mut usize) -> Vec<Arc<Path>> {
        self.database.shared.leaves.new_paths(known)
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("leaves", &self.database.shared.leaves).finish_non_exhaustive()
    }
}

/// Returns the answer of an affected node: patched if that is proved to be right, and compiled otherwise. `patching`:
/// what was edited, and what the node was answered last; `None`: no catalog is patched.
fn update(
    database: &Database,
    node: &Str,
    round: Round,
    patching: Option<(&EditJournal, Option<&Arc<RecordedAnswer>>)>,
    pool: &Pool,
) -> RecordedAnswer {
    let clock = database::opening(database).ok().and_then(|opened| opened.clock());
    let begun = clock.as_ref().map(|clock| clock.now());
    let restored = patching.and_then(|(_, last)| restore(database, node, round, last?.good.as_ref()?));
    let new = restored.unwrap_or_else(|| patch_or_compile(database, node, round, patching, pool));
    // While a node fails, what was right before it failed is kept.
    let good = match new.answer.result {
        Ok(_) => None,
        Err(_) => patching.and_then(|(journal, last)| last?.last_good(journal.revision_before())),
    };
    if let Some((clock, begun)) = clock.zip(begun) {
        clock.record_answer(&new.answer, begun);
    }
    RecordedAnswer { good, ..new }
}

/// Returns the last good answer of a node that fails, if nothing that it depends on has changed since.
fn restore(database: &Database, node: &Str, round: Round, good: &GoodAnswer) -> Option<RecordedAnswer> {
    let name = Name::new(database, node.clone());
    database::still_holds(database, name, round, &good.recorded).then(|| good.recorded.restored())?
}

fn patch_or_compile(
    database: &Database,
    node: &Str,
    round: Round,
    patching: Option<(&EditJournal, Option<&Arc<RecordedAnswer>>)>,
    pool: &Pool,
) -> RecordedAnswer {
    let basis = compiled::basis(database, node);
    let start = patching.map(|(journal, last)| PatchStart::new(database, round, journal, last, basis.as_ref().ok()));
    let patched = start.as_ref().map(|start| {
        let start = start.as_ref().map_err(|refusal| *refusal)?;
        let basis = basis.as_ref().map_err(|_| PatchRefusal::Unreadable)?;
        let patched = start.patcher.patch(&start.before, basis, pool)?;
        let state = patched.dependencies.state(database);
        Ok(RecordedAnswer::from_patched(patched, state, start.recorded.collected.clone()))
    });
    match patched {
        Some(Ok(patched)) => patched,
        refused => {
            let refusal = refused.and_then(Result::err);
            let new = compiled::compile(database, node, round, basis, refusal, pool);
            if let Some(Ok(PatchStart { patcher, before, .. })) = start {
                patcher.learn(&before, new.patchable.as_ref(), pool);
            }
            new
        }
    }
}

/// What the patch of a node's catalog starts from.
struct PatchStart<'l> {
    /// For what was edited since.
    patcher: &'l Patcher,
    recorded: &'l RecordedAnswer,
    before: Arc<LastAnswer>,
}

impl<'l> PatchStart<'l> {
    /// Finds the last answer of a node with a catalog, if a patch may start from it. What an edit does to a node is learnt, and
    /// applied, only where nothing else has changed.
    fn new(
        database: &Database,
        round: Round,
        journal: &'l EditJournal,
        last: Option<&'l Arc<RecordedAnswer>>,
        basis: Option<&Basis>,
    ) -> Result<PatchStart<'l>, PatchRefusal> {
        let last = last.ok_or(PatchRefusal::NotCompiledBefore)?;
        let (patcher, recorded) = match &last.good {
            Some(good) => (journal.since(good.revision, round), &*good.recorded),
            None => (journal.last_edit(round), &**last),
        };
        if database::collects_anew(database, round, recorded) {
            return Err(PatchRefusal::ExportsChanged);
        }
        let before = recorded.patchable.as_ref().map_err(|refusal| *refusal)?;
        // What was read again, and says what it said.
        let before = match basis.filter(|basis| before.basis.is_replaceable_by(basis)) {
            Some(basis) => Arc::new(before.with_basis(basis)),
            None => Arc::clone(before),
        };
        Ok(PatchStart { patcher: patcher.ok_or(PatchRefusal::SeveralEdits)?, recorded, before })
    }
}
