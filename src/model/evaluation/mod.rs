//! What was evaluated while a catalog was compiled, as a tree: which expression came to which value, which code called which, and
//! what code asked and did. It must not know how code is evaluated, nor who reads the tree.
//!
//! It is recorded only for whoever explains one node (`pantin why`): a compilation keeps none of it otherwise.
//!
//! The parent of an evaluation is the one that was under way when it began. So the run of a function stands below the call, and
//! the body of a class below the `include` that was the first to want it. The bodies of defined types, and of classes that a
//! classifier names, wait for their turn and have no parent.

mod recorder;

pub use recorder::EvaluationRecorder;

use std::sync::Arc;

use pantin_values::{Str, Value};
use rustc_hash::FxHashMap;

use crate::trace::{At, Effect, Path, Unit};

/// Names an evaluation of an [`EvaluationRecord`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EvaluationId(u32);

/// All evaluations of one catalog, in the order in which they began, and its resources as they came to be.
#[derive(Debug, Default)]
pub struct EvaluationRecord {
    evaluations: Vec<Evaluation>,
    children: Vec<Vec<EvaluationId>>,
    /// What the variables of a run of code are bound to, by the run and the name.
    bindings: FxHashMap<(EvaluationId, Str), EvaluationId>,
    pub resources: Vec<RecordedResource>,
}

#[derive(Debug)]
pub struct Evaluation {
    pub parent: Option<EvaluationId>,
    pub kind: EvaluationKind,
    /// What it came to, as far as it came to an end.
    pub value: Option<Value>,
}

#[derive(Debug)]
pub enum EvaluationKind {
    Expression {
        at: At,
        kind: ExpressionKind,
    },
    /// A run of code with locals of its own: of a body, a function, a template or a lambda.
    Run {
        unit: Arc<Unit>,
        parameters: Box<[RunParameter]>,
        is_lambda: bool,
    },
    /// The body of a resource of the catalog: a class, an instance of a defined type, a node block; or of the site manifests.
    Body {
        resource: usize,
    },
    /// The code of this class wants the class that it inherits.
    Inherits {
        class: Str,
    },
    /// Code that has no expressions of its own, a template in Ruby, has read a local of the code that calls it.
    Local {
        name: Str,
        run: EvaluationId,
    },
    Read(VariableRead),
    Lookup(DataLookup),
    /// The content of a file.
    File {
        path: Str,
    },
    Effect(Effect),
}

/// A parameter of the code that runs, with the number of the expression that is its default.
#[derive(Clone, Debug)]
pub struct RunParameter {
    pub name: Str,
    pub default: Option<u32>,
}

/// An expression, as far as its kind says how it came to its value. Expressions without variables or calls are not recorded where
/// they were worked out before the code ran.
#[derive(Debug)]
pub enum ExpressionKind {
    /// A variable. `binding`: the run whose local it is, and what it is called there.
    Variable {
        name: Str,
        run: Option<EvaluationId>,
    },
    Assignment {
        names: Box<[Str]>,
        value: u32,
    },
    /// `$a[…]`
    Access,
    /// `arguments`: the numbers of the expressions.
    Call {
        name: Str,
        arguments: Box<[u32]>,
    },
    /// `test` and the branches are numbers of expressions.
    If {
        test: u32,
        then_branch: u32,
        else_branch: u32,
    },
    Case {
        test: u32,
        is_selector: bool,
    },
    /// Resource expressions, defaults, overrides and collectors.
    Attributes(Box<[WrittenAttribute]>),
    Other,
}

impl EvaluationKind {
    /// Returns the read of a variable, if it is one.
    pub fn as_read(&self) -> Option<&VariableRead> {
        match self {
            EvaluationKind::Read(read) => Some(read),
            _ => None,
        }
    }
}

/// An attribute in a resource expression: the numbers of the attribute and of its value.
#[derive(Clone, Debug)]
pub struct WrittenAttribute {
    pub at: u32,
    pub value: u32,
    /// `* => $hash`
    pub is_splat: bool,
}

