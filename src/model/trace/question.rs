//! The questions of a body, and their answers.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use pantin_base::names::is_reserved_variable;
use pantin_values::{Digest, Digester, Fault, FaultKind, Object, Str, Type, Value, identical};

use super::{InjectionQuestion, LookupQuestion, Unit, VariableName};

/// The way from a variable's value to a part of it: keys of hashes, indices of arrays.
pub type Path = Arc<[Value]>;

/// Two are equal as keys of a hash are; whether they may be taken for one another is [`Question::is_same`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// A variable that is not the body's own: `a::b`, `::b`, or a name that the scopes around it may have.
    /// A container is answered by [`Answer::View`], so that only what is looked at counts.
    Variable(VariableName),
    /// One part of a variable's container; [`Answer::Absent`] where there is none.
    Part { variable: VariableName, path: Path },
    /// A variable's container, or a part of it, as a whole.
    Whole { variable: VariableName, path: Path },
    /// Whether Ruby code may not change in place what a variable holds: it is known of the node, and no code has made it.
    Fixed(VariableName),
    /// A function that is not built in. Where its name has no namespace, it counts too whose code wants it.
    Function { name: Str, caller: FunctionCaller },
    /// A type that is not built in; the name as written.
    Type(Str),
    /// The body a template runs: `module/name.epp` or an absolute path.
    Template(Str),
    /// A file of Ruby, ready to be run.
    Ruby { file: RubyFile, name: Str },
    /// The first of these files that exists: a path, or [`Answer::Absent`].
    FindFile { kind: FileKind, name: Str },
    /// A file's content, as Binary.
    Content(Str),
    /// Whether Ruby code may read all these paths: the first that lies beyond what it may, and where that leads to, as an
    /// array; or [`Answer::Absent`].
    Beyond(Arc<[Str]>),
    /// A setting of the compiler.
    Setting(Str),
    /// A look-up in the data.
    Lookup(Arc<LookupQuestion>),
    /// What is bound to a key.
    Injection(Arc<InjectionQuestion>),
    /// What the data has under this key for a parameter of the class that is about to run, which has no name in its scope
    /// yet.
    Parameter(Str),
    /// A method of an object that belongs to the outside: of the context that a back end of Hiera is given. Asked only
    /// while a look-up is being answered.
    Method { object: Arc<Object>, name: Str, arguments: Arc<[Value]> },
    /// Whether a class, define, resource type or resource is there.
    Defined(Value),
    /// Whether all these tags are on the catalog or on the resource that contains the body.
    Tagged(Arc<[Str]>),
    /// What is said of a qualified variable that is not there: the name it then goes by, and why, as an array.
    Unknown(Str),
    /// The defaults that resources of a type get where the code stands: a hash. The name is as `File`, `A::B`.
    Defaults(Str),
    /// The value of a resource's parameter.
    ResourceParameter { reference: Type, name: Str },
    /// The same as a function that is written in Ruby sees it: what the resource itself has, by the text of its
    /// reference; [`Answer::Absent`] where there is no such resource.
    ResourceValue { reference: Str, part: ResourcePart },
    /// Whether a resource other than the one that asks is declared with at least these parameters: a hash.
    DeclaredWith { reference: Str, parameters: Value },
    /// The paths that match these patterns.
    Glob(Arc<[Str]>),
    /// A number that nobody can foresee.
    Random,
    /// The output of a command. Never the same twice.
    Generate(Arc<[Str]>),
    /// How a command of Ruby code ends: a hash of its `output`, `errors` and `status`; [`Answer::Absent`] where commands are
    /// not run. Never the same twice.
    Command(Arc<[Str]>),
    /// The answer to a call of a function that is not code, as it was written down: of one that asks the network.
    Recorded { function: Str, arguments: Arc<[Value]> },
    /// Whether a function may be run by a Ruby of the person's own. What comes of that is never the same twice.
    OwnRuby(Str),
    /// The time. Never the same twice.
    Now,
    /// About what stands around the code that asks: `definition`, the class or defined type whose code it is; `resource`, that
    /// of which it is.
    Frame(Str),
    /// The classes that are evaluated by now, and the tags that the catalog has: two arrays, each in its order.
    Classes,
    /// The names of all variables that the body sees by their names alone and that are not undef: an array.
    Names,
    /// Hands a text to code in which a path may stand; it is the answer. Whatever the code makes of it depends on where the files
    /// are.
    Reveal(Str),
    /// A known name that is like one that is not known: asked for the help of an error.
    Similar { kind: NameKind, name: Str },
}

