//! A definition taken apart: one entry for each key that it binds, with its condition in conjunctions.
//! It must not know which layer it is in, or which node asks.

use std::fmt;
use std::sync::{Arc, OnceLock};

use pantin_base::{Source, Span};
use pantin_syntax::ast::NodeId;
use pantin_syntax::bindings::{BindingsFile, DependencyArrow, Subject};
use pantin_values::{Digest, Fault, Resolve, Str, Type, Value, types};

use super::condition::Conjunction;
use super::key::Key;
use super::problem::{Place, Problem};
use super::query::QueryTest;

/// An expression of a file of bindings.
#[derive(Clone)]
pub struct Expression {
    pub file: Arc<BindingsFile>,
    pub node: NodeId,
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expression").field("node", &self.node).finish_non_exhaustive()
    }
}

/// How contributions are combined, or one of the resources found is chosen.
#[derive(Clone, Debug)]
pub enum Callback {
    Lambda(Expression),
    Named(Str),
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum EntryKind {
    /// `abstract`: somebody has to bind it.
    Abstract,
    Constant(Value),
    Expression(Expression),
    /// `producer 'name'`
    Named(Str),
    /// `producer TYPE`
    New(String),
    /// A type by itself: what replaces another, a reference, or an instance.
    Type {
        text: String,
        subject: Option<Subject>,
    },
    Query(Arc<QueryTest>),
    Copy(Copy),
    Multibind(Multibind),
    /// Names of the target's parameters, each with that of the source.
    Map(Arc<[(Str, Str)]>),
}

#[derive(Clone, Debug)]
pub struct Copy {
    pub old: Key,
    pub is_rename: bool,
    pub is_rebind: bool,
}

#[derive(Clone, Debug)]
pub struct Multibind {
    pub id: Str,
    pub is_hash: bool,
    pub combinator: Option<Callback>,
}

/// What an entry is bound for.
#[derive(Clone, Debug)]
pub enum Role {
    Key(Key),
    /// A contribution to the multibind of this id.
    Fragment {
        id: Str,
        name: Option<Str>,
    },
    /// Parameters whose names are not written out.
    Source(Arc<ParameterSource>),
    Dependency(Arc<[(Subject, DependencyArrow, Subject)]>),
}

/// A source of parameters.
#[derive(Clone, Debug)]
pub struct ParameterSource {
    pub target: Subject,
    pub from: SourceFrom,
    pub map: Option<Arc<[(Str, Str)]>>,
    pub select_result: Option<Callback>,
}

#[derive(Clone, Debug)]
pub enum SourceFrom {
    /// An expression or a producer that gives a hash.
    Values,
    Subject(Subject),
    Query(Arc<QueryTest>),
}

impl SourceFrom {
    /// Returns the class or type that the parameters are of; of values an empty name.
    pub(crate) fn kind(&self) -> Subject {
        match self {
            SourceFrom::Values => Subject::Type(String::new()),
            SourceFrom::Subject(subject) => subject.kind(),
            SourceFrom::Query(query) => Subject::Type(query.type_name.to_string()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Entry {
    /// The word `bind`, or that of another operation.
    pub span: Span,
    /// The operation, counted from the first of the definition.
    pub operation: usize,
    pub role: Role,
    pub kind: EntryKind,
    pub is_abstract: bool,
    pub is_override: bool,
    pub is_optional: bool,
    pub declared: Option<Type>,
    /// Arguments for the producer.
    pub arguments: Option<Expression>,
    pub is_singleton: bool,
    /// The value of the hash `parameters`, for what is asked of it once for all names.
    pub alternatives: Arc<[Conjunction]>,
}

impl Entry {
    /// Returns the name under which its use is noted: its key, the id that it contributes to, or what it is a source
    /// for.
    pub fn usage_name(&self) -> String {
        match &self.role {
            Role::Key(key) => key.text().to_owned(),
            Role::Fragment { id, .. } => format!("a contribution to '{id}'"),
            Role::Source(source) => format!("/param/{}/", source.target.key_text()),
            Role::Dependency(_) => String::new(),
        }
    }

    /// Returns true if it counts only where somebody wants it: what orders and includes always does.
    pub fn waits_for_use(&self) -> bool {
        match (&self.role, &self.kind) {
            (Role::Dependency(_), _) | (_, EntryKind::Map(_) | EntryKind::Abstract) => false,
            (Role::Fragment { id, .. }, _) => !matches!(id.as_str(), INCLUDED | EXCLUDED),
            (Role::Key(key), _) => key.parts().1.is_some(),
            (Role::Source(_), _) => true,
        }
    }
}

#[derive(Debug)]
pub struct Definition {
    /// `module:/a::default`
    pub uri: Str,
    pub name: Arc<str>,
    /// Its path as messages show it.
    pub shown: Arc<str>,
    pub source: Option<Arc<Source>>,
    pub entries: Vec<Entry>,
    /// What is wrong with it, and warnings.
    pub problems: Vec<Problem>,
    /// The categories that its conditions name, and where.
    pub categories: Vec<(Str, Span)>,
    /// The digests of what the entries say, once somebody asks.
    pub(crate) digests: OnceLock<Vec<Digest>>,
}

/// The multibind whose contributions are the included classes, and the one of those that are left out.
pub(crate) const INCLUDED: &str = "included_classes";
pub(crate) const EXCLUDED: &str = "excluded_classes";

impl Definition {
    pub fn place(&self, span: Span) -> Place {
        Place { shown: Arc::clone(&self.shown), source: self.source.clone(), span }
    }
}

/// Parses the text of a type, in the words of whoever knows names.
pub(crate) fn parse_type(text: &str, resolve: &mut dyn Resolve) -> Result<Type, Fault> {
    types::parse(text, resolve)
}
