//! A host around a host that records what a body asks and does.

use std::sync::Arc;

use pantin_base::{budget, limits};
use pantin_values::{Fault, Value};

use super::dump::{effect_text, question_text, step_text};
use super::known_answers::KnownAnswers;
use super::secret_text;
use super::step::{StepReply, StepReplyRef};
use super::{
    Answer, Effect, End, Failure, Host, Outcome, Purpose, Question, RecordedStep, Secrets, Shape, Step, Trace,
};

/// Stands between one run of a body and the world.
///
/// A run may begin with steps that a walk has taken already: they are told again what the walk was told, the
/// world is not asked and nothing is done twice.
pub struct Recorder<'h> {
    host: &'h mut dyn Host,
    secrets: &'h Secrets,
    body: &'h str,
    known: KnownAnswers,
    taken: std::vec::IntoIter<(Arc<Step>, StepReply)>,
    /// So many of these stand in the tree, with what was told after them.
    known_steps: usize,
    /// How many steps there were, kept or not.
    count: usize,
    steps: Vec<RecordedStep>,
    keeps: bool,
    purpose: Purpose,
    secret: bool,
    volatile: bool,
    /// Of the node's budget.
    spent_steps: u64,
    broken: Option<Failure>,
}

/// A run that is over.
#[derive(Debug)]
pub struct RecordedRun {
    pub result: Result<Value, Failure>,
    /// None of a run that is not to be repeated: it is volatile, too long, or was not to be kept.
    pub trace: Option<Trace>,
    /// Whether it asked what is never answered twice the same.
    pub volatile: bool,
    /// Whether it did not go the way it went before with the same answers. The result is then an internal error.
    pub contradicts: bool,
}

impl<'h> Recorder<'h> {
    /// `body` is its name for an internal error.
    pub fn new(host: &'h mut dyn Host, secrets: &'h Secrets, body: &'h str) -> Recorder<'h> {
        Recorder {
            host,
            secrets,
            body,
            known: KnownAnswers::default(),
            taken: Vec::new().into_iter(),
            known_steps: 0,
            count: 0,
            steps: Vec::new(),
            keeps: true,
            purpose: Purpose::Edits,
            secret: false,
            volatile: false,
            spent_steps: 0,
            broken: None,
        }
    }

    /// Begins with steps that were taken already. What the body was told after all but the last of them is known: the trace
    /// begins with that one. `is_secret`: something before it is.
    pub(super) fn resume(mut self, taken: Vec<(Arc<Step>, StepReply)>, is_secret: bool) -> Recorder<'h> {
        self.known_steps = taken.len().saturating_sub(1);
        self.taken = taken.into_iter();
        self.secret = is_secret;
        self
    }

    /// Whether it keeps a trace, else only the steps that were taken already matter; and what for.
    pub(super) fn keep(mut self, keeps: bool, purpose: Purpose) -> Recorder<'h> {
        self.keeps = keeps;
        self.purpose = purpose;
        self
    }

    pub fn finish(mut self, result: Result<Value, Failure>) -> RecordedRun {
        if self.broken.is_none()
            && let Some((step, _)) = self.taken.next()
        {
            self.breaks(&step, "its end");
        }
        if let Some(failure) = self.broken {
            return RecordedRun { result: Err(failure), trace: None, volatile: self.volatile, contradicts: true };
        }
        // What the clock has ended, it may not end the next time.
        self.volatile |= budget::is_out_of_time();
        self.keeps &= !budget::is_out_of_time();
        let trace = self.keeps.then(|| {
            let secret = self.secret || result.as_ref().is_ok_and(Value::holds_sensitive);
            let is_hidden = secret_text::result_reveals_secret(self.host, &result);
            Trace {
                steps: self.steps,
                end: Arc::new(End::new(result.clone(), secret, is_hidden).with_steps(self.spent_steps)),
            }
        });
        RecordedRun { result, trace, volatile: self.volatile, contradicts: false }
    }

    fn record(&mut self, step: impl FnOnce() -> Arc<Step>, reply: StepReplyRef<'_>) {
        self.count += 1;
        if self.count > limits::TRACE_STEPS {
            self.forget_trace();
        }
        if self.keeps && self.count > self.known_steps {
            let is_hidden = secret_text::is_in_reply(self.host, reply);
            let recorded = RecordedStep::new(step(), reply, is_hidden, self.secrets, self.purpose);
            self.secret |= recorded.is_secret;
            self.steps.push(recorded);
        }
    }

    fn forget_trace(&mut self) {
        self.keeps = false;
        self.steps = Vec::new();
    }

    /// From here on nothing the body does counts.
    fn breaks(&mut self, recorded: &Step, now: &str) -> Failure {
        let failure = contradiction(self.body, self.count + 1, &step_text(recorded), now);
        self.forget_trace();
        self.broken.insert(failure).clone()
    }
}

/// Returns the error of a body that went two ways with the same answers.
pub(super) fn contradiction(body: &str, step: usize, recorded: &str, now: &str) -> Failure {
    let message = format!(
        "internal error: {body} is not deterministic: with the same answers, its step {step} was {recorded}, and is now {now}"
    );
    Failure::new(Fault::new(message), Shape::Bare, None)
}

fn fault(failure: &Failure) -> Answer {
    Answer::Fault(Fault::new(failure.message.to_string()))
}

impl Host for Recorder<'_> {
    fn note_steps(&mut self, steps: u64) {
        self.spent_steps = steps;
        self.host.note_steps(steps);
    }

    fn ask(&mut self, question: &Question) -> Answer {
        if let Some(failure) = &self.broken {
            return fault(failure);
        }
        let volatile = question.is_volatile();
        if !volatile && let Some(answer) = self.known.find(question) {
            return answer;
        }
        match self.taken.next() {
            Some((step, reply)) => match (&*step, reply) {
                (Step::Ask(recorded), StepReply::Answer(answer)) if recorded.is_same(question) => {
                    self.known.learn(question, &answer);
                    self.record(|| Arc::clone(&step), StepReplyRef::Answer(&answer));
                    answer
                }
                _ => fault(&self.breaks(&step, &question_text(question))),
            },
            None => {
                let answer = self.host.ask(question);
                if volatile {
                    self.volatile = true;
                    self.forget_trace();
                } else {
                    self.known.learn(question, &answer);
                    self.record(|| Arc::new(Step::Ask(question.clone())), StepReplyRef::Answer(&answer));
                }
                answer
            }
        }
    }

    fn apply(&mut self, effect: &Effect) -> Outcome {
        if let Some(failure) = &self.broken {
            return Outcome::Failed(Box::new(failure.clone()));
        }
        self.known.forget(effect);
        match self.taken.next() {
            Some((step, reply)) => match (&*step, reply) {
                (Step::Apply(recorded), StepReply::Outcome(outcome)) if recorded.effect.is_same(effect) => {
                    self.record(|| Arc::clone(&step), StepReplyRef::Outcome(&outcome));
                    outcome
                }
                _ => Outcome::Failed(Box::new(self.breaks(&step, &effect_text(effect)))),
            },
            None => {
                let outcome = self.host.apply(effect);
                let is_hidden = secret_text::effect_reveals_secret(self.host, effect);
                self.record(|| Arc::new(Step::apply(effect, is_hidden)), StepReplyRef::Outcome(&outcome));
                outcome
            }
        }
    }
}
