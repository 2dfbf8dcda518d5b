//! The state of one evaluation: frames of locals, what matched last, where it stands.

use std::rc::Rc;
use std::sync::Arc;

use pantin_base::names::is_module_variable;
use pantin_base::stack::StackRoom;
use pantin_base::{Language, Strict, budget};
use pantin_model::trace::{
    Answer, At, Effect, Failure, FunctionCaller, Host, Layer, Level, Log, LogSource, NameKind, Outcome, Path, Question,
    Shape, Standing, Unit, VariableName,
};
use pantin_ruby::RubySignature;
use pantin_values::ops::MatchData;
use pantin_values::signature::Signature;
use pantin_values::{Fault, FaultKind, Resolve, Str, Timestamp, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::call_stack::CallStack;
use super::code::{Body, Expr, Lambda, Locals, Variable};
use super::cursors::Cursors;
use super::function::Builtins;
use super::held::HeldVariable;
use super::issue;
use super::legacy_facts;
use super::limits::Limits;
use super::pending_parameters::PendingParameters;
use super::shared_locals::SavedFrames;
use super::stand_in::Function;
use super::stop::{Flow, Reason, Stop};
use super::template::{RenderedTemplate, TemplateVariables};
use super::variable_value::{VariableValue, View};

/// What changes the meaning of code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    pub language: Language,
    pub strict: Strict,
    pub strict_variables: bool,
    pub limits: Limits,
}

pantin_base::digestible!(struct Settings { 1 = language, 2 = strict, 3 = strict_variables, 4 = limits });

impl Settings {
    /// The defaults of a version.
    pub fn from_language(language: Language) -> Settings {
        let strict = pantin_syntax::Settings::from_language(language).strict;
        Settings { language, strict, strict_variables: language >= Language::Puppet8, limits: Limits::default() }
    }
}

/// Locals of one body, function or lambda.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) base: usize,
    /// The frame in which the lambda was written.
    pub(super) parent: usize,
    /// Assignments are seen by others.
    pub(super) exports: bool,
    /// What its slots are called: the number of the lambda in its unit.
    pub(super) names: u32,
}

pub(super) const NO_FRAME: usize = usize::MAX;

/// Evaluates one body against a host.
pub struct Machine<'h> {
    pub(super) host: &'h mut dyn Host,
    pub(super) settings: Settings,
    pub(super) builtins: &'static Builtins,
    pub(super) slots: Vec<Option<VariableValue>>,
    pub(super) cursors: Cursors,
    pub(super) frames: Vec<Frame>,
    pub(super) frame: usize,
    pub(super) unit: Arc<Unit>,
    /// What `$0`, `$1` … stand for.
    pub(super) matched: Option<Rc<MatchData>>,
    /// Whether the scope of the body may be around those of others: not that of a defined type.
    pub(super) is_around_others: bool,
    /// Code that was left for code that stands in another scope.
    pub(super) left: Vec<SavedFrames>,
    /// Whether the code that runs may have anything of its own on the scope that it stands in.
    pub(super) has_own: bool,
    /// What lies on scopes, as the host was told.
    pub(super) shared_layers: Box<[Layer]>,
    /// By their names, each with the module from whose code it is seen.
    pub(super) functions: FxHashMap<Str, SmallVec<[(FunctionCaller, Function); 1]>>,
    pub(super) under_way: CallStack,
    pub(super) types: FxHashMap<Str, Option<Type>>,
    /// Signatures of lambdas whose types had to be asked for. A lambda is known by its address: the code
    /// lives as long as the machine runs it.
    pub(super) signatures: FxHashMap<usize, Arc<Signature>>,
    /// What functions in Ruby take and give, as texts that were read.
    pub(super) ruby_signatures: FxHashMap<Str, Arc<[RubySignature]>>,
    /// Templates by their names and by their texts, each parsed once.
    pub(super) templates: FxHashMap<Str, Option<Arc<Body>>>,
    pub(super) inline_templates: FxHashMap<Str, Arc<Body>>,
    /// How many parameters the body of a definition has: its first slots.
    pub(super) parameters: usize,
    /// Metaparameters that a definition was given: variables of its scope like its parameters, without slots.
    pub(super) metaparameters: Vec<Str>,
    /// While the defaults of its parameters are worked out.
    pub(super) half_done: Option<PendingParameters>,
    /// The function of the older kind that is called next is called by `scope.function_x`: its file is loaded without a look
    /// at its text, and its arguments stay as they are.
    pub(super) is_called_by_scope: bool,
    /// Variables that Ruby code has set.
    pub(super) held: Vec<HeldVariable>,
    /// What templates see of the code that renders them, innermost last.
    pub(super) lent: Vec<TemplateVariables>,
    /// The texts of the templates that are being rendered, innermost last.
    pub(super) texts: Vec<RenderedTemplate>,
    /// The resource whose body runs, as messages name it: `Class[A]`.
    pub(super) subject: Option<Str>,
    /// Whose scope the code stands in, and whose the host was told last.
    pub(super) standing: Standing,
    host_standing: Standing,
    /// For texts that are put together.
    pub(super) buffer: String,
    /// The locals that functions find by their names, by the unit and the lambda that calls. Code lives as long as the
    /// machine runs it.
    pub(super) locals_of_code: FxHashMap<(usize, u32), Rc<Locals>>,
    /// The stack that is left: beyond it room is looked for.
    pub(super) room: StackRoom,
    pub(super) depth: u32,
    pub(super) calls: u64,
    /// The host wants to know how each value comes about.
    pub(super) is_recorded: bool,
}

