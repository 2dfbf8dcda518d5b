//! The lowered form of code: what the evaluator walks.
//!
//! Names of locals have become slots, names of core functions the functions themselves, and what
//! is the same at every evaluation a constant. Every expression knows its number in its unit, so
//! that an error can say where it stood.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use pantin_base::Arrow;
use pantin_model::trace::{Code, Definition, Log, Path, Unit, Written};
use pantin_syntax::ast::{BinaryOp, Form};
use pantin_values::mismatch::Parameter;
use pantin_values::signature::Signature;
use pantin_values::{Digest, Digester, Fault, FaultKind, Str, Type, Value};
use rustc_hash::FxHashMap;

use super::assignment::check_unreserved;
use super::function::RegisteredFunction;
use super::ruby_lambda::RubyLambda;
use super::stop::Flow;

#[derive(Debug)]
pub struct Expr {
    pub at: u32,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub enum ExprKind {
    Constant(Value),
    /// A parameter of the innermost lambda, function or body: always bound when it is read.
    Parameter(u32),
    /// The only place where such a parameter is read: the value is moved out of it.
    LastUse(u32),
    Variable(Box<Variable>),
    /// `$0`, `$1` …
    Capture(u32),
    /// A parameter that is read by the default of one that stands before it, or of its own.
    TooEarly(Box<EarlyParameter>),
    /// What is wrong in it is wrong at the expression inside; who blames it as an operand means the parenthesis.
    Paren(Box<Expr>),
    Concat(Box<[Expr]>),
    Array(Box<[Expr]>),
    Hash(Box<[(Expr, Expr)]>),
    /// `*x`, where a list of values is wanted.
    Unfold(Box<Expr>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Binary(Box<(BinaryOp, Expr, Expr)>),
    Assign(Box<Assign>),
    Access(Box<Access>),
    Call(Box<Call>),
    If(Box<If>),
    Case(Box<Case>),
    Block(Box<[Expr]>),
    Resource(Box<Resource>),
    Defaults(Box<(Form, Expr, Attributes)>),
    Override(Box<(Form, Expr, Attributes)>),
    Relationship(Box<(Arrow, Expr, Expr)>),
    Collect(Box<Collect>),
    /// A template's own code; what is in it writes to the text, which is what it is worth.
    Template(Box<Expr>),
    RenderText(Str),
    Render(Box<Expr>),
    /// A heredoc whose syntax is named and whose text is worked out.
    CheckedText(Box<(Str, Expr)>),
    /// Code that parses but is wrong wherever it is reached.
    Wrong(Box<CodeError>),
    /// A type that is not built in.
    TypeName(Str),
    /// The body of a lambda whose code is not Puppet's.
    Elsewhere(Box<RubyLambda>),
}

const _: () = assert!(size_of::<ExprKind>() <= 24, "a kind is 24 bytes; think before it grows");

#[derive(Clone, Debug)]
pub struct Variable {
    /// As written, without the `$`.
    pub name: Str,
    /// Where it may be bound: how many frames out, and the slot there. The first that is bound counts.
    pub places: Box<[(u32, u32)]>,
    /// A local that it may be a slip of the keyboard for, where it is none itself.
    pub near: Option<Str>,
}

/// `left[keys]`.
#[derive(Debug)]
pub struct Access {
    pub left: Expr,
    pub keys: Box<[Expr]>,
    pub access_path: Option<AccessPath>,
}

/// `$a['b'][0]['c']`: a variable, and keys that are known from the first.
#[derive(Debug)]
pub struct AccessPath {
    pub variable: Variable,
    pub path: Path,
}

impl AccessPath {
    /// Of an access, where it is one.
    pub fn from_access(left: &Expr, keys: &[Expr]) -> Option<AccessPath> {
        let [Expr { kind: ExprKind::Constant(key @ (Value::String(_) | Value::Integer(0..))), .. }] = keys else {
            return None;
        };
        match &left.kind {
            ExprKind::Variable(variable) => {
                Some(AccessPath { variable: (**variable).clone(), path: Path::from([key.clone()]) })
            }
            ExprKind::Access(access) => access.access_path.as_ref().map(|way| AccessPath {
                variable: way.variable.clone(),
                path: way.path.iter().chain([key]).cloned().collect(),
            }),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub struct EarlyParameter {
    pub from: Str,
    pub to: Str,
    pub callee: Str,
    /// Of a class, a defined type or a template: its parameters are known by name, so that a later one may have a value
    /// already. How many frames out, the slot there, and whether it stands before the one whose default this is.
    pub by_name: Option<(u32, u32, bool)>,
    /// Whether it is a template's.
    pub is_of_template: bool,
}

#[derive(Debug)]
pub struct CodeError {
    pub code: &'static str,
    pub message: String,
}

impl CodeError {
    pub(super) fn fault(&self) -> Fault {
        match self.code {
            "" => Fault::new(self.message.clone()),
            code => Fault::issue(code, self.message.clone()),
        }
    }
}

impl From<Fault> for CodeError {
    fn from(fault: Fault) -> CodeError {
        let code = match fault.kind {
            FaultKind::Issue(code) => code,
            _ => "",
        };
        CodeError { code, message: fault.message.into_owned() }
    }
}

#[derive(Debug)]
pub struct Assign {
    pub target: Target,
    pub value: Expr,
    /// The numbers of the two sides, for messages.
    pub left_at: u32,
}

#[derive(Debug)]
pub enum Target {
    Name {
        name: Str,
        slot: u32,
    },
    List(Box<[(Target, u32)]>),
    /// Not assignable: why.
    Wrong(CodeError, u32),
}

#[derive(Debug)]
pub enum Callee {
    Builtin(&'static RegisteredFunction),
    Named(Str),
    /// `Integer('1')`: an instance of what the expression says.
    New(Expr),
    Wrong(CodeError, u32),
}

#[derive(Debug)]
pub struct Call {
    pub callee: Callee,
    /// `receiver.name(…)`: the receiver is the first of `args`, and the text says "Method call".
    pub is_method: bool,
    /// The name as written, for attributes of objects and for messages.
    pub name: Str,
    pub args: Box<[Expr]>,
    pub lambda: Option<Arc<Lambda>>,
    /// The locals seen from here, for a function that finds variables by their names.
    pub locals: Option<Box<Locals>>,
}

/// Names of locals, the innermost first, each with the places where it may be bound (as in [`Variable`]).
pub(super) type Locals = [Local];

pub(super) type Local = (Str, Box<[(u32, u32)]>);

#[derive(Debug)]
pub struct If {
    pub test: Expr,
    pub then_branch: Expr,
    pub else_branch: Expr,
}

/// `case` and the selector.
#[derive(Debug)]
pub struct Case {
    pub test: Expr,
    pub options: Box<[CaseOption]>,
    pub default: Option<Expr>,
    /// A selector without a match is an error.
    pub is_selector: bool,
}

#[derive(Debug)]
pub struct CaseOption {
    pub values: Box<[Expr]>,
    pub then: Expr,
}

#[derive(Debug)]
pub struct Resource {
    pub form: Form,
    pub type_name: ResourceName,
    pub bodies: Box<[ResourceBody]>,
}

#[derive(Debug)]
pub enum ResourceName {
    Name(Str),
    /// An expression that must be a type of resources; whether its form can be one.
    Computed(Expr, bool),
}

#[derive(Debug)]
pub struct ResourceBody {
    pub at: u32,
    pub title: Expr,
    pub attributes: Attributes,
    /// What the parameters are called, with those of the body titled `default` beside its own.
    pub with_defaults: OnceLock<Arc<[Written]>>,
}

#[derive(Debug)]
pub struct Attributes {
    pub list: Box<[Attribute]>,
    /// What the parameters are called that they make, as of the last time; mostly it is the same every time.
    pub written: OnceLock<Arc<[Written]>>,
}

#[derive(Debug)]
pub enum Attribute {
    Named { name: Str, append: bool, value: Expr, at: u32 },
    Splat { value: Expr, at: u32 },
}

#[derive(Debug)]
pub struct Collect {
    pub type_expr: Expr,
    pub exported: bool,
    pub query: Option<Query>,
    pub attributes: Attributes,
}

/// A query as it was written; its values are worked out when the collector is made.
#[derive(Debug)]
pub enum Query {
    Compare {
        name: Expr,
        equal: bool,
        value: Expr,
    },
    /// What compares nothing, and can be asked nothing.
    Plain(Expr),
    And(Box<(Query, Query)>),
    Or(Box<(Query, Query)>),
    Wrong(CodeError),
}

/// Parameters and a body: a lambda, a function, a template, a manifest's own code.
#[derive(Debug)]
pub struct Lambda {
    pub params: Box<[Param]>,
    /// By which its unit knows it.
    pub number: u32,
    /// Names of all slots: the parameters first, then what is assigned.
    pub slots: Arc<[Str]>,
    pub returns: Option<ParamType>,
    pub body: Expr,
    /// What the parameters accept, once it is known; at once where no type needs the outside.
    pub signature: OnceLock<Arc<Signature>>,
    /// Whether a call just puts each value in its slot: every parameter is needed, none takes several, and no type
    /// of theirs has to be worked out.
    pub is_plain: bool,
    /// Whether a parameter is called like a variable that the server sets, or that each scope of a definition has.
    pub may_clash: bool,
    /// Which of the slots its own code, or that of a lambda in it, reads.
    pub is_read: Box<[bool]>,
    /// Whether a call of it may end in `break()`.
    pub may_break: bool,
    /// The same as a type, of a lambda.
    pub callable: OnceLock<Arc<Type>>,
    /// The parameters with their types, of a class or defined type; where no type has to be worked out.
    pub declared: OnceLock<Arc<[Parameter]>>,
    /// Where each parameter stands, if there are many.
    pub positions: OnceLock<FxHashMap<Str, usize>>,
}

/// Fewer parameters are found by going through them.
const MANY: usize = 8;

impl Lambda {
    /// Variables that only the server sets are no parameters. That is an error of each call, once all else of it is right.
    pub(super) fn check_names(&self) -> Flow<()> {
        match self.may_clash {
            true => self.params.iter().try_for_each(|param| check_unreserved(&param.name)),
            false => Ok(()),
        }
    }

    /// Returns where the parameter of a name stands.
    pub fn position(&self, name: &str) -> Option<usize> {
        if self.params.len() < MANY {
            return self.params.iter().position(|param| param.name == name);
        }
        // Of two of one name the first counts, here too.
        let params = || self.params.iter().enumerate().rev();
        let positions = || params().map(|(index, param)| (param.name.clone(), index)).collect();
        self.positions.get_or_init(positions).get(name).copied()
    }
}

#[derive(Debug)]
pub struct Param {
    pub at: u32,
    pub name: Str,
    pub param_type: Option<ParamType>,
    pub default: Option<Expr>,
    pub rest: bool,
}

#[derive(Debug)]
pub enum ParamType {
    Fixed(Type),
    Computed(Expr),
}

/// Something with a name, or a manifest's own code, ready to run.
#[derive(Debug)]
pub struct Body {
    pub name: Str,
    pub unit: Arc<Unit>,
    pub lambda: Lambda,
    /// Of its meaning: layout and places aside.
    pub digest: Digest,
    /// What it assigns is seen by others: the site manifest, a class.
    pub exports: bool,
    /// A template that declares no parameters: whatever it is given becomes a variable.
    pub is_open: bool,
    /// It calls a function that any module may have.
    pub seeks_functions: bool,
    /// What the parser said of a template; it is logged each time the template is rendered.
    pub warnings: Box<[Log]>,
}

impl Body {
    /// Returns where its code stands.
    pub fn place(&self) -> pantin_model::trace::At {
        pantin_model::trace::At { unit: self.unit.clone(), node: self.lambda.body.at }
    }

    /// Which functions its code sees first is a matter of the module that it stands in.
    pub fn with_module(mut self, module: &Str) -> Body {
        if self.seeks_functions
            && !module.is_empty()
            && let Some(unit) = Arc::get_mut(&mut self.unit)
        {
            unit.module = module.clone();
            self.digest = Digester::new(b"body of a module").text(module).digest(self.digest).finish();
        }
        self
    }

    /// Returns the warnings name lines, so that they belong to its meaning.
    pub fn warning(mut self, warnings: Vec<Log>) -> Body {
        if !warnings.is_empty() {
            let mut digester = Digester::new(b"warning body");
            digester.digest(self.digest);
            for warning in &warnings {
                digester.number(warning.level as u64).text(&warning.message);
            }
            self.digest = digester.finish();
            self.warnings = warnings.into();
        }
        self
    }
}

impl Body {
    /// The code of a definition that a host has answered with.
    pub fn from_definition(definition: Definition, name: &str) -> Result<Arc<Body>, Fault> {
        let code: Arc<dyn Any + Send + Sync> = definition.code;
        code.downcast().map_err(|_| Fault::new(format!("internal error: {name} is nothing that can be run")))
    }
}

impl Body {
    pub fn takes_nothing(&self) -> bool {
        self.lambda.params.is_empty()
    }

    /// The type that a function says it returns, where that needs nothing to be worked out.
    pub fn returns(&self) -> Option<&Type> {
        match &self.lambda.returns {
            Some(ParamType::Fixed(of)) => Some(of),
            _ => None,
        }
    }

    pub fn has_parameter(&self, name: &str) -> bool {
        self.lambda.params.iter().any(|param| param.name == name)
    }
}

impl Code for Body {
    fn unit(&self) -> Option<&Arc<Unit>> {
        Some(&self.unit)
    }
}

impl Expr {
    /// Returns what it is called in "Error while evaluating a …".
    pub fn label(&self) -> std::borrow::Cow<'static, str> {
        let fixed = match &self.kind {
            ExprKind::Binary(parts) => return format!("'{}' expression", parts.0.symbol()).into(),
            ExprKind::Relationship(parts) => return format!("'{}' expression", parts.0.symbol()).into(),
            ExprKind::Assign(_) => "'=' expression",
            ExprKind::Constant(_) => "Literal",
            ExprKind::Parameter(_)
            | ExprKind::LastUse(_)
            | ExprKind::Variable(_)
            | ExprKind::Capture(_)
            | ExprKind::TooEarly(_) => "Variable",
            ExprKind::Paren(_) => "Parenthesized Expression",
            ExprKind::Concat(_) => "Double Quoted String",
            ExprKind::Array(_) => "Array Expression",
            ExprKind::Hash(_) => "Hash Expression",
            ExprKind::Unfold(_) => "Unfold",
            ExprKind::Not(_) => "'not' expression",
            ExprKind::Minus(_) => "Unary Minus",
            ExprKind::Access(_) => "'[]' expression",
            ExprKind::Call(call) if call.is_method => "Method call",
            ExprKind::Call(_) => "Function Call",
            ExprKind::If(_) => "'if' statement",
            ExprKind::Case(case) if case.is_selector => "Selector Expression",
            ExprKind::Case(_) => "'case' statement",
            ExprKind::Block(_) => "Block Expression",
            ExprKind::Resource(_) => "Resource Statement",
            ExprKind::Defaults(_) => "Resource Defaults Expression",
            ExprKind::Override(_) => "Resource Override",
            ExprKind::Collect(collect) if collect.exported => "Exported Query",
            ExprKind::Collect(_) => "Virtual Query",
            ExprKind::Template(_) => "Epp Template",
            ExprKind::RenderText(_) => "Epp Text",
            ExprKind::Render(_) => "Epp Interpolated Expression",
            ExprKind::CheckedText(parts) => return format!("'@({})' expression", parts.0).into(),
            ExprKind::TypeName(_) => "Type-Name",
            ExprKind::Elsewhere(_) => "Lambda",
            ExprKind::Wrong(_) => "Expression",
        };
        fixed.into()
    }
}
