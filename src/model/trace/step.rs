//! The steps of one run of a body: question or effect, reply, end. Plain data.

use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, OnceLock};

use pantin_values::{Digest, Value, identical};
use smallvec::SmallVec;

use super::diff::{DeclaredResource, is_plain};
use super::dump::{end_text, step_text};
use super::units::{units_of_effect, units_of_failure};
use super::{Answer, Container, Declaration, Definition, Effect, Failure, Outcome, Purpose, Question, Secrets, Unit};

pub enum Step {
    Ask(Question),
    Apply(AppliedEffect),
}

pub struct AppliedEffect {
    pub(super) effect: Effect,
    /// True if it contains a decrypted text, which must not be shown.
    pub(super) is_hidden: bool,
    /// The units that its places are in.
    pub(super) units: SmallVec<[Arc<Unit>; 1]>,
    names: OnceLock<Box<Names>>,
}

/// Digests of an effect, computed on demand.
#[derive(Default)]
struct Names {
    meaning: OnceLock<Digest>,
    declared: OnceLock<Box<[DeclaredResource]>>,
}

const _: () =
    assert!(size_of::<Step>() <= 112, "most steps that are kept are effects, and no two of them are the same");

impl AppliedEffect {
    /// Returns true if its places are in the same units as those of the other effect.
    pub(super) fn has_current_units(&self, other: &AppliedEffect) -> bool {
        self.units.len() == other.units.len()
            && self.units.iter().zip(&other.units).all(|(one, other)| Arc::ptr_eq(one, other))
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(Box::default)
    }
}

/// In the format of the dump.
impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&step_text(self))
    }
}

impl Step {
    pub(super) fn apply(effect: &Effect, is_hidden: bool) -> Step {
        let units = units_of_effect(effect);
        Step::Apply(AppliedEffect { effect: effect.clone(), is_hidden, units, names: OnceLock::new() })
    }

    pub fn effect(&self) -> Option<&Effect> {
        match self {
            Step::Ask(_) => None,
            Step::Apply(applied) => Some(&applied.effect),
        }
    }

    /// Of what it does, wherever in the code that stands.
    pub(super) fn meaning(&self) -> Option<Digest> {
        match self {
            Step::Ask(_) => None,
            Step::Apply(applied) => Some(*applied.names().meaning.get_or_init(|| applied.effect.meaning())),
        }
    }

    /// Returns true if it does that, wherever in the code that stands.
    pub(super) fn means(&self, effect: &Effect) -> bool {
        match (self.effect(), effect) {
            (Some(Effect::Include { how, classes, .. }), Effect::Include { how: h, classes: c, .. }) => {
                how == h && classes == c
            }
            _ => self.meaning() == Some(effect.meaning()),
        }
    }

    /// Everything that it declares.
    pub(super) fn declared_resources(&self) -> &[DeclaredResource] {
        let (Step::Apply(applied), Some(declaration)) = (self, self.declaration()) else { return &[] };
        applied.names().declared.get_or_init(|| declaration.declared_resources())
    }

    pub(super) fn declaration(&self) -> Option<&Declaration> {
        match self.effect()? {
            Effect::Declare(declaration) => Some(declaration),
            _ => None,
        }
    }

    pub(super) fn holds_secret(&self) -> bool {
        match self {
            Step::Ask(Question::Lookup(question)) => question.holds_sensitive(),
            Step::Ask(Question::Injection(question)) => question.holds_sensitive(),
            Step::Ask(Question::Defined(value) | Question::DeclaredWith { parameters: value, .. }) => {
                value.holds_sensitive()
            }
            Step::Ask(Question::Recorded { arguments, .. } | Question::Method { arguments, .. }) => {
                arguments.iter().any(Value::holds_sensitive)
            }
            Step::Ask(_) => false,
            Step::Apply(applied) => applied.is_hidden || applied.effect.holds_secret(),
        }
    }

    pub(super) fn is_same(&self, other: &Step) -> bool {
        match (self, other) {
            (Step::Ask(a), Step::Ask(b)) => a.is_same(b),
            (Step::Apply(a), Step::Apply(b)) => a.effect.is_same(&b.effect),
            _ => false,
        }
    }
}

