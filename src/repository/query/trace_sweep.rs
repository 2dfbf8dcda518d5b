//! Drops traces of code that is gone: each edit leaves the traces of the text before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use pantin_model::trace::{Key, Traces};
use rustc_hash::FxHashSet;

use super::recorded::RecordedAnswer;

/// Traces have grown by so many steps at least before it is worth to look for those that nobody needs.
const MIN_GROWTH: usize = 20_000;

pub(super) struct TraceSweep {
    /// The traces of each environment, by their addresses.
    swept: BTreeMap<usize, SweptTraces>,
    min_growth: usize,
}

impl Default for TraceSweep {
    fn default() -> TraceSweep {
        TraceSweep { swept: BTreeMap::new(), min_growth: MIN_GROWTH }
    }
}

struct SweptTraces {
    traces: Arc<Traces>,
    /// How large they were when they were swept last.
    steps: usize,
}

impl TraceSweep {
    /// Sweeps each time.
    pub(super) fn eager() -> TraceSweep {
        TraceSweep { min_growth: 0, ..TraceSweep::default() }
    }

    /// Drops the traces that none of these answers, nor the last good ones of nodes that fail, were made from, if traces have grown
    /// much. Those that were walked since the last time stay once more.
    pub(super) fn drop_unused<'r>(&mut self, answers: impl Iterator<Item = &'r Arc<RecordedAnswer>> + Clone) {
        for answer in answers.clone() {
            let Ok(basis) = &answer.basis else { continue };
            let traces = &basis.ready.traces;
            let new = || SweptTraces { traces: Arc::clone(traces), steps: 0 };
            self.swept.entry(Arc::as_ptr(traces) as usize).or_insert_with(new);
        }
        if !self.swept.values().any(|swept| swept.has_grown(self.min_growth)) {
            return;
        }
        let good = answers.clone().filter_map(|answer| answer.good.as_ref()).map(|good| &good.recorded);
        let last = answers.chain(good).filter_map(|answer| answer.patchable.as_ref().ok());
        let in_use: FxHashSet<&Key> = last.flat_map(|last| last.trace_keys()).collect();
        self.swept.retain(|_, swept| Arc::strong_count(&swept.traces) > 1);
        for swept in self.swept.values_mut() {
            swept.traces.drop_unused(|key| in_use.contains(key));
            swept.steps = swept.traces.step_count();
        }
    }
}

impl SweptTraces {
    fn has_grown(&self, min_growth: usize) -> bool {
        min_growth == 0 || self.traces.step_count() > self.steps + min_growth.max(self.steps / 8)
    }
}
