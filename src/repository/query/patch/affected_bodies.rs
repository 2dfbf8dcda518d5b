//! The bodies of a node that an edit affects: those with edited code, and those with changed answers from data.

use std::borrow::Cow;
use std::path::Path;

use pantin_base::names::split_last;
use pantin_compile::{BodyWalk, LookupObservations, QuestionReplayer, file_hash};
use pantin_hiera::{KeyHash, hash_of_name};
use pantin_model::trace::{Answer, DeclarationChange, Definition, Question, Step, Trace, VariableChange};
use pantin_values::{Digest, Str, Value};
use rustc_hash::FxHashSet;

use super::PatchRefusal;
use super::edit::Edit;
use super::last_answer::LastAnswer;
use crate::query::blocks::DependencySet;

/// A walk of one node that the edit affects.
#[derive(Clone)]
pub(super) struct AffectedBody<'l> {
    /// Its place among the walks of the node.
    pub(super) at: usize,
    pub(super) walk: &'l BodyWalk,
    /// The answers that changed, by the places of the questions in its trace.
    answers: Vec<(usize, Answer)>,
    /// Its new declaration, if another affected body declares it differently.
    pub(super) redeclared: Option<DeclarationChange>,
}

/// All affected walks of a node, in the order in which they ended.
#[derive(Default)]
pub(super) struct AffectedBodies<'l> {
    pub(super) bodies: Vec<AffectedBody<'l>>,
    /// What the node's answer depends on in addition to what it depended on before.
    pub(super) dependencies: DependencySet,
    /// The look-ups that other look-ups made (by interpolation), with the hash of the key.
    pub(super) inner: Vec<(Str, KeyHash)>,
}

/// The edited keys of the data, and the keys whose values interpolate an edited key on this node.
struct EditedData<'e> {
    keys: Cow<'e, FxHashSet<KeyHash>>,
    /// The classes that the keys are, by their names, parameters of.
    owners: Cow<'e, FxHashSet<Str>>,
}

