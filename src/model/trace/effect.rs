//! The effects of a body on the world around it, and their outcomes.

use pantin_base::{Arrow, Diagnostic, Severity};
use pantin_values::{NamedValues, Str, Value};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::Arc;

use super::{At, Failure, Parameters, Path, VariableName};

/// Whether a resource is declared plainly, with `@`, or with `@@`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResourceForm {
    Regular,
    Virtual,
    Exported,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    Log(Box<Log>),
    /// A module says that something in it is deprecated.
    Deprecate(Box<Deprecation>),
    /// A variable of the body was assigned; others may read it from now on.
    Export {
        name: Str,
        value: Value,
    },
    /// The same of a container of the outside that the body has not looked into: by where it is.
    ExportPart {
        name: Str,
        variable: Box<VariableName>,
        path: Path,
    },
    /// Ruby code has changed what a variable holds, in place: whoever has the same object sees it.
    Change {
        name: VariableName,
        value: Value,
    },
    /// Ruby code of a function has set a variable of the top scope, whatever body called it.
    SetAtTop {
        name: Str,
        value: Value,
    },
    /// From here on the body's code stands in this scope: what follows is done and asked there.
    Stand(Standing),
    /// While the default of this parameter is worked out: what the resource has been given and those that have a value by
    /// now, for whoever looks at them from outside.
    Showing {
        of: Str,
        values: NamedValues,
    },
    /// What lies on scopes from here on while the body's code runs, outermost first: classes that are evaluated see it.
    ShareLocals(Box<[Layer]>),
    /// The parameters of the resource whose body this is, with their values: variables of its scope.
    Parameters(NamedValues),
    Declare(Arc<Declaration>),
    /// `File { … }`: defaults for the resources of a type.
    Defaults {
        type_name: Str,
        parameters: Box<Parameters>,
        at: At,
    },
    /// `File['x'] { … }`
    Override {
        references: Vec<Value>,
        parameters: Box<Parameters>,
        at: At,
    },
    Relate {
        arrow: Arrow,
        left: Box<Value>,
        right: Box<Value>,
        at: At,
    },
    /// `File <| … |>`. The query is data: see the evaluator's `collect`.
    Collect {
        type_name: Str,
        exported: bool,
        query: Box<Value>,
        parameters: Box<Parameters>,
        at: At,
    },
    /// `include`, `contain`, `require`: the classes, in order.
    Include {
        how: Include,
        classes: Vec<Str>,
        at: At,
    },
    Realize {
        references: Vec<Value>,
        at: At,
    },
    Tag(Vec<Str>),
}

impl Effect {
    /// Returns true if applying it may evaluate a class at once.
    pub fn evaluates_classes(&self) -> bool {
        match self {
            Effect::Include { .. } => true,
            Effect::Declare(declaration) => {
                declaration.type_name.trim_start_matches("::").eq_ignore_ascii_case("class")
            }
            _ => false,
        }
    }
}

impl Effect {
    /// Returns true if it changes what is in the catalog.
    pub fn declares(&self) -> bool {
        match self {
            Effect::Declare(_)
            | Effect::Defaults { .. }
            | Effect::Override { .. }
            | Effect::Relate { .. }
            | Effect::Collect { .. }
            | Effect::Include { .. }
            | Effect::Realize { .. }
            | Effect::Tag(_) => true,
            Effect::Log(_)
            | Effect::Deprecate(_)
            | Effect::Export { .. }
            | Effect::ExportPart { .. }
            | Effect::Change { .. }
            | Effect::SetAtTop { .. }
            | Effect::Stand(_)
            | Effect::Showing { .. }
            | Effect::ShareLocals(_)
            | Effect::Parameters(_) => false,
        }
    }
}

/// What is rarely done stands in boxes.
const _: () = assert!(size_of::<Effect>() <= 56, "of each node of a fleet some hundred effects are kept");

