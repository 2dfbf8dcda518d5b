//! The current units of code: recorded places are shown as places of today's source.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Answer, At, Effect, Failure, Outcome, Unit};

/// The units that this walk has met: the body's own, and those of the code it was answered with.
#[derive(Default)]
pub(super) struct Units(SmallVec<[Arc<Unit>; 1]>);

impl Units {
    pub(super) fn from_body(body: Option<&Arc<Unit>>) -> Units {
        Units(body.cloned().into_iter().collect())
    }

    pub(super) fn meet_answer(&mut self, answer: &Answer) {
        if let Answer::Definition(definition) = answer
            && let Some(unit) = definition.code.unit()
        {
            self.meet(unit);
        }
    }

    pub(super) fn meet_outcome(&mut self, outcome: &Outcome) {
        if let Outcome::Failed(failure) = outcome {
            each_at_of_failure(failure, &mut |at| self.meet(&at.unit));
        }
    }

    fn meet(&mut self, unit: &Arc<Unit>) {
        if !self.0.iter().any(|met| Arc::ptr_eq(met, unit)) {
            self.0.push(Arc::clone(unit));
        }
    }

    /// Today's unit, where it is another than the recorded one.
    fn today(&self, recorded: &Arc<Unit>) -> Option<&Arc<Unit>> {
        if self.0.iter().any(|unit| Arc::ptr_eq(unit, recorded)) {
            return None;
        }
        self.0.iter().find(|unit| unit.key == recorded.key)
    }

    pub(super) fn are_current(&self, recorded: &[Arc<Unit>]) -> bool {
        match (recorded, self.0.as_slice()) {
            ([], _) => true,
            ([one], [own]) if Arc::ptr_eq(one, own) => true,
            _ => recorded.iter().all(|unit| self.today(unit).is_none()),
        }
    }

    fn move_place(&self, at: &mut At) {
        if let Some(unit) = self.today(&at.unit) {
            at.unit = Arc::clone(unit);
        }
    }

    pub(super) fn move_effect(&self, effect: &Effect) -> Effect {
        let mut effect = effect.clone();
        each_at_mut(&mut effect, &mut |at| self.move_place(at));
        effect
    }

    pub(super) fn move_failure(&self, failure: &Failure) -> Failure {
        let mut failure = failure.clone();
        failure.at.iter_mut().chain(&mut failure.calls).for_each(|at| self.move_place(at));
        failure
    }
}

/// Returns the units that an effect names, each once.
pub(super) fn units_of_effect(effect: &Effect) -> SmallVec<[Arc<Unit>; 1]> {
    let mut units = Units::default();
    each_at(effect, &mut |at| units.meet(&at.unit));
    units.0
}

pub(super) fn units_of_failure(failure: &Failure) -> SmallVec<[Arc<Unit>; 1]> {
    let mut units = Units::default();
    each_at_of_failure(failure, &mut |at| units.meet(&at.unit));
    units.0
}

fn each_at_of_failure(failure: &Failure, see: &mut dyn FnMut(&At)) {
    failure.at.iter().chain(&failure.calls).for_each(see);
}

fn each_at(effect: &Effect, see: &mut dyn FnMut(&At)) {
    match effect {
        Effect::Log(log) => log.at.iter().for_each(see),
        Effect::Deprecate(deprecation) => deprecation.calls.iter().for_each(see),
        Effect::Export { .. } | Effect::ExportPart { .. } | Effect::Tag(_) => {}
        Effect::Change { .. } | Effect::SetAtTop { .. } | Effect::Stand(_) | Effect::ShareLocals(_) => {}
        Effect::Showing { .. } | Effect::Parameters(_) => {}
        Effect::Declare(declaration) => {
            see(&declaration.at);
            for body in &declaration.bodies {
                body.parameters.each_at(see);
            }
        }
        Effect::Defaults { parameters, at, .. }
        | Effect::Override { parameters, at, .. }
        | Effect::Collect { parameters, at, .. } => {
            see(at);
            parameters.each_at(see);
        }
        Effect::Relate { at, .. } | Effect::Include { at, .. } | Effect::Realize { at, .. } => see(at),
    }
}

fn each_at_mut(effect: &mut Effect, change: &mut dyn FnMut(&mut At)) {
    match effect {
        Effect::Log(log) => log.at.iter_mut().for_each(change),
        Effect::Deprecate(deprecation) => deprecation.calls.iter_mut().for_each(change),
        Effect::Export { .. } | Effect::ExportPart { .. } | Effect::Tag(_) => {}
        Effect::Change { .. } | Effect::SetAtTop { .. } | Effect::Stand(_) | Effect::ShareLocals(_) => {}
        Effect::Showing { .. } | Effect::Parameters(_) => {}
        Effect::Declare(declaration) => {
            let declaration = Arc::make_mut(declaration);
            change(&mut declaration.at);
            for body in &mut declaration.bodies {
                body.parameters.each_at_mut(change);
            }
        }
        Effect::Defaults { parameters, at, .. }
        | Effect::Override { parameters, at, .. }
        | Effect::Collect { parameters, at, .. } => {
            change(at);
            parameters.each_at_mut(change);
        }
        Effect::Relate { at, .. } | Effect::Include { at, .. } | Effect::Realize { at, .. } => change(at),
    }
}
