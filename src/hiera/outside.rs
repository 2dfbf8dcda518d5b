//! The one way in which look-ups know what is outside: variables, files, modules, functions, the log.
//!
//! Whoever compiles implements it, and sees by it everything that an answer depends on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_model::trace::{Answer, Question};
use pantin_values::{Fault, Resolve, Str, Value};

/// How much of a file a look-up depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileUse {
    /// All of it.
    Whole,
    /// Only the values of the keys that are looked up in it.
    Keys,
    /// It is a key that decrypts, and no data.
    Decryption,
}

pub trait Outside: Resolve {
    /// Returns a variable of the scope that asks, as [`Question::Variable`], or a part of one, as [`Question::Part`]
    /// and [`Question::Whole`]: of `%{facts.os.family}` the leaf alone is asked for. A fault, or that a local is
    /// wanted, ends the look-up, and nothing that it was about to work out is kept.
    fn ask(&mut self, question: &Question) -> Answer;

    /// Returns true if a local of the code that asks has this name.
    fn has_local(&self, name: &str) -> bool;

    /// Returns true if some of these are locals whose values are not known yet: they are wanted then, as by
    /// [`Outside::ask`] of each, and the look-up is to end.
    fn wants_any(&mut self, names: &[Str]) -> bool;

    /// Returns what is said of a qualified variable that is not there: the name it then goes by, and why, where its
    /// class is to blame: `class a has not been evaluated`.
    fn unknown_variable(&mut self, name: &str) -> (String, String);

    /// The class whose code asks, or in which the instance of the defined type stands whose code asks.
    fn calling_class(&mut self) -> Option<Str>;

    /// The content of a file, of which `file_use` tells how much counts; `None` where there is none. The same content should be the same `Arc`, or
    /// nearly so: a file is parsed again only when its bytes are others.
    fn read_as(&mut self, file_use: FileUse, path: &Path) -> Result<Option<Arc<[u8]>>, Fault>;

    /// The same, of a file all of which counts.
    fn read(&mut self, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.read_as(FileUse::Whole, path)
    }

    /// Returns true if there is a file or folder.
    fn exists(&mut self, path: &Path) -> bool;

    /// Returns the files, not the folders, that a pattern fits, in Ruby's order.
    fn glob(&mut self, pattern: &str) -> Result<Vec<PathBuf>, Fault>;

    /// A variable of the process, which may hold a key for encrypted values.
    fn process_variable(&mut self, name: &str) -> Option<String>;

    /// Returns a module of the environment.
    fn module(&mut self, name: &str) -> Option<Module>;

    /// Returns the function of a back end, looked for as the module itself, or the environment, would.
    fn function(&mut self, name: &str) -> Result<Option<Function>, Fault>;

    /// A function is given a path, or has one: what it makes of it depends on where the files are.
    fn reveal(&mut self, path: &str);

    /// Calls a function in the Puppet language. What it raises is shown with its place.
    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, Fault>;

    fn warn(&mut self, warning: Warning);
}

/// A module as far as its data matters.
#[derive(Clone, Debug, Default)]
pub struct Module {
    pub path: PathBuf,
    /// `data_provider` of its metadata, of the days before hiera.yaml stood in modules.
    pub data_provider: Option<Str>,
}

/// The function of a back end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// What it says it returns. One in Ruby says so to nobody but its callers.
    pub returns: Option<pantin_values::Type>,
}

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    pub message: String,
    /// Only the first with this key is logged, and none of it where the setting `disable_warnings` names the kind.
    pub once: Option<(WarningKind, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarningKind {
    Deprecation,
    UndefinedVariable,
    Plain,
}

impl WarningKind {
    /// As the setting names it, where it can.
    pub fn switch(self) -> Option<&'static str> {
        match self {
            WarningKind::Deprecation => Some("deprecations"),
            WarningKind::UndefinedVariable => Some("undefined_variables"),
            WarningKind::Plain => None,
        }
    }
}
