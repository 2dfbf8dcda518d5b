//! A watched fleet: the last answers of its nodes, and the round after each edit.
//!
//! A watch may start from stored answers. A node with such an answer is *pending*: the engine compiles it when there is nothing else to
//! do ([`Session::compile_some`]), so that later edits can be patched. Until then its stored answer is checked after each edit, and
//! it is compiled if that answer no longer holds.
//!
//! Knows nothing of events, nor of how anything is shown.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use pantin_compile::UnsettledExports;
use pantin_values::Str;
use pantin_world::{Disk, Remark, Stopwatch, Touched};
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::checks::{CheckChanges, CheckedCatalogs};
use super::round::{LastGoodAnswers, Round};
use super::stored_start::StoredStart;
use crate::catalog_check::Checks;
use crate::fence::fenced;
use crate::inventory::OptionsInventory;
use crate::options::{CacheOptions, OpenError, Options};
use crate::query::{Answer, EditedLeaf, Engine};
use crate::stored_answers::MovedFile;
use crate::timings::Timings;

/// So many pending nodes are compiled at once, so that an edit need not wait for more.
const PENDING_AT_ONCE: usize = 32;

pub struct Session {
    engine: Engine,
    start: Option<StoredStart>,
    last: Vec<Arc<Answer>>,
    good: LastGoodAnswers,
    /// `None`: nothing is checked.
    checked: Option<CheckedCatalogs>,
    unsettled: Option<UnsettledExports>,
    /// Nodes whose last answer is a stored one, with the files whose lines have moved since it was stored.
    pending: IndexMap<Str, Vec<MovedFile>, FxBuildHasher>,
    /// A pending node was compiled after an edit that nobody has heard of: its new answer is not shown yet.
    has_unshown: bool,
    /// Paths that stored answers depend on, until somebody takes them.
    stored_paths: Vec<Arc<Path>>,
    /// How many leaves there were when somebody last asked for new paths.
    known_leaves: usize,
}

/// What is watched.
#[derive(Debug)]
pub struct WatchOptions {
    pub options: Options,
    /// All nodes of the facts, where none are named.
    pub nodes: Vec<String>,
    /// Where stored answers are found.
    pub cache: CacheOptions,
    /// Dependency cycles and missing dependencies count: they keep an agent from applying a catalog.
    pub checks_graph: bool,
    /// Told how long everything takes, where that is asked for.
    pub timings: Option<Arc<Timings>>,
}

impl Session {
    /// Checks the options; nodes are answered by [`Session::first`].
    pub fn open(watched: WatchOptions, disk: Arc<dyn Disk>) -> Result<Session, OpenError> {
        let WatchOptions { options, nodes, cache, checks_graph, timings } = watched;
        let filled = options.configured(&*disk)?;
        let (disk, _) = fenced(disk, &filled, Path::new(""));
        let checks = Checks { graph: checks_graph, resources: filled.catalogs.checks_resources() };
        let start = StoredStart { options: options.clone(), cache };
        let inventory = OptionsInventory { options, nodes, timings };
        inventory.check(Arc::clone(&disk))?;
        Ok(Session {
            engine: Engine::new(disk, Arc::new(inventory)),
            start: Some(start),
            last: Vec::new(),
            good: LastGoodAnswers::default(),
            checked: (!checks.is_nothing()).then(|| CheckedCatalogs::new(checks)),
            unsettled: None,
            pending: IndexMap::default(),
            has_unshown: false,
            stored_paths: Vec::new(),
            known_leaves: 0,
        })
    }

