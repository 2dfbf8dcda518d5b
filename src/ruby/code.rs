//! The compact tree that Ruby text is lowered to. It can be shared by threads; nothing in it knows what it is run on.

use std::any::Any;
use std::sync::Arc;

use num_bigint::BigInt;
use pantin_base::{Lines, Source};
use pantin_model::trace::Definition;
use pantin_values::{Fault, Regexp, Str};

use super::path_texts::ScriptPath;
use super::puppet::Rendered;

/// A file of Ruby, or a template, ready to be run.
#[derive(Debug)]
pub struct Script {
    /// As errors name it.
    pub path: ScriptPath,
    pub(super) lines: Lines,
    pub(super) main: Arc<Code>,
    /// Of a template.
    pub(super) rendered: Rendered,
    /// The text of a template in a file, for errors.
    pub source: Option<Arc<Source>>,
    /// The first method that is defined in it, which a file with a function of the older kind may not have.
    pub first_method: Option<MethodPlace>,
}

/// A method that a text defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodPlace {
    pub name: Str,
    pub line: u32,
}

impl Script {
    /// Returns what a host has answered with; `name` is what was asked for.
    pub fn from_definition(definition: Definition, name: &str) -> Result<Arc<Script>, Fault> {
        let code: Arc<dyn Any + Send + Sync> = definition.code;
        code.downcast().map_err(|_| Fault::new(format!("internal error: {name} is no Ruby code")))
    }

    /// Returns the line of a place, counted from one.
    pub(super) fn line(&self, at: u32) -> u32 {
        self.lines.line(at)
    }
}

/// The body of a method, block, class or file, with what it binds.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) params: Params,
    pub(super) slots: usize,
    pub(super) body: Expr,
}

/// A parameter, or a part of a pattern, that takes what the others leave.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Rest<Slot> {
    #[default]
    Absent,
    Unnamed,
    Slot(Slot),
}

