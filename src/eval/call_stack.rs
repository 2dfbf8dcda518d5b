//! The calls in progress, and where each stands. They are stored as numbers; a place is computed on demand.

use std::sync::Arc;

use pantin_model::trace::{At, Unit};

/// A unit whose code was left for that of a function or a template.
#[derive(Debug)]
struct LeftUnit {
    unit: Arc<Unit>,
    /// So many calls were under way by then,
    calls: usize,
    /// and so many frames there were.
    frames: usize,
}

#[derive(Debug, Default)]
pub(super) struct CallStack {
    calls: Vec<u32>,
    left: Vec<LeftUnit>,
}

impl CallStack {
    #[inline]
    pub(super) fn begin(&mut self, at: u32) {
        self.calls.push(at);
    }

    #[inline]
    pub(super) fn end(&mut self) {
        self.calls.pop();
    }

    pub(super) fn leave_unit(&mut self, unit: Arc<Unit>, frames: usize) {
        self.left.push(LeftUnit { unit, calls: self.calls.len(), frames });
    }

    pub(super) fn back_to_unit(&mut self) -> Option<Arc<Unit>> {
        self.left.pop().map(|left| left.unit)
    }

    /// That of the code of a frame; `unit` is the one whose code runs now.
    pub(super) fn unit_of_frame<'u>(&'u self, frame: usize, unit: &'u Arc<Unit>) -> &'u Arc<Unit> {
        let left = self.left.iter().find(|left| frame < left.frames);
        left.map_or(unit, |left| &left.unit)
    }

    /// Returns the innermost ones, innermost first; `unit` is the one whose code runs now.
    pub(super) fn innermost(&self, count: usize, unit: &Arc<Unit>) -> Vec<At> {
        let unit_of = |index: usize| {
            let left = self.left.iter().find(|left| index < left.calls);
            left.map_or(unit, |left| &left.unit).clone()
        };
        let calls = self.calls.iter().enumerate().rev().take(count);
        calls.map(|(index, &node)| At { unit: unit_of(index), node }).collect()
    }
}