impl<'e> EditedData<'e> {
    fn new(edit: &'e Edit, observations: &LookupObservations) -> EditedData<'e> {
        let mut edited_data = EditedData { keys: Cow::Borrowed(&edit.keys), owners: Cow::Borrowed(&edit.owners) };
        let mut count = 0;
        while count < edited_data.keys.len() {
            count = edited_data.keys.len();
            // An inner look-up stands behind its outer one.
            for (outer, inner) in observations.inner.iter().rev() {
                if edited_data.keys.contains(inner) && !edited_data.keys.contains(&hash_of_name(outer)) {
                    edited_data.keys.to_mut().insert(hash_of_name(outer));
                    edited_data.owners.to_mut().extend(split_last(outer).map(|(class, _)| Str::from(class)));
                }
            }
        }
        edited_data
    }

    fn is_asked_by(&self, question: &Question) -> bool {
        let name = match question {
            Question::Parameter(name) => Some(name.as_str()),
            Question::Lookup(question) => Some(question.key.as_str()),
            _ => None,
        };
        name.is_some_and(|name| self.keys.contains(&hash_of_name(name)))
    }
}

impl<'l> AffectedBodies<'l> {
    /// `Err`: why it cannot be decided.
    pub(super) fn new(last: &'l LastAnswer, edit: &Edit) -> Result<AffectedBodies<'l>, PatchRefusal> {
        if !edit.read_files.iter().all(|file| last.observed.is_read_by_bodies_alone(*file)) {
            return Err(PatchRefusal::ReadByOthers);
        }
        if edit.keys.is_empty() && edit.read_files.is_empty() {
            let edited = last.walks.iter().enumerate().filter(|(_, walk)| edit.names.contains(&walk.name));
            let bodies = edited.map(|(at, walk)| AffectedBody::without_answers(at, walk)).collect();
            return Ok(AffectedBodies { bodies, ..AffectedBodies::default() });
        }
        let observations = &last.lookup_observations;
        let edited_data = EditedData::new(edit, observations);
        let mut replayer: Option<QuestionReplayer<'_>> = None;
        let mut bodies = Vec::new();
        let mut calls = observations.calls.iter().peekable();
        for (at, walk) in last.walks.iter().enumerate() {
            let mut has_changed_answers = edited_data.owners.contains(&walk.name);
            while let Some((_, key)) = calls.next_if(|(walk, _)| *walk as usize == at) {
                has_changed_answers |= edited_data.keys.contains(key);
            }
            let mut answers = Vec::new();
            if has_changed_answers {
                let trace = trace(walk, last).ok_or(PatchRefusal::NotRecorded)?;
                for (place, question) in questions(&trace, &edited_data) {
                    let replayer = match &mut replayer {
                        Some(replayer) => replayer,
                        none => {
                            let new = last.basis.ready.site.question_replayer(observations);
                            none.insert(new.ok_or(PatchRefusal::LookupNotRepeatable)?)
                        }
                    };
                    let answer = replayer.answer(question).ok_or(PatchRefusal::LookupNotRepeatable)?;
                    if answer.digest() != trace.steps[place].digest() {
                        answers.push((place, answer));
                    }
                }
            }
            if walk.reads.iter().any(|file| edit.read_files.contains(file)) {
                answers.extend(changed_file_answers(last, edit, walk)?);
            }
            if !answers.is_empty() || edit.names.contains(&walk.name) {
                bodies.push(AffectedBody { answers, ..AffectedBody::without_answers(at, walk) });
            }
        }
        let dependencies = replayer
            .as_ref()
            .map(|replayer| DependencySet::from_dependencies(&replayer.dependencies()))
            .unwrap_or_default();
        let inner = replayer.map(|replayer| replayer.inner()).unwrap_or_default();
        Ok(AffectedBodies { bodies, dependencies, inner })
    }
}

impl<'l> AffectedBody<'l> {
    /// A body without changed answers.
    pub(super) fn without_answers(at: usize, walk: &'l BodyWalk) -> AffectedBody<'l> {
        AffectedBody { at, walk, answers: Vec::new(), redeclared: None }
    }

    /// Its recorded trace with the changed answers in their places.
    pub(super) fn updated_trace(&self, of: &LastAnswer) -> Option<Trace> {
        let trace = trace(self.walk, of)?;
        let secrets = of.basis.ready.traces.secrets();
        Some(if self.answers.is_empty() { trace } else { trace.with_answers(&self.answers, secrets) })
    }

    /// Takes in that a class variable which the body may have read has a new value; `Err`: it is unknown what the body reads now.
    pub(super) fn note_variable_change(
        &mut self,
        of: &LastAnswer,
        class: &str,
        variable: &VariableChange,
    ) -> Result<(), PatchRefusal> {
        let unknown = PatchRefusal::UnknownVariable;
        let (before, now) = variable.before.as_ref().zip(variable.now.as_ref()).ok_or(unknown)?;
        let trace = trace(self.walk, of).ok_or(PatchRefusal::NotRecorded)?;
        for (place, recorded) in trace.steps.iter().enumerate() {
            let Step::Ask(question) = &*recorded.step else { continue };
            let (Question::Variable(name)
            | Question::Part { variable: name, .. }
            | Question::Whole { variable: name, .. }) = question
            else {
                continue;
            };
            let (around, last) = split_last(name.written()).unwrap_or(("", name.written()));
            if last != variable.name {
                continue;
            }
            let is_by_name = around.strip_prefix("::").unwrap_or(around) == class;
            let is_same_value = recorded.digest() == variable_answer(question, before).digest();
            let was_absent = recorded.digest() == Answer::Absent.digest();
            match (is_by_name, is_same_value) {
                (true, true) => self.answers.push((place, variable_answer(question, now))),
                // It was read before it was assigned.
                (true, false) if was_absent => {}
                // A read by another name may mean this variable, or another one with the same value.
                (false, false) if !recorded.holds_secret() => {}
                _ => return Err(unknown),
            }
        }
        Ok(())
    }

    /// The changed answers, by their digests.
    pub(super) fn news(&self) -> impl Iterator<Item = (usize, Digest)> {
        self.answers.iter().map(|(place, answer)| (*place, answer.digest()))
    }
}

pub(super) fn trace(walk: &BodyWalk, of: &LastAnswer) -> Option<Trace> {
    of.basis.ready.traces.tree(&walk.key)?.trace_to(walk.end.as_ref()?)
}

/// The answers about file contents and functions that the edit changes.
fn changed_file_answers(last: &LastAnswer, edit: &Edit, walk: &BodyWalk) -> Result<Vec<(usize, Answer)>, PatchRefusal> {
    let trace = trace(walk, last).ok_or(PatchRefusal::NotRecorded)?;
    let mut answers = Vec::new();
    for (place, recorded) in trace.steps.iter().enumerate() {
        let Step::Ask(question) = &*recorded.step else { continue };
        let function = match question {
            Question::Function { .. } => match recorded.definition().and_then(Definition::file) {
                Some(file) if edit.read_files.contains(&file_hash(Path::new(file))) => Some(file),
                _ => continue,
            },
            question if question.is_told_of_file() => None,
            _ => continue,
        };
        let now = edit.current_answer(&last.basis.ready, question).ok_or(PatchRefusal::FileNotRepeatable)?;
        // A manifest that the node has loaded may have another function of this name.
        if function.is_some() && !matches!(&now, Answer::Definition(now) if now.file() == function) {
            return Err(PatchRefusal::FileNotRepeatable);
        }
        if now.digest() != recorded.digest() {
            answers.push((place, now));
        }
    }
    Ok(answers)
}

/// The questions of a body that are for what was edited of the data.
fn questions<'t>(trace: &'t Trace, edited_data: &EditedData<'_>) -> impl Iterator<Item = (usize, &'t Question)> {
    trace.steps.iter().enumerate().filter_map(|(at, recorded)| match &*recorded.step {
        Step::Ask(question) if edited_data.is_asked_by(question) => Some((at, question)),
        _ => None,
    })
}

/// What a question for a variable, or for a part of one, is answered where this is its value.
fn variable_answer(question: &Question, value: &Value) -> Answer {
    match question {
        Question::Part { path, .. } => Answer::of_part(value, path),
        Question::Whole { path, .. } => Answer::of_whole(value, path),
        _ => Answer::of_variable(value),
    }
}