/// The reply to a step.
#[derive(Clone, Debug)]
pub(super) enum StepReply {
    Answer(Answer),
    Outcome(Outcome),
}

/// A borrowed reply.
#[derive(Clone, Copy, Debug)]
pub(super) enum StepReplyRef<'t> {
    Answer(&'t Answer),
    Outcome(&'t Outcome),
}

impl StepReply {
    pub(super) fn as_reply(&self) -> StepReplyRef<'_> {
        match self {
            StepReply::Answer(answer) => StepReplyRef::Answer(answer),
            StepReply::Outcome(outcome) => StepReplyRef::Outcome(outcome),
        }
    }
}

impl<'t> StepReplyRef<'t> {
    /// For comparisons only; a stored digest is sealed. `is_hidden`: it contains a decrypted text.
    pub(super) fn digest(self, is_hidden: bool) -> Digest {
        let digest = match self {
            StepReplyRef::Answer(answer) => answer.digest(),
            StepReplyRef::Outcome(outcome) => outcome.digest(),
        };
        if is_hidden { digest.hidden() } else { digest }
    }

    pub(super) fn value(self) -> Option<&'t Value> {
        match self {
            StepReplyRef::Answer(Answer::Value(value)) | StepReplyRef::Outcome(Outcome::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the value, if it is cheaper to compare than to hash.
    pub(super) fn sample(self, is_hidden: bool) -> Option<&'t Value> {
        self.value().filter(|value| !is_hidden && is_good_sample(value))
    }

    fn to_reply(self) -> StepReply {
        match self {
            StepReplyRef::Answer(answer) => StepReply::Answer(answer.clone()),
            StepReplyRef::Outcome(outcome) => StepReply::Outcome(outcome.clone()),
        }
    }
}

/// A recorded reply, kept for replay. Most replies are small, and are stored in the place of a value.
#[derive(Clone, Debug)]
pub(super) enum RecordedReply {
    /// No reply: the root of a tree.
    Nothing,
    /// The digest alone: of a secret (sealed), or where nothing more is needed.
    Digest(Digest),
    Done,
    Absent,
    View(Container),
    /// The references to what the step declared.
    References,
    /// An answer or an outcome; the step says which.
    Value(Value),
    Else(Arc<StepReply>),
}

impl RecordedReply {
    fn new(reply: StepReplyRef<'_>) -> RecordedReply {
        match reply {
            StepReplyRef::Outcome(Outcome::Done) => RecordedReply::Done,
            StepReplyRef::Answer(Answer::Absent) => RecordedReply::Absent,
            StepReplyRef::Answer(Answer::View(container)) => RecordedReply::View(*container),
            reply => reply
                .value()
                .cloned()
                .map_or_else(|| RecordedReply::Else(Arc::new(reply.to_reply())), RecordedReply::Value),
        }
    }

    /// Returns the reply to this step, if more than its digest is kept.
    fn reply(&self, step: &Step) -> Option<StepReply> {
        Some(match (self, step) {
            (RecordedReply::Nothing | RecordedReply::Digest(_), _) => return None,
            (RecordedReply::Done, _) => StepReply::Outcome(Outcome::Done),
            (RecordedReply::Absent, _) => StepReply::Answer(Answer::Absent),
            (RecordedReply::View(container), _) => StepReply::Answer(Answer::View(*container)),
            (RecordedReply::References, step) => StepReply::Outcome(Outcome::Value(step.declaration()?.references())),
            (RecordedReply::Value(value), Step::Ask(_)) => StepReply::Answer(Answer::Value(value.clone())),
            (RecordedReply::Value(value), Step::Apply(_)) => StepReply::Outcome(Outcome::Value(value.clone())),
            (RecordedReply::Else(reply), _) => (**reply).clone(),
        })
    }

