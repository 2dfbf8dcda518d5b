//! Runs a body on recorded answers: with the code after an edit, for example.
//!
//! Neither the world nor a catalog is asked, nothing is done. It goes as far as the code asks what was asked before, at a time
//! when the answer was the same, and does the same beside declaring resources and leaving variables.

use pantin_values::Value;

use super::diff::{is_plain, shape_of_classes};
use super::step::StepReply;
use super::{Answer, Effect, Failure, Host, Outcome, Question, RecordedStep, Recorder, Secrets, Step, Trace};

/// Returns what a run of the body comes to that is told as this trace was; `None` if it would have to be told more.
pub fn recall(
    trace: &Trace,
    secrets: &Secrets,
    body: &str,
    run: impl FnOnce(&mut dyn Host) -> Result<Value, Failure>,
) -> Option<Trace> {
    let mut recalled = Recalled { steps: &trace.steps, at: 0, is_at_a_loss: false };
    let mut recorder = Recorder::new(&mut recalled, secrets, body);
    let result = run(&mut recorder);
    let finished = recorder.finish(result);
    if recalled.is_at_a_loss || recalled.next_strict().is_some() { None } else { finished.trace }
}

struct Recalled<'t> {
    steps: &'t [RecordedStep],
    /// All steps before it that have to come again have come.
    at: usize,
    is_at_a_loss: bool,
}

impl Recalled<'_> {
    /// The next step that has to come again.
    fn next_strict(&self) -> Option<usize> {
        (self.at..self.steps.len()).find(|at| self.steps[*at].step.is_strict())
    }

    fn take_strict(&mut self, is_it: impl FnOnce(&Step) -> bool) -> Option<StepReply> {
        let next = self.next_strict().filter(|next| is_it(&self.steps[*next].step))?;
        self.at = next + 1;
        self.steps[next].reply()
    }

    /// Returns how the next of these came out.
    fn take_effect(&mut self, is_it: impl FnOnce(&Step) -> bool) -> Outcome {
        match self.take_strict(is_it) {
            Some(StepReply::Outcome(outcome)) => outcome,
            _ => {
                self.is_at_a_loss = true;
                Outcome::Done
            }
        }
    }

    /// Whether a resource is there, as far as the trace says it here. Of any other it is assumed that it is not there:
    /// [`Trace::diff`] says which these are.
    fn presence(&self, question: &Question) -> StepReply {
        let end = self.next_strict().unwrap_or(self.steps.len());
        let is_it = |recorded: &&RecordedStep| matches!(&*recorded.step, Step::Ask(asked) if asked.is_same(question));
        let found = self.steps[self.at..end].iter().find(is_it).and_then(RecordedStep::reply);
        found.unwrap_or_else(|| StepReply::Answer(Question::not_there()))
    }

    /// Returns what was answered since the step before, and before the next one that has to come again; what is steady,
    /// ever.
    fn find(&self, question: &Question) -> Option<StepReply> {
        let is_it = |recorded: &&RecordedStep| matches!(&*recorded.step, Step::Ask(asked) if asked.is_same(question));
        let end = self.next_strict().unwrap_or(self.steps.len());
        let mut since = self.steps[self.at..end].iter();
        let found = since.find(is_it).or_else(|| self.steps.iter().find(is_it).filter(|_| question.is_steady()))?;
        found.reply()
    }
}

impl Host for Recalled<'_> {
    fn ask(&mut self, question: &Question) -> Answer {
        let answer = match question {
            _ if self.is_at_a_loss || question.is_volatile() => None,
            _ if question.seeks_resource() => Some(self.presence(question)),
            _ if question.is_about_resources() => {
                self.take_strict(|step| matches!(step, Step::Ask(asked) if asked.is_same(question)))
            }
            _ => self.find(question),
        };
        match answer {
            Some(StepReply::Answer(answer)) => answer,
            _ => {
                self.is_at_a_loss = true;
                Answer::Absent
            }
        }
    }

    fn apply(&mut self, effect: &Effect) -> Outcome {
        if self.is_at_a_loss {
            return Outcome::Done;
        }
        match effect {
            Effect::Declare(declaration) if is_plain(declaration) => Outcome::Value(declaration.references()),
            Effect::Export { .. } | Effect::ExportPart { .. } => Outcome::Done,
            Effect::Parameters(_) => self.take_effect(|step| matches!(step.effect(), Some(Effect::Parameters(_)))),
            Effect::Declare(declaration) if shape_of_classes(declaration).is_some() => {
                let shape = shape_of_classes(declaration);
                self.take_effect(|step| step.declaration().is_some_and(|known| shape_of_classes(known) == shape))
            }
            effect => self.take_effect(|step| step.means(effect)),
        }
    }
}
