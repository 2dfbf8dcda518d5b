//! A small world: variables, data, a catalog and a log; classes are included by walking their own trees.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pantin_values::{Digest, Str, Value};

use super::program::{self, Program};
use super::{body, failure};
use crate::trace::{Answer, Container, Effect, Host, Outcome, Question, Traces};

#[derive(Clone, Default)]
pub(super) struct World {
    pub(super) variables: BTreeMap<Str, Value>,
    pub(super) declared: BTreeSet<Str>,
    pub(super) log: Vec<Str>,
    pub(super) once: BTreeSet<Str>,
    pub(super) frame: BTreeMap<Str, Str>,
    pub(super) included: BTreeSet<Str>,
    pub(super) classes: Arc<BTreeMap<Str, Program>>,
    /// Without, classes are run.
    pub(super) traces: Option<Arc<Traces>>,
    /// The class that is being evaluated.
    pub(super) scope: Str,
    pub(super) asked: Vec<Question>,
    pub(super) applied: Vec<Effect>,
    /// How many bodies ran.
    pub(super) runs: usize,
    pub(super) clock: i64,
}

impl World {
    pub(super) fn from_variables(variables: &[(&str, Value)]) -> World {
        let variables = variables.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        World { variables, ..World::default() }
    }

    /// Returns all that a later request could see.
    pub(super) fn state(&self) -> (&BTreeMap<Str, Value>, &BTreeSet<Str>, &[Str], &BTreeSet<Str>) {
        (&self.variables, &self.declared, &self.log, &self.included)
    }

    fn include(&mut self, class: &Str) -> Outcome {
        if !self.included.insert(class.clone()) {
            return Outcome::Done;
        }
        let classes = Arc::clone(&self.classes);
        let Some(program) = classes.get(class) else {
            return Outcome::Failed(Box::new(failure(&format!("no class {class}"))));
        };
        let outer = std::mem::replace(&mut self.scope, class.clone());
        let result = self.evaluate(class, program);
        self.scope = outer;
        match result {
            Ok(_) => Outcome::Done,
            Err(failure) => Outcome::Failed(Box::new(failure)),
        }
    }

    pub(super) fn evaluate(&mut self, name: &str, program: &Program) -> Result<Value, crate::trace::Failure> {
        let Some(traces) = self.traces.clone() else { return program::run(program, self) };
        let key = traces.key(Digest::from_text(name), Digest::from_text(""));
        let mut ran = false;
        let walked = traces.walk(&key, body(name), self, |host| {
            ran = true;
            program::run(program, host)
        });
        self.runs += usize::from(ran);
        walked.result
    }

    fn find(&self, variable: &str, path: &[Value]) -> Option<&Value> {
        path.iter().try_fold(self.variables.get(variable)?, |value, key| match value {
            Value::Hash(entries) => entries.get(key),
            _ => None,
        })
    }
}

fn viewed(value: Option<&Value>) -> Answer {
    match value {
        None => Answer::Absent,
        Some(Value::Hash(_)) => Answer::View(Container::Hash),
        Some(Value::Array(_)) => Answer::View(Container::Array),
        Some(value) => Answer::Value(value.clone()),
    }
}

impl Host for World {
    fn ask(&mut self, question: &Question) -> Answer {
        self.asked.push(question.clone());
        match question {
            Question::Variable(name) => viewed(self.find(name.written(), &[])),
            Question::Part { variable, path } => viewed(self.find(variable.written(), path)),
            Question::Whole { variable, path } => {
                self.find(variable.written(), path).cloned().map_or(Answer::Absent, Answer::Value)
            }
            Question::Defined(Value::String(title)) => Answer::Value(self.declared.contains(title).into()),
            Question::Frame(name) => {
                self.frame.get(name).map_or(Answer::Absent, |value| Answer::Value(value.clone().into()))
            }
            Question::Lookup(question) => viewed(self.find(&format!("data {}", question.key), &[])),
            Question::Now => {
                self.clock += 1;
                Answer::Value(self.clock.into())
            }
            _ => Answer::Absent,
        }
    }

    fn apply(&mut self, effect: &Effect) -> Outcome {
        self.applied.push(effect.clone());
        match effect {
            Effect::Log(log) => {
                if log.once.as_ref().is_none_or(|key| self.once.insert(key.clone())) {
                    self.log.push(log.message.clone());
                }
                Outcome::Done
            }
            Effect::Export { name, value } => {
                let name = if self.scope.is_empty() { name.clone() } else { format!("{}::{name}", self.scope).into() };
                self.variables.insert(name, value.clone());
                Outcome::Done
            }
            Effect::Realize { references, .. } | Effect::Override { references, .. } => {
                Outcome::Value(Value::array(references.iter().cloned()))
            }
            Effect::Tag(titles) => {
                let mut new = true;
                for title in titles {
                    new &= self.declared.insert(title.clone());
                }
                match new {
                    true => Outcome::Value(Value::array(titles.iter().map(|title| title.clone().into()))),
                    false => Outcome::Failed(Box::new(failure("Duplicate declaration"))),
                }
            }
            Effect::Include { classes, .. } => {
                for class in classes {
                    match self.include(class) {
                        Outcome::Done => {}
                        failed => return failed,
                    }
                }
                Outcome::Done
            }
            _ => Outcome::Done,
        }
    }
}
