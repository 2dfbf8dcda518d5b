//! Which calls are under way, and where each stands. Kept as numbers; a place is made of one when somebody asks.

use std::sync::Arc;

use crate::trace::{At, Unit};

#[derive(Debug, Default)]
pub(super) struct UnderWay {
    calls: Vec<u32>,
    /// The units that code was left for that of a function, each with how many calls were under way by then.
    left: Vec<(usize, Arc<Unit>)>,
}

impl UnderWay {
    #[inline]
    pub(super) fn begin(&mut self, at: u32) {
        self.calls.push(at);
    }

    #[inline]
    pub(super) fn end(&mut self) {
        self.calls.pop();
    }

    pub(super) fn leave_unit(&mut self, unit: Arc<Unit>) {
        self.left.push((self.calls.len(), unit));
    }

    pub(super) fn back_to_unit(&mut self) -> Option<Arc<Unit>> {
        self.left.pop().map(|(_, unit)| unit)
    }

    /// The innermost ones, innermost first; `unit` is the one whose code runs now.
    pub(super) fn innermost(&self, count: usize, unit: &Arc<Unit>) -> Vec<At> {
        let unit_of = |index: usize| {
            let left = self.left.iter().find(|(calls, _)| index < *calls);
            left.map_or(unit, |(_, unit)| unit).clone()
        };
        let calls = self.calls.iter().enumerate().rev().take(count);
        calls.map(|(index, &node)| At { unit: unit_of(index), node }).collect()
    }
}
