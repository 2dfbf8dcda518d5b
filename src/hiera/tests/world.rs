//! An outside made of tables, which remembers what it was asked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use pantin_base::{Language, Strict};
use pantin_model::trace::{Answer, Container, Question, VariableName};
use pantin_values::{Fault, Resolve, Str, Type, Value};

use crate::{FileUse, Function, Hiera, KeyRequest, Lookups, Module, Outside, Settings, Trouble, Warning};

/// The code of a function of the tests.
pub(super) type Code = Rc<dyn Fn(&Lookups, &mut World, Vec<Value>) -> Result<Value, Fault>>;

#[derive(Default)]
pub(super) struct World {
    pub(super) files: BTreeMap<PathBuf, Arc<[u8]>>,
    pub(super) variables: BTreeMap<Str, Value>,
    pub(super) functions: BTreeMap<Str, (Function, Code)>,
    pub(super) lookups: Option<Rc<Lookups>>,
    pub(super) asked: Vec<Question>,
    pub(super) read: Vec<PathBuf>,
    pub(super) warnings: Vec<String>,
}

impl World {
    pub(super) fn with(files: &[(&str, &str)]) -> World {
        let files = files.iter().map(|(path, text)| (PathBuf::from(path), Arc::from(text.as_bytes())));
        World { files: files.collect(), ..World::default() }
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.variables.insert(name.into(), value);
    }

    pub(super) fn function(
        &mut self,
        name: &str,
        code: impl Fn(&Lookups, &mut World, Vec<Value>) -> Result<Value, Fault> + 'static,
    ) {
        self.functions.insert(name.into(), (Function { returns: None }, Rc::new(code)));
    }

    /// Starts a node's request.
    pub(super) fn start(&mut self, hiera: &Arc<Hiera>) -> Rc<Lookups> {
        let lookups = Rc::new(Lookups::new(hiera.clone(), settings()));
        self.lookups = Some(lookups.clone());
        lookups
    }

    pub(super) fn lookup(&mut self, key: &str) -> Result<Option<Value>, Trouble> {
        let lookups = match &self.lookups {
            Some(lookups) => lookups.clone(),
            None => self.start(&Arc::default()),
        };
        lookups.lookup(&KeyRequest::named(key), self)
    }
}

pub(super) fn settings() -> Settings {
    Settings {
        language: Language::Puppet8,
        strict: Strict::Error,
        strict_variables: true,
        hiera_config: "/etc/hiera.yaml".into(),
        codedir: "/code".into(),
        environment: "production".into(),
        environment_path: Some("/env".into()),
        environment_data_provider: None,
        data_binding_terminus: "hiera".into(),
        missing_key: Default::default(),
    }
}

impl Resolve for World {
    fn resolve(&mut self, _: &str) -> Result<Option<Type>, Fault> {
        Ok(None)
    }
}

impl Outside for World {
    fn ask(&mut self, question: &Question) -> Answer {
        self.asked.push(question.clone());
        let variable = |name: &VariableName| self.variables.get(name.without_top());
        match question {
            Question::Variable(name) => match variable(name) {
                None => Answer::Absent,
                Some(Value::Hash(_)) => Answer::View(Container::Hash),
                Some(value) => Answer::Value(value.clone()),
            },
            Question::Part { variable: name, path } => {
                variable(name).map_or(Answer::Absent, |whole| Answer::of_part(whole, path))
            }
            Question::Whole { variable: name, path } => {
                variable(name).map_or(Answer::Absent, |whole| Answer::of_whole(whole, path))
            }
            _ => Answer::Absent,
        }
    }

    fn has_local(&self, _name: &str) -> bool {
        false
    }

    fn wants_any(&mut self, _: &[Str]) -> bool {
        false
    }

    fn unknown_variable(&mut self, name: &str) -> (String, String) {
        (name.to_owned(), String::new())
    }

    fn calling_class(&mut self) -> Option<Str> {
        None
    }

    fn read_as(&mut self, _: FileUse, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.read.push(path.to_owned());
        Ok(self.files.get(path).cloned())
    }

    fn reveal(&mut self, _: &str) {}

    fn exists(&mut self, path: &Path) -> bool {
        self.files.keys().any(|file| file.starts_with(path))
    }

    fn glob(&mut self, _: &str) -> Result<Vec<PathBuf>, Fault> {
        Ok(Vec::new())
    }

    fn process_variable(&mut self, _: &str) -> Option<String> {
        None
    }

    fn module(&mut self, name: &str) -> Option<Module> {
        let path = PathBuf::from(format!("/modules/{name}"));
        self.exists(&path).then_some(Module { path, data_provider: None })
    }

    fn function(&mut self, name: &str) -> Result<Option<Function>, Fault> {
        Ok(self.functions.get(name).map(|(function, _)| function.clone()))
    }

    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, Fault> {
        let code = self.functions.get(name).map(|(_, code)| code.clone());
        let (Some(code), Some(lookups)) = (code, self.lookups.clone()) else {
            return Err(Fault::new(format!("no function {name}")));
        };
        code(&lookups, self, arguments)
    }

    fn warn(&mut self, warning: Warning) {
        self.warnings.push(warning.message);
    }
}
