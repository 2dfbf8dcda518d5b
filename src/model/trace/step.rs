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
    /// Whether something that was decrypted stands in it, which nobody is shown.
    pub(super) is_hidden: bool,
    /// Those its places are in.
    pub(super) units: SmallVec<[Arc<Unit>; 1]>,
    names: OnceLock<Box<Names>>,
}

/// What names an effect, once somebody wants to know; few want either.
#[derive(Default)]
struct Names {
    meaning: OnceLock<Digest>,
    declared: OnceLock<Box<[DeclaredResource]>>,
}

const _: () =
    assert!(size_of::<Step>() <= 112, "most steps that are kept are effects, and no two of them are the same");

impl AppliedEffect {
    /// Whether its places are in the same units as those of the other.
    pub(super) fn has_current_units(&self, other: &AppliedEffect) -> bool {
        self.units.len() == other.units.len()
            && self.units.iter().zip(&other.units).all(|(one, other)| Arc::ptr_eq(one, other))
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(Box::default)
    }
}

/// As the dump has it.
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

    /// Whether it does that, wherever in the code that stands.
    pub(super) fn means(&self, effect: &Effect) -> bool {
        match (self.effect(), effect) {
            (Some(Effect::Include { how, classes, .. }), Effect::Include { how: h, classes: c, .. }) => {
                how == h && classes == c
            }
            _ => self.meaning() == Some(effect.meaning()),
        }
    }

    /// All that it declares.
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
            Step::Ask(
                Question::Lookup(value) | Question::Defined(value) | Question::DeclaredWith { parameters: value, .. },
            ) => value.holds_sensitive(),
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

/// What a body was told after a step.
#[derive(Clone, Debug)]
pub(super) enum StepReply {
    Answer(Answer),
    Outcome(Outcome),
}

/// The same, where it stands.
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
    /// For comparing; what is kept is sealed. `is_hidden`: something that was decrypted stands in it.
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

    /// The value, where it is sooner compared than hashed.
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

/// What a body was told, kept to tell it once more: most of it is little, and fits into a value's place.
#[derive(Clone, Debug)]
pub(super) enum RecordedReply {
    /// There was nothing before it.
    Nothing,
    /// It is a secret, whose digest is sealed, or nobody wants to know more.
    Digest(Digest),
    Done,
    Absent,
    View(Container),
    /// The references of what the step declared.
    References,
    /// An answer or an outcome; the step says which.
    Value(Value),
    Else(Arc<StepReply>),
}

impl RecordedReply {
    fn new(told: StepReplyRef<'_>) -> RecordedReply {
        match told {
            StepReplyRef::Outcome(Outcome::Done) => RecordedReply::Done,
            StepReplyRef::Answer(Answer::Absent) => RecordedReply::Absent,
            StepReplyRef::Answer(Answer::View(container)) => RecordedReply::View(*container),
            told => told
                .value()
                .cloned()
                .map_or_else(|| RecordedReply::Else(Arc::new(told.to_reply())), RecordedReply::Value),
        }
    }

    /// What was told after this step.
    fn reply(&self, step: &Step) -> Option<StepReply> {
        Some(match (self, step) {
            (RecordedReply::Nothing | RecordedReply::Digest(_), _) => return None,
            (RecordedReply::Done, _) => StepReply::Outcome(Outcome::Done),
            (RecordedReply::Absent, _) => StepReply::Answer(Answer::Absent),
            (RecordedReply::View(container), _) => StepReply::Answer(Answer::View(*container)),
            (RecordedReply::References, step) => StepReply::Outcome(Outcome::Value(step.declaration()?.references())),
            (RecordedReply::Value(value), Step::Ask(_)) => StepReply::Answer(Answer::Value(value.clone())),
            (RecordedReply::Value(value), Step::Apply(_)) => StepReply::Outcome(Outcome::Value(value.clone())),
            (RecordedReply::Else(told), _) => (**told).clone(),
        })
    }