    /// Returns the first answers of all nodes, checked: stored ones, and compiled ones of the other nodes. Gives what
    /// opening the repository had to say, and what is wrong with the store. `Err`: the repository cannot be opened.
    pub fn first(&mut self) -> Result<Vec<Remark>, Arc<str>> {
        let (names, mut remarks) = self.engine.names()?;
        // Nodes that exchange what they export have no answer of their own.
        let start = self.start.as_ref().filter(|_| !self.engine.exchanges());
        match start.map(|start| start.open(&names)) {
            None => {}
            Some(Err(troubles)) => remarks.extend(troubles.into_iter().map(Remark::warning)),
            Some(Ok(open)) => {
                remarks.extend(open.troubles().into_iter().map(Remark::warning));
                self.stored_paths = open.paths();
                for holding in open.holding_answers().into_iter().flatten() {
                    self.pending.insert(holding.answer.node.clone(), holding.moved);
                    self.last.push(holding.answer);
                }
                open.close();
            }
        }
        (self.last, self.unsettled) = self.updated(&names);
        self.forget_start();
        self.check_catalogs(&mut || false);
        Ok(remarks)
    }

    /// Checks each catalog that has changed since the last check: its relationship graph, and its resources. Comes after a round is
    /// shown: nobody waits for it, and it ends early if `is_interrupted` says so.
    pub fn check_catalogs(&mut self, is_interrupted: &mut dyn FnMut() -> bool) -> CheckChanges {
        let changes =
            self.checked.as_mut().map(|checked| checked.update(&self.last, is_interrupted)).unwrap_or_default();
        if !is_interrupted() {
            self.engine.free_unused();
        }
        changes
    }

    /// Returns true if the check was interrupted: some catalogs are still to be checked.
    pub fn has_unchecked_catalogs(&self) -> bool {
        self.checked.as_ref().is_some_and(|checked| !checked.unchecked(&self.last).is_empty())
    }

    /// Returns the answers of all nodes now: of pending nodes the last ones, of the others those of the engine.
    fn updated(&mut self, names: &[Str]) -> (Vec<Arc<Answer>>, Option<UnsettledExports>) {
        let known: Vec<Str> = names.iter().filter(|name| !self.pending.contains_key(*name)).cloned().collect();
        let new = self.engine.answers(&known);
        if self.pending.is_empty() {
            return (new.answers, new.unsettled);
        }
        let pending = self.last.iter().filter(|answer| self.pending.contains_key(&answer.node));
        let mut by_name: IndexMap<&Str, &Arc<Answer>, FxBuildHasher> =
            pending.chain(&new.answers).map(|answer| (&answer.node, answer)).collect();
        let answers = names.iter().filter_map(|name| by_name.swap_remove(name)).cloned().collect();
        (answers, new.unsettled)
    }

    fn forget_start(&mut self) {
        if self.pending.is_empty() {
            self.start = None;
        }
    }

    /// Returns true if some nodes have stored answers, and were not compiled yet.
    pub fn is_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns true if a pending node has another answer than the one that was shown: [`Session::look`] gives an edit.
    pub fn has_unshown(&self) -> bool {
        self.has_unshown
    }

    /// Compiles a few pending nodes: after that, edits of them can be patched.
    pub fn compile_some(&mut self) {
        let names: Vec<Str> = self.pending.keys().take(PENDING_AT_ONCE).cloned().collect();
        let compiled = self.engine.answers_of(&names).unwrap_or_default();
        self.pending.drain(..names.len());
        // If a file was edited meanwhile, the next round shows it.
        let is_other = |(last, new): (&mut Arc<Answer>, Arc<Answer>)| {
            let is_same = is_same(last, &new);
            if is_same {
                *last = new;
            }
            !is_same
        };
        let others = last_with_new(&mut self.last, compiled).into_par_iter().map(is_other);
        self.has_unshown |= others.filter(|is_other| *is_other).count() > 0;
        self.forget_start();
    }

    /// Returns every folder and file that the answers depend on, but for those that this has given before.
    pub fn new_paths(&mut self) -> Vec<Arc<Path>> {
        let mut paths = std::mem::take(&mut self.stored_paths);
        paths.extend(self.engine.new_paths(&mut self.known_leaves));
        paths
    }

    /// Returns the last answers of all nodes.
    pub fn answers(&self) -> &[Arc<Answer>] {
        &self.last
    }

    /// Returns what the nodes export and collect without end, in the last round.
    pub fn unsettled(&self) -> Option<&UnsettledExports> {
        self.unsettled.as_ref()
    }

