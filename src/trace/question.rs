//! What a body may ask, and what it may be told.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use crate::pcore::{Digest, Digester, Fault, Str, Type, Value};

/// The way from a variable's value to a part of it: keys of hashes, indices of arrays.
pub type Path = Arc<[Value]>;

#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// A variable that is not the body's own: `a::b`, or a name that the scopes around it may have.
    /// A container is answered by [`Answer::View`], so that only what is looked at counts.
    Variable(Str),
    /// One part of a variable's container; [`Answer::Absent`] where there is none.
    Part { variable: Str, path: Path },
    /// A variable's container, or a part of it, as a whole.
    Whole { variable: Str, path: Path },
    /// A function that is not built in.
    Function(Str),
    /// A type that is not built in; the name as written.
    Type(Str),
    /// The body a template runs: `module/name.epp` or an absolute path.
    Template(Str),
    /// The first of these files that exists: a path, or [`Answer::Absent`].
    FindFile { kind: FileKind, name: Str },
    /// A file's content, as Binary.
    Content(Str),
    /// A setting of the compiler.
    Setting(Str),
    /// A look-up in the data. The names and values it interpolates belong to the question.
    Lookup(Value),
    /// Whether a class, define, resource type or resource is there.
    Defined(Value),
    /// Whether all these tags are on the catalog or on the resource that contains the body.
    Tagged(Arc<[Str]>),
    /// The value of a resource's parameter.
    ResourceParameter { reference: Type, name: Str },
    /// The output of a command. Never the same twice.
    Generate(Arc<[Str]>),
    /// The time. Never the same twice.
    Now,
    /// About the call that stands around the body, such as `caller_module_name`.
    Frame(Str),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileKind {
    /// `files/` of a module, or an absolute path.
    File,
    /// `templates/` of a module, or an absolute path.
    Template,
    /// The folder of a module.
    Module,
}

impl Question {
    /// Whether an answer to it must never be used by another request.
    pub fn is_volatile(&self) -> bool {
        matches!(self, Question::Generate(_) | Question::Now)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Container {
    Array,
    Hash,
}

/// Code that a name stands for, with the hash of all that its meaning rests on. What the code is, only the
/// evaluator knows.
#[derive(Clone, Debug)]
pub struct Definition {
    pub digest: Digest,
    pub code: Arc<dyn Code>,
}

/// Anything that the evaluator can run.
pub trait Code: Any + Send + Sync + Debug {
    fn as_any(&self) -> &dyn Any;
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// There is no such thing. That is an answer too.
    Absent,
    Value(Value),
    /// There is a container; its parts are to be asked for.
    View(Container),
    Definition(Definition),
    /// A type, with the hash of its definition and of those it rests on.
    Type(Type, Digest),
    /// The question itself failed: an unreadable file, an alias that cannot be resolved.
    Fault(Fault),
}

impl Answer {
    /// What a trace keeps of it.
    pub fn digest(&self) -> Digest {
        match self {
            Answer::Absent => Digest::atom(0x80),
            Answer::Value(value) => value.digest(),
            Answer::View(Container::Array) => Digest::atom(0x81),
            Answer::View(Container::Hash) => Digest::atom(0x82),
            Answer::Definition(definition) => definition.digest,
            Answer::Type(_, digest) => *digest,
            Answer::Fault(fault) => Digester::new(b"fault").text(&fault.message).finish(),
        }
    }
}
