//! The survey of a Ruby file: which classes and methods it uses that do not exist here, found in its tree without running it.
//!
//! A receiver's class is known only where the text says it. Of any other receiver, a method counts as missing if Ruby
//! has one of that name, the built-in classes have none, and no file that is looked at defines it.

mod missing;
mod path_text;
mod walk;

use pantin_values::Str;
use rustc_hash::FxHashSet;

use self::path_text::path_text;
use self::walk::Visitor;
use super::code::{BlockArg, Call, Code, Expr, ExprKind, Rescue, Script, Target};

/// Something that would not run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lack {
    pub line: u32,
    pub what: String,
    /// Whether Ruby itself has it; else Puppet alone does.
    pub is_of_ruby: bool,
}

/// A `require`.
#[derive(Clone, Debug)]
pub struct RequiredFile {
    pub line: u32,
    pub name: Str,
    /// To the file that says it.
    pub relative: bool,
}

/// Names that files define: no run misses them.
#[derive(Debug, Default)]
pub struct DefinedNames {
    methods: FxHashSet<Str>,
    constants: FxHashSet<Str>,
}

impl DefinedNames {
    pub fn add(&mut self, survey: &Survey) {
        self.methods.extend(survey.defined.methods.iter().cloned());
        self.constants.extend(survey.defined.constants.iter().cloned());
    }
}

/// What counts as defined where a file is looked at.
#[derive(Clone, Copy, Debug)]
pub struct KnownNames<'d> {
    pub methods: &'d [&'d DefinedNames],
    pub constants: &'d DefinedNames,
}

/// What kind of code a text is: it says what stands behind a call without a receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Template,
    Function,
    Library,
}

/// What a file uses and defines.
#[derive(Debug, Default)]
pub struct Survey {
    refused: Vec<Lack>,
    calls: Vec<UsedName<Receiver>>,
    constants: Vec<UsedName<Vec<Str>>>,
    /// Files that it wants, but where it would do without.
    pub required: Vec<RequiredFile>,
    defined: DefinedNames,
}

/// A name that is used: where, and for what.
#[derive(Debug)]
struct UsedName<Of> {
    line: u32,
    name: Str,
    of: Of,
}

/// What is known of a receiver.
#[derive(Debug, PartialEq, Eq)]
enum Receiver {
    /// The code's own object.
    Own,
    /// The class or module of this path.
    Named(Str),
    /// An object of the class of this path.
    Object(&'static str),
    Anything,
}

impl Survey {
    pub fn from_script(script: &Script) -> Survey {
        let mut looker =
            SurveyWalker { script, found: Survey::default(), nesting: Vec::new(), in_scope: false, rescues_load: 0 };
        walk::code(&mut looker, &script.main);
        looker.found
    }
}

struct SurveyWalker<'s> {
    script: &'s Script,
    found: Survey,
    /// The modules and classes around.
    nesting: Vec<Str>,
    /// Whether the code is the block of a function of the older kind, whose own object is a scope.
    in_scope: bool,
    /// How many `begin` around rescue a file that is not there.
    rescues_load: usize,
}

impl Visitor for SurveyWalker<'_> {
    fn enter(&mut self, expr: &Expr) -> bool {
        let line = self.script.line(expr.at);
        match &expr.kind {
            ExprKind::Refused(what) => {
                self.found.refused.push(Lack { line, what: (*what).to_owned(), is_of_ruby: true })
            }
            ExprKind::Constant(name) | ExprKind::TopConstant(name) => self.constant(line, name.clone()),
            ExprKind::ConstantOf(..) => {
                let Some(path) = path_of(expr) else { return true };
                self.constant(line, path);
                return false;
            }
            // What is asked there may be missing.
            ExprKind::Defined(_) => return false,
            ExprKind::Call(call) => {
                self.call(line, call);
                if call.name == "newfunction" {
                    let around = std::mem::replace(&mut self.in_scope, true);
                    walk::below(self, expr);
                    self.in_scope = around;
                    return false;
                }
            }
            ExprKind::Assign(Target::Constant(_, name), _) => drop(self.found.defined.constants.insert(name.clone())),
            ExprKind::DefineMethod(method) => drop(self.found.defined.methods.insert(method.name.clone())),
            ExprKind::Alias(name, _) => drop(self.found.defined.methods.insert(name.clone())),
            ExprKind::DefineClass(class) => {
                self.found.defined.constants.insert(class.name.clone());
                let within = class.within.as_ref().and_then(path_of);
                self.nesting.push(within.map_or(class.name.clone(), |path| format!("{path}::{}", class.name).into()));
                class.superclass.iter().for_each(|superclass| walk::expr(self, superclass));
                walk::code(self, &class.body);
                self.nesting.pop();
                return false;
            }
            ExprKind::Begin(begin) if begin.rescues.iter().any(rescues_load) => {
                self.rescues_load += 1;
                walk::below(self, expr);
                self.rescues_load -= 1;
                return false;
            }
            _ => {}
        }
        true
    }
}

