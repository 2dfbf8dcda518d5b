//! One call of a core function, as its code sees it: arguments, block, and the way to everything else.

use std::sync::Arc;

use pantin_base::Strict;
use pantin_base::names::is_module_variable;
use pantin_model::trace::{
    Answer, At, Deprecation, Effect, FileKind, FunctionCaller, Level, Log, LogSource, NameKind, Question,
};
use pantin_values::sprintf::older_form;
use pantin_values::{Binary, Fault, Str, Value};

use super::calls::{Args, Caller};
use super::code::{Lambda, Locals};
use super::cursors::Cursors;
use super::machine::{Machine, Settings};
use super::stop::{Flow, Reason, Stop};
use super::variable_value::VariableValue;

/// A lambda with the frame it was written in. It lives no longer than the call it was given to.
#[derive(Clone, Copy, Debug)]
pub struct Block<'m> {
    pub(super) lambda: &'m Lambda,
    pub(super) frame: usize,
}

/// The path of a file that was found. Code learns it by [`FoundFile::reveal`] alone, which notes that it did.
#[derive(Debug)]
pub struct FoundFile(Str);

impl FoundFile {
    /// Returns the path as code gets it.
    pub fn reveal(self, call: &mut Invocation<'_, '_>) -> Value {
        call.reveal(self.0)
    }

    /// Returns the path for a message, or for a question about the file.
    pub fn path(&self) -> &Str {
        &self.0
    }
}

pub struct Invocation<'m, 'h> {
    pub(super) machine: &'m mut Machine<'h>,
    pub(super) args: &'m mut Args,
    pub(super) block: Option<Block<'m>>,
    pub(super) name: &'static str,
    pub(super) at: u32,
    /// Of the code that calls, where the function finds variables by their names.
    pub(super) locals: &'m Locals,
}

impl<'m> Invocation<'m, '_> {
    /// The locals of the code that calls, as long as code stands where that does.
    pub(super) fn locals(&self) -> &'m Locals {
        if self.machine.has_own { self.locals } else { &[] }
    }
}