/// What is asked of a resource.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ResourcePart {
    Parameter(Str),
    /// The names of the parameters that are set.
    ParameterNames,
}

/// Whose code wants a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FunctionCaller {
    /// Code of no module sees as the environment does.
    Environment,
    Module(Str),
    /// Ruby code wants the method of the scope that a function is: of two kinds of one name that is the older one.
    Scope,
}

impl FunctionCaller {
    /// Code of a module; of none, where the name is empty.
    pub fn from_module(name: &Str) -> FunctionCaller {
        if name.is_empty() { FunctionCaller::Environment } else { FunctionCaller::Module(name.clone()) }
    }

    /// Returns the module whose code it is; empty where it is of none.
    pub fn module(&self) -> &str {
        match self {
            FunctionCaller::Module(name) => name,
            FunctionCaller::Environment | FunctionCaller::Scope => "",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameKind {
    Variable,
    Function,
    Type,
    /// A key of data.
    Key,
}

/// What a file of Ruby is, which says where it is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RubyFile {
    /// An ERB template: `module/name` or an absolute path.
    Template,
    /// What `require` names: `lib/NAME.rb` of a module, or the absolute path of such a file without its ending.
    Library,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileKind {
    /// `files/` of a module, or an absolute path.
    File,
    /// `templates/` of a module, or an absolute path.
    Template,
    /// The folder of a module.
    Module,
    /// The file in which a module defines a function of the older kind.
    OlderFunction,
    /// An absolute path, if a folder is there.
    Folder,
}

impl Question {
    pub fn function(name: &Str, caller: &FunctionCaller) -> Question {
        let caller = if name.contains("::") { FunctionCaller::Environment } else { caller.clone() };
        Question::Function { name: name.clone(), caller }
    }

    /// Returns true if an answer to it must never be used by another request.
    pub fn is_volatile(&self) -> bool {
        use Question::{Command, Generate, Now, OwnRuby, Random};
        matches!(self, Generate(_) | Command(_) | Now | Random | OwnRuby(_))
    }

    /// Returns true if the text of a file is the answer, or what that is made of.
    pub fn is_told_of_file(&self) -> bool {
        matches!(self, Question::Template(_) | Question::Content(_) | Question::Ruby { file: RubyFile::Template, .. })
    }

    /// Returns true if it has to be asked as often as the body asks it: the context of a look-up keeps what it is told.
    pub(super) fn does_something(&self) -> bool {
        matches!(self, Question::Method { .. } | Question::Injection(_))
    }

    /// Returns true if nothing that a body does can change the answer.
    pub(super) fn is_steady(&self) -> bool {
        match self {
            Question::Setting(_)
            | Question::Frame(_)
            | Question::Fixed(_)
            | Question::Reveal(_)
            | Question::FindFile { .. }
            | Question::Content(_) => true,
            Question::Variable(variable) | Question::Part { variable, .. } | Question::Whole { variable, .. } => {
                // Names that nobody may assign, and those that a scope has from its beginning.
                let is_own = |name: &str| matches!(name, "title" | "name" | "module_name" | "caller_module_name");
                is_reserved_variable(variable.without_top())
                    || matches!(variable, VariableName::FromBody(name) if is_own(name))
            }
            _ => false,
        }
    }

    /// Returns true if any answer to the one is the answer to the other. The order of a hash counts, as it does in
    /// answers.
    pub(super) fn is_same(&self, other: &Question) -> bool {
        let same = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| identical(a, b));
        match (self, other) {
            (Question::Part { variable: a, path: p }, Question::Part { variable: b, path: q })
            | (Question::Whole { variable: a, path: p }, Question::Whole { variable: b, path: q }) => {
                a == b && same(p, q)
            }
            (Question::Recorded { function: a, arguments: p }, Question::Recorded { function: b, arguments: q }) => {
                a == b && same(p, q)
            }
            (
                Question::Method { object: a, name: m, arguments: p },
                Question::Method { object: b, name: n, arguments: q },
            ) => m == n && same(p, q) && a.class == b.class && same(&a.values, &b.values),
            (Question::Lookup(a), Question::Lookup(b)) => a.is_same(b),
            (Question::Injection(a), Question::Injection(b)) => a.is_same(b),
            (Question::Defined(a), Question::Defined(b)) => identical(a, b),
            _ => self == other,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Container {
    Array,
    Hash,
}

/// Code that a name stands for, with the hash of all that its meaning depends on. What the code is, only the
/// evaluator knows.
#[derive(Clone, Debug)]
pub struct Definition {
    pub digest: Digest,
    pub code: Arc<dyn Code>,
}

impl Definition {
    /// The file that the code stands in, if it is Puppet's.
    pub fn file(&self) -> Option<&str> {
        self.code.unit()?.source.name()
    }
}

/// Anything that the evaluator can run.
pub trait Code: Any + Send + Sync + Debug {
    /// Returns where its expressions stand today.
    fn unit(&self) -> Option<&Arc<Unit>>;
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// There is no such thing. That is an answer too.
    Absent,
    Value(Value),
    /// There is a container; its parts are to be asked for.
    View(Container),
    Definition(Definition),
    /// A type, with the hash of its definition and of those it depends on.
    Type(Type, Digest),
    /// The locals of these names have to be known before there can be an answer.
    Wants(Arc<[Str]>),
    /// The question itself failed: an unreadable file, an alias that cannot be resolved.
    Fault(Fault),
}

impl Answer {
    /// Returns what a trace keeps of it.
    pub fn digest(&self) -> Digest {
        match self {
            Answer::Absent => Digest::atom(0x80),
            Answer::Value(value) => value.digest(),
            Answer::View(Container::Array) => Digest::atom(0x81),
            Answer::View(Container::Hash) => Digest::atom(0x82),
            Answer::Definition(definition) => definition.digest,
            Answer::Type(_, digest) => *digest,
            Answer::Wants(names) => {
                let mut digester = Digester::new(b"wants");
                names.iter().for_each(|name| _ = digester.text(name));
                digester.finish()
            }
            Answer::Fault(fault) => fault_digest(fault),
        }
    }

    /// Returns what [`Question::Variable`] is answered of one with `value` in it.
    pub fn of_variable(value: &Value) -> Answer {
        match value {
            Value::Hash(_) => Answer::View(Container::Hash),
            Value::Array(_) => Answer::View(Container::Array),
            value => Answer::Value(value.clone()),
        }
    }

    /// Returns what [`Question::Part`] is answered of a container with `whole` in it.
    pub fn of_part(whole: &Value, path: &[Value]) -> Answer {
        match dig(whole, path) {
            None => Answer::Absent,
            Some(Value::Array(_)) => Answer::View(Container::Array),
            Some(Value::Hash(_)) => Answer::View(Container::Hash),
            Some(value) => Answer::Value(value.clone()),
        }
    }

    /// Returns what [`Question::Whole`] is answered of a container with `whole` in it.
    pub fn of_whole(whole: &Value, path: &[Value]) -> Answer {
        dig(whole, path).map_or(Answer::Absent, |value| Answer::Value(value.clone()))
    }
}

impl From<Result<Value, Fault>> for Answer {
    fn from(found: Result<Value, Fault>) -> Answer {
        found.map_or_else(Answer::Fault, Answer::Value)
    }
}

impl From<Result<Option<Definition>, Fault>> for Answer {
    fn from(found: Result<Option<Definition>, Fault>) -> Answer {
        found.map_or_else(Answer::Fault, |found| found.map_or(Answer::Absent, Answer::Definition))
    }
}

/// Returns the part of a container that a path of keys leads to.
pub fn dig<'a>(whole: &'a Value, path: &[Value]) -> Option<&'a Value> {
    path.iter().try_fold(whole, |value, key| match (value, key) {
        (Value::Hash(entries), key) => entries.get(key),
        (Value::Array(items), Value::Integer(index)) => items.get(usize::try_from(*index).ok()?),
        _ => None,
    })
}

fn fault_digest(fault: &Fault) -> Digest {
    let mut digester = Digester::new(b"fault");
    match fault.kind {
        FaultKind::Plain => digester.number(0),
        FaultKind::Issue(code) => digester.number(1).text(code),
        FaultKind::Limit => digester.number(2),
        FaultKind::Located => digester.number(3),
        FaultKind::Logged => digester.number(4),
    };
    digester.text(&fault.message).text(fault.help.as_deref().unwrap_or_default());
    // Equal errors of other lines of data are other errors.
    if let Some(seen) = &fault.sighting {
        let name = seen.source.as_ref().and_then(|source| source.name()).unwrap_or_default();
        digester.text(name).number(u64::from(seen.diagnostic.place.line().unwrap_or_default()));
    }
    digester.finish()
}