    /// Of what was told after this step.
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
            RecordedReply::Else(told) => told.as_reply().digest(false),
        }
    }

    /// Whether this was told after the step; `is_hidden`: something that was decrypted stands in it.
    pub(super) fn is(&self, step: &Step, told: StepReplyRef<'_>, is_hidden: bool, secrets: &Secrets) -> bool {
        match (self.value(step), told.value()) {
            _ if let RecordedReply::Digest(digest) = self => secrets.seal(told.digest(is_hidden)) == *digest,
            _ if is_hidden => false,
            (Some(known), Some(value)) => known.is(value),
            _ => told.digest(false) == self.digest(step),
        }
    }

    /// Of two that were told after the same step.
    pub(super) fn is_same(&self, other: &RecordedReply, step: &Step) -> bool {
        match (self.value(step), other.value(step)) {
            (Some(Sample::References(_)), Some(Sample::References(_))) => true,
            (Some(one), Some(Sample::Value(value))) | (Some(Sample::Value(value)), Some(one)) => one.is(value),
            _ => self.digest(step) == other.digest(step),
        }
    }

    /// A value that is sooner compared than hashed, told after this step.
    fn from_sample(value: &Value, step: &Step) -> RecordedReply {
        match step.declaration() {
            Some(declaration) if is_plain(declaration) && declaration.is_worth(value) => RecordedReply::References,
            _ => RecordedReply::Value(value.clone()),
        }
    }

    /// The value, where it is small, and sooner compared than hashed; it was told after this step.
    pub(super) fn sample<'s>(&'s self, step: &'s Step) -> Option<Sample<'s>> {
        self.value(step).filter(|value| match value {
            Sample::Value(value) => is_good_sample(value),
            Sample::References(_) => true,
        })
    }

    /// The value, as it is kept; it was told after this step.
    fn value<'s>(&'s self, step: &'s Step) -> Option<Sample<'s>> {
        match self {
            RecordedReply::Value(value) => Some(Sample::Value(value)),
            RecordedReply::References => step.declaration().map(Sample::References),
            _ => None,
        }
    }
}

/// A value that a body was told, as it is kept.
#[derive(Clone, Copy)]
pub(super) enum Sample<'s> {
    Value(&'s Value),
    /// The references of what is declared: it need not be kept beside that.
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

/// A step, and what the body was told.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    pub step: Arc<Step>,
    pub(super) reply: RecordedReply,
    /// Whether a secret is in it, or in the step.
    pub(super) is_secret: bool,
}

impl RecordedStep {
    /// `is_hidden`: something that was decrypted stands in what was told. Of a secret a sealed digest alone is kept, and so it
    /// is of what nobody will be told once more.
    pub(super) fn new(
        step: Arc<Step>,
        told: StepReplyRef<'_>,
        is_hidden: bool,
        secrets: &Secrets,
        purpose: Purpose,
    ) -> RecordedStep {
        let holds_secret = step.holds_secret();
        if let Some(value) = told.sample(is_hidden) {
            let told = RecordedReply::from_sample(value, &step);
            return RecordedStep { step, reply: told, is_secret: holds_secret };
        }
        let digest = told.digest(is_hidden);
        let is_secret = digest.is_secret();
        let told = match is_secret || purpose == Purpose::Nodes {
            true => RecordedReply::Digest(secrets.seal(digest)),
            false => RecordedReply::new(told),
        };
        RecordedStep { step, reply: told, is_secret: is_secret || holds_secret }
    }

    /// Of what the body was told.
    pub fn digest(&self) -> Digest {
        self.reply.digest(&self.step)
    }

    /// Whether this was told what that one was, after the same step.
    pub(super) fn is_told_as(&self, other: &RecordedStep) -> bool {
        self.reply.is_same(&other.reply, &self.step)
    }

    /// The code that the body was told, if it was.
    pub fn definition(&self) -> Option<&Definition> {
        match &self.reply {
            RecordedReply::Else(told) if let StepReply::Answer(Answer::Definition(definition)) = &**told => {
                Some(definition)
            }
            _ => None,
        }
    }

    /// Whether a secret is in what the body was told, or in the step.
    pub fn holds_secret(&self) -> bool {
        self.is_secret
    }

    pub(super) fn sample(&self) -> Option<Sample<'_>> {
        self.reply.sample(&self.step)
    }

    /// What the body was told, if that is kept.
    pub(super) fn reply(&self) -> Option<StepReply> {
        self.reply.reply(&self.step)
    }
}

/// A long text is sooner told from another by its digest, and a container keeps its digest: of neither is a sample needed.
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
    /// The same as if these of its questions, by their places, had been answered so.
    pub fn with_answers(&self, answers: &[(usize, Answer)], secrets: &Secrets) -> Trace {
        let mut told = self.clone();
        for (at, answer) in answers {
            let Some(recorded) = told.steps.get_mut(*at) else { continue };
            let (step, answer) = (Arc::clone(&recorded.step), StepReplyRef::Answer(answer));
            *recorded = RecordedStep::new(step, answer, false, secrets, Purpose::Edits);
        }
        told
    }
}

/// How a body ended.
pub struct End {
    /// Errors are answers too.
    pub(super) result: Result<Value, Box<RecordedFailure>>,
    /// When it was of use last, by the clock of its tree.
    pub(super) used: AtomicU64,
    /// Where it stands in its tree, if it still does.
    pub(super) at: AtomicU32,
    /// Whether a secret is in anything the body was told, did or answered: then what is kept of it must be sealed.
    pub secret: bool,
    /// Whether something that was decrypted stands in the result, which nobody is shown.
    pub(super) is_hidden: bool,
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
        End { result, used: AtomicU64::new(0), at: AtomicU32::default(), secret: secret || is_hidden, is_hidden }
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