impl<'h> Invocation<'_, 'h> {
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn settings(&self) -> Settings {
        self.machine.settings
    }

    /// Returns how far iterators have been gone through.
    pub fn cursors(&self) -> Cursors {
        self.machine.cursors.clone()
    }

    // ---- arguments ----

    pub fn args(&self) -> &[Value] {
        self.args
    }

    /// Returns the arguments as a function of the older kind sees them: `scope.function_x` hands its own on, Puppet
    /// code those that older code knows. To be asked once, before the function calls anything.
    pub fn older_args(&mut self) -> Flow<Vec<Value>> {
        if std::mem::take(&mut self.machine.is_called_by_scope) {
            return Ok(self.args.to_vec());
        }
        Ok(self.args.iter().map(older_form).collect::<Result<_, _>>()?)
    }

    /// Returns an argument; undef where none was given.
    pub fn arg(&self, index: usize) -> &Value {
        self.args.get(index).unwrap_or(&Value::Undef)
    }

    /// Takes an argument out, so that it can be changed in place.
    pub fn take(&mut self, index: usize) -> Value {
        self.args.get_mut(index).map(std::mem::take).unwrap_or_default()
    }

    /// Takes all of them out.
    pub fn take_all(&mut self) -> Args {
        std::mem::take(self.args)
    }

    pub fn has_block(&self) -> bool {
        self.block.is_some()
    }

    /// Returns true if the block may end in `break()`.
    pub fn block_may_break(&self) -> bool {
        self.block.is_some_and(|block| block.lambda.may_break)
    }

    /// Returns how many parameters the block has; a captures-rest parameter counts as many.
    pub fn block_params(&self) -> usize {
        match &self.block {
            Some(block) if block.lambda.params.iter().any(|param| param.rest) => usize::MAX,
            Some(block) => block.lambda.params.len(),
            None => 0,
        }
    }

    /// Returns how many arguments the block takes, if only so many: no parameter has a default or captures the rest.
    pub fn block_arity(&self) -> Option<usize> {
        let params = &self.block.as_ref()?.lambda.params;
        let is_fixed = params.iter().all(|param| !param.rest && param.default.is_none());
        is_fixed.then_some(params.len())
    }

    pub fn block_param_names(&self) -> Vec<&str> {
        self.block.iter().flat_map(|block| &block.lambda.params).map(|param| param.name.as_str()).collect()
    }

    /// Calls the block; undef where there is none.
    pub fn yield_values<const N: usize>(&mut self, values: [Value; N]) -> Flow {
        match self.block {
            Some(block) => self.machine.call_block_with(&block, values),
            None => Ok(Value::Undef),
        }
    }

    pub fn yield_list(&mut self, values: Args) -> Flow {
        match self.block {
            Some(block) => self.machine.call_block(&block, values),
            None => Ok(Value::Undef),
        }
    }

    // ---- the outside ----

    pub fn ask(&mut self, question: &Question) -> Answer {
        let depends_on_scope = matches!(
            question,
            Question::Lookup(_)
                | Question::Tagged(_)
                | Question::Defaults(_)
                | Question::Frame(_)
                | Question::Names
                | Question::DeclaredWith { .. }
        );
        if depends_on_scope {
            self.machine.take_stand();
        }
        if matches!(question, Question::Lookup(_)) {
            self.machine.show_parameters();
        }
        self.machine.host.ask(question)
    }

    /// Returns true if a setting of the compiler that is true or false is true.
    pub fn is_set(&mut self, setting: &str) -> bool {
        matches!(self.ask(&Question::Setting(setting.into())), Answer::Value(Value::Boolean(true)))
    }

    /// Returns a file of a module, by its name.
    pub fn find_file(&mut self, kind: FileKind, name: Str) -> Flow<Option<FoundFile>> {
        match self.ask(&Question::FindFile { kind, name }) {
            Answer::Value(Value::String(path)) => Ok(Some(FoundFile(path))),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(None),
        }
    }

    /// Hands a text to code in which a path may stand.
    pub fn reveal(&mut self, text: Str) -> Value {
        match self.ask(&Question::Reveal(text.clone())) {
            Answer::Value(revealed) => revealed,
            _ => text.into(),
        }
    }

    /// Returns what is in a file that was found.
    pub fn read_content(&mut self, file: &FoundFile) -> Flow<Option<Binary>> {
        self.content(file.0.clone())
    }

    /// Returns what is in the file at a path, if there is one.
    pub fn content(&mut self, path: Str) -> Flow<Option<Binary>> {
        match self.ask(&Question::Content(path)) {
            Answer::Value(Value::Binary(content)) => Ok(Some(content)),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(None),
        }
    }

    /// The files and folders that match patterns: a list of paths.
    pub fn matching(&mut self, patterns: Arc<[Str]>) -> Flow {
        match self.ask(&Question::Glob(patterns)) {
            Answer::Value(paths) => Ok(paths),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(Value::array([])),
        }
    }

    /// Returns a number that nobody can foresee.
    pub fn chance(&mut self) -> Flow<i64> {
        match self.ask(&Question::Random) {
            Answer::Value(Value::Integer(number)) => Ok(number),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Err(self.fault("There is nothing here that gives numbers by chance")),
        }
    }

    pub fn apply(&mut self, effect: &Effect) -> Flow {
        self.machine.apply(effect)
    }

    /// Returns where the call stands.
    pub fn place(&self) -> At {
        self.machine.place(self.at)
    }

    /// Returns what helps where the data has no such key.
    pub fn help_for_key(&mut self, name: &str) -> Option<String> {
        match self.ask(&Question::Similar { kind: NameKind::Key, name: name.into() }) {
            Answer::Value(Value::String(help)) => Some(help.to_string()),
            _ => None,
        }
    }

    pub fn call_function(&mut self, name: &str, args: Args) -> Flow {
        self.machine.call_by_name(name, args, Caller { block: self.block, at: self.at, locals: self.locals })
    }

    /// The same without the block.
    pub fn call_without_block(&mut self, name: &str, args: Args) -> Flow {
        self.machine.call_by_name(name, args, Caller { block: None, at: self.at, locals: self.locals })
    }

    /// Of the function that the code of a module sees first.
    pub(super) fn call_seen_from(&mut self, from: &FunctionCaller, name: &str, args: Args) -> Flow {
        let caller = Caller { block: None, at: self.at, locals: self.locals() };
        self.machine.call_seen_from(from, name, args, caller)
    }

    /// Returns a variable by its name, as the caller sees it; `None` where there is none.
    pub fn variable(&mut self, name: &str) -> Flow<Option<Value>> {
        self.machine.named_variable(name, self.locals)
    }

    /// Finds a part of a variable, at the end of a path that is written with dots, and reads nothing else of it. `None`: that can
    /// only be said of the whole variable.
    pub(crate) fn variable_part(&mut self, name: &str, navigation: &str, default: &Value) -> Flow<Option<Value>> {
        match self.machine.named_seen(name, self.locals)? {
            Some(VariableValue::View(view)) => self.machine.find_written_part(&view, navigation, default),
            _ => Ok(None),
        }
    }

    /// A variable that Ruby looks up without asking whether it is there: what that means is a setting.
    pub fn required_variable(&mut self, name: &str) -> Flow {
        match self.variable(name)? {
            Some(value) => Ok(value),
            None => self.miss_variable(name).map(|()| Value::Undef),
        }
    }

    /// Says that a variable is not there which Ruby looks up, as loudly as the settings want it.
    pub fn miss_variable(&mut self, name: &str) -> Flow<()> {
        let strict = self.machine.settings.strict;
        if strict == Strict::Off {
            return Ok(());
        }
        let Some((shown, reason)) = self.describe_absence(name) else { return Ok(()) };
        let message = format!("Undefined variable '{shown}'; {reason}");
        if strict == Strict::Error {
            return Err(self.fault(message));
        }
        self.deprecated(&format!("Variable: {shown}"), message, false)
    }

    /// Returns what a variable that is not there is called in the words that say so, and why it is not there. `None`:
    /// its value is undef, and nobody has to set it.
    pub(super) fn describe_absence(&mut self, name: &str) -> Option<(Str, Str)> {
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        if is_number || is_module_variable(name) {
            return None;
        }
        let said = if name.contains("::") { self.ask(&Question::Unknown(name.into())) } else { Answer::Absent };
        Some(match &said {
            Answer::Value(Value::Array(said)) => {
                let part = |at: usize| said.get(at).and_then(Value::as_str).unwrap_or_default().into();
                (part(0), part(1))
            }
            _ => (name.into(), Str::default()),
        })
    }

    /// Returns true if there is a function of a name, whatever kind it is.
    pub fn has_function(&mut self, name: &str) -> bool {
        let name = name.strip_prefix("::").unwrap_or(name);
        self.machine.builtins.get(name).is_some()
            || matches!(
                self.ask(&Question::function(&name.into(), &FunctionCaller::Environment)),
                Answer::Definition(_)
            )
    }

    /// The names of the locals of the caller that have a value.
    pub fn local_names(&self) -> Vec<Str> {
        let is_set =
            |places: &[(u32, u32)]| places.iter().any(|&(depth, slot)| self.machine.slot_at(depth, slot).is_some());
        self.locals.iter().filter(|(_, places)| is_set(places)).map(|(name, _)| name.clone()).collect()
    }

    /// Returns the numbers of the groups that `$0`, `$1` … stand for.
    pub fn capture_names(&self) -> impl Iterator<Item = Str> {
        let count = self.machine.matched.as_ref().map_or(0, |matched| matched.captures.len());
        (0..count).map(|number| Str::from(number.to_string()))
    }

    /// Returns true if `$0`, `$1` … stand for anything.
    pub fn has_matched(&self) -> bool {
        self.machine.matched.is_some()
    }

    /// Types by name: aliases and object types of the outside.
    pub fn resolver(&mut self) -> &mut Machine<'h> {
        self.machine
    }

    // ---- the log ----

    pub fn log(&mut self, level: Level, message: Str) -> Flow {
        self.apply(&Effect::Log(Log { level, source: LogSource::Scope, message, at: None, once: None }.into()))
    }

    /// A warning of Puppet's own, without a place.
    pub fn warn(&mut self, message: impl Into<Str>) -> Flow<()> {
        let message = message.into();
        let log = Log { level: Level::Warning, source: LogSource::Puppet, message, at: None, once: None };
        self.apply(&Effect::Log(log.into())).map(|_| ())
    }

    /// A deprecation, logged once for each key; the place of the call is told where `with_place`.
    pub fn deprecated(&mut self, key: &str, message: impl Into<Str>, with_place: bool) -> Flow<()> {
        let at = with_place.then(|| self.place());
        let log = Log {
            level: Level::Warning,
            source: LogSource::Deprecation,
            message: message.into(),
            at,
            once: Some(key.into()),
        };
        self.apply(&Effect::Log(log.into())).map(|_| ())
    }

    /// What a module says of what is deprecated in it. `by`: where in its Ruby code it says so.
    pub fn deprecate(&mut self, key: &str, message: &str, by: Str, fails: bool) -> Flow {
        let calls = self.machine.under_way.innermost(2, &self.machine.unit);
        let deprecation = Deprecation { key: key.into(), message: message.into(), calls, by, fails };
        self.apply(&Effect::Deprecate(deprecation.into()))
    }

    // ---- jumps ----

    pub fn next(&self, value: Value) -> Stop {
        Reason::Next(value, self.place()).into()
    }

    pub fn return_from(&self, value: Value) -> Stop {
        Reason::Return(value, self.place()).into()
    }

    pub fn break_out(&self) -> Stop {
        Reason::Break(self.place()).into()
    }

    /// Returns an error in the words of the function.
    pub fn fault(&self, message: impl Into<std::borrow::Cow<'static, str>>) -> Stop {
        Fault::new(message).into()
    }

    pub fn check_text(&self, bytes: usize) -> Result<(), Fault> {
        self.machine.check_text(bytes)
    }

    /// Adds to a text, unless it would become too long: before it takes the memory for that.
    pub fn push_text(&self, to: &mut String, text: &str) -> Result<(), Fault> {
        self.check_text(to.len() + text.len())?;
        to.push_str(text);
        Ok(())
    }

    pub fn check_elements(&self, count: usize) -> Result<(), Fault> {
        self.machine.check_elements(count)
    }
}
