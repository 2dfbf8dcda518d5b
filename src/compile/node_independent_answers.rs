//! Answers that are the same for all nodes of an environment, and their dependencies.

use std::path::Path;
use std::sync::Arc;

use pantin_model::trace::{Answer, FileKind, Question, RubyFile};
use pantin_values::{Binary, Fault, Value};
use pantin_world::{Dependencies, Disk, LeafKind, ReadError};

use super::catalog::Site;
use super::codebase::CodeBase;
use super::loader::Loader;
use super::node::{ObservationLog, file_hash};

/// The dependencies of node-independent answers.
pub struct SharedDependencies {
    /// `None`: one of the answers depends on more than files.
    pub dependencies: Option<Dependencies>,
    /// The files whose text the answers contain, as hashed by [`file_hash`].
    pub files: Vec<u32>,
}

impl Site {
    /// Returns the files that a resource type was read from.
    pub fn resource_type_dependencies(&self, name: &str) -> Dependencies {
        let base = self.base().with_own_reads();
        // The absence of a type is a dependency, too.
        let _ = base.resource_type(name);
        base.modules.disk.dependencies()
    }

    /// The current answer from files alone, whatever else the node has loaded; `None`: the files do not decide it.
    pub fn current_answer(&self, question: &Question) -> Option<Answer> {
        let base = self.base().with_own_reads();
        let mut loader = Loader::new(&base);
        match question {
            Question::Function { name, caller } => Some(Loader::function_from_files(&base, name, caller).into()),
            question => loader.read_files(question),
        }
    }

    /// Returns the dependencies of the answers to these questions.
    pub fn answer_dependencies(&self, questions: &[Question]) -> SharedDependencies {
        let base = self.base().with_own_reads();
        let mut loader = Loader::new(&base);
        let mut files = Vec::new();
        let mut are_of_files = true;
        for question in questions {
            match loader.read_files(question) {
                Some(answer) => files.extend(base.file_behind(question, &answer)),
                // Settings belong to the environment.
                None => are_of_files &= matches!(question, Question::Setting(_)),
            }
        }
        SharedDependencies { dependencies: are_of_files.then(|| base.modules.disk.dependencies()), files }
    }
}

impl Loader<'_> {
    /// Returns the answer from files alone to code of a catalog; the read is recorded. `None`: the files do not decide
    /// it.
    pub(super) fn answer_from_files(&mut self, question: &Question, log: &ObservationLog) -> Option<Answer> {
        let answer = self.read_files(question)?;
        if log.is_active()
            && let Some(file) = self.base.file_behind(question, &answer)
        {
            log.file(file);
        }
        Some(answer)
    }

    fn read_files(&mut self, question: &Question) -> Option<Answer> {
        Some(match question {
            Question::Template(name) => self.template(name),
            Question::Ruby { file, name } => self.base.ruby(*file, name).into(),
            Question::FindFile { kind, name } => {
                let found = self.base.file(*kind, name);
                found.map_or(Answer::Absent, |path| self.base.path_or_breach(name, &path).into())
            }
            Question::Content(path) => self.base.content(Path::new(path.as_str())),
            Question::Glob(patterns) => self.base.glob(patterns).into(),
            _ => return None,
        })
    }
}

impl CodeBase {
    /// The path of a file for code, unless code that names it by an absolute path may not read it.
    fn path_or_breach(&self, name: &str, path: &Path) -> Result<Value, Fault> {
        let is_in_module = !name.starts_with('/') && !name.contains("..");
        match self.modules.disk.breach(path).filter(|_| !is_in_module) {
            None => Ok(path.display().to_string().into()),
            Some(breach) => Err(Fault::new(ReadError::Fenced(breach).in_ruby(path))),
        }
    }

    /// Returns the file whose text the answer contains, as hashed by [`file_hash`].
    fn file_behind(&self, question: &Question, answer: &Answer) -> Option<u32> {
        if let Answer::Definition(found) = answer
            && let Some(file) = found.file()
        {
            return Some(file_hash(Path::new(file)));
        }
        let file: Option<Arc<Path>> = match question {
            Question::Template(name) | Question::Ruby { file: RubyFile::Template, name } => {
                self.file(FileKind::Template, name)
            }
            Question::Content(path) => Some(Path::new(path.as_str()).into()),
            _ => None,
        };
        file.map(|file| file_hash(&file))
    }

    fn content(&self, path: &Path) -> Answer {
        match self.modules.text(LeafKind::Text, path) {
            Ok(Some(bytes)) => Answer::Value(Value::Binary(Binary::new(bytes))),
            Ok(None) => Answer::Absent,
            Err(fault) => Answer::Fault(fault),
        }
    }
}
