//! Which data gave a class a value of the wrong type. It helps the reader of the error alone, so that the look-up that finds it
//! runs no code and logs nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::Language;
use pantin_hiera::{Explainer, FileUse, Function, KeyRequest, Module, Outside, Warning};
use pantin_model::trace::{Answer, Failure, Question};
use pantin_values::{Fault, Resolve, Str, Timestamp, Type, Value};

use super::Compiler;

/// Values whose origin is told.
const MOST_ORIGINS: usize = 3;

impl Compiler<'_> {
    /// The error of a class's parameters, with the files that gave those their values. `given`: those that code gave.
    #[cold]
    pub(super) fn with_data_origin(&mut self, mut failure: Failure, class: &str, given: &[(Str, Value)]) -> Failure {
        let Some(names) = misfit_parameters(&failure.message) else { return failure };
        if failure.help.is_some() {
            return failure;
        }
        let mut origins: Vec<String> = Vec::new();
        for name in names.into_iter().filter(|name| !given.iter().any(|(known, _)| known == name)) {
            let key: Str = format!("{class}::{name}").into();
            if let Some(origin) = self.data_origin(&key)
                && origins.len() < MOST_ORIGINS
                && !origins.contains(&origin)
            {
                origins.push(origin);
            }
        }
        if !origins.is_empty() {
            failure.help = Some(origins.join("\n"));
        }
        failure
    }

    fn data_origin(&mut self, key: &Str) -> Option<String> {
        let lookups = self.lookups.clone().filter(|lookups| !lookups.explains())?;
        lookups.explain_with(Explainer::new(false));
        let found = lookups.lookup_parameter(&KeyRequest::named(key.clone()), &mut Onlooker(self));
        let explained = lookups.explained();
        found.ok().flatten()?;
        let origin = explained?.origin(key)?;
        Some(format!("the value of '{key}' is from the data: {}", origin.describe(key, self)))
    }
}

/// The outside of a look-up without effects: of functions nothing is known but what they returned before.
struct Onlooker<'c, 'e>(&'c mut Compiler<'e>);

impl Resolve for Onlooker<'_, '_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        self.0.resolve(name)
    }

    fn language(&self) -> Language {
        self.0.language()
    }

    fn most_elements(&self) -> u64 {
        self.0.most_elements()
    }

    fn now(&mut self) -> Result<Timestamp, Fault> {
        self.0.now()
    }
}

impl Outside for Onlooker<'_, '_> {
    fn ask(&mut self, question: &Question) -> Answer {
        Outside::ask(self.0, question)
    }

    fn has_local(&self, name: &str) -> bool {
        self.0.has_local(name)
    }

    fn wants_any(&mut self, names: &[Str]) -> bool {
        self.0.wants_any(names)
    }

    fn unknown_variable(&mut self, name: &str) -> (String, String) {
        Outside::unknown_variable(self.0, name)
    }

    fn calling_class(&mut self) -> Option<Str> {
        self.0.calling_class()
    }

    fn read_as(&mut self, file_use: FileUse, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.0.read_as(file_use, path)
    }

    fn exists(&mut self, path: &Path) -> bool {
        self.0.exists(path)
    }

    fn glob(&mut self, pattern: &str) -> Result<Vec<PathBuf>, Fault> {
        Outside::glob(self.0, pattern)
    }

    fn process_variable(&mut self, name: &str) -> Option<String> {
        self.0.process_variable(name)
    }

    fn module(&mut self, name: &str) -> Option<Module> {
        self.0.module(name)
    }

    fn function(&mut self, name: &str) -> Result<Option<Function>, Fault> {
        Outside::function(self.0, name)
    }

    fn reveal(&mut self, path: &str) {
        self.0.reveal(path);
    }

    fn call(&mut self, name: &str, _: Vec<Value>) -> Result<Value, Fault> {
        Err(Fault::new(format!("{name} is not called for help")))
    }

    /// The look-up that gave the value has said it.
    fn warn(&mut self, _: Warning) {}
}

/// The parameters that an error of a class says to have the wrong type; one without a value has none.
fn misfit_parameters(message: &str) -> Option<Vec<&str>> {
    let (_, rest) = message.strip_prefix("Class[")?.split_once("]:")?;
    let mut pieces = rest.split(" parameter '");
    let mut before = pieces.next()?;
    let mut names = Vec::new();
    for piece in pieces {
        if !before.ends_with("expects a value for") {
            names.extend(piece.split_once('\'').map(|(name, _)| name));
        }
        before = piece;
    }
    (!names.is_empty()).then_some(names)
}
