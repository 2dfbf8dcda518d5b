//! A run of a body, split into the steps that must be equal and those that may differ.

use std::sync::Arc;

use pantin_base::names::split_last;
use pantin_values::{Digest, Digester, Str, Value};
use rustc_hash::FxHashMap;

use super::declared::{DeclarationAt, NameSet, is_list_of_relationships, is_plain, ones, shape_of_classes};
use super::presence::Presence;
use super::{AddedDeclaration, InsertionPoint, ResourceKey, VariableChange};
use crate::trace::{Effect, Question, RecordedStep, Step, Trace, VariableName};

/// What a run did, in order, and what it asked meanwhile.
pub(super) struct Run<'t> {
    pub(super) parts: Vec<Part<'t>>,
    /// Of the resources that it declares.
    pub(super) names: NameSet<'t>,
    questions: Vec<AnsweredQuestion<'t>>,
    /// The variables that it leaves for others, with the steps by which it does.
    variables: FxHashMap<&'t Str, &'t Step>,
}

/// What was asked between two parts that are the same in both runs.
struct AnsweredQuestion<'t> {
    /// Between which.
    at: usize,
    question: &'t Question,
    recorded: &'t RecordedStep,
}

impl AnsweredQuestion<'_> {
    /// Returns true if it would have been told the same as it was: at the same time, or at any where nothing else can
    /// be told.
    fn is_told_by(&self, known: &AnsweredQuestion<'_>) -> bool {
        (known.at == self.at || self.question.is_steady())
            && known.question.is_same(self.question)
            && known.recorded.is_told_as(self.recorded)
    }
}

pub(super) enum Part<'t> {
    /// Has to be the same in both.
    Strict {
        step: &'t Step,
        reply: Digest,
        brings_resources: bool,
    },
    /// The parameters of the body, perhaps with other values.
    Given {
        step: &'t Arc<Step>,
        reply: Digest,
    },
    /// Classes that are declared like resources, perhaps with other values.
    Classes {
        shape: Digest,
        ones: Vec<DeclarationAt<'t>>,
        reply: Digest,
    },
    Declared(DeclarationAt<'t>),
    /// Whether a resource is there: no answer to another question depends on it.
    Presence(Presence<'t>),
}

/// What a part is, but for what a resource is declared as.
#[derive(PartialEq)]
pub(super) enum Identity<'p> {
    Question(SameQuestion<'p>, Digest),
    Effect(Digest, Digest),
    Given(Digest),
    Classes(Digest, Digest),
    Resource(&'p ResourceKey),
}

pub(super) struct SameQuestion<'p>(pub(super) &'p Question);

impl PartialEq for SameQuestion<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(other.0)
    }
}

impl<'t> Part<'t> {
    pub(super) fn identity(&self) -> Identity<'_> {
        match self {
            Part::Declared(one) => Identity::Resource(one.key()),
            Part::Presence(asked) => asked.identity(),
            Part::Strict { step: Step::Ask(question), reply, .. } => Identity::Question(SameQuestion(question), *reply),
            Part::Strict { step, reply, .. } => Identity::Effect(step.meaning().unwrap_or(*reply), *reply),
            Part::Given { reply, .. } => Identity::Given(*reply),
            Part::Classes { shape, reply, .. } => Identity::Classes(*shape, *reply),
        }
    }

    /// Returns what it declares.
    pub(super) fn ones(&self) -> &[DeclarationAt<'t>] {
        match self {
            Part::Declared(one) => std::slice::from_ref(one),
            Part::Classes { ones, .. } => ones,
            Part::Strict { .. } | Part::Given { .. } | Part::Presence(_) => &[],
        }
    }
}

impl<'t> Run<'t> {
    /// `None`: the same resource or variable comes twice, or resources are given one list that they share.
    pub(super) fn from_trace(trace: &'t Trace) -> Option<Run<'t>> {
        let count = trace.steps.len();
        let mut run = Run {
            parts: Vec::with_capacity(count),
            names: NameSet::default(),
            questions: Vec::with_capacity(count),
            variables: FxHashMap::default(),
        };
        let mut strict = 0;
        // What the body itself has given what it declares from here on.
        let mut given: Option<Digest> = None;
        for recorded in &trace.steps {
            let step = &recorded.step;
            if let Step::Ask(question) = &**step {
                if let Some(asked) = Presence::new(question, recorded.digest()) {
                    run.parts.push(Part::Presence(asked));
                    continue;
                }
                if !question.is_about_resources() {
                    run.questions.push(AnsweredQuestion { at: strict, question, recorded });
                    continue;
                }
            }
            match step.effect() {
                Some(Effect::Declare(declaration)) if is_plain(declaration) => {
                    for one in ones(step) {
                        run.names.insert(one.declared).then_some(())?;
                        run.parts.push(Part::Declared(one.with_defaults(given)));
                    }
                }
                Some(Effect::Export { name, .. } | Effect::ExportPart { name, .. }) => {
                    if run.variables.insert(name, step).is_some() {
                        return None;
                    }
                }
                Some(Effect::Defaults { parameters, .. })
                    if parameters.iter().any(|one| is_list_of_relationships(&one)) =>
                {
                    return None;
                }
                effect => {
                    debug_assert!(step.is_strict(), "{step:?}");
                    strict += 1;
                    if matches!(effect, Some(Effect::Defaults { .. })) {
                        let mut more = Digester::new(b"given");
                        more.digest(step.meaning()?);
                        given.into_iter().for_each(|given| _ = more.digest(given));
                        given = Some(more.finish());
                    }
                    run.parts.push(strict_part(step, effect, recorded.digest()));
                }
            }
        }
        Some(run)
    }

    pub(super) fn declarations(&self) -> impl Iterator<Item = &DeclarationAt<'t>> {
        self.parts.iter().filter_map(|part| match part {
            Part::Declared(one) => Some(one),
            _ => None,
        })
    }