impl SurveyWalker<'_> {
    fn constant(&mut self, line: u32, name: Str) {
        self.found.constants.push(UsedName { line, name, of: self.nesting.clone() });
    }

    fn call(&mut self, line: u32, call: &Call) {
        let name = call.name.as_str();
        if matches!(name, "require" | "require_relative")
            && call.receiver.is_none()
            && let [argument] = &call.args[..]
            && let Some(file) = path_text(argument, self.script.path.beyond_code())
        {
            if self.rescues_load == 0 {
                // A path from the root is relative to nothing.
                let relative = name == "require_relative" && !file.starts_with('/');
                self.found.required.push(RequiredFile { line, name: file, relative });
            }
            return;
        }
        match (name, call.receiver.is_none(), call.args.first().map(|arg| &arg.kind)) {
            (
                "define_method" | "define_singleton_method" | "alias_method",
                _,
                Some(ExprKind::Symbol(made) | ExprKind::String(made) | ExprKind::FrozenString(made)),
            ) => {
                self.found.defined.methods.insert(made.clone());
            }
            ("attr_accessor" | "attr_reader" | "attr_writer" | "let", true, _) => {
                let symbols = call.args.iter().filter_map(|arg| match &arg.kind {
                    ExprKind::Symbol(made) => Some(made),
                    _ => None,
                });
                for made in symbols {
                    self.found.defined.methods.insert(made.clone());
                    self.found.defined.methods.insert(format!("{made}=").into());
                }
            }
            ("new", false, _) if call.receiver.as_ref().and_then(path_of).is_some_and(|path| path == "Struct") => {
                for arg in &call.args {
                    if let ExprKind::Symbol(made) = &arg.kind {
                        self.found.defined.methods.insert(made.clone());
                    }
                }
            }
            ("`", true, _) => {
                let what = "a command in backticks".to_owned();
                self.found.refused.push(Lack { line, what, is_of_ruby: true });
            }
            _ if is_command(name, &receiver(call)) => {
                let what = format!("a command that {name} runs");
                self.found.refused.push(Lack { line, what, is_of_ruby: true });
            }
            _ if looks_name_up(name, &receiver(call)) => {
                let what = format!("the name that {name} looks up");
                self.found.refused.push(Lack { line, what, is_of_ruby: true });
            }
            // Types of resources alone may ask it, and these are not looked at but run.
            ("value" | "fact" | "[]", false, _) if receiver(call) == Receiver::Named("Facter".into()) => {
                let what = "a fact of the machine that compiles".to_owned();
                self.found.refused.push(Lack { line, what, is_of_ruby: false });
            }
            _ => {}
        }
        let of = match receiver(call) {
            Receiver::Own if self.in_scope => Receiver::Object("Puppet::Parser::Scope"),
            of => of,
        };
        // `&.`, `respond_to?` and the like are not looked into: what is called is called.
        self.found.calls.push(UsedName { line, name: call.name.clone(), of });
        if let BlockArg::Pass(value) = &call.block
            && let ExprKind::Symbol(passed) = &value.kind
        {
            self.found.calls.push(UsedName { line, name: passed.clone(), of: Receiver::Anything });
        }
    }
}

/// `A::B::C`, where nothing but names stands in it.
fn path_of(expr: &Expr) -> Option<Str> {
    match &expr.kind {
        ExprKind::Constant(name) | ExprKind::TopConstant(name) => Some(name.clone()),
        ExprKind::ConstantOf(within, name) => Some(format!("{}::{name}", path_of(within)?).into()),
        _ => None,
    }
}

fn receiver(call: &Call) -> Receiver {
    let Some(receiver) = &call.receiver else { return Receiver::Own };
    match &receiver.kind {
        ExprKind::SelfValue => Receiver::Own,
        ExprKind::String(_) | ExprKind::FrozenString(_) | ExprKind::Joined(_) => Receiver::Object("String"),
        ExprKind::Symbol(_) => Receiver::Object("Symbol"),
        ExprKind::Array(_) => Receiver::Object("Array"),
        ExprKind::Hash(_) => Receiver::Object("Hash"),
        ExprKind::Integer(_) => Receiver::Object("Integer"),
        ExprKind::Regex(_) | ExprKind::JoinedRegex(..) => Receiver::Object("Regexp"),
        ExprKind::Call(inner) if inner.bare && inner.name == "scope" => Receiver::Object("Puppet::Parser::Scope"),
        _ => path_of(receiver).map_or(Receiver::Anything, Receiver::Named),
    }
}

/// Returns true if a call runs a command, which is done only where a person allows it or has written down what it says.
fn is_command(name: &str, of: &Receiver) -> bool {
    match of {
        Receiver::Own => name == "system",
        Receiver::Named(path) => matches!(
            (path.as_str(), name),
            ("Kernel", "system")
                | ("IO", "popen")
                | ("Open3", "capture2" | "capture2e" | "capture3")
                | ("Puppet::Util::Execution", "execute" | "execpipe")
                | ("Facter::Core::Execution", "execute" | "exec")
        ),
        Receiver::Object(_) | Receiver::Anything => false,
    }
}

