//! What the edited bodies of a node do otherwise than before the edit.

use std::sync::Arc;

use super::edit::Edit;
use super::last::{Basis, Last};
use crate::compile::BodyWalk;
use crate::query::blocks::Leaning;
use crate::trace::{End, Key, Otherwise, Trace};

/// What one of them does otherwise, and by what its trace is found now.
#[derive(Clone)]
pub(super) struct Deed {
    pub(super) key: Key,
    pub(super) end: Arc<End>,
    pub(super) otherwise: Arc<Otherwise>,
    /// What the node's answer rests on beside what it rested on before.
    pub(super) leaning: Leaning,
}

/// Nodes whose edited bodies were told the same: these do the same now.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Group {
    /// By identity: of the environment, and of the ends of the traces, which are kept as long as what is known of the edit.
    parts: Vec<usize>,
}

impl Group {
    /// `None`: nothing can be said of the node without asking it.
    pub(super) fn of(last: &Last, edit: &Edit, basis: &Basis) -> Option<Group> {
        if !last.basis.is_same(basis) || last.answer.log.iter().any(|line| edit.is_named_in(&line.text)) {
            return None;
        }
        let ends = edited_walks(&last.walks, edit).map(|walk| Some(Arc::as_ptr(walk.end.as_ref()?) as usize));
        let parts = std::iter::once(Some(Arc::as_ptr(&basis.ready) as usize)).chain(ends);
        Some(Group { parts: parts.collect::<Option<_>>()? })
    }
}

pub(super) fn edited_walks<'w>(walks: &'w [BodyWalk], edit: &'w Edit) -> impl Iterator<Item = &'w BodyWalk> {
    walks.iter().filter(|walk| edit.names.contains(&walk.name))
}

/// As the node's own two walks say; `None` if they say more than can be told like that.
pub(super) fn done(before: &Last, now: &Last, edit: &Edit) -> Option<Vec<Deed>> {
    let (old, new) = (edited_walks(&before.walks, edit), edited_walks(&now.walks, edit));
    let (old, new): (Vec<&BodyWalk>, Vec<&BodyWalk>) = (old.collect(), new.collect());
    let leaning = now.leaning.without(&before.leaning);
    let deed = |(was, is): (&BodyWalk, &BodyWalk)| {
        let (old, new) = (was.end.as_ref()?, is.end.as_ref()?);
        if was.name != is.name {
            return None;
        }
        let otherwise = match Arc::ptr_eq(old, new) {
            true => Otherwise::default(),
            // Where a trace that was kept says its resources stand may be where they stood when it was recorded.
            false => Otherwise { places: Default::default(), ..trace(was, before)?.otherwise(&trace(is, before)?)? },
        };
        Some(Deed { key: is.key, end: Arc::clone(new), otherwise: Arc::new(otherwise), leaning: leaning.clone() })
    };
    if old.len() != new.len() {
        return None;
    }
    old.into_iter().zip(new).map(deed).collect()
}

/// As the code of today says, told what the bodies were told before; `None` if it would have to be told more.
pub(super) fn recalled(last: &Last, edit: &Edit) -> Option<Vec<Deed>> {
    let ready = &last.basis.ready;
    let recaller = edit.recaller(ready)?;
    let deed = |walk: &BodyWalk| {
        let told = trace(walk, last)?;
        let (key, now) = recaller.recalled(walk, &told, &ready.traces)?;
        let otherwise = Arc::new(told.otherwise(&now)?);
        Some(Deed { key, end: ready.traces.add(&key, &now)?, otherwise, leaning: Leaning::default() })
    };
    edited_walks(&last.walks, edit).map(deed).collect()
}

fn trace(walk: &BodyWalk, of: &Last) -> Option<Trace> {
    of.basis.ready.traces.tree(&walk.key)?.trace_to(walk.end.as_ref()?)
}
