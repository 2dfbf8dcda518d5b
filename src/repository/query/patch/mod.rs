//! Patching: the new catalog is made from the old one, without compiling.
//!
//! An edit can be patched if it changes only bodies of classes and defined types, functions, values in data files, files of bindings, or
//! files that code reads as text. Four steps follow, each in a file of its own:
//!
//! 1. `edit` analyses the edited texts, and `affected_bodies` finds the bodies of a node that the edit affects; `rebinding` compares the
//!    injector of before with that of today.
//! 2. `body_change` computes what these bodies do differently. A body with the same inputs as one on another node does the same;
//!    any other is run on its recorded answers, without a catalog.
//! 3. `resource_rewrites` learns from a few nodes that were compiled after the edit how resources elsewhere change.
//! 4. `patched` applies that to the last catalog of every other node.
//!
//! When a node may be patched stands in one function, [`Patcher::patch`]; ARCHITECTURE.md ("Patching a catalog") quotes it and explains
//! each of its steps. Where it refuses, `refusal` has the reason, and the node is compiled.

mod affected_bodies;
mod body_change;
mod edit;
mod last_answer;
mod patched;
mod rebinding;
mod refusal;
mod resource_rewrites;

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::pool::Pool;
use super::recorded::Basis;
use affected_bodies::{AffectedBodies, AffectedBody};
use body_change::{BodyChange, BodyInputs, ReplayMemo, check_inputs};
use edit::Edit;
pub use edit::EditedLeaf;
pub(super) use last_answer::{LastAnswer, Observed};
use patched::{check_unobserved, patch_answer};
pub use refusal::PatchRefusal;
use resource_rewrites::ResourceRewrites;

/// Patches catalogs after an edit. Each node that had to be compiled teaches it what the edit does to others.
pub(super) struct Patcher {
    edit: EditState,
    memo: RwLock<EditMemo>,
}

/// What was edited since the answers that are to be patched.
enum EditState {
    None,
    /// One edit, of a kind that can be patched.
    Patchable(Box<Edit>),
    /// Several edits, or one of another kind.
    Other(PatchRefusal),
}

/// What is known of the edit so far.
#[derive(Default)]
struct EditMemo {
    changes: FxHashMap<BodyInputs, BodyChange>,
    replays: ReplayMemo,
    rewrites: ResourceRewrites,
    /// The answers, from before the edit, of the nodes that something was learnt from. The memo knows values by their address;
    /// these keep them alive.
    learnt_from: Vec<Arc<LastAnswer>>,
    /// How many compiled nodes taught nothing, and why the last of them did not.
    unhelpful_nodes: usize,
    unhelpful: Option<PatchRefusal>,
}

/// After so many nodes that taught nothing, no more are compared.
const MAX_UNHELPFUL_NODES: usize = 16;

impl Patcher {
    /// For nodes whose last answer is from before this edit.
    pub(super) fn new(edited: &[EditedLeaf]) -> Patcher {
        let edit = match edited {
            [] => EditState::None,
            edited => match Edit::new(edited) {
                Ok(edit) => EditState::Patchable(Box::new(edit)),
                Err(refusal) => EditState::Other(refusal),
            },
        };
        Patcher { edit, memo: RwLock::default() }
    }

    /// Patches no node.
    pub(super) fn refusing(refusal: PatchRefusal) -> Patcher {
        Patcher { edit: EditState::Other(refusal), memo: RwLock::default() }
    }

    /// Makes the answer of a node after the edit out of its last one; `Err`: why that is not proved to be right.
    pub(super) fn patch(&self, last: &LastAnswer, basis: &Basis, pool: &Pool) -> Result<LastAnswer, PatchRefusal> {
        let edit = self.edit.check_kind()?;
        check_inputs(last, edit, basis)?;
        check_data_files(last, edit)?;
        let affected = AffectedBodies::new(last, edit)?;
        let memo = self.memo.read().unwrap_or_else(PoisonError::into_inner);
        memo.check_learnt(edit, &affected)?;
        let patch_by = |change: &dyn Fn(&AffectedBody<'_>) -> Result<BodyChange, PatchRefusal>| {
            let changes = body_change::all(last, &affected, change)?;
            check_unobserved(last, &changes)?;
            patch_answer(last, edit, &changes, &affected, &memo.rewrites, pool)
        };
        let replayed = |body: &AffectedBody<'_>| memo.replays.get(last, edit, body);
        let known = |body: &AffectedBody<'_>| memo.known_change(last, body).map_or_else(|| replayed(body), Ok);
        match patch_by(&known) {
            // Only a run of the code says where resources stand now that no other node has.
            Err(PatchRefusal::NotShown) => patch_by(&replayed),
            patched => patched,
        }
    }

