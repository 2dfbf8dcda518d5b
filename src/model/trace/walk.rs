//! The replay of a trace tree: each question is asked again, and code runs only from the first new reply.

use std::sync::Arc;

use pantin_values::Value;

use super::dump::step_text;
use super::nodes::Index;
use super::recorder::contradiction;
use super::secret_text;
use super::step::StepReply;
use super::tree::{At, Contradiction, Departure};
use super::units::Units;
use super::{End, Failure, Host, NewReply, Purpose, Recorder, Secrets, Step, Trace, Tree, Unit};

/// Whose tree is walked.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// For an internal error: `class apache`.
    pub name: &'a str,
    /// Where its code stands today; the units of the functions and templates it uses come with their definitions.
    pub unit: Option<&'a Arc<Unit>>,
}

/// How a body came to its result, and what that was.
#[derive(Debug)]
pub struct WalkResult {
    pub result: Result<Value, Failure>,
    pub how: WalkKind,
    /// Whether it asked what is never answered twice the same: then nothing above it may be used again either.
    pub volatile: bool,
    /// What it was told that was new, where something was known of it and it was run all the same.
    pub news: Option<Box<NewReply>>,
    /// Which of the body's traces this was: where it ends in the tree. Nothing of one that is not kept.
    pub end: Option<Arc<End>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkKind {
    /// All was answered as before; no code was run.
    Replayed,
    /// What the body was told after this many known steps was new.
    Resumed { at: usize },
    /// Nothing was known of it.
    Fresh,
}

/// What a walk leaves to be done to the tree.
pub(super) enum Growth {
    Nothing,
    /// A trace from where the walk left the tree; from its beginning, where it did not come in.
    Add(Option<Departure>, Trace),
    /// The body contradicted its traces: none can be trusted.
    Distrust,
}

/// Asks what the body asked before and does what it did, as long as all comes out as recorded; from there on, runs it.
pub fn run_or_replay(
    tree: &mut Tree,
    secrets: &Secrets,
    body: Body<'_>,
    host: &mut dyn Host,
    run: impl FnOnce(&mut dyn Host) -> Result<Value, Failure>,
) -> WalkResult {
    let (mut walked, growth) = walk(tree, secrets, Purpose::Edits, body, host, run);
    // Nobody is held to its ends.
    tree.take(growth, body.name, &mut walked, Purpose::Nodes);
    walked
}

impl Tree {
    /// Does what a walk left to be done; an older snapshot than this tree may have been walked.
    pub(super) fn take(&mut self, growth: Growth, body: &str, walked: &mut WalkResult, purpose: Purpose) {
        match growth {
            Growth::Nothing => {}
            Growth::Distrust => self.clear(),
            Growth::Add(from, trace) => match self.grow(from.as_ref(), &trace, purpose) {
                Ok(end) => walked.end = end,
                Err(Contradiction { step, recorded, now }) => {
                    let text = |step: &Option<Arc<Step>>| step.as_ref().map(|step| step_text(step));
                    let before = text(&recorded).unwrap_or("its end".to_owned());
                    let end = if recorded.is_some() { "its end" } else { "another end" };
                    let now = text(&now).unwrap_or(end.to_owned());
                    walked.result = Err(contradiction(body, step, &before, &now));
                    self.clear();
                }
            },
        }
    }
}

/// Changes nothing of the tree: while the host applies an effect, another walk may go through the same one.
pub(super) fn walk(
    tree: &Tree,
    secrets: &Secrets,
    purpose: Purpose,
    body: Body<'_>,
    host: &mut dyn Host,
    run: impl FnOnce(&mut dyn Host) -> Result<Value, Failure>,
) -> (WalkResult, Growth) {
    let (taken, from, news) = match replay(tree, secrets, body, host) {
        Replay::Ended(walked) => return (walked, Growth::Nothing),
        Replay::Stopped { taken, from, news } => (taken, from, news),
    };
    let how = taken.len().checked_sub(1).map_or(WalkKind::Fresh, |at| WalkKind::Resumed { at });
    let is_secret = from.as_ref().is_some_and(|from| from.is_secret);
    let mut recorder =
        Recorder::new(host, secrets, body.name).resume(taken, is_secret).keep(tree.has_room(purpose), purpose);
    let result = run(&mut recorder);
    let finished = recorder.finish(result);
    let growth = match finished.trace {
        _ if finished.contradicts => Growth::Distrust,
        None => Growth::Nothing,
        Some(trace) => Growth::Add(from, trace),
    };
    (WalkResult { result: finished.result, how, volatile: finished.volatile, news, end: None }, growth)
}

/// Room for as many is made before a walk.
const USUAL_STEPS: usize = 64;

enum Replay {
    Ended(WalkResult),
    /// With the steps taken and what was told; only the last of it is new.
    Stopped {
        taken: Vec<(Arc<Step>, StepReply)>,
        from: Option<Departure>,
        news: Option<Box<NewReply>>,
    },
}

fn replay(tree: &Tree, secrets: &Secrets, body: Body<'_>, host: &mut dyn Host) -> Replay {
    let mut path: Vec<(Index, StepReply)> = Vec::with_capacity(tree.depth().min(USUAL_STEPS));
    let mut units = Units::from_body(body.unit);
    let mut next = tree.begin();
    let (mut from, mut news) = (None, None);
    while let Some(index) = next {
        let reply = match tree.node_at(index) {
            None => break,
            Some(At::End(end)) => {
                tree.touch(index);
                let result = end_result(end, &units);
                let end = Some(Arc::clone(end));
                return Replay::Ended(WalkResult { result, how: WalkKind::Replayed, volatile: false, news: None, end });
            }
            Some(At::Step(step)) => take_step(step, &mut units, host),
        };
        let is_hidden = secret_text::is_in_reply(host, reply.as_reply());
        next = tree.follow(index, reply.as_reply(), is_hidden, secrets);
        if next.is_none()
            && let Some(At::Step(step)) = tree.node_at(index)
        {
            from = tree.departure(index, path.len());
            news = Some(Box::new(NewReply::new(tree, index, step, &reply, is_hidden)));
        }
        path.push((index, reply));
    }
    let step = |index| match tree.node_at(index) {
        Some(At::Step(step)) => Some(Arc::clone(step)),
        _ => None,
    };
    let taken = path.into_iter().filter_map(|(index, reply)| Some((step(index)?, reply))).collect();
    Replay::Stopped { taken, from, news }
}

fn take_step(step: &Step, units: &mut Units, host: &mut dyn Host) -> StepReply {
    match step {
        Step::Ask(question) => {
            let answer = host.ask(question);
            units.meet_answer(&answer);
            StepReply::Answer(answer)
        }
        Step::Apply(applied) => {
            let outcome = match units.are_current(&applied.units) {
                true => host.apply(&applied.effect),
                false => host.apply(&units.move_effect(&applied.effect)),
            };
            units.meet_outcome(&outcome);
            StepReply::Outcome(outcome)
        }
    }
}

fn end_result(end: &End, units: &Units) -> Result<Value, Failure> {
    match &end.result {
        Ok(value) => Ok(value.clone()),
        Err(failed) if units.are_current(&failed.units) => Err(failed.failure.clone()),
        Err(failed) => Err(units.move_failure(&failed.failure)),
    }
}
