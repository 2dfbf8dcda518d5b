//! The look-ups of a node and the variables they read: enough to repeat them after an edit of data, without compiling.
//! See `compile::question_replayer` and `query::patch`.

use std::sync::Arc;

use pantin_base::names::is_reserved_variable;
use pantin_hiera::{KeyHash, hash_of_name};
use pantin_model::trace::{Answer, Question, VariableName};
use pantin_values::{Str, Value};
use rustc_hash::FxHashSet;

use super::Compiler;

#[derive(Clone, Default, Debug)]
pub struct LookupObservations {
    /// The calls of functions that look up: by the place of the body among the walks, and the hash of the key.
    pub calls: Box<[(u32, KeyHash)]>,
    /// Outer keys, and expressions in data, each with the hash of a key that its value interpolates.
    pub inner: Arc<[(Str, KeyHash)]>,
    /// The questions that look-ups asked about the node whose answers never change for it.
    pub questions: Arc<[Question]>,
    answers: Box<[Answer]>,
}

impl LookupObservations {
    /// The same, sharing equal parts with another one.
    pub fn like(self, other: &LookupObservations) -> LookupObservations {
        let questions = if self.questions == other.questions { Arc::clone(&other.questions) } else { self.questions };
        let inner = if self.inner == other.inner { Arc::clone(&other.inner) } else { self.inner };
        LookupObservations { questions, inner, ..self }
    }

    /// Returns these observations with more inner look-ups; `None` if there are no others.
    pub fn with_inner(&self, more: &[(Str, KeyHash)]) -> Option<LookupObservations> {
        let more: Vec<&(Str, KeyHash)> = more.iter().filter(|pair| !self.inner.contains(pair)).collect();
        let inner = || self.inner.iter().chain(more.iter().copied()).cloned().collect();
        (!more.is_empty()).then(|| LookupObservations { inner: inner(), ..self.clone() })
    }

    /// Returns the recorded answer to a question.
    pub(crate) fn recorded_answer(&self, question: &Question) -> Option<&Answer> {
        let at = self.questions.iter().position(|questions| questions == question)?;
        self.answers.get(at)
    }
}

/// Notes it.
#[derive(Default, Debug)]
pub(super) struct LookupObservationLog {
    calls: Vec<(u32, KeyHash)>,
    variables: Vec<(Question, Answer)>,
    /// The variables at the top that code had set before anything was looked up: no data has a part in them, and they never
    /// change. `None`: nothing was looked up yet.
    set_before: Option<FxHashSet<Str>>,
}

/// A hierarchy depends on a handful of variables. A node whose look-ups read many more is compiled instead.
const MOST: usize = 64;

impl Compiler<'_> {
    /// Something is about to be looked up.
    pub(super) fn note_look_up(&mut self) {
        if self.consulting.set_before.is_none() && self.is_remembered() {
            self.consulting.set_before = Some(self.state.names_set_at_top());
        }
    }

    /// A variable at the top was changed in place: what look-ups were told of it holds no longer.
    pub(super) fn forget_told(&mut self, name: &str) {
        let LookupObservationLog { variables, set_before, .. } = &mut self.consulting;
        set_before.get_or_insert_default().remove(name);
        variables.retain(|(question, _)| variable_of(question) != Some(name));
    }

    /// The body that runs has called a function that looks up.
    pub(super) fn note_call(&mut self, name: &str) {
        if self.is_remembered()
            && self.look_ups == 0
            && let Some(frame) = self.frames.last_mut()
        {
            frame.looked_up.push(hash_of_name(name));
        }
    }

    /// The look-ups of a walk that has ended.
    pub(super) fn note_calls(&mut self, keys: Vec<KeyHash>) {
        let walk = self.walks.len() as u32;
        self.consulting.calls.extend(keys.into_iter().map(|key| (walk, key)));
    }

    /// Records an answer about the node that a look-up got.
    pub(super) fn note_told(&mut self, question: &Question, answer: &Answer) {
        let variables = &self.consulting.variables;
        if self.is_remembered()
            && variables.len() < MOST
            && is_little(answer)
            && self.is_from_the_beginning(question)
            && variables.iter().all(|(questions, _)| questions != question)
        {
            self.consulting.variables.push((question.clone(), answer.clone()));
        }
    }

    /// Returns true if the answer is the same, whenever and from where it is asked: the node itself says it, or code
    /// did before anything was looked up.
    fn is_from_the_beginning(&self, question: &Question) -> bool {
        if let Some(name) = variable_of(question) {
            let is_set_before = || self.consulting.set_before.as_ref().is_some_and(|names| names.contains(name));
            return is_reserved_variable(name)
                || name == "environment"
                || self.state.is_known_of_node(name)
                || is_set_before();
        }
        let name = variable_name(question);
        matches!(name, Some(VariableName::FromBody(name)) if is_reserved_variable(name))
    }

    pub(crate) fn take_lookup_observations(&mut self) -> LookupObservations {
        if !self.is_remembered() {
            return LookupObservations::default();
        }
        let consulting = std::mem::take(&mut self.consulting);
        let (questions, answers): (Vec<Question>, Vec<Answer>) = consulting.variables.into_iter().unzip();
        let inner = self.lookups.as_ref().map(|lookups| lookups.keys_asked_inside()).unwrap_or_default();
        LookupObservations {
            calls: consulting.calls.into(),
            inner: inner.into(),
            questions: questions.into(),
            answers: answers.into(),
        }
    }
}

fn variable_name(question: &Question) -> Option<&VariableName> {
    match question {
        Question::Variable(name) | Question::Part { variable: name, .. } | Question::Whole { variable: name, .. } => {
            Some(name)
        }
        _ => None,
    }
}

/// Returns the name of the variable at the top that a question is for.
fn variable_of(question: &Question) -> Option<&str> {
    variable_name(question)?.written().strip_prefix("::").filter(|name| !name.contains("::"))
}

/// A container is not kept for one key that may be asked again.
fn is_little(answer: &Answer) -> bool {
    match answer {
        Answer::Absent | Answer::View(_) => true,
        Answer::Value(value) => value.is_plain_data() && !matches!(value, Value::Array(_) | Value::Hash(_)),
        _ => false,
    }
}