    /// Returns the effect by which it takes its parameters.
    pub(super) fn parameters(&self) -> Option<&'t Arc<Step>> {
        self.parts.iter().find_map(|part| match part {
            Part::Given { step, .. } => Some(*step),
            _ => None,
        })
    }

    /// Returns true if it asked the outside for one of its own variables, or for the names of all: what it was told may
    /// be otherwise than it was.
    pub(super) fn asks_for_any(&self, variables: &[VariableChange]) -> bool {
        let is_among = |name: &VariableName| {
            let name = name.written();
            let last = split_last(name).map_or(name.as_str(), |(_, last)| last);
            variables.iter().any(|variable| variable.name == last)
        };
        !variables.is_empty()
            && self.questions.iter().any(|answered| match answered.question {
                Question::Names | Question::Similar { .. } => true,
                Question::Variable(name)
                | Question::Part { variable: name, .. }
                | Question::Whole { variable: name, .. } => is_among(name),
                _ => false,
            })
    }

    pub(super) fn changed_variables(&self, now: &Run<'_>) -> Vec<VariableChange> {
        let exported = self.variables.keys().chain(now.variables.keys()).map(|name| (*name).clone());
        let taken = self.parameter_values().chain(now.parameter_values()).map(|(name, _)| name.clone());
        let mut names: Vec<Str> = exported.chain(taken).collect();
        names.sort();
        names.dedup();
        let (old, new) = (self, now);
        let is_other = |name: &Str| old.variable_digest(name) != new.variable_digest(name);
        let names = names.into_iter().filter(is_other);
        names.map(|name| VariableChange { before: old.value(&name), now: new.value(&name), name }).collect()
    }

    /// Returns the parameters that it takes, with their values.
    fn parameter_values(&self) -> impl Iterator<Item = (&'t Str, &'t Value)> {
        let values = match self.parameters().and_then(|step| step.effect()) {
            Some(Effect::Parameters(values)) => Some(values),
            _ => None,
        };
        values.into_iter().flatten()
    }

    /// Returns what says what a variable is.
    fn variable_digest(&self, name: &Str) -> Option<Digest> {
        let taken = || self.parameter_values().find(|(taken, _)| *taken == name).map(|(_, value)| value.digest());
        self.variables.get(name).and_then(|step| step.meaning()).or_else(taken)
    }

    fn value(&self, name: &Str) -> Option<Value> {
        match self.variables.get(name).map(|step| step.effect()) {
            Some(Some(Effect::Export { value, .. })) => Some(value.clone()),
            Some(_) => None,
            None => self.parameter_values().find(|(taken, _)| *taken == name).map(|(_, value)| value.clone()),
        }
    }

    /// Returns true if all that it asked the other had asked too, at a time when the answer was the same, or is
    /// answered alike for all nodes of an environment.
    pub(super) fn asks_nothing_new(&self, before: &Run<'_>) -> bool {
        // Mostly all is asked in the same order.
        let mut next = 0;
        self.questions.iter().all(|answered| {
            if answered.question.is_about_environment() {
                return true;
            }
            let is_it = |known: &AnsweredQuestion<'_>| answered.is_told_by(known);
            let expected = before.questions.get(next).is_some_and(is_it).then_some(next);
            let found = expected.or_else(|| before.questions.iter().position(is_it));
            found.inspect(|at| next = at + 1).is_some()
        })
    }

    /// Returns what it asked that all nodes of an environment are told alike, and the other had not asked.
    pub(super) fn new_questions(&self, before: &Run<'_>) -> Vec<Question> {
        let is_new = |question: &Question| {
            question.is_about_environment() && !before.questions.iter().any(|known| known.question.is_same(question))
        };
        let answered = self.questions.iter().map(|answered| answered.question);
        answered.filter(|question| is_new(question)).cloned().collect()
    }

    pub(super) fn added_declarations(&self, before: &Run<'_>) -> Vec<AddedDeclaration> {
        let mut added = Vec::new();
        let mut marks = 0;
        let mut behind = None;
        for part in &self.parts {
            match part {
                Part::Declared(one) if before.names.has(one.declared) => behind = Some(one.key()),
                Part::Declared(one) => {
                    let (what, meaning) = (one.key().clone(), one.meaning);
                    let beside =
                        behind.map_or(InsertionPoint::Mark(marks), |named| InsertionPoint::Behind(named.clone()));
                    added.push(AddedDeclaration { resource: what, meaning, position: beside });
                }
                Part::Strict { brings_resources: true, .. } | Part::Classes { .. } => {
                    marks += 1;
                    behind = None;
                }
                Part::Strict { .. } | Part::Given { .. } | Part::Presence(_) => {}
            }
        }
        added
    }
}

fn strict_part<'t>(step: &'t Arc<Step>, effect: Option<&'t Effect>, reply: Digest) -> Part<'t> {
    match effect {
        Some(Effect::Parameters(_)) => Part::Given { step, reply },
        Some(Effect::Declare(declaration)) => match shape_of_classes(declaration) {
            Some(shape) => Part::Classes { shape, ones: ones(step).collect(), reply },
            None => Part::Strict { step, reply, brings_resources: true },
        },
        effect => Part::Strict { step, reply, brings_resources: effect.is_some_and(Effect::brings_resources) },
    }
}