impl<'h> Machine<'h> {
    pub(super) fn new(
        host: &'h mut dyn Host,
        settings: Settings,
        builtins: &'static Builtins,
        unit: Arc<Unit>,
    ) -> Self {
        let is_recorded = host.recorder().is_some();
        Machine {
            is_recorded,
            host,
            settings,
            builtins,
            slots: Vec::with_capacity(64),
            cursors: Cursors::default(),
            frames: Vec::with_capacity(16),
            frame: NO_FRAME,
            unit,
            matched: None,
            is_around_others: false,
            left: Vec::new(),
            has_own: true,
            shared_layers: Box::default(),
            functions: FxHashMap::default(),
            under_way: CallStack::default(),
            types: FxHashMap::default(),
            signatures: FxHashMap::default(),
            ruby_signatures: FxHashMap::default(),
            templates: FxHashMap::default(),
            inline_templates: FxHashMap::default(),
            parameters: 0,
            metaparameters: Vec::new(),
            half_done: None,
            is_called_by_scope: false,
            held: Vec::new(),
            lent: Vec::new(),
            texts: Vec::new(),
            subject: None,
            standing: Standing::Own,
            host_standing: Standing::Own,
            buffer: String::new(),
            locals_of_code: FxHashMap::default(),
            room: StackRoom::remaining(),
            depth: 0,
            calls: 0,
        }
    }

    pub(super) fn place(&self, at: u32) -> At {
        At { unit: self.unit.clone(), node: at }
    }

    // ---- frames ----

    pub(super) fn enter(&mut self, lambda: &Lambda, parent: usize, exports: bool) -> usize {
        let caller = self.frame;
        let base = self.slots.len();
        self.slots.resize(base + lambda.slots.len(), None);
        self.frame = self.frames.len();
        self.frames.push(Frame { base, parent, exports, names: lambda.number });
        if self.is_recorded {
            self.record_run(lambda, parent != NO_FRAME);
        }
        caller
    }

    /// The same with values in the first slots.
    #[inline]
    pub(super) fn enter_with(
        &mut self,
        lambda: &Lambda,
        parent: usize,
        values: impl IntoIterator<Item = Value>,
    ) -> usize {
        let caller = self.frame;
        let base = self.slots.len();
        self.slots.extend(values.into_iter().map(|value| Some(VariableValue::Value(value))));
        if self.slots.len() < base + lambda.slots.len() {
            self.slots.resize(base + lambda.slots.len(), None);
        }
        self.frame = self.frames.len();
        self.frames.push(Frame { base, parent, exports: false, names: lambda.number });
        if self.is_recorded {
            self.record_run(lambda, parent != NO_FRAME);
        }
        caller
    }

    pub(super) fn leave(&mut self, caller: usize) {
        if let Some(frame) = self.frames.pop() {
            self.slots.truncate(frame.base);
        }
        if self.is_recorded {
            self.record_end_of_run();
        }
        if !self.held.is_empty() {
            self.let_go();
        }
        self.frame = caller;
    }

    #[inline]
    pub(super) fn slot(&mut self, slot: u32) -> &mut Option<VariableValue> {
        let base = self.frames[self.frame].base;
        &mut self.slots[base + slot as usize]
    }

    #[inline]
    pub(super) fn slot_at(&self, depth: u32, slot: u32) -> Option<&VariableValue> {
        let mut frame = self.frames[self.frame];
        for _ in 0..depth {
            frame = *self.frames.get(frame.parent)?;
        }
        self.slots.get(frame.base + slot as usize)?.as_ref()
    }

    // ---- the outside ----

    pub(super) fn variable(&mut self, variable: &Variable, at: u32) -> Flow<VariableValue> {
        for &(depth, slot) in &variable.places {
            if let Some(seen) = self.slot_at(depth, slot) {
                return Ok(seen.clone());
            }
        }
        self.outer_variable(&variable.name, variable.near.as_ref(), at)
    }