    /// Reads again what may have been edited; `None`: nothing was.
    pub fn look(&mut self, touched: &Touched) -> Option<Edit> {
        let noticed = Stopwatch::start();
        let edited = self.engine.refresh(touched);
        if let Some(checked) = &mut self.checked {
            checked.note_edited(edited.iter().map(|edited| edited.id));
        }
        let has_unshown = std::mem::take(&mut self.has_unshown);
        let mut moves_lines_alone = !has_unshown && edited.iter().all(EditedLeaf::moves_lines_alone);
        let mut bindings: Vec<String> = edited.iter().flat_map(EditedLeaf::changed_bindings).collect();
        bindings.sort();
        bindings.dedup();
        let mut paths: Vec<_> = edited.into_iter().map(|edited| edited.leaf.path).collect();
        let mut is_edited = has_unshown || !paths.is_empty();
        if !touched.is_nothing() && self.is_pending() {
            let stale = self.check_pending(touched);
            moves_lines_alone &= stale.nodes.is_empty();
            is_edited |= !stale.nodes.is_empty() || stale.has_moved;
            paths.extend(stale.paths);
            stale.nodes.iter().for_each(|node| drop(self.pending.shift_remove(node)));
        }
        paths.sort();
        paths.dedup();
        let moves_lines_alone = moves_lines_alone && !paths.is_empty();
        is_edited.then_some(Edit { moves_lines_alone, paths, bindings, noticed })
    }

    /// Checks the stored answers of pending nodes once more. A file that nobody has touched and that is another one is just being
    /// edited: that edit is heard of when it is over.
    fn check_pending(&mut self, touched: &Touched) -> StalePending {
        let mut stale = StalePending::default();
        let names: Vec<Str> = self.pending.keys().cloned().collect();
        let Some(open) = self.start.as_ref().and_then(|start| start.open(&names).ok()) else {
            stale.nodes = names;
            return stale;
        };
        // The same answers, on other lines.
        let mut moved_answers = Vec::new();
        for (place, (name, holding)) in names.iter().zip(open.holding_answers()).enumerate() {
            let Some(moved) = self.pending.get_mut(name) else { continue };
            match holding {
                None => {
                    let paths = open.changed_paths(place);
                    if paths.iter().all(|path| is_over(touched, path, open.disk())) {
                        stale.nodes.push(name.clone());
                        stale.paths.extend(paths.iter().map(|path| Arc::<Path>::from(path.as_path())));
                    }
                }
                Some(holding) if holding.moved != *moved => {
                    let new = holding.moved.iter().filter(|file| !moved.contains(file));
                    let back = moved.iter().filter(|file| holding.moved.iter().all(|new| new.path != file.path));
                    stale.paths.extend(new.chain(back).map(|file| Arc::<Path>::from(file.path.as_path())));
                    *moved = holding.moved;
                    moved_answers.push(holding.answer);
                }
                Some(_) => {}
            }
        }
        stale.has_moved = !moved_answers.is_empty();
        last_with_new(&mut self.last, moved_answers).into_iter().for_each(|(last, new)| *last = new);
        open.close();
        stale
    }

    /// Returns what can be said of an edit before anything is compiled: if manifests mean what they meant, no catalog
    /// changes but for lines.
    pub fn beforehand(&self, edit: &Edit) -> Option<Round> {
        edit.moves_lines_alone.then(|| Round {
            edited: edit.paths.clone(),
            nodes: self.last.len(),
            moves_lines_alone: true,
            took: edit.noticed.elapsed(),
            ..Round::default()
        })
    }

