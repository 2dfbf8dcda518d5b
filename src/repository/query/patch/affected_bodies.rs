//! The bodies of a node that an edit affects: those with edited code, and those with changed answers from data.

use std::borrow::Cow;
use std::path::Path;

use pantin_base::names::split_last;
use pantin_compile::{BodyWalk, LookupObservations, QuestionReplayer, of_file};
use pantin_hiera::hash_of_name;
use pantin_model::trace::{Answer, Changed, Definition, Question, Step, Trace, VariableChange};
use pantin_values::{Digest, Str, Value};
use rustc_hash::FxHashSet;

use super::edit::Edit;
use super::last_answer::LastAnswer;
use crate::query::blocks::DependencySet;

/// One of them.
#[derive(Clone)]
pub(super) struct AffectedBody<'l> {
    /// Its place among the walks of the node.
    pub(super) at: usize,
    pub(super) walk: &'l BodyWalk,
    /// What it is told otherwise, by the places of the questions in its trace.
    answers: Vec<(usize, Answer)>,
    /// What it is declared as, where one of the others declares it otherwise.
    pub(super) redeclared: Option<Changed>,
}

/// All of them, in the order in which they ended.
#[derive(Default)]
pub(super) struct AffectedBodies<'l> {
    pub(super) bodies: Vec<AffectedBody<'l>>,
    /// What the node's answer depends on beside what it depended on before.
    pub(super) dependencies: DependencySet,
    /// What look-ups have asked for because of what others say.
    pub(super) inner: Vec<(Str, u64)>,
}

/// What was edited of the data, and what a node has looked up that says what was edited.
struct EditedData<'e> {
    keys: Cow<'e, FxHashSet<u64>>,
    /// The classes that the keys are, by their names, parameters of.
    owners: Cow<'e, FxHashSet<Str>>,
}

