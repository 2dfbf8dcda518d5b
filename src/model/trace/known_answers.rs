//! The answers that a body already has and need not ask for again.

use std::hash::{Hash, Hasher};

use indexmap::{Equivalent, IndexMap};
use rustc_hash::FxBuildHasher;

use super::{Answer, Effect, Question};

/// Answers that still hold: those that nothing can change, and those since the last effect.
#[derive(Default)]
pub(super) struct KnownAnswers {
    steady: Answers,
    passing: Answers,
}

impl KnownAnswers {
    pub(super) fn find(&self, question: &Question) -> Option<Answer> {
        if question.does_something() {
            return None;
        }
        let answers = if question.is_steady() { &self.steady } else { &self.passing };
        answers.find(question).cloned().or_else(|| answers.find_in_whole(question))
    }

    pub(super) fn learn(&mut self, question: &Question, answer: &Answer) {
        if question.does_something() {
            return;
        }
        let answers = if question.is_steady() { &mut self.steady } else { &mut self.passing };
        answers.has_whole |= matches!(question, Question::Whole { .. });
        answers.map.insert(QuestionKey(question.clone()), answer.clone());
    }

    /// An effect may change what is answered from now on; a line of the log does not.
    pub(super) fn forget(&mut self, effect: &Effect) {
        if !matches!(effect, Effect::Log(_)) {
            self.passing.map.clear();
            self.passing.has_whole = false;
        }
    }
}

#[derive(Default)]
struct Answers {
    map: IndexMap<QuestionKey, Answer, FxBuildHasher>,
    has_whole: bool,
}

impl Answers {
    fn find(&self, question: &Question) -> Option<&Answer> {
        self.map.get(&Asking(question))
    }

    /// Whoever has seen a container as a whole has seen its parts.
    fn find_in_whole(&self, question: &Question) -> Option<Answer> {
        if !self.has_whole {
            return None;
        }
        let (variable, path, is_part) = match question {
            Question::Part { variable, path } => (variable, path, true),
            Question::Whole { variable, path } => (variable, path, false),
            _ => return None,
        };
        (0..=path.len()).find_map(|length| {
            let above = Question::Whole { variable: variable.clone(), path: path[..length].into() };
            match self.find(&above) {
                Some(Answer::Value(whole)) if is_part => Some(Answer::of_part(whole, &path[length..])),
                Some(Answer::Value(whole)) => Some(Answer::of_whole(whole, &path[length..])),
                _ => None,
            }
        })
    }
}

/// A question as a key: one that is the same in every respect.
struct QuestionKey(Question);

/// The same, borrowed.
struct Asking<'a>(&'a Question);

impl PartialEq for QuestionKey {
    fn eq(&self, other: &QuestionKey) -> bool {
        self.0.is_same(&other.0)
    }
}

impl Eq for QuestionKey {}

impl Hash for QuestionKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Hash for Asking<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Equivalent<QuestionKey> for Asking<'_> {
    fn equivalent(&self, key: &QuestionKey) -> bool {
        self.0.is_same(&key.0)
    }
}