    /// Returns what an edit changes on those of the nodes that somebody looks at: they are updated before the others.
    /// `None`: on none of them anything, or nothing can be said before all are updated, or they are all.
    pub fn early(&mut self, edit: &Edit, looked_at: &[Str]) -> Option<(Round, Vec<Arc<Answer>>)> {
        if looked_at.is_empty() {
            return None;
        }
        let looked_at: FxHashSet<&Str> = looked_at.iter().collect();
        let (mut names, _) = self.engine.names().ok()?;
        let nodes = names.len();
        names.retain(|name| looked_at.contains(name) && !self.pending.contains_key(name));
        if names.len() == nodes {
            return None;
        }
        let named: FxHashSet<&Str> = names.iter().collect();
        let before: Vec<_> = self.last.iter().filter(|answer| named.contains(&answer.node)).cloned().collect();
        let now = self.engine.answers_of(&names)?;
        let round = Round::between(&before, &now, &self.good);
        let bindings = edit.bindings.clone();
        let round = Round { nodes, bindings, edited: edit.paths.clone(), took: edit.noticed.elapsed(), ..round };
        (!round.is_quiet()).then_some((round, now))
    }

    /// Returns what an edit changes. `Err`: the repository cannot be opened as it is, and the last answers stay.
    pub fn round(&mut self, edit: Edit) -> Result<Round, Arc<str>> {
        let (names, _) = self.engine.names()?;
        let (now, unsettled) = self.updated(&names);
        let mut round = Round::between(&self.last, &now, &self.good);
        self.unsettled = unsettled;
        round.moves_lines_alone = edit.moves_lines_alone;
        round.edited = edit.paths;
        round.bindings = edit.bindings;
        round.took = edit.noticed.elapsed();
        self.remember(now);
        Ok(round)
    }

    /// Of nodes without a catalog the last answer with one is remembered.
    fn remember(&mut self, now: Vec<Arc<Answer>>) {
        let last = std::mem::replace(&mut self.last, now);
        let failing = self.last.iter().filter(|answer| answer.result.is_err());
        let failing: FxHashSet<&str> = failing.map(|answer| answer.node.as_str()).collect();
        self.good.retain(|node, _| failing.contains(node.as_str()));
        let good = last.into_iter().filter(|answer| answer.result.is_ok() && failing.contains(answer.node.as_str()));
        self.good.extend(good.map(|answer| (answer.node.clone(), answer)));
        let there: FxHashSet<&Str> = self.last.iter().map(|answer| &answer.node).collect();
        self.pending.retain(|node, _| there.contains(node));
        self.forget_start();
    }
}

/// Returns true if the edit of a file that is another one now is over, as far as events tell. A file that was emptied
/// is about to be written.
fn is_over(touched: &Touched, path: &Path, disk: &dyn Disk) -> bool {
    touched.names(path) || touched.concerns(path) && !Touched::from_paths([path.to_owned()]).has_empty_file(disk)
}

/// How edits concern pending nodes.
#[derive(Default)]
struct StalePending {
    /// Their stored answers no longer hold.
    nodes: Vec<Str>,
    /// Lines have moved for others.
    has_moved: bool,
    /// What was edited, for the ones and for the others.
    paths: Vec<Arc<Path>>,
}

/// Returns the last answers of some nodes, each with the new one.
fn last_with_new(last: &mut [Arc<Answer>], new: Vec<Arc<Answer>>) -> Vec<(&mut Arc<Answer>, Arc<Answer>)> {
    let mut new: FxHashMap<Str, Arc<Answer>> = new.into_iter().map(|new| (new.node.clone(), new)).collect();
    last.iter_mut().filter_map(|last| new.remove(&last.node).map(|new| (last, new))).collect()
}

/// Returns true if nothing that a round shows tells the two answers apart.
fn is_same(stored: &Answer, compiled: &Answer) -> bool {
    let is_same_result = match (&stored.result, &compiled.result) {
        (Ok(stored), Ok(compiled)) => stored.is_unchanged_in(compiled),
        (Err(stored), Err(compiled)) => stored.text() == compiled.text(),
        _ => false,
    };
    let is_same_result = is_same_result && stored.environment == compiled.environment;
    is_same_result && stored.log == compiled.log && stored.remarks == compiled.remarks
}

/// What was edited.
#[derive(Debug)]
pub struct Edit {
    paths: Vec<Arc<Path>>,
    /// What files of bindings bind otherwise.
    bindings: Vec<String>,
    moves_lines_alone: bool,
    noticed: Stopwatch,
}
