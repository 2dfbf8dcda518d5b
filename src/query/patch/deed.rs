//! What the bodies of a node that an edit has to do with do otherwise than before it.

use std::sync::Arc;

use super::edit::Edit;
use super::last::{Basis, Last};
use super::touched::{AllTouched, Touched, trace};
use crate::pcore::Digest;
use crate::query::blocks::Leaning;
use crate::trace::{End, Key, Otherwise};

/// What one of them does otherwise, and by what its trace is found now.
#[derive(Clone)]
pub(super) struct Deed {
    pub(super) key: Key,
    pub(super) end: Arc<End>,
    pub(super) otherwise: Arc<Otherwise>,
    /// What the node's answer rests on beside what it rested on before.
    pub(super) leaning: Leaning,
}

/// Nodes whose touched bodies were told the same, and are told the same now: these do the same now.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Group {
    /// By identity: of the environment, and of the ends of the traces, which are kept as long as what is known of the edit.
    parts: Vec<usize>,
    /// What they are told otherwise: by which body, where, and what.
    news: Vec<(usize, usize, Digest)>,
}

impl Group {
    /// `None`: nothing can be said of the node without asking it.
    pub(super) fn of(last: &Last, touched: &AllTouched<'_>) -> Option<Group> {
        let end = |touched: &Touched<'_>| Some(Arc::as_ptr(touched.walk.end.as_ref()?) as usize);
        let ends = touched.bodies.iter().map(end);
        let parts = std::iter::once(Some(Arc::as_ptr(&last.basis.ready) as usize)).chain(ends);
        let news = |(number, touched): (usize, &Touched<'_>)| {
            touched.news().map(|(place, digest)| (number, place, digest)).collect::<Vec<_>>()
        };
        let news = touched.bodies.iter().enumerate().flat_map(news).collect();
        Some(Group { parts: parts.collect::<Option<_>>()?, news })
    }
}

/// Whether what is known of a node beside the files is as it was, and nothing that it was told names what was edited.
pub(super) fn is_comparable(last: &Last, edit: &Edit, basis: &Basis) -> bool {
    last.basis.is_same(basis) && !last.answer.log.iter().any(|line| edit.is_named_in(&line.text))
}

/// As the node's own two walks say; `None` if they say more than can be told like that.
pub(super) fn done(before: &Last, now: &Last, touched: &AllTouched<'_>) -> Option<Vec<Deed>> {
    if before.walks.len() != now.walks.len() {
        return None;
    }
    let leaning = now.leaning.without(&before.leaning);
    let deed = |touched: &Touched<'_>| {
        let (was, is) = (touched.walk, &now.walks[touched.at]);
        let (old, new) = (was.end.as_ref()?, is.end.as_ref()?);
        if was.name != is.name {
            return None;
        }
        let otherwise = match Arc::ptr_eq(old, new) {
            true => Otherwise::default(),
            // Where a trace that was kept says its resources stand may be where they stood when it was recorded.
            false => Otherwise { places: Default::default(), ..touched.told(before)?.otherwise(&trace(is, now)?)? },
        };
        Some(Deed { key: is.key, end: Arc::clone(new), otherwise: Arc::new(otherwise), leaning: leaning.clone() })
    };
    touched.bodies.iter().map(deed).collect()
}

/// As the code of today says, told what the bodies were told before, but for what they are told otherwise; `None` if it would
/// have to be told more.
pub(super) fn recalled(last: &Last, edit: &Edit, touched: &AllTouched<'_>) -> Option<Vec<Deed>> {
    let ready = &last.basis.ready;
    let deed = |touched: &Touched<'_>| {
        let walk = touched.walk;
        let recaller = edit.recaller(ready, &walk.name)?;
        if edit.names.contains(&walk.name) && !recaller.file().is_some_and(|file| edit.is_in(file)) {
            return None;
        }
        let told = touched.told(last)?;
        let (key, now) = recaller.recalled(walk, &told, &ready.traces)?;
        let otherwise = Arc::new(told.otherwise(&now)?);
        Some(Deed { key, end: ready.traces.add(&key, &now)?, otherwise, leaning: Leaning::default() })
    };
    touched.bodies.iter().map(deed).collect()
}