    /// Learns from a node that was compiled: its answer before the edit, and its answer now, or why that is never patched.
    pub(super) fn learn(&self, before: &Arc<LastAnswer>, now: Result<&Arc<LastAnswer>, &PatchRefusal>, pool: &Pool) {
        let Ok(edit) = self.edit.check_kind() else { return };
        let now = match now {
            Ok(now) => now,
            Err(refusal) => {
                let mut memo = self.memo.write().unwrap_or_else(PoisonError::into_inner);
                memo.unhelpful =
                    Some(if *refusal == PatchRefusal::FailedBefore { PatchRefusal::BodyFails } else { *refusal });
                return;
            }
        };
        if check_inputs(before, edit, &now.basis).is_err() || !self.is_open() {
            return;
        }
        let Ok(affected) = AffectedBodies::new(before, edit) else { return };
        let lesson = lesson(before, now, edit, &affected, pool);
        let mut memo = self.memo.write().unwrap_or_else(PoisonError::into_inner);
        match lesson {
            Lesson::None(refusal) => {
                memo.unhelpful_nodes += 1;
                memo.unhelpful = Some(refusal);
            }
            Lesson::NodeSpecific => {}
            Lesson::Learnt(changes, rewrites) => {
                memo.changes.extend(changes);
                memo.rewrites.learn(rewrites);
                memo.learnt_from.push(Arc::clone(before));
            }
        }
    }

    fn is_open(&self) -> bool {
        let memo = self.memo.read().unwrap_or_else(PoisonError::into_inner);
        !memo.learnt_from.is_empty() || memo.unhelpful_nodes < MAX_UNHELPFUL_NODES
    }
}

impl EditState {
    /// Returns the edit, if it is one edit of a kind that can be patched.
    fn check_kind(&self) -> Result<&Edit, PatchRefusal> {
        match self {
            EditState::Patchable(edit) => Ok(edit),
            EditState::Other(refusal) => Err(*refusal),
            // What changed is not in a file.
            EditState::None => Err(PatchRefusal::OtherFile),
        }
    }
}

impl EditMemo {
    /// Checks that a compiled node has shown what the edit does to catalogs, or that no body does anything else than before. `Err`:
    /// why those that were compiled have not.
    fn check_learnt(&self, edit: &Edit, affected: &AffectedBodies<'_>) -> Result<(), PatchRefusal> {
        let needs_nothing = affected.bodies.is_empty() && edit.is_of_values_alone();
        if !self.learnt_from.is_empty() || needs_nothing {
            return Ok(());
        }
        Err(self.unhelpful.unwrap_or(PatchRefusal::NothingLearnt))
    }

    /// Returns what a body does differently, if a compiled node has one with the same inputs.
    fn known_change(&self, last: &LastAnswer, body: &AffectedBody<'_>) -> Option<BodyChange> {
        self.changes.get(&BodyInputs::new(last, body)?).cloned()
    }
}

/// Checks that the node depends on no edited data file as a whole.
fn check_data_files(last: &LastAnswer, edit: &Edit) -> Result<(), PatchRefusal> {
    let depends_on_all = edit.whole_files.iter().any(|id| last.dependencies.contains(*id));
    if depends_on_all { Err(PatchRefusal::WholeDataFile) } else { Ok(()) }
}

/// What a node's own two answers say of the edit.
enum Lesson {
    Learnt(Vec<(BodyInputs, BodyChange)>, ResourceRewrites),
    /// Something outside the edited bodies observes their changes on this node: other nodes may still be patched.
    NodeSpecific,
    /// The node changed in more than body changes can express.
    None(PatchRefusal),
}

fn lesson(before: &LastAnswer, now: &LastAnswer, edit: &Edit, affected: &AffectedBodies<'_>, pool: &Pool) -> Lesson {
    let mut known = Vec::new();
    let changes = body_change::all(before, affected, |body| {
        let change = body_change::body_change(before, now, body)?;
        known.push((BodyInputs::new(before, body).ok_or(PatchRefusal::NotRecorded)?, change.clone()));
        Ok(change)
    });
    let changes = match changes {
        Ok(changes) => changes,
        Err(refusal) => return Lesson::None(refusal),
    };
    let mut added = changes
        .iter()
        .flat_map(|body_change| &body_change.change.diff.added)
        .filter_map(|added| now.resource(&added.resource));
    let is_collected = added.any(|resource| patched::is_collected_by_tag(before, resource, true));
    if is_collected || check_unobserved(before, &changes).is_err() {
        return Lesson::NodeSpecific;
    }
    let checked = ResourceRewrites::new(before, now, edit, &changes).and_then(|rewrites| {
        // The patched catalog must equal the compiled one.
        let patched = patch_answer(before, edit, &changes, affected, &rewrites, pool)?;
        if is_same(&patched, now) { Ok(rewrites) } else { Err(PatchRefusal::PatchDiffers) }
    });
    match checked {
        Ok(rewrites) => Lesson::Learnt(known, rewrites),
        Err(refusal) => Lesson::None(refusal),
    }
}

fn is_same(patched: &LastAnswer, now: &LastAnswer) -> bool {
    let (one, other) = (patched.resources(), now.resources());
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| resource_rewrites::is_same(one, other))
        && patched.catalog.edges == now.catalog.edges
        && patched.catalog.tags == now.catalog.tags
        && patched.catalog.classes == now.catalog.classes
        && patched.answer.exchange == now.answer.exchange
        && patched.answer.log == now.answer.log
        && patched.answer.remarks == now.answer.remarks
}
