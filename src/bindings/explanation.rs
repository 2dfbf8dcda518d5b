//! Why a key has its value, as data: each binding that was considered, with what became of it.
//! It must not know how that is found out, or shown.

use pantin_values::{Fault, Str, Value};

use super::key::Key;
use super::problem::Place;

/// The fate of a binding where a key was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Won,
    Shadowed,
    NoMatch,
    Abstract,
    Erased,
    GaveNothing,
    InConflict,
    /// It contributes to the multibind that won.
    Contributed,
}

impl Verdict {
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Won => "won",
            Verdict::Shadowed => "shadowed",
            Verdict::NoMatch => "no match",
            Verdict::Abstract => "abstract",
            Verdict::Erased => "erased",
            Verdict::GaveNothing => "gave nothing",
            Verdict::InConflict => "in conflict",
            Verdict::Contributed => "contributed",
        }
    }
}

/// A category of a condition, the values that it wants, and the one that the node has.
#[derive(Clone, Debug)]
pub struct ConditionPart {
    pub category: Str,
    pub values: Vec<Str>,
    pub holds: bool,
    /// `None`: the category does not apply.
    pub actual: Option<Str>,
}

/// A binding, and what became of it.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub verdict: Verdict,
    pub because: Option<String>,
    pub layer: Str,
    pub vector: Vec<u32>,
    pub condition: Vec<ConditionPart>,
    pub uri: Str,
    /// `None`: the data, or what an ENC or a function provides.
    pub place: Option<Place>,
    pub operation: &'static str,
    pub flags: Vec<&'static str>,
    pub producer: &'static str,
    pub leads_to: Vec<LeadsTo>,
    /// The value that it gave, if it is a contribution.
    pub value: Option<Value>,
    /// The name of a contribution.
    pub name: Option<Str>,
}

/// A key, resource or value that a copy, a source or a query led to.
#[derive(Clone, Debug)]
pub enum LeadsTo {
    Key(Key, Vec<Candidate>),
    /// A class, a type or a resource whose parameters are taken.
    Subject(String),
    Resource {
        certname: Str,
        reference: String,
    },
}

/// Why a key has its value, or none.
#[derive(Debug)]
pub struct Explanation {
    pub key: Key,
    /// `Ok(None)`: nothing is bound, or what is optional gave nothing.
    pub value: Result<Option<Value>, Fault>,
    pub candidates: Vec<Candidate>,
    pub fragments: Vec<Candidate>,
}

impl ConditionPart {
    pub(crate) fn mismatch(&self) -> String {
        let wanted = self.values.iter().map(Str::as_str).collect::<Vec<_>>().join("|");
        match &self.actual {
            Some(actual) => format!("{} is {actual}, and {wanted} is wanted", self.category),
            None => format!("{} does not apply, and {wanted} is wanted", self.category),
        }
    }
}
