//! The bodies of a node that an edit affects: those with edited code, and those with changed answers from data.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use pantin_base::names::split_last;
use pantin_compile::{BindingObservations, BodyWalk, LookupObservations, QuestionReplayer, file_hash};
use pantin_hiera::{KeyHash, hash_of_name};
use pantin_model::trace::{Answer, DeclarationChange, Definition, Question, Step, Trace, VariableChange};
use pantin_values::{Digest, Str, Value};
use rustc_hash::FxHashSet;

use super::PatchRefusal;
use super::edit::Edit;
use super::last_answer::LastAnswer;
use super::rebinding::{AskedAnew, Rebinding};
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
    /// The bindings of the node, where they were edited.
    pub(super) bindings: Option<BindingObservations>,
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
        // Where nothing was bound so far, the first definition gives names a meaning that they had not.
        if last.bindings.is_none() && edit.binding_files.iter().any(|id| last.dependencies.contains(*id)) {
            return Err(PatchRefusal::OtherFile);
        }
        if edit.keys.is_empty() && edit.read_files.is_empty() && !edit.has_bindings {
            let edited = last.walks.iter().enumerate().filter(|(_, walk)| edit.names.contains(&walk.name));
            let bodies = edited.map(|(at, walk)| AffectedBody::without_answers(at, walk)).collect();
            return Ok(AffectedBodies { bodies, ..AffectedBodies::default() });
        }
        let mut search = AnswerSearch::new(last, edit)?;
        let mut bodies = Vec::new();
        let mut calls = last.lookup_observations.calls.iter().peekable();
        for (at, walk) in last.walks.iter().enumerate() {
            let mut asks_data = search.edited_data.owners.contains(&walk.name);
            while let Some((_, key)) = calls.next_if(|(walk, _)| *walk as usize == at) {
                asks_data |= search.edited_data.keys.contains(key);
            }
            let mut answers = search.changed_answers(at, walk, asks_data)?;
            if walk.reads.iter().any(|file| edit.read_files.contains(file)) {
                answers.extend(changed_file_answers(last, edit, walk)?);
            }
            if !answers.is_empty() || edit.names.contains(&walk.name) {
                bodies.push(AffectedBody { answers, ..AffectedBody::without_answers(at, walk) });
            }
        }
        Ok(search.into_affected(bodies))
    }
}

/// Finds what the bodies of a node are told otherwise, by data and by bindings.
struct AnswerSearch<'l, 'e> {
    last: &'l LastAnswer,
    edit: &'e Edit,
    edited_data: EditedData<'e>,
    data: Option<QuestionReplayer<'l>>,
    /// What the edit changes of the node's bindings, perhaps nothing; `None`: nothing is bound.
    bindings: Option<(&'l BindingObservations, Arc<Rebinding>)>,
    asked: AskedAnew,
}

impl<'l, 'e> AnswerSearch<'l, 'e> {
    fn new(last: &'l LastAnswer, edit: &'e Edit) -> Result<AnswerSearch<'l, 'e>, PatchRefusal> {
        let edited_data = EditedData::new(edit, &last.lookup_observations);
        let bindings = match &last.bindings {
            Some(of) => {
                if of.reads.data_keys.iter().any(|key| edited_data.keys.contains(key)) {
                    return Err(PatchRefusal::LookupNotRepeatable);
                }
                let edited = edit.rebinding(last, of)?;
                if let Some(edited) = &edited {
                    edited.check_node(last, of, edit)?;
                }
                let unchanged = || Arc::new(Rebinding::new(&of.injector, &of.injector));
                Some((of, edited.unwrap_or_else(unchanged)))
            }
            None => None,
        };
        Ok(AnswerSearch { last, edit, edited_data, data: None, bindings, asked: AskedAnew::default() })
    }

    /// The answers that a body gets today and did not get before. `asks_data`: it may have asked for an edited key of the data.
    fn changed_answers(
        &mut self,
        at: usize,
        walk: &BodyWalk,
        asks_data: bool,
    ) -> Result<Vec<(usize, Answer)>, PatchRefusal> {
        let bindings = self.bindings.clone();
        let is_bound = bindings
            .as_ref()
            .is_some_and(|(of, rebinding)| asks_data || rebinding.concerns(walk, of.reads.asked_by(at as u32)));
        if !asks_data && !is_bound {
            return Ok(Vec::new());
        }
        let trace = trace(walk, self.last).ok_or(PatchRefusal::NotRecorded)?;
        let mut answers = Vec::new();
        if asks_data {
            let places = questions(&trace, &self.edited_data).map(|(place, _)| place).collect::<Vec<usize>>();
            for place in places {
                let Step::Ask(question) = &*trace.steps[place].step else { continue };
                // What is bound comes before the data.
                let is_bound = bindings.as_ref().is_some_and(|(_, rebinding)| rebinding.may_answer(question));
                if is_bound {
                    continue;
                }
                let answer = self.data_answer(question)?;
                if answer.digest() != trace.steps[place].digest() {
                    answers.push((place, answer));
                }
            }
        }
        if let Some((of, rebinding)) = bindings.filter(|_| is_bound) {
            let mut asked = std::mem::take(&mut self.asked);
            let last = self.last;
            let mut ask_data = |question: &Question| self.data_answer(question);
            answers.extend(rebinding.changed_answers((at, &trace), (last, of), &mut ask_data, &mut asked)?);
            self.asked = asked;
        }
        Ok(answers)
    }

    fn data_answer(&mut self, question: &Question) -> Result<Answer, PatchRefusal> {
        let replayer = match &mut self.data {
            Some(replayer) => replayer,
            none => {
                let new = self.last.basis.ready.site.question_replayer(&self.last.lookup_observations);
                none.insert(new.ok_or(PatchRefusal::LookupNotRepeatable)?)
            }
        };
        replayer.answer(question).ok_or(PatchRefusal::LookupNotRepeatable)
    }

    fn into_affected(self, bodies: Vec<AffectedBody<'l>>) -> AffectedBodies<'l> {
        let of_data =
            self.data.as_ref().map(|data| DependencySet::from_dependencies(&data.dependencies())).unwrap_or_default();
        let inner = self.data.map(|data| data.inner()).unwrap_or_default();
        let edited = self.bindings.filter(|_| self.edit.has_bindings);
        let dependencies =
            edited.as_ref().map_or(of_data.clone(), |(_, rebinding)| of_data.union(&rebinding.dependencies));
        let bindings = edited.map(|(of, rebinding)| of.with_asked(&rebinding.now, &self.asked.rows));
        AffectedBodies { bodies, dependencies, inner, bindings }
    }
}

impl<'l> AffectedBody<'l> {
    /// Returns a body without changed answers.
    pub(super) fn without_answers(at: usize, walk: &'l BodyWalk) -> AffectedBody<'l> {
        AffectedBody { at, walk, answers: Vec::new(), redeclared: None }
    }

    /// Returns its recorded trace with the changed answers in their places.
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

/// Returns the answers about file contents and functions that the edit changes.
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

/// Returns what a question for a variable, or for a part of one, is answered where this is its value.
fn variable_answer(question: &Question, value: &Value) -> Answer {
    match question {
        Question::Part { path, .. } => Answer::of_part(value, path),
        Question::Whole { path, .. } => Answer::of_whole(value, path),
        _ => Answer::of_variable(value),
    }
}
