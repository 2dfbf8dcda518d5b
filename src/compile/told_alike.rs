//! What all nodes of an environment are told alike, and what that rests on.

use std::path::Path;

use super::catalog::Site;
use super::codebase::CodeBase;
use super::loader::Loader;
use crate::pcore::{Binary, Value};
use crate::trace::{Answer, Question};
use crate::world::Rests;

impl Site {
    /// What it rests on that resources of a type are what they are.
    pub fn type_rests(&self, name: &str) -> Rests {
        let base = self.base().apart();
        // That there is no such type rests on files too.
        let _ = base.resource_type(name);
        base.modules.disk.rests()
    }

    /// What the answers to these questions rest on; `None`: one of them is told by more than the files.
    pub fn answers_rest(&self, questions: &[Question]) -> Option<Rests> {
        let base = self.base().apart();
        let mut loader = Loader::new(&base);
        let is_of_files = |question: &Question| match question {
            // Which are those of the environment.
            Question::Setting(_) => true,
            question => loader.told_alike(question).is_some(),
        };
        questions.iter().all(is_of_files).then(|| base.modules.disk.rests())
    }
}

impl Loader<'_> {
    /// What files alone tell; `None`: they do not suffice.
    pub(super) fn told_alike(&mut self, question: &Question) -> Option<Answer> {
        Some(match question {
            Question::Template(name) => self.template(name),
            Question::Ruby { file, name } => self.base.ruby(*file, name).into(),
            Question::FindFile { kind, name } => {
                let found = self.base.file(*kind, name);
                found.map_or(Answer::Absent, |path| Answer::Value(path.display().to_string().into()))
            }
            Question::Content(path) => self.base.content(Path::new(path.as_str())),
            Question::Glob(patterns) => self.base.glob(patterns).into(),
            _ => return None,
        })
    }
}

impl CodeBase {
    fn content(&self, path: &Path) -> Answer {
        match self.modules.content(path) {
            Ok(Some(bytes)) => Answer::Value(Value::Binary(Binary::new(bytes))),
            Ok(None) => Answer::Absent,
            Err(fault) => Answer::Fault(fault),
        }
    }
}
