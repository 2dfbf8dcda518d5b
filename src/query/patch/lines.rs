//! A manifest that means what it meant, at other lines: where each of its lines is now.

use rustc_hash::FxHashMap;

use crate::syntax::ast::Ast;
use crate::syntax::definition_hash;

pub(super) struct Lines(FxHashMap<u32, u32>);

impl Lines {
    /// `None`: the manifest means something else, or what stood on one line stands on several now.
    pub(super) fn of(before: &Ast, now: &Ast) -> Option<Lines> {
        if before.len() != now.len() || !is_same(before, now) {
            return None;
        }
        let mut lines = FxHashMap::default();
        for id in before.ids() {
            let (old, new) = (before.place(id).line()?, now.place(id).line()?);
            if *lines.entry(old).or_insert(new) != new {
                return None;
            }
        }
        Some(Lines(lines))
    }

    pub(super) fn now(&self, line: u32) -> Option<u32> {
        self.0.get(&line).copied()
    }
}

pub(super) fn is_same(before: &Ast, now: &Ast) -> bool {
    definition_hash(before, before.root()) == definition_hash(now, now.root())
}