    /// `near`: a local that may be meant, should there be no such variable.
    /// A variable of the outside by its name, if there is one.
    pub(super) fn ask_variable(&mut self, name: &Str) -> Flow<Option<VariableValue>> {
        if let Some(held) = self.find_held(name) {
            return Ok(Some(VariableValue::Value(held.value()?)));
        }
        self.before_asking(name)?;
        let variable = self.standing_name(name);
        match self.host.ask(&Question::Variable(variable.clone())) {
            Answer::Value(value) => Ok(Some(VariableValue::Value(value))),
            Answer::View(container) => {
                Ok(Some(VariableValue::View(Rc::new(View { container, variable, path: Path::default() }))))
            }
            Answer::Fault(fault) => Err(fault.into()),
            // These are there in every scope, if only as undef.
            Answer::Absent if is_module_variable(name) => Ok(Some(VariableValue::Value(Value::Undef))),
            Answer::Absent | Answer::Definition(_) | Answer::Type(..) | Answer::Wants(_) => Ok(None),
        }
    }

    /// A variable's name as the host knows it, from where the code stands.
    pub(super) fn standing_name(&self, name: &Str) -> VariableName {
        match self.standing {
            Standing::Top if !name.contains("::") => VariableName::FromBody(format!("::{name}").into()),
            Standing::Node if !name.contains("::") => VariableName::FromNode(name.clone()),
            _ => VariableName::FromBody(name.clone()),
        }
    }

    pub(super) fn outer_variable(&mut self, name: &Str, near: Option<&Str>, at: u32) -> Flow<VariableValue> {
        if let Some(seen) = self.lent_variable(name) {
            return Ok(seen.clone());
        }
        match self.ask_variable(name)? {
            Some(seen) => Ok(seen),
            None => {
                let strict = if self.settings.strict_variables { Strict::Error } else { self.settings.strict };
                let mut fault = issue::unknown_variable(name);
                if strict == Strict::Error {
                    fault = match near {
                        _ if let Some(help) = legacy_facts::help_for(name) => fault.with_help(help),
                        Some(near) => fault.with_help(format!("did you mean ${near}?")),
                        None => self.suggest(fault, NameKind::Variable, name),
                    };
                }
                self.report_by_strict(strict, fault, at)?;
                Ok(VariableValue::Value(Value::Undef))
            }
        }
    }

    /// The value itself: a view becomes all it stands for, and that counts as read.
    #[inline]
    pub(super) fn settle(&mut self, seen: VariableValue) -> Flow {
        match seen {
            VariableValue::Value(value) => Ok(value),
            VariableValue::View(view) => self.read_whole(&view),
        }
    }

    #[inline(never)]
    fn read_whole(&mut self, view: &View) -> Flow {
        let question = Question::Whole { variable: view.variable.clone(), path: view.path.clone() };
        match self.host.ask(&question) {
            Answer::Value(value) => Ok(value),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(Value::Undef),
        }
    }

    /// Returns a part of a container of the outside.
    pub(super) fn part(&mut self, view: &View, key: Value) -> Flow<VariableValue> {
        let path = view.step(key);
        let question = Question::Part { variable: view.variable.clone(), path: path.clone() };
        match self.host.ask(&question) {
            Answer::Value(value) => Ok(VariableValue::Value(value)),
            Answer::View(container) => {
                Ok(VariableValue::View(Rc::new(View { container, variable: view.variable.clone(), path })))
            }
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(VariableValue::Value(Value::Undef)),
        }
    }

    /// Tells the host where the code stands, before anything that depends on it.
    pub(super) fn take_stand(&mut self) {
        if self.host_standing != self.standing {
            self.host_standing = self.standing;
            self.host.apply(&Effect::Stand(self.standing));
        }
    }

    pub(super) fn apply(&mut self, effect: &Effect) -> Flow {
        // What was made without steps is worth nothing: it is neither logged nor declared.
        if budget::is_over() {
            return Err(self.budget_fault().into());
        }
        let evaluates = matches!(effect, Effect::Include { .. } | Effect::Declare(_));
        if evaluates && self.is_looked_at() {
            self.show_parameters();
        }
        self.take_stand();
        self.share_locals(effect)?;
        match self.host.apply(effect) {
            Outcome::Done => Ok(Value::Undef),
            Outcome::Value(value) => Ok(value),
            // One without a place is the error of the expression that wanted the effect.
            Outcome::Failed(failure) if failure.at.is_none() && failure.shape == Shape::Evaluation => {
                let kind = if failure.code.is_empty() { FaultKind::Plain } else { FaultKind::Issue(failure.code) };
                let message = failure.message.to_string();
                Err(Fault { kind, help: failure.help.clone(), ..Fault::new(message) }.into())
            }
            Outcome::Failed(failure) => Err((*failure).into()),
        }
    }