/// Code has read a variable that is not its own.
#[derive(Debug)]
pub struct VariableRead {
    pub name: Str,
    pub path: Path,
    pub holder: VariableHolder,
    /// It is a container of which nothing was looked at by this.
    pub is_container: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableHolder {
    /// No scope has it.
    Nobody,
    /// The node itself: a fact, or what a classifier or the server says of it.
    Node(NodeVariable),
    /// The body of this resource of the catalog.
    Body { resource: usize, name: Str },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeVariable {
    Fact,
    Trusted,
    ServerFact,
    /// A variable of the top scope that a classifier sets, or the server.
    Parameter,
}

/// Code has asked for a key of the data.
#[derive(Debug)]
pub struct DataLookup {
    pub key: Str,
    /// For a parameter of the class whose body is about to run.
    pub is_parameter: bool,
    pub is_found: bool,
    /// The levels that gave the value: several where values are merged.
    pub origins: Vec<DataOrigin>,
    /// Levels that have the key too and did not count.
    pub overridden: Vec<DataOrigin>,
    /// The value is bound: levels are layers of bindings.
    pub is_bound: bool,
}

/// A level of the hierarchy that has a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataOrigin {
    pub level: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// A resource of the catalog, or one that is virtual.
#[derive(Debug)]
pub struct RecordedResource {
    pub type_name: Str,
    pub title: Str,
    /// Where it is declared; `None`: by no code of this node.
    pub declared_at: Option<At>,
    /// The resource in whose body it is declared.
    pub declared_in: usize,
    /// The code of a class, a defined type or a node block.
    pub definition: Option<Arc<Unit>>,
    pub parameters: Vec<RecordedParameter>,
    pub is_virtual: bool,
    pub is_exported: bool,
    /// By what it is known where it was collected from: another node.
    pub collected_as: Option<Str>,
}

/// A parameter as it is after all overrides.
#[derive(Debug)]
pub struct RecordedParameter {
    pub name: Str,
    /// A secret, where the catalog says that it is one.
    pub value: Value,
    /// The attribute that set it last; `None`: data, a default of its definition, a function or a classifier.
    pub at: Option<At>,
}

impl RecordedResource {
    pub fn reference(&self) -> String {
        format!("{}[{}]", self.type_name, self.title)
    }

    pub fn parameter(&self, name: &str) -> Option<&RecordedParameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

impl Evaluation {
    /// Where it stands, if it is an expression.
    pub fn at(&self) -> Option<&At> {
        match &self.kind {
            EvaluationKind::Expression { at, .. } => Some(at),
            _ => None,
        }
    }
}

impl EvaluationRecord {
    pub fn get(&self, id: EvaluationId) -> &Evaluation {
        &self.evaluations[id.0 as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (EvaluationId, &Evaluation)> {
        (0..).map(EvaluationId).zip(&self.evaluations)
    }

    /// In the order in which they began.
    pub fn children(&self, id: EvaluationId) -> &[EvaluationId] {
        self.children.get(id.0 as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// It and those around it, innermost first.
    pub fn ancestors(&self, id: EvaluationId) -> impl Iterator<Item = EvaluationId> {
        std::iter::successors(Some(id), |id| self.get(*id).parent)
    }

    /// Returns the resource whose body was evaluated around an evaluation.
    pub fn body_around(&self, id: EvaluationId) -> Option<(EvaluationId, usize)> {
        self.ancestors(id).find_map(|id| match self.get(id).kind {
            EvaluationKind::Body { resource } => Some((id, resource)),
            _ => None,
        })
    }

    /// Returns the evaluations of a resource's body: one, but for the site manifests, each of which is one.
    pub fn bodies_of(&self, resource: usize) -> impl Iterator<Item = EvaluationId> {
        self.iter().filter_map(move |(id, evaluation)| match evaluation.kind {
            EvaluationKind::Body { resource: known } if known == resource => Some(id),
            _ => None,
        })
    }

    /// Returns the run of a body's own code.
    pub fn run_of_body(&self, body: EvaluationId) -> Option<EvaluationId> {
        self.children(body).iter().copied().find(|id| matches!(self.get(*id).kind, EvaluationKind::Run { .. }))
    }

    /// Returns the assignment that bound a variable of a run.
    pub fn binding(&self, run: EvaluationId, name: &str) -> Option<EvaluationId> {
        self.bindings.get(&(run, name.into())).copied()
    }

    /// Returns the evaluation of an expression, by its number, below another one.
    pub fn expression_below(&self, id: EvaluationId, node: u32) -> Option<EvaluationId> {
        let is_it = |id: &EvaluationId| self.get(*id).at().is_some_and(|at| at.node == node);
        self.children(id).iter().copied().find(is_it)
    }
}
