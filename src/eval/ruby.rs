//! Ruby code, as the evaluator runs it: what a template or a function written in Ruby sees of the code that calls it.

use std::collections::BTreeSet;
use std::sync::Arc;

use pantin_base::{Strict, stack};
use pantin_model::trace::{
    Answer, FileKind, FunctionCaller, Level, Log, LogSource, Path, Question, ResourcePart, RubyFile, VariableName,
};
use pantin_ruby::{
    CallForm, Declaration, FunctionFile, HeldValue, Outside, OwnRuby, RubyBlock, RubyError, Script, Trouble,
    TroubleKind,
};
use pantin_values::signature::Api;
use pantin_values::{Fault, FaultKind, Hash, Object, Resolve, Str, Value, mismatch};

use super::code::Expr;
use super::effect_log::{EffectLog, effect_digest};
use super::invocation::Invocation;
use super::issue;
use super::stand_in::Function;
use super::stop::{Flow, Reason, Stop};
use super::variable_value::VariableValue;

/// The evaluator, as the world of Ruby code.
pub(super) struct World<'c, 'm, 'h> {
    call: &'c mut Invocation<'m, 'h>,
    /// The one that runs, if it is one.
    function: Option<&'c FunctionFile>,
    /// A function of the newer kind: its scope is not that of the code that calls.
    typed: bool,
    /// As what its arguments are written, where that is known.
    argument_exprs: &'c [Expr],
    effects: EffectLog,
}

/// What helps code that wants more Ruby than there is.
pub(super) const OWN_RUBY: &str = "--ruby PATH has a Ruby of your own run such a function";

fn trouble(stop: Stop) -> Trouble {
    let place = match &*stop.0 {
        Reason::Raised(_, place) => Some(place.clone()),
        _ => None,
    };
    let (message, kind) = match &*stop.0 {
        Reason::Fault(fault) | Reason::TooEarly(fault) | Reason::FaultAt(fault, _) | Reason::Raised(fault, _)
            if fault.kind == FaultKind::Limit =>
        {
            (fault.message.to_string(), TroubleKind::Fatal)
        }
        Reason::Fault(fault) | Reason::TooEarly(fault) | Reason::FaultAt(fault, _) | Reason::Raised(fault, _) => {
            (fault.message.to_string(), TroubleKind::Parse)
        }
        Reason::Failure(failure) if failure.code == "LIMIT" => (failure.message.to_string(), TroubleKind::Fatal),
        Reason::Failure(failure) => (failure.message.to_string(), TroubleKind::Parse),
        Reason::Next(..) | Reason::Return(..) | Reason::Break(_) => ("a jump".to_owned(), TroubleKind::Fatal),
    };
    Trouble { message, kind, place, origin: Some(Box::new(stop)) }
}

/// Returns what a function of the older kind gives, for the scope: the symbol `:undef` is undef.
fn without_undef_symbols(value: Value) -> Value {
    match value {
        Value::Symbol(name) if name == "undef" => Value::Undef,
        Value::Array(items) if items.iter().any(holds_undef_symbol) => {
            Value::array(items.iter().cloned().map(without_undef_symbols))
        }
        Value::Hash(entries)
            if entries.iter().any(|(key, value)| holds_undef_symbol(key) || holds_undef_symbol(value)) =>
        {
            let pairs = entries.iter().map(|(key, value)| (key.clone(), value.clone()));
            Value::hash(pairs.map(|(key, value)| (without_undef_symbols(key), without_undef_symbols(value))))
        }
        other => other,
    }
}

fn holds_undef_symbol(value: &Value) -> bool {
    match value {
        Value::Symbol(name) => name == "undef",
        Value::Array(items) => stack::with_room(|| items.iter().any(holds_undef_symbol)),
        Value::Hash(entries) => {
            stack::with_room(|| entries.iter().any(|(key, value)| holds_undef_symbol(key) || holds_undef_symbol(value)))
        }
        _ => false,
    }
}

