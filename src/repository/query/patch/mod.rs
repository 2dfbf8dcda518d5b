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

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pantin_values::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use super::pool::Pool;
use affected_bodies::{AffectedBodies, AffectedBody};
use body_change::{BodyChange, BodyInputs, NodeBodyChange, ReplayMemo};
use edit::Edit;
pub use edit::EditedLeaf;
pub(super) use last_answer::{Basis, LastAnswer};
use resource_rewrites::ResourceRewrites;

#[derive(Default)]
pub(super) struct Patches {
    /// What the nodes were answered last, as of before the edit.
    lasts: Mutex<FxHashMap<Str, Arc<LastAnswer>>>,
    edit: RwLock<EditState>,
    learnt: RwLock<EditMemo>,
}

/// What was edited since all nodes were asked.
#[derive(Default)]
enum EditState {
    #[default]
    Nothing,
    Known(Arc<Edit>),
    /// More than can be told, or at more than one time.
    Else,
}

/// What is known of an edit.
#[derive(Default)]
struct EditMemo {
    done: FxHashMap<BodyInputs, BodyChange>,
    recalled: ReplayMemo,
    rewrites: ResourceRewrites,
    /// Nodes of which something was learnt, which keep what they were told what it is, and how many were of no use.
    from: Vec<Arc<LastAnswer>>,
    vain: usize,
}

/// So many nodes are looked at in vain, and it is given up to learn from an edit.
const VAIN: usize = 16;

impl Patches {
    /// This was edited, and nobody has been asked since.
    pub(super) fn edited(&self, edited: &[EditedLeaf]) {
        if edited.is_empty() {
            return;
        }
        let mut underway = self.edit.write().unwrap_or_else(PoisonError::into_inner);
        *underway = match (&*underway, Edit::new(edited)) {
            (EditState::Nothing, Some(edit)) => EditState::Known(Arc::new(edit)),
            _ => EditState::Else,
        };
    }

    /// All these nodes, and no others, have answers that hold.
    pub(super) fn settle(&self, nodes: &[Str]) {
        *self.edit.write().unwrap_or_else(PoisonError::into_inner) = EditState::Nothing;
        *self.learnt.write().unwrap_or_else(PoisonError::into_inner) = EditMemo::default();
        let nodes: FxHashSet<&Str> = nodes.iter().collect();
        self.lasts().retain(|node, _| nodes.contains(node));
    }

    /// What a node is answered now, if that is known without asking it.
    pub(super) fn patched(&self, node: &Str, basis: &Basis, pool: &Pool) -> Option<LastAnswer> {
        let (edit, last) = (self.edit()?, self.last(node)?);
        if !body_change::is_comparable(&last, &edit, basis) {
            return None;
        }
        let touched = AffectedBodies::new(&last, &edit)?;
        let learnt = self.learnt.read().unwrap_or_else(PoisonError::into_inner);
        // Of what nobody does otherwise nothing need be learnt.
        if learnt.from.is_empty() && !(touched.bodies.is_empty() && edit.is_of_values_alone()) {
            return None;
        }
        let by = |deeds: &[NodeBodyChange]| patched::patched(&last, &edit, deeds, &touched, &learnt.rewrites, pool);
        let recalled = |body: &AffectedBody<'_>| learnt.recalled.get(&last, &edit, body);
        let known = |body: &AffectedBody<'_>| Some(learnt.done.get(&BodyInputs::new(&last, body)?)?.clone());
        let either = |body: &AffectedBody<'_>| known(body).or_else(|| recalled(body));
        // Only running the code tells where today those resources stand that are the node's own.
        let first = body_change::all(&last, &touched, either).and_then(|deeds| by(&deeds));
        first.or_else(|| by(&body_change::all(&last, &touched, recalled)?))
    }

    /// A node was patched.
    pub(super) fn keep(&self, node: &Str, now: LastAnswer) {
        self.lasts().insert(node.clone(), Arc::new(now));
    }

    /// A node was compiled. What it has to teach is kept; `None`: nothing.
    pub(super) fn learn(&self, node: &Str, now: Option<LastAnswer>, pool: &Pool) {
        let Some(now) = now else {
            self.lasts().remove(node);
            return;
        };
        if let (Some(edit), Some(before)) = (self.edit(), self.last(node))
            && body_change::is_comparable(&before, &edit, &now.basis)
            && self.is_open()
            && let Some(touched) = AffectedBodies::new(&before, &edit)
        {
            let lesson = lesson(&before, &now, &edit, &touched, pool);
            let mut learnt = self.learnt.write().unwrap_or_else(PoisonError::into_inner);
            match lesson {
                Lesson::None => learnt.vain += 1,
                Lesson::OfItsOwn => {}
                Lesson::Of(done, became) => {
                    learnt.done.extend(done);
                    learnt.rewrites.learn(became);
                    learnt.from.push(before);
                }
            }
        }
        self.keep(node, now);
    }

    fn is_open(&self) -> bool {
        let learnt = self.learnt.read().unwrap_or_else(PoisonError::into_inner);
        !learnt.from.is_empty() || learnt.vain < VAIN
    }

    fn edit(&self) -> Option<Arc<Edit>> {
        match &*self.edit.read().unwrap_or_else(PoisonError::into_inner) {
            EditState::Known(edit) => Some(Arc::clone(edit)),
            _ => None,
        }
    }

    fn last(&self, node: &Str) -> Option<Arc<LastAnswer>> {
        self.lasts().get(node).cloned()
    }

    fn lasts(&self) -> MutexGuard<'_, FxHashMap<Str, Arc<LastAnswer>>> {
        self.lasts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a node's own two answers say of the edit.
enum Lesson {
    Of(Vec<(BodyInputs, BodyChange)>, ResourceRewrites),
    /// More than can be told of others, for on this node something else has to do with it.
    OfItsOwn,
    /// More than can be told of others.
    None,
}

fn lesson(before: &LastAnswer, now: &LastAnswer, edit: &Edit, touched: &AffectedBodies<'_>, pool: &Pool) -> Lesson {
    let mut known = Vec::new();
    let deeds = body_change::all(before, touched, |body| {
        let done = body_change::done(before, now, body)?;
        known.push((BodyInputs::new(before, body)?, done.clone()));
        Some(done)
    });
    let Some(deeds) = deeds else { return Lesson::None };
    if !patched::concerns_nobody_else(before, &deeds) {
        return Lesson::OfItsOwn;
    }
    let became = ResourceRewrites::new(before, now, edit, &deeds).filter(|became| {
        // Patched, it must come out as it was compiled.
        let patched = patched::patched(before, edit, &deeds, touched, became, pool);
        patched.is_some_and(|patched| is_same(&patched, now))
    });
    became.map_or(Lesson::None, |became| Lesson::Of(known, became))
}

fn is_same(patched: &LastAnswer, now: &LastAnswer) -> bool {
    let (one, other) = (patched.resources(), now.resources());
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| resource_rewrites::is_same(one, other))
        && patched.catalog.edges == now.catalog.edges
        && patched.catalog.tags == now.catalog.tags
        && patched.catalog.classes == now.catalog.classes
        && patched.answer.log == now.answer.log
        && patched.answer.remarks == now.answer.remarks
}
