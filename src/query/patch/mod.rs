//! Catalogs that are patched, not made again.
//!
//! When an edit changes nothing but bodies of classes and defined types, the first node that is asked again is compiled,
//! and what became of its catalog is a [`Lesson`]: which resources are otherwise now. Another node whose bodies had been
//! told the same and had done the same there is taught it. All that might make a difference between the two is looked at,
//! and where anything is in doubt the node is compiled as well.

mod edit;
mod last;
mod lesson;
mod taught;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pcore::Str;
use edit::Edit;
pub use edit::Edited;
pub(super) use last::{Basis, Last};
use lesson::{Group, Lesson};

#[derive(Default)]
pub(super) struct Patches {
    /// What the nodes were answered last, as of before the edit.
    lasts: Mutex<FxHashMap<Str, Arc<Last>>>,
    edit: RwLock<Underway>,
    lessons: Mutex<Lessons>,
}

/// What was edited since all nodes were asked.
#[derive(Default)]
enum Underway {
    #[default]
    Nothing,
    Bodies(Arc<Edit>),
    /// More than bodies, or at more than one time.
    Else,
}

#[derive(Default)]
struct Lessons {
    known: FxHashMap<Group, Option<Arc<Lesson>>>,
    learnt: usize,
}

/// So many nodes are looked at in vain, and it is given up to learn from an edit.
const VAIN: usize = 16;

impl Patches {
    /// This was edited, and nobody has been asked since.
    pub(super) fn edited(&self, edited: &[Edited]) {
        if edited.is_empty() {
            return;
        }
        let mut underway = self.edit.write().unwrap_or_else(PoisonError::into_inner);
        *underway = match (&*underway, Edit::of(edited)) {
            (Underway::Nothing, Some(edit)) => Underway::Bodies(Arc::new(edit)),
            _ => Underway::Else,
        };
    }

    /// All these nodes, and no others, have answers that hold.
    pub(super) fn settle(&self, nodes: &[Str]) {
        *self.edit.write().unwrap_or_else(PoisonError::into_inner) = Underway::Nothing;
        *self.lessons.lock().unwrap_or_else(PoisonError::into_inner) = Lessons::default();
        let nodes: FxHashSet<&Str> = nodes.iter().collect();
        self.lasts.lock().unwrap_or_else(PoisonError::into_inner).retain(|node, _| nodes.contains(node));
    }

    fn edit(&self) -> Option<Arc<Edit>> {
        match &*self.edit.read().unwrap_or_else(PoisonError::into_inner) {
            Underway::Bodies(edit) => Some(Arc::clone(edit)),
            _ => None,
        }
    }

    fn last(&self, node: &Str) -> Option<Arc<Last>> {
        self.lasts.lock().unwrap_or_else(PoisonError::into_inner).get(node).cloned()
    }

    /// What a node is answered now, if that is known without asking it.
    pub(super) fn taught(&self, node: &Str, basis: &Basis) -> Option<Last> {
        let (edit, last) = (self.edit()?, self.last(node)?);
        let group = Group::of(&last, &edit, basis)?;
        let lesson = self.lessons().known.get(&group).cloned()??;
        lesson.teach(&last, &edit)
    }

    /// A node was taught.
    pub(super) fn keep(&self, node: &Str, now: Last) {
        self.lasts.lock().unwrap_or_else(PoisonError::into_inner).insert(node.clone(), Arc::new(now));
    }

    /// A node was compiled. What it has to teach is kept; `None`: nothing.
    pub(super) fn learn(&self, node: &Str, now: Option<Last>) {
        let Some(now) = now else {
            self.lasts.lock().unwrap_or_else(PoisonError::into_inner).remove(node);
            return;
        };
        if let Some(edit) = self.edit()
            && let Some(before) = self.last(node)
            && let Some(group) = Group::of(&before, &edit, &now.basis)
        {
            let is_wanted = {
                let lessons = self.lessons();
                !lessons.known.contains_key(&group) && (lessons.learnt > 0 || lessons.known.len() < VAIN)
            };
            if is_wanted {
                let lesson = Lesson::of(&before, &now, &edit).map(Arc::new);
                let mut lessons = self.lessons();
                lessons.learnt += usize::from(lesson.is_some());
                lessons.known.insert(group, lesson);
            }
        }
        self.keep(node, now);
    }

    fn lessons(&self) -> std::sync::MutexGuard<'_, Lessons> {
        self.lessons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