impl<Slot> Rest<Slot> {
    /// Returns the one that is written with this slot, or without a name.
    pub(super) fn from_slot(slot: Option<Slot>) -> Rest<Slot> {
        slot.map_or(Rest::Unnamed, Rest::Slot)
    }

    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Rest::Absent)
    }

    pub(super) fn slot(self) -> Option<Slot> {
        match self {
            Rest::Slot(slot) => Some(slot),
            Rest::Absent | Rest::Unnamed => None,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Params {
    pub(super) required: Vec<Target>,
    pub(super) optional: Vec<(u32, Expr)>,
    /// `*rest`
    pub(super) rest: Rest<u32>,
    pub(super) posts: Vec<Target>,
    pub(super) keywords: Vec<Keyword>,
    /// `**rest`
    pub(super) keyword_rest: Rest<u32>,
    /// `**nil`: keywords are an error, and no hash at the end.
    pub(super) no_keywords: bool,
    pub(super) block: Option<u32>,
    /// Of those that are given by their places.
    pub(super) names: Vec<Str>,
    /// All of them, as `parameters` tells them of a lambda: `req`, `opt`, `rest`, …, each with its name if it has one.
    pub(super) described: Vec<(&'static str, Option<Str>)>,
    /// `|a,|`: one parameter that takes an array apart all the same.
    pub(super) trailing_comma: bool,
}

impl Params {
    /// Returns how many arguments have to be given, and how many may be.
    pub(super) fn arity(&self) -> (usize, Option<usize>) {
        let needed = self.required.len() + self.posts.len();
        (needed, self.rest.is_absent().then_some(needed + self.optional.len()))
    }

    pub(super) fn takes_keywords(&self) -> bool {
        !self.keywords.is_empty() || !self.keyword_rest.is_absent()
    }
}

#[derive(Debug)]
pub(super) struct Keyword {
    pub(super) name: Str,
    pub(super) slot: u32,
    pub(super) default: Option<Expr>,
}

/// What something is assigned to.
#[derive(Debug)]
pub(super) enum Target {
    Local(u32, u32),
    Instance(Str),
    Global(Str),
    ClassVariable(Str),
    Constant(Option<Box<Expr>>, Str),
    Index(Box<Expr>, Vec<Expr>),
    Attribute(Box<Expr>, Str, bool),
    Many(Box<Targets>),
    /// `*` without a name.
    Nothing,
}

#[derive(Debug)]
pub(super) struct Targets {
    pub(super) before: Vec<Target>,
    pub(super) rest: Option<Target>,
    pub(super) after: Vec<Target>,
}

#[derive(Debug)]
pub(super) struct Expr {
    pub(super) at: u32,
    pub(super) kind: ExprKind,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) receiver: Option<Expr>,
    pub(super) name: Str,
    pub(super) args: Vec<Expr>,
    pub(super) block: BlockArg,
    /// `&.`
    pub(super) safe: bool,
    /// Neither receiver nor arguments nor parentheses: it may have been meant as a variable.
    pub(super) bare: bool,
    /// An assignment (`a.b = c`, `a[b] = c`): it is worth what is assigned, whatever the method gives.
    pub(super) assigns: bool,
}

#[derive(Debug, Default)]
pub(super) enum BlockArg {
    #[default]
    None,
    Code(Arc<Code>),
    /// `&block`
    Pass(Box<Expr>),
}

#[derive(Debug)]
pub(super) struct Rescue {
    /// None: any StandardError.
    pub(super) classes: Vec<Expr>,
    pub(super) into: Option<Target>,
    pub(super) body: Expr,
}

#[derive(Debug)]
pub(super) struct Begin {
    pub(super) body: Expr,
    pub(super) rescues: Vec<Rescue>,
    pub(super) else_body: Option<Expr>,
    pub(super) ensure: Option<Expr>,
}

#[derive(Debug)]
pub(super) struct When {
    pub(super) tests: Vec<Expr>,
    pub(super) then: Expr,
}

#[derive(Debug)]
pub(super) struct In {
    pub(super) pattern: Pattern,
    pub(super) guard: Option<Expr>,
    pub(super) then: Expr,
}

#[derive(Debug)]
pub(super) enum Pattern {
    /// Anything that `===` decides.
    Value(Expr),
    Bind(u32, u32),
    Either(Box<Pattern>, Box<Pattern>),
    Capture(Box<Pattern>, u32, u32),
    Array {
        class: Option<Expr>,
        before: Vec<Pattern>,
        rest: Rest<(u32, u32)>,
        after: Vec<Pattern>,
    },
    Find {
        class: Option<Expr>,
        before: Option<(u32, u32)>,
        middle: Vec<Pattern>,
        after: Option<(u32, u32)>,
    },
    Hash {
        class: Option<Expr>,
        pairs: Vec<KeyPattern>,
        rest: HashRest,
    },
}

/// A key, and what its value has to be; where that is not said, the local that it becomes: so many scopes out, the slot.
pub(super) type KeyPattern = (Str, Option<Pattern>, Option<(u32, u32)>);

#[derive(Debug)]
pub(super) enum HashRest {
    Ignored,
    Into(u32, u32),
    /// `**nil`
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpWrite {
    Or,
    And,
    Operator,
}

#[derive(Debug)]
pub(super) struct DefineMethod {
    pub(super) name: Str,
    pub(super) on: Option<Expr>,
    pub(super) code: Arc<Code>,
}

#[derive(Debug)]
pub(super) struct DefineClass {
    /// What stands before the last `::`, where anything does.
    pub(super) within: Option<Expr>,
    pub(super) name: Str,
    pub(super) superclass: Option<Expr>,
    pub(super) is_module: bool,
    pub(super) body: Arc<Code>,
}

#[derive(Debug)]
pub(super) struct Loop {
    pub(super) test: Expr,
    pub(super) body: Expr,
    pub(super) until: bool,
    /// `begin … end while`
    pub(super) body_first: bool,
}

#[derive(Debug)]
pub(super) enum ExprKind {
    Nil,
    True,
    False,
    SelfValue,
    Integer(i64),
    Big(Arc<BigInt>),
    Float(f64),
    String(Str),
    /// One of a file that says that its texts are frozen.
    FrozenString(Str),
    /// Not UTF-8.
    Bytes(Arc<[u8]>),
    Symbol(Str),
    Joined(Vec<Expr>),
    JoinedSymbol(Vec<Expr>),
    Regex(Arc<Regexp>),
    JoinedRegex(Vec<Expr>, pantin_values::regex::Options),
    Array(Vec<Expr>),
    /// Pairs; a key of `None` is `**value`.
    Hash(Vec<(Option<Expr>, Expr)>),
    /// The same as the last argument of a call, without braces.
    Keywords(Vec<(Option<Expr>, Expr)>),
    Range(Option<Box<Expr>>, Option<Box<Expr>>, bool),
    Splat(Box<Expr>),
    Local(u32, u32),
    Instance(Str),
    Global(Str),
    ClassVariable(Str),
    Constant(Str),
    ConstantOf(Box<Expr>, Str),
    TopConstant(Str),
    Matched(u32),
    Assign(Target, Box<Expr>),
    OpAssign(Box<(Target, OpWrite, Str, Expr)>),
    AssignMany(Targets, Box<Expr>),
    Call(Box<Call>),
    Super(Option<Vec<Expr>>, BlockArg),
    Yield(Vec<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Defined(Box<Expr>),
    If(Box<(Expr, Expr, Expr)>),
    Loop(Box<Loop>),
    For(Box<(Target, Expr, Expr)>),
    Case(Option<Box<Expr>>, Vec<When>, Box<Expr>),
    CaseIn(Box<Expr>, Vec<In>, Option<Box<Expr>>),
    /// `value in pattern`
    Matches(Box<Expr>, Box<Pattern>),
    Sequence(Vec<Expr>),
    Begin(Box<Begin>),
    Return(Option<Box<Expr>>),
    Break(Option<Box<Expr>>),
    Next(Option<Box<Expr>>),
    Retry,
    DefineMethod(Box<DefineMethod>),
    DefineClass(Box<DefineClass>),
    SingletonClass(Box<Expr>, Arc<Code>),
    Lambda(Arc<Code>),
    Alias(Str, Str),
    UndefMethods(Vec<Str>),
    /// `a =~ b` with named groups: the locals that they become.
    MatchWrite(Box<Expr>, Vec<(Str, u32, u32)>),
    File,
    /// `binding`: the names of all locals, by the slots of each scope around, innermost first.
    Binding(Arc<[Vec<Str>]>),
    /// Something that the small Ruby does not run; what it is called.
    Refused(&'static str),
}

/// An answer of the outside. Its places are not those of a trace.
impl pantin_model::trace::Code for Script {
    fn unit(&self) -> Option<&Arc<pantin_model::trace::Unit>> {
        None
    }
}

/// A parsed file must be usable by any thread.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Script>();
};