    // ---- complaints ----

    /// An error about a name that nobody knows, with one that it may be a slip of the keyboard for.
    pub(super) fn suggest(&mut self, fault: Fault, kind: NameKind, name: &Str) -> Fault {
        match (self.host.ask(&Question::Similar { kind, name: name.clone() }), kind) {
            (Answer::Value(Value::String(similar)), NameKind::Variable) => {
                fault.with_help(format!("did you mean ${similar}?"))
            }
            (Answer::Value(Value::String(help)), NameKind::Function | NameKind::Type | NameKind::Key) => {
                fault.with_help(help.as_str())
            }
            _ => fault,
        }
    }

    /// An issue whose weight is a setting: nothing, a warning, or an error.
    pub(super) fn report_by_strict(&mut self, strict: Strict, fault: Fault, at: u32) -> Flow<()> {
        match strict {
            Strict::Off => Ok(()),
            Strict::Warning => {
                let at = Some(self.place(at));
                let message = fault.message.as_ref().into();
                let log = Log { level: Level::Warning, source: LogSource::Puppet, message, at, once: None };
                self.apply(&Effect::Log(log.into())).map(|_| ())
            }
            Strict::Error => Err(self.fail(fault, at)),
        }
    }

    /// Returns an error with a code, at an expression that is not the one being evaluated.
    pub(super) fn fail(&self, fault: Fault, at: u32) -> Stop {
        Failure::new(fault, Shape::Evaluation, Some(self.place(at))).into()
    }

    /// Gives an error that knows no place yet the place of the expression in which it came up.
    #[cold]
    #[inline(never)]
    pub(super) fn with_place(&self, stop: Stop, expr: &Expr) -> Stop {
        match *stop.0 {
            // What an operation says that had no steps left is worth nothing.
            Reason::Fault(fault) | Reason::Raised(fault, _) | Reason::FaultAt(fault, _) if budget::is_over() => {
                let fault = if fault.kind == FaultKind::Limit && !budget::is_out_of_time() {
                    fault
                } else {
                    self.budget_fault()
                };
                self.stop_at(fault, expr)
            }
            Reason::Fault(fault) | Reason::Raised(fault, _) => self.stop_at(fault, expr),
            Reason::FaultAt(fault, at) => self.fail(fault, at),
            other => other.into(),
        }
    }

    fn stop_at(&self, fault: Fault, expr: &Expr) -> Stop {
        if let Some(shape) = stands_as_it_is(fault.kind) {
            return Failure::new(fault, shape, None).into();
        }
        let fault = match fault.kind {
            FaultKind::Plain => {
                let message = runtime_error(&expr.label(), &fault.message);
                Fault { kind: FaultKind::Issue("RUNTIME_ERROR"), message: message.into(), ..fault }
            }
            _ => fault,
        };
        self.fail(fault, expr.at)
    }
}

/// Returns how the error of a file that had to be loaded is shown: nothing is put around it.
pub(super) fn stands_as_it_is(kind: FaultKind) -> Option<Shape> {
    match kind {
        FaultKind::Located => Some(Shape::Plain),
        FaultKind::Logged => Some(Shape::Bare),
        _ => None,
    }
}

pub(super) fn runtime_error(label: &str, detail: &str) -> String {
    let article = match label.trim_start_matches(['\'', '"']).chars().next() {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'A' | 'E' | 'I' | 'O' | 'U') => "an",
        _ => "a",
    };
    format!("Error while evaluating {article} {label}, {detail}")
}

/// Types of the outside, each asked for once.
impl Resolve for Machine<'_> {
    fn most_elements(&self) -> u64 {
        self.settings.limits.elements
    }

    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        let name: Str = name.strip_prefix("::").unwrap_or(name).into();
        if let Some(known) = self.types.get(&name) {
            return Ok(known.clone());
        }
        let found = match self.host.ask(&Question::Type(name.clone())) {
            Answer::Type(of, _) => Some(of),
            Answer::Fault(fault) => return Err(fault),
            _ => None,
        };
        self.types.insert(name, found.clone());
        Ok(found)
    }

    fn language(&self) -> Language {
        self.settings.language
    }

    fn now(&mut self) -> Result<Timestamp, Fault> {
        match self.host.ask(&Question::Now) {
            Answer::Value(Value::Timestamp(now)) => Ok(now),
            Answer::Fault(fault) => Err(fault),
            _ => Err(Fault::new("There is no clock here to tell the time")),
        }
    }
}
