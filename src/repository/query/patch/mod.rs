//! Patching: the new catalog is made from the old one, without compiling.
//!
//! An edit can be patched if it changes only bodies of classes and defined types, functions, values in data files, or files that
//! code reads as text. Four steps follow, each in a file of its own:
//!
//! 1. `edit` analyses the edited texts, and `affected_bodies` finds the bodies of a node that the edit affects.
//! 2. `body_change` computes what these bodies do differently. A body with the same inputs as one on another node does the same;
//!    any other is run on its recorded answers, without a catalog.
//! 3. `resource_rewrites` learns from a few nodes that were compiled after the edit how resources elsewhere change.
//! 4. `patched` applies that to the last catalog of every other node.
//!
//! Whatever code observed while the last catalog was compiled is in its observation log. If a change meets an observation, or if
//! anything else is in doubt, the node is compiled.

mod affected_bodies;
mod body_change;
mod edit;
mod last_answer;
mod patched;
mod resource_rewrites;

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::pool::Pool;
use super::recorded::Basis;
use affected_bodies::{AffectedBodies, AffectedBody};
use body_change::{BodyChange, BodyInputs, NodeBodyChange, ReplayMemo};
use edit::Edit;
pub use edit::EditedLeaf;
pub(super) use last_answer::LastAnswer;
use resource_rewrites::ResourceRewrites;

/// Patches catalogs after an edit. Each node that had to be compiled teaches it what the edit does to others.
#[derive(Default)]
pub(super) struct Patcher {
    edit: EditState,
    memo: RwLock<EditMemo>,
}

/// What was edited since all nodes were brought up to date.
#[derive(Default)]
enum EditState {
    #[default]
    None,
    /// One edit, of a kind that can be patched.
    Patchable(Box<Edit>),
    /// Several edits, or one of another kind.
    Other,
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
    /// How many compiled nodes taught nothing.
    unhelpful_nodes: usize,
}

/// After so many nodes that taught nothing, no more are compared.
const MAX_UNHELPFUL_NODES: usize = 16;

impl Patcher {
    /// Takes in an edit, before any node is brought up to date.
    pub(super) fn add_edit(&mut self, edited: &[EditedLeaf]) {
        if edited.is_empty() {
            return;
        }
        self.edit = match (&self.edit, Edit::new(edited)) {
            (EditState::None, Some(edit)) => EditState::Patchable(Box::new(edit)),
            _ => EditState::Other,
        };
    }

    /// Forgets the edit: all nodes are up to date.
    pub(super) fn end_edit(&mut self) {
        self.edit = EditState::None;
        self.memo = RwLock::default();
    }

    /// The answer of a node after the edit, made out of its last one; `None` if that cannot be proved to be right.
    pub(super) fn patch(&self, last: &LastAnswer, basis: &Basis, pool: &Pool) -> Option<LastAnswer> {
        let EditState::Patchable(edit) = &self.edit else { return None };
        if !body_change::is_comparable(last, edit, basis)
            || edit.whole_files.iter().any(|id| last.dependencies.contains(*id))
        {
            return None;
        }
        let affected = AffectedBodies::new(last, edit)?;
        let memo = self.memo.read().unwrap_or_else(PoisonError::into_inner);
        // If no body does anything else, nothing need be learnt.
        if memo.learnt_from.is_empty() && !(affected.bodies.is_empty() && edit.is_of_values_alone()) {
            return None;
        }
        let apply =
            |changes: &[NodeBodyChange]| patched::patch_answer(last, edit, changes, &affected, &memo.rewrites, pool);
        let replayed = |body: &AffectedBody<'_>| memo.replays.get(last, edit, body);
        let known = |body: &AffectedBody<'_>| Some(memo.changes.get(&BodyInputs::new(last, body)?)?.clone());
        let either = |body: &AffectedBody<'_>| known(body).or_else(|| replayed(body));
        // Only a run of the code says where resources stand now that no other node has.
        let first = body_change::all(last, &affected, either).and_then(|changes| apply(&changes));
        first.or_else(|| apply(&body_change::all(last, &affected, replayed)?))
    }

    /// Learns from a node that was compiled: its answer before the edit, and its answer now.
    pub(super) fn learn(&self, before: &Arc<LastAnswer>, now: &LastAnswer, pool: &Pool) {
        let EditState::Patchable(edit) = &self.edit else { return };
        if !body_change::is_comparable(before, edit, &now.basis) || !self.is_open() {
            return;
        }
        let Some(affected) = AffectedBodies::new(before, edit) else { return };
        let lesson = lesson(before, now, edit, &affected, pool);
        let mut memo = self.memo.write().unwrap_or_else(PoisonError::into_inner);
        match lesson {
            Lesson::None => memo.unhelpful_nodes += 1,
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

/// What a node's own two answers say of the edit.
enum Lesson {
    Learnt(Vec<(BodyInputs, BodyChange)>, ResourceRewrites),
    /// Something outside the edited bodies observes their changes on this node: other nodes may still be patched.
    NodeSpecific,
    /// The node changed in more than body changes can express.
    None,
}

fn lesson(before: &LastAnswer, now: &LastAnswer, edit: &Edit, affected: &AffectedBodies<'_>, pool: &Pool) -> Lesson {
    let mut known = Vec::new();
    let changes = body_change::all(before, affected, |body| {
        let change = body_change::body_change(before, now, body)?;
        known.push((BodyInputs::new(before, body)?, change.clone()));
        Some(change)
    });
    let Some(changes) = changes else { return Lesson::None };
    let mut added = changes
        .iter()
        .flat_map(|body_change| &body_change.change.diff.added)
        .filter_map(|added| now.resource(&added.resource));
    let is_collected = added.any(|resource| patched::is_collected_by_tag(before, resource, true));
    if is_collected || !patched::is_unobserved(before, &changes) {
        return Lesson::NodeSpecific;
    }
    let rewrites = ResourceRewrites::new(before, now, edit, &changes).filter(|rewrites| {
        // The patched catalog must equal the compiled one.
        let patched = patched::patch_answer(before, edit, &changes, affected, rewrites, pool);
        patched.is_some_and(|patched| is_same(&patched, now))
    });
    rewrites.map_or(Lesson::None, |rewrites| Lesson::Learnt(known, rewrites))
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
