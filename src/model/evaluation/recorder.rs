//! Records evaluations while they happen. It must not know what is made of them.

use std::sync::Arc;

use pantin_values::{Str, Value};

use super::{
    Evaluation, EvaluationId, EvaluationKind, EvaluationRecord, ExpressionKind, RecordedResource, RunParameter,
};
use crate::trace::{At, Unit};

/// A record that grows. What is begun is ended in the reverse order, whatever fails.
#[derive(Debug, Default)]
pub struct EvaluationRecorder {
    evaluations: Vec<Evaluation>,
    /// Those that are under way, outermost first.
    open: Vec<EvaluationId>,
    /// The runs of each evaluator that is under way, by the depth of their frames there.
    runs: Vec<Vec<EvaluationId>>,
    bindings: Vec<((EvaluationId, Str), EvaluationId)>,
}

impl EvaluationRecorder {
    pub fn begin(&mut self, kind: EvaluationKind) -> EvaluationId {
        let id = EvaluationId(self.evaluations.len() as u32);
        self.evaluations.push(Evaluation { parent: self.open.last().copied(), kind, value: None });
        self.open.push(id);
        id
    }

    /// Ends the innermost evaluation that is under way.
    pub fn end(&mut self, value: Option<Value>) {
        if let Some(id) = self.open.pop() {
            self.evaluations[id.0 as usize].value = value;
        }
    }

    /// Changes what was said of the innermost evaluation that is under way when it began.
    pub fn amend(&mut self, change: impl FnOnce(&mut EvaluationKind)) {
        if let Some(id) = self.open.last() {
            change(&mut self.evaluations[id.0 as usize].kind);
        }
    }

    /// Begins an expression; false where it is under way: an expression that leads to its value in two steps is one.
    pub fn begin_expression(&mut self, at: At, kind: impl FnOnce(&Self) -> ExpressionKind) -> bool {
        let is_under_way = self.open.last().is_some_and(|id| {
            let known = self.evaluations[id.0 as usize].at();
            known.is_some_and(|known| known.node == at.node && Arc::ptr_eq(&known.unit, &at.unit))
        });
        if !is_under_way {
            let kind = kind(self);
            self.begin(EvaluationKind::Expression { at, kind });
        }
        !is_under_way
    }

    /// A frame of an evaluator begins; the one at depth 0 is the first of its evaluator.
    pub fn begin_run(&mut self, unit: Arc<Unit>, parameters: Box<[RunParameter]>, depth: usize, is_lambda: bool) {
        let id = self.begin(EvaluationKind::Run { unit, parameters, is_lambda });
        if depth == 0 {
            self.runs.push(Vec::new());
        }
        if let Some(runs) = self.runs.last_mut() {
            runs.truncate(depth);
            runs.push(id);
        }
    }

    pub fn end_run(&mut self, depth: usize) {
        if depth == 0 {
            self.runs.pop();
        } else if let Some(runs) = self.runs.last_mut() {
            runs.truncate(depth);
        }
        self.end(None);
    }

    /// Returns the run of the frame at a depth of the innermost evaluator.
    pub fn run_at(&self, depth: usize) -> Option<EvaluationId> {
        self.runs.last()?.get(depth).copied()
    }

    /// The innermost evaluation that is under way binds a variable of a run.
    pub fn bind(&mut self, depth: usize, name: &Str) {
        if let (Some(run), Some(id)) = (self.run_at(depth), self.open.last()) {
            self.bindings.push(((run, name.clone()), *id));
        }
    }

    /// A local of the frame at a depth was read by its name.
    pub fn read_local(&mut self, depth: usize, name: &str, value: Option<Value>) {
        if let Some(run) = self.run_at(depth) {
            self.begin(EvaluationKind::Local { name: name.into(), run });
            self.end(value);
        }
    }

    pub fn finish(self, resources: Vec<RecordedResource>) -> EvaluationRecord {
        let mut children = vec![Vec::new(); self.evaluations.len()];
        for (id, evaluation) in (0..).map(EvaluationId).zip(&self.evaluations) {
            if let Some(parent) = evaluation.parent {
                children[parent.0 as usize].push(id);
            }
        }
        let bindings = self.bindings.into_iter().collect();
        EvaluationRecord { evaluations: self.evaluations, children, bindings, resources }
    }
}
