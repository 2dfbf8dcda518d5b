//! Repeats a node's look-ups after an edit of data: with today's files, and the node's variables as they were when its
//! catalog was compiled.
//!
//! Where that does not suffice there is no answer, and the node has to be compiled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::Language;
use pantin_base::budget::Steps;
use pantin_hiera::{FileUse, Function, KeyRequest, Lookups, Module, Outside, Warning};
use pantin_model::trace::{Answer, Question};
use pantin_values::{Fault, Resolve, Str, Timestamp, Type, Value};
use pantin_world::Dependencies;

use super::catalog::Site;
use super::codebase::CodeBase;
use super::node::{LookupCaller, LookupObservations};

pub struct QuestionReplayer<'n> {
    base: CodeBase,
    lookups: Lookups,
    outside: Recollection<'n>,
}

/// The outside of a repeated look-up: the current files, and the recorded answers about the node.
struct Recollection<'n> {
    base: CodeBase,
    observations: &'n LookupObservations,
    asking: LookupCaller,
    is_at_a_loss: bool,
}

impl Site {
    /// Returns a replayer with the recorded answers of a node; `None`: the environment has no data.
    pub fn question_replayer<'n>(&self, observations: &'n LookupObservations) -> Option<QuestionReplayer<'n>> {
        let base = self.base().with_own_reads();
        let lookups = Lookups::new(base.hiera.clone(), base.data.clone()?);
        let outside =
            Recollection { base: base.clone(), observations, asking: LookupCaller::default(), is_at_a_loss: false };
        Some(QuestionReplayer { base, lookups, outside })
    }
}

impl QuestionReplayer<'_> {
    /// Returns the answer from the current data; `None`: it depends on more of the node than was recorded.
    pub fn answer(&mut self, question: &Question) -> Option<Answer> {
        let steps = Steps::begin(self.base.settings.limits.steps);
        let found = match question {
            Question::Parameter(key) => {
                self.outside.asking = LookupCaller::default();
                self.lookups.lookup_parameter(&KeyRequest::named(key.clone()), &mut self.outside)
            }
            Question::Lookup(question) => {
                self.outside.asking = LookupCaller::from_question(question);
                self.lookups.lookup(&KeyRequest::from_question(question), &mut self.outside)
            }
            _ => return None,
        };
        let found = found.ok()?;
        if steps.is_over() {
            return None;
        }
        let is_encrypted = self.lookups.has_decrypted() || !self.lookups.unread().is_empty();
        let is_told_all = !self.outside.is_at_a_loss && !is_encrypted;
        if !is_told_all || !found.as_ref().is_none_or(Value::is_plain_data) {
            return None;
        }
        Some(found.map_or(Answer::Absent, Answer::Value))
    }

    /// Returns the look-ups that other look-ups made, as in [`LookupObservations::inner`].
    pub fn inner(&self) -> Vec<(Str, pantin_hiera::KeyHash)> {
        self.lookups.keys_asked_inside()
    }

    /// Returns the dependencies of the answers so far.
    pub fn dependencies(&self) -> Dependencies {
        self.base.modules.disk.dependencies()
    }
}

impl Recollection<'_> {
    fn at_a_loss<T>(&mut self, instead: T) -> T {
        self.is_at_a_loss = true;
        instead
    }
}

impl Resolve for Recollection<'_> {
    fn resolve(&mut self, _: &str) -> Result<Option<Type>, Fault> {
        Ok(self.at_a_loss(None))
    }

    fn language(&self) -> Language {
        self.base.settings.language
    }

    fn most_elements(&self) -> u64 {
        self.base.settings.limits.elements
    }

    fn now(&mut self) -> Result<Timestamp, Fault> {
        Err(self.at_a_loss(Fault::new("the time is not known")))
    }
}

impl Outside for Recollection<'_> {
    fn ask(&mut self, question: &Question) -> Answer {
        let is_local = match question {
            Question::Variable(name)
            | Question::Part { variable: name, .. }
            | Question::Whole { variable: name, .. } => self.asking.has(name.written()),
            _ => true,
        };
        match self.observations.recorded_answer(question) {
            Some(answer) if !is_local => answer.clone(),
            _ => self.at_a_loss(Answer::Absent),
        }
    }

    fn has_local(&self, name: &str) -> bool {
        self.asking.has(name)
    }

    fn wants_any(&mut self, names: &[Str]) -> bool {
        let wants = names.iter().any(|name| self.asking.has(name));
        self.is_at_a_loss |= wants;
        wants
    }

    fn unknown_variable(&mut self, name: &str) -> (String, String) {
        self.at_a_loss((name.to_owned(), String::new()))
    }

    fn calling_class(&mut self) -> Option<Str> {
        self.at_a_loss(None)
    }

    fn read_as(&mut self, file_use: FileUse, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.base.read_data(file_use, path)
    }

    fn exists(&mut self, path: &Path) -> bool {
        self.base.has_data(path)
    }

    fn glob(&mut self, pattern: &str) -> Result<Vec<PathBuf>, Fault> {
        self.base.files_of_data(pattern)
    }

    fn reveal(&mut self, path: &str) {
        self.base.modules.disk.reveal(path);
    }

    fn process_variable(&mut self, _: &str) -> Option<String> {
        self.at_a_loss(None)
    }

    fn module(&mut self, name: &str) -> Option<Module> {
        self.base.module_with_data(name)
    }

    fn function(&mut self, name: &str) -> Result<Option<Function>, Fault> {
        let builtin = self.base.builtins.get(name.strip_prefix("::").unwrap_or(name));
        match builtin {
            Some(_) => Ok(Some(Function { returns: None })),
            None => Ok(self.at_a_loss(None)),
        }
    }

    fn call(&mut self, _: &str, _: Vec<Value>) -> Result<Value, Fault> {
        Ok(self.at_a_loss(Value::Undef))
    }

    fn warn(&mut self, _: Warning) {
        self.is_at_a_loss = true;
    }
}
