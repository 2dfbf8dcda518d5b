//! Why a node has no answer: neither a catalog nor an error of its code.

use std::fmt;

use pantin_values::Str;

use crate::node_selection::NoneMatch;
use crate::options::OpenError;

/// Why a node could not be compiled at all. An error of the node's code is an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerError {
    /// Several nodes are meant where one is wanted.
    NotOneNode(Vec<Str>),
    /// No node has the name that was given.
    NoneMatch(NoneMatch),
    /// Facts, node file or classifier: the node's inputs could not be read.
    Inputs(String),
    /// The node's environment could not be read.
    Environment(String),
    /// The program is wrong: what it says of that.
    Internal(String),
}

impl fmt::Display for AnswerError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::NotOneNode(names) => {
                let some: Vec<&str> = names.iter().take(10).map(Str::as_str).collect();
                let more = if names.len() > some.len() { " …" } else { "" };
                write!(to, "which node? There are {}{more}", some.join(", "))
            }
            AnswerError::NoneMatch(none) => none.fmt(to),
            AnswerError::Inputs(reason) | AnswerError::Environment(reason) => to.write_str(reason),
            AnswerError::Internal(reason) => write!(to, "internal error: {reason}"),
        }
    }
}

impl std::error::Error for AnswerError {}

impl From<AnswerError> for OpenError {
    fn from(error: AnswerError) -> OpenError {
        match error {
            AnswerError::NotOneNode(_) | AnswerError::NoneMatch(_) => OpenError::Usage(error.to_string()),
            AnswerError::Inputs(reason) | AnswerError::Environment(reason) => OpenError::Failed(reason),
            AnswerError::Internal(_) => OpenError::Failed(error.to_string()),
        }
    }
}

impl From<NoneMatch> for AnswerError {
    fn from(none: NoneMatch) -> AnswerError {
        AnswerError::NoneMatch(none)
    }
}

impl From<NoneMatch> for OpenError {
    fn from(none: NoneMatch) -> OpenError {
        OpenError::Usage(none.to_string())
    }
}