/// Returns true if a call looks a name up, which is done in the same cases. What a resolver is kept in, nobody knows.
fn looks_name_up(name: &str, of: &Receiver) -> bool {
    let is_of_resolver = matches!(
        name,
        "getaddress"
            | "getaddresses"
            | "each_address"
            | "getname"
            | "getnames"
            | "each_name"
            | "getresource"
            | "getresources"
            | "each_resource"
    );
    match of {
        Receiver::Anything => is_of_resolver,
        Receiver::Named(path) => {
            is_of_resolver && path.starts_with("Resolv")
                || matches!(
                    (path.as_str(), name),
                    ("IPSocket", "getaddress")
                        | ("Socket", "gethostbyname")
                        | ("Addrinfo", "ip" | "tcp" | "udp" | "getaddrinfo")
                )
        }
        Receiver::Own | Receiver::Object(_) => false,
    }
}

fn rescues_load(rescue: &Rescue) -> bool {
    let names = rescue.classes.iter().filter_map(path_of);
    names.into_iter().any(|name| matches!(name.as_str(), "LoadError" | "ScriptError" | "Exception"))
}

/// Returns true if code of a type may set an attribute of a resource: `resource[:x] = …`, `self[:x] = …`.
pub(crate) fn sets_attributes(script: &Script) -> bool {
    struct Finder(bool);

    impl Visitor for Finder {
        fn enter(&mut self, expr: &Expr) -> bool {
            let target = match &expr.kind {
                ExprKind::Assign(target, _) => Some(target),
                ExprKind::OpAssign(parts) => Some(&parts.0),
                _ => None,
            };
            // A local of the code is something that it has made, or was handed as a value.
            if let Some(Target::Index(receiver, _)) = target {
                self.0 |= !matches!(receiver.kind, ExprKind::Local(..));
            }
            true
        }
    }

    let mut finder = Finder(false);
    walk::code(&mut finder, &script.main);
    finder.0
}

/// Returns true if code looks at what it is given and at constants, and at nothing of its own object or of the code around it. Whatever it
/// says of a value it says of it always.
pub(crate) fn looks_at_value_alone(code: &Code) -> bool {
    /// Functions that look at nothing but their arguments.
    const FUNCTIONS: [&str; 16] = [
        "raise", "fail", "_", "n_", "format", "sprintf", "Integer", "Float", "String", "Array", "lambda", "proc",
        "warning", "debug", "info", "notice",
    ];

    struct Finder(bool);

    fn is_of_value(expr: &Expr) -> bool {
        let is_local = |target: &Target| matches!(target, Target::Local(..) | Target::Nothing);
        match &expr.kind {
            ExprKind::Nil
            | ExprKind::True
            | ExprKind::False
            | ExprKind::Integer(_)
            | ExprKind::Big(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::FrozenString(_)
            | ExprKind::Symbol(_)
            | ExprKind::Joined(_)
            | ExprKind::JoinedSymbol(_)
            | ExprKind::Regex(_)
            | ExprKind::JoinedRegex(..)
            | ExprKind::Array(_)
            | ExprKind::Hash(_)
            | ExprKind::Keywords(_)
            | ExprKind::Range(..)
            | ExprKind::Splat(_)
            | ExprKind::Local(..)
            | ExprKind::Constant(_)
            | ExprKind::ConstantOf(..)
            | ExprKind::TopConstant(_)
            | ExprKind::Matched(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If(_)
            | ExprKind::Loop(_)
            | ExprKind::Case(..)
            | ExprKind::Sequence(_)
            | ExprKind::Return(_)
            | ExprKind::Break(_)
            | ExprKind::Next(_)
            | ExprKind::Lambda(_)
            | ExprKind::MatchWrite(..) => true,
            ExprKind::Assign(target, _) => is_local(target),
            ExprKind::OpAssign(parts) => is_local(&parts.0),
            ExprKind::Call(call) => call.receiver.is_some() || FUNCTIONS.contains(&call.name.as_str()),
            ExprKind::Begin(begin) => begin.rescues.iter().all(|rescue| rescue.into.iter().all(is_local)),
            _ => false,
        }
    }

    impl Visitor for Finder {
        fn enter(&mut self, expr: &Expr) -> bool {
            // `self.fail`
            if let ExprKind::Call(call) = &expr.kind
                && let Some(Expr { kind: ExprKind::SelfValue, .. }) = &call.receiver
            {
                self.0 &= FUNCTIONS.contains(&call.name.as_str()) && matches!(call.block, BlockArg::None);
                call.args.iter().for_each(|argument| walk::expr(self, argument));
                return false;
            }
            self.0 &= is_of_value(expr);
            self.0
        }
    }

    let mut finder = Finder(true);
    walk::code(&mut finder, code);
    finder.0
}
