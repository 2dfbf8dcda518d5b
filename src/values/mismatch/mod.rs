//! What is wrong with a value or a call, in Puppet's words.
//!
//! `describe` finds the mismatches of a type against another, `call` those of arguments against
//! signatures, `parameters` those of a resource, and `message` says each. Knows nothing of where it happened.

mod call;
mod describe;
mod message;
mod parameters;
#[cfg(test)]
mod tests;
mod unresolved;

pub use call::{call_fault, signature_text};
pub use parameters::{Parameter, ReturnsOf, check_parameters};

use std::fmt::Display;

use super::types::Size;
use super::{Fault, Str, Type, Value};

/// A step on the way to what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    Subject(Str),
    EntryValue(Str),
    EntryKey(Str),
    Parameter(Str),
    Return,
    Block,
    Index(usize),
    /// Of a choice of types; does not count where two ways are compared.
    Variant(usize),
    /// Of several signatures; does not count either.
    Signature(usize),
}

type Path = Vec<Step>;

#[derive(Clone, Debug)]
struct Mismatch {
    path: Path,
    kind: MismatchKind,
}

#[derive(Clone, Debug)]
enum MismatchKind {
    MissingKey(Str),
    MissingParameter(Str),
    UnknownKey {
        key: Str,
        /// A key of the type that was probably meant.
        near: Option<Str>,
    },
    UnknownParameter(Str),
    UnexpectedBlock,
    MissingBlock,
    Unresolved(Str),
    Type {
        expected: Type,
        actual: Type,
    },
    /// Of texts: an `Enum`, a `Pattern`.
    Pattern {
        expected: Type,
        actual: Type,
    },
    Size {
        expected: Size,
        actual: Size,
    },
    /// Of arguments.
    Count {
        expected: Size,
        actual: Size,
    },
}

impl Mismatch {
    fn new(path: &[Step], kind: MismatchKind) -> Mismatch {
        Mismatch { path: path.to_vec(), kind }
    }

    fn of_types(path: &[Step], expected: &Type, actual: &Type) -> Mismatch {
        Mismatch::new(path, MismatchKind::Type { expected: expected.normalize(), actual: actual.normalize() })
    }

    fn without_step(mut self, index: usize) -> Mismatch {
        if index < self.path.len() {
            self.path.remove(index);
        }
        self
    }

    /// Returns the way, without the choices on it.
    fn plain_path(&self) -> impl Iterator<Item = &Step> {
        self.path.iter().filter(|step| !matches!(step, Step::Variant(_) | Step::Signature(_)))
    }
}

fn extended(path: &[Step], step: Step) -> Path {
    let mut longer = Vec::with_capacity(path.len() + 1);
    longer.extend_from_slice(path);
    longer.push(step);
    longer
}

/// Returns what is wrong with a type where another is expected; `subject` starts the sentence. Empty if nothing is.
pub fn describe(subject: &str, expected: &Type, actual: &Type) -> String {
    sentence(&describe::describe(expected, actual, &[Step::Subject(subject.into())]))
}

/// The same as a fault, with what probably helps.
fn mismatch_fault(subject: &str, expected: &Type, actual: &Type) -> Fault {
    let errors = describe::describe(expected, actual, &[Step::Subject(subject.into())]);
    Fault::new(sentence(&errors)).with_help_if(help_for(&errors))
}

fn sentence(errors: &[Mismatch]) -> String {
    match errors {
        [] => String::new(),
        [only] => only.to_string().trim().to_owned(),
        several => joined(several),
    }
}

/// The same of a value that is no instance of the type.
pub fn describe_value(subject: &str, expected: &Type, value: &Value) -> String {
    describe(subject, expected, &Type::infer(value))
}

/// Asks that a value is an instance of a type: "SUBJECT has wrong type, expects …".
pub fn assert_instance(subject: impl Display, expected: &Type, value: &Value) -> Result<(), Fault> {
    if expected.accepts(value)? {
        return Ok(());
    }
    Err(mismatch_fault(&format!("{subject} has wrong type,"), expected, &Type::infer(value)))
}

/// Asks that a type fits another: "SUBJECT is incorrect, expects …".
pub fn assert_assignable(subject: &str, expected: &Type, actual: &Type) -> Result<(), Fault> {
    if expected.assignable(actual) {
        return Ok(());
    }
    Err(mismatch_fault(&format!("{subject} is incorrect,"), expected, actual))
}

/// Returns what probably helps: the key that was meant.
fn help_for(errors: &[Mismatch]) -> Option<String> {
    errors.iter().find_map(|error| match &error.kind {
        MismatchKind::UnknownKey { key, near: Some(near) } => {
            Some(format!("there is no key '{key}'; did you mean '{near}'?"))
        }
        _ => None,
    })
}

fn joined(errors: &[Mismatch]) -> String {
    errors.iter().map(Mismatch::to_string).collect::<Vec<_>>().join("\n ")
}