fn trouble_from_fault(fault: Fault) -> Trouble {
    trouble(fault.into())
}

impl<'c, 'm, 'h> World<'c, 'm, 'h> {
    /// `typed`: of code of the newer kind.
    pub(super) fn new(
        call: &'c mut Invocation<'m, 'h>,
        function: Option<&'c FunctionFile>,
        typed: bool,
        effects: EffectLog,
    ) -> World<'c, 'm, 'h> {
        World { call, function, typed, argument_exprs: &[], effects }
    }

    pub(super) fn with_argument_exprs(self, given: &'c [Expr]) -> World<'c, 'm, 'h> {
        World { argument_exprs: given, ..self }
    }

    /// For a block that a function of the newer kind has made.
    pub(super) fn for_block(call: &'c mut Invocation<'m, 'h>) -> World<'c, 'm, 'h> {
        World { call, function: None, typed: true, argument_exprs: &[], effects: EffectLog::default() }
    }

    /// Has another Ruby call a function. Unless it is said that it depends on what it asks alone, nobody may use the answer
    /// again.
    pub(super) fn call_elsewhere(
        &mut self,
        function: &FunctionFile,
        own_ruby: &dyn OwnRuby,
        args: &[Value],
    ) -> Result<Value, RubyError> {
        if !own_ruby.is_deterministic(&function.name) {
            self.call.ask(&Question::OwnRuby(function.name.clone()));
        }
        // Its code knows its own file.
        self.call.reveal(function.script.path.beyond_code().clone());
        own_ruby.call(function, args, self)
    }

    /// Does something to the world, but what was done already. The kind, the name and the values say what.
    fn apply_once(
        &mut self,
        kind: &[u8],
        name: &str,
        values: &[Value],
        effect: impl FnOnce(&mut Self) -> Flow,
    ) -> Result<Value, Trouble> {
        if !self.effects.may_repeat {
            return effect(self).map_err(trouble);
        }
        let what = effect_digest(kind, name, values);
        if let Some(outcome) = self.effects.recorded_result(what) {
            return outcome;
        }
        let outcome = effect(self).map_err(trouble);
        self.effects.note(what, &outcome);
        outcome
    }

    /// As whose code it calls others. The scope knows no module, and sees as the environment does.
    fn function_caller(&self, how: CallForm) -> FunctionCaller {
        match (how, self.function) {
            (CallForm::Older, _) => FunctionCaller::Scope,
            (CallForm::Newer, Some(function)) if self.typed => FunctionCaller::from_module(&function.module),
            (CallForm::Newer | CallForm::ByScope, _) => FunctionCaller::Environment,
        }
    }

    /// A function of the newer kind knows no scope but the one at the top: there others are called.
    fn call_in_scope(&mut self, how: CallForm, call: impl FnOnce(&mut Invocation<'m, 'h>) -> Flow) -> Flow {
        let has_left = self.typed && how == CallForm::Newer && self.call.machine.enter_top();
        let result = call(self.call);
        if has_left {
            self.call.machine.come_back();
        }
        result
    }

    /// A function of the newer kind that calls one which is not there has words of its own for that.
    fn unknown_function(&self, name: &str, how: CallForm, trouble: Trouble) -> Trouble {
        match self.function.map(|function| &function.name) {
            Some(own) if how != CallForm::Older && trouble.message == issue::unknown_function(name).message => {
                let message = format!("Function {own}(): Unknown function: '{name}'");
                Trouble { message, kind: TroubleKind::Argument, place: None, origin: None }
            }
            _ => trouble,
        }
    }

    /// Returns a core function of the newer kind: what it calls itself is not called by the scope.
    fn is_typed(&self, name: &str) -> bool {
        self.call.machine.builtins.get(name).is_some_and(|known| known.declared.api == Api::Typed)
    }

    fn is_there(&mut self, kind: FileKind, path: &str) -> Result<bool, Trouble> {
        self.call.find_file(kind, path.into()).map(|path| path.is_some()).map_err(trouble)
    }
}

impl Outside for World<'_, '_, '_> {
    fn variable(&mut self, name: &str) -> Result<Option<pantin_ruby::OutsideVariable>, Trouble> {
        let locals = self.call.locals();
        let machine = &mut *self.call.machine;
        let name = match name.strip_prefix('@') {
            Some(own) if machine.hides(own, locals) => return Ok(None),
            own => own.unwrap_or(name),
        };
        if machine.local_seen(name, locals).is_none()
            && let Some(held) = machine.find_held(name)
        {
            return Ok(Some(pantin_ruby::OutsideVariable::Held(held.clone())));
        }
        if self.function.is_some() && machine.may_be_moved(name, locals) {
            let message = format!("Ruby code looks at ${name}, which was handed on, which is not supported");
            return Err(trouble_from_fault(Fault::limit(message)));
        }
        let seen = machine.named_seen(name, locals).map_err(trouble)?;
        Ok(seen.map(|seen| match seen {
            VariableValue::Value(value) => pantin_ruby::OutsideVariable::Value(value),
            VariableValue::View(view) => pantin_ruby::OutsideVariable::View(pantin_ruby::Place {
                container: view.container,
                variable: view.variable.clone(),
                path: view.path.to_vec(),
            }),
        }))
    }

    fn part(
        &mut self,
        variable: &VariableName,
        path: &[Value],
    ) -> Result<Option<pantin_ruby::OutsideVariable>, Trouble> {
        let question_path: Path = path.into();
        match self.call.machine.host.ask(&Question::Part { variable: variable.clone(), path: question_path }) {
            Answer::Value(value) => Ok(Some(pantin_ruby::OutsideVariable::Value(value))),
            Answer::View(container) => Ok(Some(pantin_ruby::OutsideVariable::View(pantin_ruby::Place {
                container,
                variable: variable.clone(),
                path: path.to_vec(),
            }))),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(None),
        }
    }

    fn whole_variable(&mut self, variable: &VariableName, path: &[Value]) -> Result<Value, Trouble> {
        let path: Path = path.into();
        match self.call.machine.host.ask(&Question::Whole { variable: variable.clone(), path }) {
            Answer::Value(value) => Ok(value),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(Value::Undef),
        }
    }

    fn variable_names(&mut self) -> Result<Vec<Str>, Trouble> {
        let mut names: BTreeSet<Str> = BTreeSet::new();
        match self.call.ask(&Question::Names) {
            Answer::Value(Value::Array(seen)) => {
                names.extend(seen.iter().filter_map(|name| name.as_str().map(Str::from)))
            }
            Answer::Fault(fault) => return Err(trouble_from_fault(fault)),
            _ => {}
        }
        // What is local is seen in the place of what is not.
        for name in self.call.local_names() {
            match self.variable(&format!("@{name}"))? {
                Some(pantin_ruby::OutsideVariable::Value(Value::Undef)) | None => drop(names.remove(&name)),
                Some(_) => drop(names.insert(name)),
            }
        }
        Ok(names.into_iter().collect())
    }

    fn unknown_variable(&mut self, name: &str) -> Result<(), Trouble> {
        match self.call.miss_variable(name) {
            Err(stop) if self.call.settings().strict == Strict::Error => {
                Err(Trouble { kind: TroubleKind::Argument, origin: None, ..trouble(stop) })
            }
            result => result.map_err(trouble),
        }
    }

    fn absence_of(&mut self, name: &str) -> Result<Option<Value>, Trouble> {
        Ok(self
            .call
            .describe_absence(name)
            .map(|(_, reason)| if reason.is_empty() { Value::Undef } else { reason.into() }))
    }

    fn set_variable(&mut self, name: &Str, held: HeldValue, value: Value) -> Result<(), Trouble> {
        let locals = self.call.locals();
        let what = [value.clone()];
        self.apply_once(b"set", name, &what, |world| {
            world.call.machine.hold(name, held, value, locals).map(|()| Value::Undef)
        })
        .map(drop)
    }

    fn is_fixed(&mut self, name: &VariableName) -> Result<bool, Trouble> {
        let locals = self.call.locals();
        self.call.machine.is_fixed(name, locals).map_err(trouble)
    }

    fn is_fixed_argument(&mut self, index: usize) -> Result<bool, Trouble> {
        self.call.machine.is_fixed_argument(self.argument_exprs, index).map_err(trouble)
    }

    fn change_argument(&mut self, index: usize, value: Value) -> Result<(), Trouble> {
        let (given, what) = (self.argument_exprs, [Value::Integer(index as i64), value.clone()]);
        self.apply_once(b"change an argument", "", &what, |world| {
            world.call.machine.change_argument(given, index, value).map(|()| Value::Undef)
        })
        .map(drop)
    }

    fn change_variable(&mut self, name: &VariableName, value: Value) -> Result<(), Trouble> {
        let locals = self.call.locals();
        let what = [value.clone()];
        self.apply_once(b"change", name.written(), &what, |world| {
            world.call.machine.change(name, value, locals).map(|()| Value::Undef)
        })
        .map(drop)
    }

    fn enter_top(&mut self) -> bool {
        self.call.machine.enter_top()
    }

    fn leave_top(&mut self) {
        self.call.machine.come_back();
    }

    fn release(&self) -> &'static str {
        self.call.settings().language.release()
    }

    fn server_facts(&mut self) -> Option<&Hash> {
        None
    }

    fn defaults(&mut self, type_name: &str) -> Result<Value, Trouble> {
        match self.call.ask(&Question::Defaults(type_name.into())) {
            Answer::Value(value) => Ok(value),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(Value::Undef),
        }
    }

    fn resource_part(&mut self, reference: &str, part: ResourcePart) -> Result<Option<Value>, Trouble> {
        match self.call.ask(&Question::ResourceValue { reference: reference.into(), part }) {
            Answer::Value(value) => Ok(Some(value)),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(None),
        }
    }

    fn classes_and_tags(&mut self) -> Result<(Value, Value), Trouble> {
        match self.call.ask(&Question::Classes) {
            Answer::Value(Value::Array(both)) => {
                let part = |index| both.get(index).cloned().unwrap_or_default();
                Ok((part(0), part(1)))
            }
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok((Value::Undef, Value::Undef)),
        }
    }

    fn own_resource(&mut self) -> Result<String, Trouble> {
        match self.call.ask(&Question::Frame("resource".into())) {
            Answer::Value(reference) => Ok(pantin_values::text::display(&reference).to_string()),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(String::new()),
        }
    }

    fn method(&mut self, object: &Arc<Object>, name: &str, args: Vec<Value>) -> Result<Value, Trouble> {
        let arguments: Arc<[Value]> = args.into();
        let result = self.apply_once(b"method", name, &arguments.clone(), |world| {
            let question = Question::Method { object: object.clone(), name: name.into(), arguments };
            match world.call.ask(&question) {
                Answer::Value(value) => Ok(value),
                Answer::Fault(fault) => Err(fault.into()),
                _ => Ok(Value::Undef),
            }
        });
        // What it throws is no exception, and nothing rescues it.
        result.map_err(
            |trouble| if name == "not_found" { Trouble { kind: TroubleKind::Fatal, ..trouble } } else { trouble },
        )
    }

    fn call_function(&mut self, name: &str, args: Vec<Value>, how: CallForm) -> Result<Value, Trouble> {
        let called = self.apply_once(b"call", name, &args.clone(), |world| {
            world.call.machine.is_called_by_scope = how == CallForm::Older && !world.is_typed(name);
            let from = world.function_caller(how);
            let result = world.call_in_scope(how, |call| call.call_seen_from(&from, name, args.into_iter().collect()));
            world.call.machine.is_called_by_scope = false;
            if how == CallForm::Older { result.map(without_undef_symbols) } else { result }
        });
        called.map_err(|trouble| self.unknown_function(name, how, trouble))
    }

    fn call_with_block(
        &mut self,
        name: &str,
        args: Vec<Value>,
        how: CallForm,
        block: Arc<dyn RubyBlock>,
    ) -> Result<Value, Trouble> {
        let called = self.apply_once(b"call with a block", name, &args.clone(), |world| {
            world.call_in_scope(how, |call| call.call_with_block_elsewhere(name, args.into_iter().collect(), block))
        });
        called.map_err(|trouble| self.unknown_function(name, how, trouble))
    }

    fn choose(&mut self, function: &Declaration, args: &[Value], with_block: bool) -> Result<usize, Trouble> {
        self.call.chosen(function, args, with_block).map_err(trouble)
    }

    fn check_result(&mut self, function: &Declaration, chosen: usize, value: &Value) -> Result<(), Trouble> {
        let signatures = self.call.read_signatures(function).map_err(trouble_from_fault)?;
        let (Some(signature), Some(dispatch)) = (signatures.get(chosen), function.dispatches.get(chosen)) else {
            return Ok(());
        };
        if signature.explains {
            let why = pantin_values::text::display(value);
            return Err(trouble_from_fault(Fault::new(format!("'{}' {why}", function.name))));
        }
        match &signature.gives {
            Some(of) => {
                let subject = format!("value returned from function '{}'", dispatch.method);
                mismatch::assert_instance(&subject, of, value).map_err(trouble_from_fault)
            }
            None => Ok(()),
        }
    }

    fn has_block(&self) -> bool {
        self.call.has_block()
    }

    fn block_arity(&self) -> i64 {
        match (self.call.block_arity(), self.call.block_params()) {
            (Some(exactly), _) => exactly as i64,
            (None, usize::MAX) => -1,
            (None, most) => -(most as i64) - 1,
        }
    }

    fn call_block(&mut self, args: Vec<Value>) -> Result<Value, Trouble> {
        self.apply_once(b"yield", "", &args.clone(), |world| world.call.yield_list(args.into_iter().collect()))
    }

    fn library(&mut self, name: &str) -> Result<Option<Arc<Script>>, Trouble> {
        self.call.script(RubyFile::Library, &name.into()).map_err(trouble)
    }

    fn template(&mut self, name: &str) -> Result<Option<Arc<Script>>, Trouble> {
        self.call.script(RubyFile::Template, &name.into()).map_err(trouble)
    }

    fn is_method_of_scope(&mut self, name: &str) -> Result<bool, Trouble> {
        if self.call.machine.builtins.get(name).is_some() {
            return Ok(pantin_ruby::is_older_function(name));
        }
        // A module may have one of each kind. It must not be loaded for this: of several, the first that is loaded counts.
        if self.is_there(FileKind::OlderFunction, name)? {
            return Ok(true);
        }
        Ok(match self.call.machine.find_function(&name.into(), &FunctionCaller::Environment).map_err(trouble)? {
            Some(Function::StandIn(known)) => known.declared.api == Api::Untyped,
            Some(Function::Ruby(function)) => function.api == Api::Untyped,
            Some(Function::Puppet(_)) | None => false,
        })
    }

    fn resource_around(&mut self) -> Result<Option<Str>, Trouble> {
        match self.call.ask(&Question::Frame("resource".into())) {
            Answer::Value(Value::String(name)) => Ok(Some(name)),
            _ => Ok(None),
        }
    }

    fn has_function(&mut self, name: &str) -> Result<bool, Trouble> {
        if self.call.machine.builtins.get(name).is_some() {
            return Ok(true);
        }
        match self.call.ask(&Question::function(&name.into(), &FunctionCaller::Environment)) {
            Answer::Definition(_) => Ok(true),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(false),
        }
    }

    fn log(&mut self, level: Level, message: &str) -> Result<(), Trouble> {
        let level_and_text = [Value::from(level.label()), message.into()];
        let log = Log { level, source: LogSource::Puppet, message: message.into(), at: None, once: None };
        self.apply_once(b"log", "", &level_and_text, |world| {
            world.call.apply(&pantin_model::trace::Effect::Log(log.into()))
        })
        .map(drop)
    }

    fn deprecated(&mut self, key: &str, message: &str) -> Result<(), Trouble> {
        let result = [Value::from(key), message.into()];
        self.apply_once(b"deprecated", "", &result, |world| {
            world.call.deprecated(key, message, false).map(|()| Value::Undef)
        })
        .map(drop)
    }

    fn setting(&mut self, name: &str) -> Result<Option<Value>, Trouble> {
        match self.call.ask(&Question::Setting(name.into())) {
            Answer::Value(value) => Ok(Some(value)),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(None),
        }
    }

    fn reveal(&mut self, text: &str) -> Result<(), Trouble> {
        self.call.reveal(text.into());
        Ok(())
    }

    fn beyond(&mut self, paths: &[Str]) -> Result<Option<(Str, Str)>, Trouble> {
        match self.call.ask(&Question::Beyond(paths.into())) {
            Answer::Value(Value::Array(way)) => Ok(match &way[..] {
                [Value::String(path), Value::String(real)] => Some((path.clone(), real.clone())),
                _ => None,
            }),
            // No code rescues what it may not do.
            Answer::Fault(fault) => {
                let message = fault.message.into_owned();
                Err(Trouble { message, kind: TroubleKind::Refused, place: None, origin: None })
            }
            _ => Ok(None),
        }
    }

    fn content(&mut self, path: &str) -> Result<Option<Vec<u8>>, Trouble> {
        let content = self.call.content(path.into()).map_err(trouble)?;
        Ok(content.map(|content| content.bytes().to_vec()))
    }

    fn exists(&mut self, path: &str) -> Result<bool, Trouble> {
        self.is_there(FileKind::File, path)
    }

    fn is_folder(&mut self, path: &str) -> Result<bool, Trouble> {
        self.is_there(FileKind::Folder, path)
    }

    fn matching(&mut self, patterns: &[Str]) -> Result<Value, Trouble> {
        self.call.matching(patterns.into()).map_err(trouble)
    }

    fn command(&mut self, words: &[Str]) -> Result<Option<Value>, Trouble> {
        match self.call.ask(&Question::Command(words.into())) {
            Answer::Value(answer) => Ok(Some(answer)),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(None),
        }
    }

    fn name_lookup(&mut self, function: &str, arguments: &[Value]) -> Result<Option<Value>, Trouble> {
        match self.call.ask(&Question::Recorded { function: function.into(), arguments: arguments.into() }) {
            Answer::Value(answer) => Ok(Some(answer)),
            Answer::Fault(fault) => Err(trouble_from_fault(fault)),
            _ => Ok(None),
        }
    }

    fn random(&mut self) -> Result<i64, Trouble> {
        self.call.chance().map_err(trouble)
    }

    fn has_own_ruby(&self) -> bool {
        self.effects.may_repeat
    }

    fn restart(&mut self) {
        self.effects.rewind();
    }

    fn now(&mut self) -> Result<(i64, u32), Trouble> {
        let now = self.call.machine.now().map_err(trouble_from_fault)?;
        let nanoseconds = now.nanoseconds();
        Ok((nanoseconds.div_euclid(1_000_000_000) as i64, nanoseconds.rem_euclid(1_000_000_000) as u32))
    }

    fn local_offset(&mut self) -> i32 {
        self.call.machine.local_offset()
    }
}