    /// Returns the digest of the reply to this step.
    pub(super) fn digest(&self, step: &Step) -> Digest {
        match self {
            RecordedReply::Nothing => Digest::atom(0),
            RecordedReply::Digest(digest) => *digest,
            RecordedReply::Done => Outcome::Done.digest(),
            RecordedReply::Absent => Answer::Absent.digest(),
            RecordedReply::View(container) => Answer::View(*container).digest(),
            RecordedReply::References | RecordedReply::Value(_) => {
                self.value(step).map_or(Digest::atom(0), Sample::digest)
            }
            RecordedReply::Else(reply) => reply.as_reply().digest(false),
        }
    }

    /// Returns true if it equals this reply to the step; `is_hidden`: it contains a decrypted text.
    pub(super) fn is(&self, step: &Step, reply: StepReplyRef<'_>, is_hidden: bool, secrets: &Secrets) -> bool {
        match (self.value(step), reply.value()) {
            _ if let RecordedReply::Digest(digest) = self => secrets.seal(reply.digest(is_hidden)) == *digest,
            _ if is_hidden => false,
            (Some(known), Some(value)) => known.is(value),
            _ => reply.digest(false) == self.digest(step),
        }
    }

    /// Compares two replies to the same step.
    pub(super) fn is_same(&self, other: &RecordedReply, step: &Step) -> bool {
        match (self.value(step), other.value(step)) {
            (Some(Sample::References(_)), Some(Sample::References(_))) => true,
            (Some(one), Some(Sample::Value(value))) | (Some(Sample::Value(value)), Some(one)) => one.is(value),
            _ => self.digest(step) == other.digest(step),
        }
    }

    /// The reply as a value, if that is cheaper to compare than to hash.
    fn from_sample(value: &Value, step: &Step) -> RecordedReply {
        match step.declaration() {
            Some(declaration) if is_plain(declaration) && declaration.is_worth(value) => RecordedReply::References,
            _ => RecordedReply::Value(value.clone()),
        }
    }

    /// Returns the reply as a small value, if that is cheaper to compare than to hash.
    pub(super) fn sample<'s>(&'s self, step: &'s Step) -> Option<Sample<'s>> {
        self.value(step).filter(|value| match value {
            Sample::Value(value) => is_good_sample(value),
            Sample::References(_) => true,
        })
    }

    /// Returns the reply as a stored value.
    fn value<'s>(&'s self, step: &'s Step) -> Option<Sample<'s>> {
        match self {
            RecordedReply::Value(value) => Some(Sample::Value(value)),
            RecordedReply::References => step.declaration().map(Sample::References),
            _ => None,
        }
    }
}

/// A value from a reply, as it is stored.
#[derive(Clone, Copy)]
pub(super) enum Sample<'s> {
    Value(&'s Value),
    /// The references to what is declared: they follow from the step, and are not stored.
    References(&'s Declaration),
}

impl Sample<'_> {
    pub(super) fn is(self, value: &Value) -> bool {
        match self {
            Sample::Value(known) => identical(value, known),
            Sample::References(declaration) => declaration.is_worth(value),
        }
    }

    pub(super) fn value(self) -> Value {
        match self {
            Sample::Value(value) => value.clone(),
            Sample::References(declaration) => declaration.references(),
        }
    }

    pub(super) fn digest(self) -> Digest {
        match self {
            Sample::Value(value) => value.digest(),
            Sample::References(declaration) => declaration.references().digest(),
        }
    }
}

/// A step and the reply to it.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    pub step: Arc<Step>,
    pub(super) reply: RecordedReply,
    /// True if the reply or the step contains a secret.
    pub(super) is_secret: bool,
}

impl RecordedStep {
    /// `is_hidden`: the reply contains a decrypted text. Of a secret, and of a reply that is never replayed, only a sealed
    /// digest is kept.
    pub(super) fn new(
        step: Arc<Step>,
        reply: StepReplyRef<'_>,
        is_hidden: bool,
        secrets: &Secrets,
        purpose: Purpose,
    ) -> RecordedStep {
        let holds_secret = step.holds_secret();
        if let Some(value) = reply.sample(is_hidden) {
            let reply = RecordedReply::from_sample(value, &step);
            return RecordedStep { step, reply, is_secret: holds_secret };
        }
        let digest = reply.digest(is_hidden);
        let is_secret = digest.is_secret();
        let reply = match is_secret || purpose == Purpose::Nodes {
            true => RecordedReply::Digest(secrets.seal(digest)),
            false => RecordedReply::new(reply),
        };
        RecordedStep { step, reply, is_secret: is_secret || holds_secret }
    }