impl<'e> EditedData<'e> {
    fn new(edit: &'e Edit, consulted: &LookupObservations) -> EditedData<'e> {
        let mut meant = EditedData { keys: Cow::Borrowed(&edit.keys), owners: Cow::Borrowed(&edit.owners) };
        let mut count = 0;
        while count < meant.keys.len() {
            count = meant.keys.len();
            // What was come to last stands last.
            for (outer, inner) in consulted.inner.iter().rev() {
                if meant.keys.contains(inner) && !meant.keys.contains(&hash_of_name(outer)) {
                    meant.keys.to_mut().insert(hash_of_name(outer));
                    meant.owners.to_mut().extend(split_last(outer).map(|(class, _)| Str::from(class)));
                }
            }
        }
        meant
    }

    fn is_asked_by(&self, question: &Question) -> bool {
        let name = match question {
            Question::Parameter(name) => Some(name.as_str()),
            Question::Lookup(Value::Hash(asked)) => asked.get_str("name").and_then(Value::as_str),
            _ => None,
        };
        name.is_some_and(|name| self.keys.contains(&hash_of_name(name)))
    }
}

impl<'l> AffectedBodies<'l> {
    /// `None`: nobody can say.
    pub(super) fn new(last: &'l LastAnswer, edit: &Edit) -> Option<AffectedBodies<'l>> {
        if !edit.read_files.iter().all(|file| last.observed.is_told_to_bodies_alone(*file)) {
            return None;
        }
        if edit.keys.is_empty() && edit.read_files.is_empty() {
            let edited = last.walks.iter().enumerate().filter(|(_, walk)| edit.names.contains(&walk.name));
            let bodies = edited.map(|(at, walk)| AffectedBody::without_answers(at, walk)).collect();
            return Some(AffectedBodies { bodies, ..AffectedBodies::default() });
        }
        let consulted = &last.consulted;
        let meant = EditedData::new(edit, consulted);
        let mut again: Option<QuestionReplayer<'_>> = None;
        let mut bodies = Vec::new();
        let mut calls = consulted.calls.iter().peekable();
        for (at, walk) in last.walks.iter().enumerate() {
            let mut is_told_otherwise = meant.owners.contains(&walk.name);
            while let Some((_, key)) = calls.next_if(|(walk, _)| *walk as usize == at) {
                is_told_otherwise |= meant.keys.contains(key);
            }
            let mut answers = Vec::new();
            if is_told_otherwise {
                let trace = trace(walk, last)?;
                for (place, question) in questions(&trace, &meant) {
                    let again = match &mut again {
                        Some(again) => again,
                        none => none.insert(last.basis.ready.site.question_replayer(consulted)?),
                    };
                    let answer = again.answer(question)?;
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
        let leaning =
            again.as_ref().map(|again| DependencySet::from_dependencies(&again.dependencies())).unwrap_or_default();
        let inner = again.map(|again| again.inner()).unwrap_or_default();
        Some(AffectedBodies { bodies, dependencies: leaning, inner })
    }
}

impl<'l> AffectedBody<'l> {
    /// One that nobody tells anything.
    pub(super) fn without_answers(at: usize, walk: &'l BodyWalk) -> AffectedBody<'l> {
        AffectedBody { at, walk, answers: Vec::new(), redeclared: None }
    }

    /// What it was told, with what it is told otherwise.
    pub(super) fn updated_trace(&self, of: &LastAnswer) -> Option<Trace> {
        let trace = trace(self.walk, of)?;
        let secrets = of.basis.ready.traces.secrets();
        Some(if self.answers.is_empty() { trace } else { trace.with_answers(&self.answers, secrets) })
    }

    /// A variable of a class that it has asked for is another one now; `None`: nobody knows what it is told of that.
    pub(super) fn note_variable_change(
        &mut self,
        of: &LastAnswer,
        class: &str,
        variable: &VariableChange,
    ) -> Option<()> {
        let (before, now) = (variable.before.as_ref()?, variable.now.as_ref()?);
        let trace = trace(self.walk, of)?;
        for (place, recorded) in trace.steps.iter().enumerate() {
            let Step::Ask(question) = &*recorded.step else { continue };
            let (Question::Variable(name)
            | Question::Part { variable: name, .. }
            | Question::Whole { variable: name, .. }) = question
            else {
                continue;
            };
            let (around, last) = split_last(name).unwrap_or(("", name));
            if last != variable.name {
                continue;
            }
            let is_by_name = around.strip_prefix("::").unwrap_or(around) == class;
            let is_told = recorded.digest() == variable_answer(question, before).digest();
            let is_told_nothing = recorded.digest() == Answer::Absent.digest();
            match (is_by_name, is_told) {
                (true, true) => self.answers.push((place, variable_answer(question, now))),
                // Asked before it was there.
                (true, false) if is_told_nothing => {}
                // By another name it may be this one, or another that has the same value.
                (false, false) if !recorded.holds_secret() => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// Names what it is told otherwise.
    pub(super) fn news(&self) -> impl Iterator<Item = (usize, Digest)> {
        self.answers.iter().map(|(place, answer)| (*place, answer.digest()))
    }
}

pub(super) fn trace(walk: &BodyWalk, of: &LastAnswer) -> Option<Trace> {
    of.basis.ready.traces.tree(&walk.key)?.trace_to(walk.end.as_ref()?)
}

/// What it is told otherwise of the text of files, and of functions.
fn changed_file_answers(last: &LastAnswer, edit: &Edit, walk: &BodyWalk) -> Option<Vec<(usize, Answer)>> {
    let trace = trace(walk, last)?;
    let mut told = Vec::new();
    for (place, recorded) in trace.steps.iter().enumerate() {
        let Step::Ask(question) = &*recorded.step else { continue };
        let function = match question {
            Question::Function { .. } => match recorded.definition().and_then(Definition::file) {
                Some(file) if edit.read_files.contains(&of_file(Path::new(file))) => Some(file),
                _ => continue,
            },
            question if question.is_told_of_file() => None,
            _ => continue,
        };
        let now = edit.current_answer(&last.basis.ready, question)?;
        // A manifest that the node has loaded may have another function of this name.
        if function.is_some() && !matches!(&now, Answer::Definition(now) if now.file() == function) {
            return None;
        }
        if now.digest() != recorded.digest() {
            told.push((place, now));
        }
    }
    Some(told)
}

/// The questions of a body that are for what was edited of the data.
fn questions<'t>(trace: &'t Trace, meant: &EditedData<'_>) -> impl Iterator<Item = (usize, &'t Question)> {
    trace.steps.iter().enumerate().filter_map(|(at, recorded)| match &*recorded.step {
        Step::Ask(question) if meant.is_asked_by(question) => Some((at, question)),
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