/// Whose scope a piece of code stands in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Standing {
    /// That of the body itself.
    #[default]
    Own,
    /// Code of a function stands in the top scope, whoever calls it.
    Top,
    /// A template by its name stands in the scope of the node block, or in the top scope where there is none.
    Node,
}

/// What lambdas, functions and templates that are under way have of their own lies on the scope that their code stands in.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// On whose scope. What lay on another than the body's own before is hidden by it.
    pub standing: Standing,
    pub locals: Box<[(Str, SharedLocal)]>,
    /// What matched last, as an array of what `$0`, `$1` … stand for; undef where nothing did.
    pub matched: Value,
}

/// What a local is worth to others.
#[derive(Clone, PartialEq, Debug)]
pub enum SharedLocal {
    Value(Value),
    /// A container that the body has not looked into, of what the node says of itself: where it is. Of no other, for what
    /// that holds may be another after an edit.
    Part {
        variable: VariableName,
        path: Path,
    },
    /// Its value is at hand no more, or not yet.
    Gone,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Include {
    Include,
    Contain,
    Require,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Err,
    Alert,
    Emerg,
    Crit,
}

impl Level {
    /// As the console prints it.
    pub fn label(self) -> &'static str {
        match self {
            Level::Debug => "Debug",
            Level::Info => "Info",
            Level::Notice => "Notice",
            Level::Warning => "Warning",
            Level::Err => "Error",
            Level::Alert => "Alert",
            Level::Emerg => "Emergency",
            Level::Crit => "Critical",
        }
    }
}

/// A line of the log.
#[derive(Clone, PartialEq, Debug)]
pub struct Log {
    pub level: Level,
    pub source: LogSource,
    pub message: Str,
    /// Shown behind the message of a warning.
    pub at: Option<At>,
    /// Only the first line with this key is logged for a node.
    pub once: Option<Str>,
}

impl Log {
    /// Returns what the parser or a check says of a file.
    pub fn from_diagnostic(diagnostic: &Diagnostic, file: &str) -> Log {
        let level = match diagnostic.severity {
            Severity::Error => Level::Err,
            Severity::Warning | Severity::Deprecation => Level::Warning,
        };
        let message = diagnostic.one_line(Some(file)).into();
        Log { level, source: LogSource::Puppet, message, at: None, once: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogSource {
    /// A log function: the scope that called it stands before the message.
    Scope,
    /// Puppet itself; the place, if there is one, stands behind the message in parentheses.
    Puppet,
    /// A deprecation: the place stands on a line of its own, or the note that there is none.
    Deprecation,
}

/// What a module says of what should not be used any more: the innermost two calls under way are told with it, and only
/// whoever compiles knows those around the body.
#[derive(Clone, PartialEq, Debug)]
pub struct Deprecation {
    /// Logged once for each.
    pub key: Str,
    pub message: Str,
    /// The calls under way within the body, innermost first; no more than are told.
    pub calls: Vec<At>,
    /// Where in Ruby it is logged: a file and a line, or nothing.
    pub by: Str,
    /// An error, not a warning.
    pub fails: bool,
}

/// A resource expression with everything in it worked out.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    pub form: ResourceForm,
    /// As written: `file`, `apache::vhost`, `class`.
    pub type_name: Str,
    pub bodies: SmallVec<[DeclaredBody; 1]>,
    /// A function declares it, not an expression.
    pub by_function: bool,
    pub at: At,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredBody {
    pub titles: SmallVec<[Str; 1]>,
    /// Whether they were texts from the first: a number is a title all the same, but no tag.
    pub are_texts: bool,
    pub parameters: Parameters,
    /// Where it stands in the unit of its declaration.
    pub node: u32,
}

impl Declaration {
    pub fn body_place(&self, body: &DeclaredBody) -> At {
        At { unit: Arc::clone(&self.at.unit), node: body.node }
    }
}

/// How an effect came out.
#[derive(Clone, Debug)]
pub enum Outcome {
    Done,
    /// With what the expression is worth: the references of the declared resources.
    Value(Value),
    Failed(Box<Failure>),
}