    /// Returns the digest of the reply.
    pub fn digest(&self) -> Digest {
        self.reply.digest(&self.step)
    }

    /// Returns true if both replies to the same step are equal.
    pub(super) fn is_told_as(&self, other: &RecordedStep) -> bool {
        self.reply.is_same(&other.reply, &self.step)
    }

    /// Returns the definition in the reply, if it is one.
    pub fn definition(&self) -> Option<&Definition> {
        match &self.reply {
            RecordedReply::Else(reply) if let StepReply::Answer(Answer::Definition(definition)) = &**reply => {
                Some(definition)
            }
            _ => None,
        }
    }

    /// Returns true if the reply or the step contains a secret.
    pub fn holds_secret(&self) -> bool {
        self.is_secret
    }

    pub(super) fn sample(&self) -> Option<Sample<'_>> {
        self.reply.sample(&self.step)
    }

    /// Returns the reply, if more than its digest is kept.
    pub(super) fn reply(&self) -> Option<StepReply> {
        self.reply.reply(&self.step)
    }
}

/// Long texts are compared by their digests, and containers cache theirs: neither needs a sample.
fn is_good_sample(value: &Value) -> bool {
    let is_reference = |value: &Value| matches!(value, Value::Type(_) | Value::Resource(_));
    match value {
        Value::String(text) | Value::Unencoded(text) => text.len() <= 256,
        Value::Integer(_) | Value::Boolean(_) => true,
        Value::Array(items) => items.len() <= 8 && items.iter().all(is_reference),
        value => is_reference(value),
    }
}

impl Trace {
    /// The same trace with other answers to these questions, by their indices.
    pub fn with_answers(&self, answers: &[(usize, Answer)], secrets: &Secrets) -> Trace {
        let mut trace = self.clone();
        for (at, answer) in answers {
            let Some(recorded) = trace.steps.get_mut(*at) else { continue };
            let (step, answer) = (Arc::clone(&recorded.step), StepReplyRef::Answer(answer));
            *recorded = RecordedStep::new(step, answer, false, secrets, Purpose::Edits);
        }
        trace
    }
}

/// How a body ended.
pub struct End {
    /// Errors are answers too.
    pub(super) result: Result<Value, Box<RecordedFailure>>,
    /// When it was used last, by the clock of its tree.
    pub(super) used: AtomicU64,
    /// Where it stands in its tree, if it still does.
    pub(super) at: AtomicU32,
    /// True if any reply, effect or result of the body contains a secret: stored digests of it must be sealed.
    pub secret: bool,
    /// True if the result contains a decrypted text, which must not be shown.
    pub(super) is_hidden: bool,
    /// How many steps of the node's budget the body's own code took.
    pub spent_steps: u64,
}

pub(super) struct RecordedFailure {
    pub(super) failure: Failure,
    /// Those its places are in.
    pub(super) units: SmallVec<[Arc<Unit>; 1]>,
}

/// As the dump has it.
impl std::fmt::Debug for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&end_text(self))
    }
}

impl End {
    pub(super) fn new(result: Result<Value, Failure>, secret: bool, is_hidden: bool) -> End {
        let result = result.map_err(|failure| Box::new(RecordedFailure { units: units_of_failure(&failure), failure }));
        End {
            result,
            used: AtomicU64::new(0),
            at: AtomicU32::default(),
            secret: secret || is_hidden,
            is_hidden,
            spent_steps: 0,
        }
    }

    pub(super) fn with_steps(self, spent_steps: u64) -> End {
        End { spent_steps, ..self }
    }

    pub(super) fn digest(&self) -> Digest {
        match &self.result {
            Ok(value) => value.digest(),
            Err(failed) => failed.failure.digest(),
        }
    }
}

/// One run of a body from its start to its end.
#[derive(Clone, Debug)]
pub struct Trace {
    pub steps: Vec<RecordedStep>,
    pub end: Arc<End>,
}
